//! `diff --between FROM TO`: two states of a project, and what they make of the next release.

use std::process::ExitCode;

use clap::ArgMatches;
use mcp_core::cli::{note, print};
use mcp_core::failure::Failure;

use super::{Format, exit_code, line};
use crate::cli::progress::Bar;
use crate::store::between::{self, Between};
use crate::tools::Setting;

pub(super) fn run(
    setting: &Setting,
    matches: &ArgMatches,
    from: &str,
    to: &str,
) -> Result<ExitCode, Failure> {
    let bar = Bar::new("files compared");
    let found = between::compare(&setting.places, from, to, &bar.work())?;
    drop(bar);
    match Format::of(matches) {
        Format::Json => print(&serde_json::to_string_pretty(&found).unwrap_or_default()),
        Format::Text => print(&text(&found)),
        Format::Markdown => print(&markdown(&found)),
        format => print(&format.told(matches, &found.items)),
    }
    for warning in &found.warnings {
        note(&warning.to_string());
    }
    Ok(exit_code(matches, &found.items, false))
}

fn verdict(found: &Between) -> String {
    let semver = found.semver;
    format!("semver: {} ({})", semver.word(), semver.reason())
}

fn text(found: &Between) -> String {
    let mut lines = vec![format!("{} → {}", found.from, found.to)];
    lines.extend(found.items.iter().map(line));
    lines.push(verdict(found));
    lines.join("\n")
}

fn markdown(found: &Between) -> String {
    let head = format!("## {} → {}\n\n{}\n", found.from, found.to, verdict(found));
    if found.changelog.is_empty() { head } else { format!("{head}\n{}", found.changelog) }
}
