//! What changes make of the next release: which number of its version has to change, and a draft of
//! what to write about it.

use std::fmt::Write as _;

use serde::Serialize;

use super::diff::{Category, ChangeType, DriftItem, Severity};

/// Which number of a version has to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// Somebody who uses it has to change something.
    Major,
    /// There is more than before.
    Minor,
    /// It is used as before.
    Patch,
    /// Nothing changed.
    None,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Major => "major",
            Self::Minor => "minor",
            Self::Patch => "patch",
            Self::None => "none",
        }
    }

    /// Why, in a sentence.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Major => "somebody who uses it has to change something",
            Self::Minor => "there is more than before, and nothing that was is gone",
            Self::Patch => "it is used as before",
            Self::None => "no declaration changed",
        }
    }
}

pub(crate) fn verdict(items: &[DriftItem]) -> Verdict {
    if items.iter().any(|it| it.severity != Severity::Low) {
        Verdict::Major
    } else if items.iter().any(|it| it.change_type == ChangeType::Addition) {
        Verdict::Minor
    } else if items.is_empty() {
        Verdict::None
    } else {
        Verdict::Patch
    }
}

/// A draft, as Markdown: what breaks, what is new, what else changed.
pub(crate) fn changelog(items: &[DriftItem]) -> String {
    let breaks = |it: &&DriftItem| it.severity != Severity::Low;
    let added = |it: &&DriftItem| !breaks(it) && it.change_type == ChangeType::Addition;
    // That a body changed is told once, by what it is about.
    let is_inside = |it: &DriftItem| it.category == Category::Behavior;
    let changed = |it: &&DriftItem| !breaks(it) && !added(it) && !is_inside(it);
    let behaves = |it: &&DriftItem| !breaks(it) && !added(it) && is_inside(it);
    let mut text = String::new();
    let mut section = |title: &str, listed: Vec<&DriftItem>| {
        if listed.is_empty() {
            return;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "### {title}\n");
        for item in listed {
            let _ = writeln!(text, "- {}", item.description.replace('\n', " "));
        }
    };
    section("Breaking", items.iter().filter(breaks).collect());
    section("Added", items.iter().filter(added).collect());
    section("Changed", items.iter().filter(changed).collect());
    section("Changed inside", items.iter().filter(behaves).collect());
    text
}
