//! Whether the files and directories every project has are there.

use super::{Item, Kind};

#[derive(Debug)]
pub(crate) struct Finding {
    /// A directory ends with a slash.
    pub(crate) path: String,
    pub(crate) kind: Kind,
    pub(crate) problem: Option<String>,
}

impl Finding {
    /// `elsewhere` are files that stand where others keep this one.
    pub(crate) fn new(item: &Item, problem: Option<String>, elsewhere: &[&str]) -> Self {
        let problem = problem.map(|problem| match elsewhere {
            [] => problem,
            found => format!("{problem} ({} found)", found.join(" and ")),
        });
        let slash = if item.kind == Kind::Directory { "/" } else { "" };
        Self { path: format!("{}{slash}", item.path), kind: item.kind, problem }
    }
}

/// One line for each finding.
pub(crate) fn lines(findings: &[Finding]) -> Vec<String> {
    let line = |it: &Finding| match &it.problem {
        None => format!("✓ {}", it.path),
        Some(problem) => format!("✗ {} — {problem}", it.path),
    };
    findings.iter().map(line).collect()
}

pub(crate) fn render(project: &str, findings: &[Finding]) -> String {
    let missing: Vec<&str> =
        findings.iter().filter(|it| it.problem.is_some()).map(|it| it.path.as_str()).collect();
    let passed = findings.len() - missing.len();
    let mut result = format!("Result: {passed}/{} passed.", findings.len());
    if !missing.is_empty() {
        result = format!("{result} Missing: {}", missing.join(", "));
    }
    let lines = lines(findings).join("\n");
    format!("Project Structure Check: {project}\n{lines}\n\n{result}")
}
