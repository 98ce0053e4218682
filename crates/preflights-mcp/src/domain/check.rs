//! A change held against the current task and the decisions: what it must not touch, what lies
//! outside of its scope, and dependencies that no record names.

#[cfg(test)]
mod tests;

use crate::domain::architecture::Architecture;
use crate::domain::scope;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The task forbids it, or it never changes.
    Forbidden,
    Outside,
    Dependency,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    pub(crate) path: String,
    pub(crate) message: String,
}

/// Where the current task may work, and where not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) allowed: Vec<String>,
    pub(crate) forbidden: Vec<String>,
    /// The scope was a guess, so that nothing lies outside of it.
    pub(crate) is_guess: bool,
}

/// Written by the server itself, whatever the task.
const OURS: [&str; 4] =
    ["docs/CURRENT_TASK.md", "docs/ARCHITECTURE_STATE.md", "docs/AGENT_PROMPT.md", ".preflights/"];

impl Bounds {
    /// Out of the text of the task: the paths in backticks below its two headings.
    pub(crate) fn of(task: &str) -> Self {
        let mut bounds = Self::default();
        let mut heading = "";
        for line in task.lines() {
            if let Some(name) = line.strip_prefix("## ") {
                heading = name.trim();
                continue;
            }
            let path = line.strip_prefix("- `").and_then(|it| it.split('`').next());
            match (heading, path) {
                ("Allowlist", Some(path)) => bounds.allowed.push(path.to_owned()),
                ("Allowlist", None) => bounds.is_guess |= line.contains("could not be derived"),
                ("Forbidden", Some(path)) => bounds.forbidden.push(path.to_owned()),
                _ => {}
            }
        }
        bounds
    }

    /// What is wrong with a write to this file by somebody else than the server. Whether it is there
    /// makes no difference: new records come from the server as well.
    pub(crate) fn judge_by_hand(&self, path: &str) -> Option<Finding> {
        let Some(by) = self.forbidden.iter().find(|it| scope::covers(it, path)) else {
            return self.judge(path, true);
        };
        let message = format!("the current task forbids `{by}`");
        Some(Finding { kind: Kind::Forbidden, path: path.to_owned(), message })
    }

    /// What is wrong with this file in a change, if anything.
    pub(crate) fn judge(&self, path: &str, is_edit: bool) -> Option<Finding> {
        let finding =
            |kind, message: String| Some(Finding { kind, path: path.to_owned(), message });
        if OURS.iter().any(|it| scope::covers(it, path)) {
            return None;
        }
        let fixed = ["docs/adr/", "docs/archive/"].iter().any(|it| path.starts_with(it));
        if fixed {
            // New ones are written by the server; those that are there stay as they are.
            let message =
                "records and archived tasks never change once they are written".to_owned();
            return if is_edit { finding(Kind::Forbidden, message) } else { None };
        }
        if let Some(by) = self.forbidden.iter().find(|it| scope::covers(it, path)) {
            return finding(Kind::Forbidden, format!("the current task forbids `{by}`"));
        }
        let allowed = self.allowed.iter().any(|it| scope::covers(it, path));
        if allowed || self.is_guess || self.allowed.is_empty() {
            return None;
        }
        finding(Kind::Outside, "it lies outside of the allowlist of the current task".to_owned())
    }
}

/// Dependencies, as `npm:redis`, that came with a change and that neither a decision nor the task
/// names.
pub(crate) fn unnamed<'a>(
    added: &'a [String],
    architecture: &Architecture,
    task: &str,
) -> Vec<&'a str> {
    let plain = |it: &str| it.to_lowercase().replace(['-', '_', '.', ' '], "");
    let mut said = plain(task);
    for (_, fields) in architecture.categories() {
        for (field, decided) in fields {
            said.push(' ');
            said.push_str(&plain(field));
            said.push(' ');
            said.push_str(&plain(&decided.value));
        }
    }
    let name = |fact: &'a String| {
        let name = fact.split_once(':').map_or(fact.as_str(), |(_, name)| name);
        name.rsplit('/').next().unwrap_or(name)
    };
    added.iter().map(name).filter(|it| !said.contains(&plain(it))).collect()
}
