//! Whether a project may go on to the next stage, judged from its status file and its brief.

mod issue_log;
mod state;

use mcp_core::text;

use crate::domain::catalog::Transition;
use crate::domain::document::{self, Front};
use crate::error::Error;
use issue_log::Issues;
use state::State;

/// Where a project keeps its status, in this order.
pub(crate) const STATUS_PATHS: [&str; 2] = ["status.md", "docs/status.md"];
/// Where it keeps its brief, or else the first of the inbox.
pub(crate) const BRIEF: &str = "docs/brief.md";
pub(crate) const INBOX: &str = "docs/inbox";
pub(crate) const INBOX_ENDING: &str = "-brief.md";

/// How much of a value out of a project's file is repeated.
const SHOWN_CHARS: usize = 120;
const SHOWN_ITEMS: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Verdict {
    Met(String),
    NotMet(String),
    Unknown(String),
}

impl Verdict {
    fn line(&self) -> String {
        let (mark, words) = match self {
            Self::Met(words) => ('✓', words),
            Self::NotMet(words) => ('✗', words),
            Self::Unknown(words) => ('?', words),
        };
        format!("- {mark} {words}\n")
    }
}

#[derive(Debug)]
pub(crate) struct Validation {
    lines: Vec<String>,
    verdicts: Vec<Verdict>,
}

/// The files of a project that a transition is judged by.
pub(crate) struct Papers {
    pub(crate) project: String,
    pub(crate) status_path: &'static str,
    pub(crate) status: String,
    pub(crate) brief: Brief,
    /// What the stage being left has to leave behind, besides the brief.
    pub(crate) output: Option<Output>,
}

/// The main document of a stage, which need not be there.
pub(crate) struct Output {
    pub(crate) path: String,
    /// Its text, or why it cannot be read; `None` where there is no such file.
    pub(crate) text: Option<Result<String, String>>,
}

pub(crate) struct Brief {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Further briefs that lie beside it.
    pub(crate) others: Vec<String>,
}

pub(crate) fn validate(papers: &Papers, transition: &Transition) -> Validation {
    let Papers { project, status_path, status, brief, output } = papers;
    let brief_path = shown(&brief.path);
    let state = State::read(status);
    let brief_front = Front::of(&brief.text);
    let brief_status = brief_front.field("status");
    let mut verdicts = vec![
        judge_stage(&state, &transition.from, status_path),
        judge_state(&state, status_path),
        judge_brief(brief_status.as_deref(), &brief_front, &brief_path),
        judge_issues(issue_log::read(document::body(&brief.text)), &brief_path),
    ];
    let or_unset = |it: &Option<String>| it.as_deref().map_or("not set".to_owned(), shown);
    let mut lines = vec![
        format!("**Transition:** {} → {}", transition.from, transition.to),
        format!("**Project:** {}", text::one_line(project)),
        format!("**Status file:** {status_path}"),
        format!("**Stage:** {}", or_unset(&state.stage)),
        format!("**Phase:** {}", or_unset(&state.phase)),
        format!("**Status:** {}", or_unset(&state.status)),
        format!("**Brief:** {brief_path} (status: {})", or_unset(&brief_status)),
    ];
    if let Some(output) = output {
        lines.push(format!("**Design:** {}", judge_output(output, &mut verdicts)));
    }
    if !brief.others.is_empty() {
        lines.push(format!("**Other briefs, not read:** {}", listed(&brief.others)));
    }
    Validation { lines, verdicts }
}

impl Validation {
    /// The summary that stands in front of the prompt.
    pub(crate) fn render(&self) -> String {
        let facts = self.lines.join("\n");
        let verdicts: String = self.verdicts.iter().map(Verdict::line).collect();
        let verdict = self.verdict();
        format!("## Transition Validation\n\n{facts}\n**Prerequisites:** {verdict}\n\n{verdicts}")
    }

    fn verdict(&self) -> String {
        let failed: Vec<&str> = self.verdicts.iter().filter_map(not_met).collect();
        if !failed.is_empty() {
            return format!("✗ Not met: {}", failed.join("; "));
        }
        let unknown: Vec<&str> = self.verdicts.iter().filter_map(not_known).collect();
        if !unknown.is_empty() {
            return format!("? Not verified: {}", unknown.join("; "));
        }
        "✓ Met".to_owned()
    }
}

fn not_met(verdict: &Verdict) -> Option<&str> {
    if let Verdict::NotMet(words) = verdict { Some(words) } else { None }
}

fn not_known(verdict: &Verdict) -> Option<&str> {
    if let Verdict::Unknown(words) = verdict { Some(words) } else { None }
}

/// The first of these, and how many more there are.
fn listed(values: &[String]) -> String {
    let mut parts: Vec<String> = values.iter().take(SHOWN_ITEMS).map(|it| shown(it)).collect();
    if values.len() > SHOWN_ITEMS {
        parts.push(format!("and {} more", values.len() - SHOWN_ITEMS));
    }
    parts.join(", ")
}

/// Words out of a project's file or file name, on one line so that they cannot pass for ours.
fn shown(value: &str) -> String {
    text::one_line(text::cut(value, SHOWN_CHARS))
}

pub(crate) fn no_status(project: &str) -> Error {
    let looked_for = STATUS_PATHS.join(", then ");
    Error::Project {
        problem: format!("No status.md in {project} (looked for {looked_for})."),
        fix: "Create it from get_artifact_stub(artifact=\"status\"), or pass the project's root \
              as project_path."
            .to_owned(),
    }
}

pub(crate) fn no_brief(project: &str) -> Error {
    Error::Project {
        problem: format!(
            "No brief in {project} (looked for {BRIEF}, then {INBOX}/*{INBOX_ENDING})."
        ),
        fix: "Create it from get_artifact_stub(artifact=\"brief\") and call again.".to_owned(),
    }
}

pub(crate) fn unreadable(project: &str, path: &str, problem: &str) -> Error {
    Error::Project {
        problem: format!("`{path}` {problem} in {project}."),
        fix: "Put the file right and call again.".to_owned(),
    }
}

fn judge_stage(state: &State, expected: &str, path: &str) -> Verdict {
    match &state.stage {
        Some(stage) if stage.to_lowercase() == expected => {
            Verdict::Met(format!("stage is {expected}"))
        }
        Some(stage) => {
            Verdict::NotMet(format!("expected stage '{expected}', {path} says '{}'", shown(stage)))
        }
        None => {
            let why = state.problem.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
            Verdict::Unknown(format!("{path} names no stage{why}"))
        }
    }
}

fn judge_state(state: &State, path: &str) -> Verdict {
    let given = [("status", &state.status), ("phase", &state.phase)];
    let given: Vec<(&str, &str)> =
        given.into_iter().filter_map(|(name, it)| Some((name, it.as_deref()?))).collect();
    if given.is_empty() {
        return Verdict::Met(format!("{path} names no phase or status that would be open"));
    }
    if let Some((name, value)) = given.iter().find(|(_, value)| state::is_complete(value)) {
        return Verdict::Met(format!("{name} in {path} is '{}'", shown(value)));
    }
    let said: Vec<String> =
        given.iter().map(|(name, value)| format!("{name} is '{}'", shown(value))).collect();
    Verdict::NotMet(format!("in {path} {}, not complete", said.join(" and ")))
}

fn judge_brief(status: Option<&str>, front: &Front, path: &str) -> Verdict {
    match (status, front) {
        (Some(status), _) if state::is_complete(status) => {
            Verdict::Met(format!("{path} has the status '{}'", shown(status)))
        }
        (Some(status), _) => {
            Verdict::NotMet(format!("{path} has the status '{}', not complete", shown(status)))
        }
        (None, Front::Invalid(problem)) => {
            Verdict::Unknown(format!("the frontmatter of {path} cannot be read: {problem}"))
        }
        (None, _) => Verdict::Unknown(format!("{path} names no status in its frontmatter")),
    }
}

/// Adds what is to be said of the stage's document, and returns it in a few words. One that is not
/// there or not finished is a gate that is not passed, and no failure.
fn judge_output(output: &Output, verdicts: &mut Vec<Verdict>) -> String {
    let path = shown(&output.path);
    let text = match &output.text {
        Some(Ok(text)) => text,
        Some(Err(problem)) => {
            verdicts.push(Verdict::NotMet(format!("{path} {}", shown(problem))));
            return format!("{path} (cannot be read)");
        }
        None => {
            verdicts.push(Verdict::NotMet(format!("{path} is missing")));
            return format!("{path} (missing)");
        }
    };
    let front = Front::of(text);
    let status = front.field("status");
    verdicts.push(match judge_brief(status.as_deref(), &front, &path) {
        Verdict::Unknown(words) => Verdict::NotMet(words),
        known => known,
    });
    verdicts.push(judge_issues(issue_log::read(document::body(text)), &path));
    format!("{path} (status: {})", status.as_deref().map_or("not set".to_owned(), shown))
}

fn judge_issues(issues: Issues, path: &str) -> Verdict {
    match issues {
        Issues::NoLog => Verdict::Met(format!("{path} has no issue log, so nothing open in it")),
        Issues::NoneOpen => Verdict::Met(format!("no open Critical or High issue in {path}")),
        Issues::Open(issues) => {
            Verdict::NotMet(format!("open in the issue log of {path}: {}", listed(&issues)))
        }
        Issues::Unclear(problem) => Verdict::Unknown(format!("the issue log of {path} {problem}")),
    }
}

#[cfg(test)]
mod tests;
