//! A command: one file as clients see it.

use serde_json::Value;

use super::template::Template;
use super::{Handoff, Kind, Problem, front, summary};
use crate::error::Error;

/// What every description of the input says.
pub(crate) const INPUT_KIND: &str = "text, optional, at most 102,400 bytes";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) description: String,
    /// What the file says about the input it wants.
    pub(crate) hint: Option<String>,
    pub(crate) handoffs: Vec<Handoff>,
    /// Where each handoff stands in the file.
    pub(crate) handoff_lines: Vec<usize>,
    /// The description with the next steps behind it: no client shows them in any other place.
    pub(crate) summary: String,
    /// The handoffs as clients get them with every answer, put together once; null without any.
    pub(crate) handoffs_json: Value,
    template: Template,
}

impl Command {
    /// Reads the text of a file: the command with what had to be overlooked, or why there is none.
    pub(crate) fn parse(name: &str, text: &str) -> Result<(Self, Vec<Problem>), Problem> {
        let (front, document) = front::read(text)?;
        let mut problems = front.problems;
        let description = front.description.unwrap_or_else(|| {
            let found = summary::description(document.body);
            let taken = match &found {
                Some(_) => "the first heading or sentence stands in",
                None => "the file name stands in",
            };
            let message = format!("there is no `description`; {taken}");
            problems.push(Problem::new(Kind::NoDescription, 1, message));
            found.unwrap_or_else(|| format!("Runs the command `{name}`."))
        });
        let command = Self {
            name: name.to_owned(),
            title: front.title.unwrap_or_else(|| summary::title(name)),
            summary: summary::with_next_steps(&description, &front.handoffs),
            description,
            hint: front.hint,
            handoffs_json: Handoff::list_as_json(&front.handoffs),
            handoffs: front.handoffs,
            handoff_lines: front.handoff_lines,
            template: Template::new(document.body),
        };
        Ok((command, problems))
    }

    /// What the agent gets: the text of the file with the user's input in it.
    pub(crate) fn render(&self, input: &str) -> Result<String, Error> {
        self.template.fill(input)
    }

    pub(crate) fn takes_input(&self) -> bool {
        self.template.takes_input()
    }

    /// What the input is, for the people and models who give it.
    pub(crate) fn input_description(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{hint} ({INPUT_KIND})"),
            None => format!("What the command should work on ({INPUT_KIND})"),
        }
    }

    /// Whether a list of commands shows the two alike, whatever their texts.
    pub(crate) fn is_listed_like(&self, other: &Self) -> bool {
        self.name == other.name
            && self.title == other.title
            && self.description == other.description
            && self.hint == other.hint
            && self.handoffs == other.handoffs
            && self.takes_input() == other.takes_input()
    }
}
