//! What a status file says of the project: stage, phase and status.

use mcp_core::markdown;
use mcp_core::text;

use crate::domain::document::{self, Front};
use crate::domain::heading;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stage: Option<String>,
    pub(super) phase: Option<String>,
    pub(super) status: Option<String>,
    /// Why the front matter says nothing, where it should.
    pub(super) problem: Option<String>,
}

impl State {
    /// The front matter counts; where it is silent, the bullets under Current State do.
    pub(super) fn read(file: &str) -> Self {
        let front = Front::of(file);
        let body = document::body(file);
        let field = |name: &str| front.field(name).or_else(|| bullet(body, name));
        let problem = match &front {
            Front::Invalid(problem) => Some(format!("its frontmatter is {problem}")),
            Front::None => Some("it has no frontmatter".to_owned()),
            Front::Fields(_) | Front::Empty => None,
        };
        Self { stage: field("stage"), phase: field("phase"), status: field("status"), problem }
    }
}

/// The text after `**Name:**` at the start of a bullet.
fn bullet(body: &str, name: &str) -> Option<String> {
    let sections = markdown::sections(body);
    let current =
        sections.iter().find(|it| heading::contains(&it.heading.text, "current state"))?;
    document::lines_outside_fences(&body[current.body.clone()]).find_map(|line| {
        let line = line.trim_start().trim_start_matches(['-', '*', '+', ' ']);
        let (label, value) = line.split_once(':')?;
        if !label.trim_matches(['*', '_', ' ']).eq_ignore_ascii_case(name) {
            return None;
        }
        let value = text::one_line(value.trim_start_matches(['*', '_']));
        (!value.is_empty()).then_some(value)
    })
}

/// Words in front of "complete" that turn it into its opposite.
const DOUBTS: [&str; 10] =
    ["not", "never", "non", "un", "in", "nearly", "almost", "partly", "partially", "half"];

/// Complete, completed, done, approved, or something that is complete (`discover-complete`).
pub(super) fn is_complete(value: &str) -> bool {
    let value = value.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase();
    if matches!(value.as_str(), "complete" | "completed" | "done" | "approved") {
        return true;
    }
    let parts: Vec<&str> = value.split(['-', '_', ' ']).filter(|it| !it.is_empty()).collect();
    match parts.split_last() {
        Some((&"complete", what)) => !what.iter().any(|it| DOUBTS.contains(it) || it.contains('%')),
        _ => false,
    }
}
