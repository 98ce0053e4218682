//! `doctor`: what is in order, what is not, and how to fix it.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::ArgMatches;
use serde::Serialize;

use super::{Product, Settings, build, place, print};
use crate::console::print_verbatim;
use crate::failure::Failure;
use crate::text;

/// How much a finding of `doctor` matters; a problem decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Looked at and found in order.
    Fine,
    /// Worth knowing; the server works.
    Remark,
    /// Something does not work until it is fixed.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Whether anything has to be done.
    pub severity: Severity,
    /// What was looked at and how it stands, on one line.
    pub what: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    /// Reports something in order, with nothing to fix.
    pub fn fine(what: impl Into<String>) -> Self {
        Self { severity: Severity::Fine, what: what.into(), fix: None }
    }

    /// Reports something worth knowing, with what could be done about it.
    pub fn remark(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Remark, what: what.into(), fix: Some(fix.into()) }
    }

    /// Reports something that does not work, with how to fix it; `doctor` then fails.
    pub fn problem(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Problem, what: what.into(), fix: Some(fix.into()) }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "all commands have the same shape")]
pub(super) fn run(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
) -> Result<ExitCode, Failure> {
    let mut findings =
        vec![Finding::fine(format!("{} {}", product.binary, product.identity.version))];
    findings.extend(settings.roots().iter().map(|root| look_at_root(root)));
    findings.push(look_at_server(product, settings));
    findings.extend((product.doctor)(settings));
    findings.extend(settings.state().leftovers().into_iter().map(|left| {
        let what = format!("a write was interrupted in {}, which is no longer there", left.project);
        let directory = left.directory.display();
        let fix = "Files of ours called .*.tmp may lie where the project is now; what was going on";
        Finding::remark(what, format!("{fix} is recorded in {directory}, which you can delete."))
    }));
    findings.push(Finding::fine(
        "over HTTP every user of this machine can connect, unless --token-env names a variable with a token",
    ));
    if matches.get_flag("json") {
        print(&format!("{:#}", serde_json::json!({ "findings": findings })));
    } else {
        print_verbatim(&lines(&findings, std::io::stdout().is_terminal()));
    }
    let problems = findings.iter().any(|finding| finding.severity == Severity::Problem);
    Ok(if problems { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn look_at_root(path: &std::path::Path) -> Finding {
    let listed = place::look(path).and_then(|root| Ok(root.list(None)?));
    match listed {
        Ok(entries) => {
            Finding::fine(format!("root {} ({} entries)", path.display(), entries.len()))
        }
        Err(failure) => {
            let fix = failure.hint.unwrap_or_else(|| "Name another with --root.".to_owned());
            Finding::problem(failure.message, fix)
        }
    }
}

fn look_at_server(product: &Product, settings: &Settings) -> Finding {
    match build(product, settings) {
        Ok(server) => Finding::fine(format!("{} tools offered", server.tool_names().len())),
        Err(failure) => {
            Finding::problem(failure.message.clone(), failure.hint.clone().unwrap_or_default())
        }
    }
}

fn lines(findings: &[Finding], coloured: bool) -> String {
    let mut lines = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for finding in findings {
        if seen.contains(&finding.what.as_str()) {
            continue;
        }
        seen.push(&finding.what);
        let (mark, colour) = match finding.severity {
            Severity::Fine => ("ok     ", "32"),
            Severity::Remark => ("note   ", "33"),
            Severity::Problem => ("problem", "31"),
        };
        let mark =
            if coloured { format!("\u{1b}[{colour}m{mark}\u{1b}[0m") } else { mark.to_owned() };
        let what = text::harmless(&finding.what);
        lines.push(format!("{mark}  {}", hanging(&what)));
        if let Some(fix) = finding.fix.as_ref().filter(|fix| !fix.is_empty()) {
            lines.push(format!("{MARGIN}{}", hanging(&text::harmless(fix))));
        }
    }
    lines.join("\n")
}

/// What stands before the second line of a finding.
const MARGIN: &str = "         ";

/// Further lines begin under the first.
fn hanging(text: &str) -> String {
    text.trim_end().replace('\n', &format!("\n{MARGIN}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_aligned_said_once_and_coloured_on_a_terminal_alone() {
        let findings = [
            Finding::fine("root /p"),
            Finding::problem("no folder\nand no other", "Make one."),
            Finding::problem("no folder\nand no other", "Make one."),
        ];
        let plain =
            "ok       root /p\nproblem  no folder\n         and no other\n         Make one.";
        assert_eq!(lines(&findings, false), plain);
        let coloured = lines(&findings, true);
        assert!(coloured.contains("\u{1b}[31mproblem\u{1b}[0m  no folder"), "{coloured:?}");
    }
}
