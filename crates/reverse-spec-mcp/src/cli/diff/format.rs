//! The forms in which drift is printed.

use clap::ArgMatches;
use mcp_core::findings::{Findings, Found};

use super::fails_from;
use crate::domain::diff::{Category, ChangeType, DriftItem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Markdown,
    Github,
    Sarif,
}

impl Format {
    pub(super) const WORDS: [&str; 5] = ["text", "json", "markdown", "github", "sarif"];

    /// As it was asked for; `--json` is a shorter way to say one of them.
    pub(super) fn of(matches: &ArgMatches) -> Self {
        if matches.get_flag("json") {
            return Self::Json;
        }
        match matches.get_one::<String>("format").map(String::as_str) {
            Some("json") => Self::Json,
            Some("markdown") => Self::Markdown,
            Some("github") => Self::Github,
            Some("sarif") => Self::Sarif,
            _ => Self::Text,
        }
    }

    /// Items as other programs read them.
    pub(super) fn told(self, matches: &ArgMatches, items: &[DriftItem]) -> String {
        let findings = findings(matches, items);
        match self {
            Self::Sarif => serde_json::to_string_pretty(&findings.sarif()).unwrap_or_default(),
            Self::Github => findings.github().trim_end().to_owned(),
            _ => findings.markdown(),
        }
    }
}

fn findings(matches: &ArgMatches, items: &[DriftItem]) -> Findings {
    let least = fails_from(matches);
    let found = |it: &DriftItem| Found {
        rule: rule(it),
        fails: least.is_some_and(|least| it.severity <= least),
        message: it.description.clone(),
        path: it.location.file.clone(),
        line: u32::try_from(it.location.line).unwrap_or(1),
    };
    Findings {
        tool: "reverse-spec",
        version: env!("CARGO_PKG_VERSION"),
        found: items.iter().map(found).collect(),
    }
}

/// `interface_removal`, `behavior_modification`.
fn rule(item: &DriftItem) -> String {
    let category = match item.category {
        Category::Interface => "interface",
        Category::Behavior => "behavior",
        Category::Constraint => "constraint",
    };
    let change = match item.change_type {
        ChangeType::Addition => "addition",
        ChangeType::Removal => "removal",
        ChangeType::Modification => "modification",
    };
    format!("{category}_{change}")
}
