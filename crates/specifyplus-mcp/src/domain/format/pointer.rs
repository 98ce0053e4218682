//! Prompt files that leave their text to an agent file: `agent: plan` and little else.

use super::super::Problem;
use super::super::dialect::Dialect;
use super::super::front::{self, Front, Reading};
use super::super::parts::{Described, Parts};

/// The agent that a prompt file names, which may be one that the editor has built in.
pub(crate) fn pointed_agent(text: &str) -> Option<String> {
    let (front, _) = front::read(text, Reading::FieldByField).ok()?;
    let agent = front.agent?.trim().to_owned();
    let is_name = |it: char| it.is_alphanumeric() || "-_. ".contains(it);
    let is_plain = !agent.is_empty() && !agent.starts_with('.') && agent.chars().all(is_name);
    is_plain.then_some(agent)
}

/// The text of the agent, and behind it that of the prompt file; what the prompt file says of
/// itself goes first.
pub(super) fn read(text: &str, agent: &str, dialect: &Dialect) -> Result<Parts, Problem> {
    let (own, document) = front::read(text, Reading::FieldByField)?;
    let (pointed, agent) = front::read(agent, Reading::FieldByField)?;
    let own_text = document.body;
    let body = if own_text.trim().is_empty() {
        agent.body.to_owned()
    } else {
        format!("{}\n\n{own_text}", agent.body.trim_end())
    };
    let (handoffs, handoff_lines) = if own.handoffs.is_empty() {
        (pointed.handoffs, pointed.handoff_lines)
    } else {
        (own.handoffs, own.handoff_lines)
    };
    let front = Front {
        title: own.title.or(pointed.title),
        name: own.name.or(pointed.name),
        description: own.description.or(pointed.description),
        hint: own.hint.or(pointed.hint),
        agent: own.agent,
        handoffs,
        handoff_lines,
        problems: own.problems.into_iter().chain(pointed.problems).collect(),
    };
    Ok(Parts { front, body, dialect: dialect.clone(), described_by: Described::ByParagraph })
}
