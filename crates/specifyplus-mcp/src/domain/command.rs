//! A command: one file as clients see it.

use serde_json::Value;

use super::parts::{Described, Parts};
use super::template::{Input, Template};
use super::{Handoff, Kind, Problem, remark, summary};
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
    /// Whether it only leaves its text to something of the same name, such as a skill.
    pub(crate) is_signpost: bool,
    template: Template,
}

impl Command {
    /// The command of a file's parts, with what had to be overlooked.
    pub(super) fn from_parts(name: &str, parts: Parts) -> (Self, Vec<Problem>) {
        let Parts { front, body, dialect, described_by } = parts;
        let mut problems = front.problems;
        let described = front.description.or_else(|| match described_by {
            Described::ByHeading => None,
            Described::ByParagraph => summary::paragraph(&body),
        });
        let description = described.unwrap_or_else(|| {
            let found = summary::description(&body);
            let taken = match &found {
                Some(_) => "the first heading or sentence stands in",
                None => "the file name stands in",
            };
            let message = format!("there is no `description`; {taken}");
            problems.push(Problem::new(Kind::NoDescription, 1, message));
            found.unwrap_or_else(|| format!("Runs the command `{name}`."))
        });
        let title = front.title.or_else(|| match described_by {
            Described::ByHeading => None,
            Described::ByParagraph => front.name.filter(|title| !summary::is_alike(title, name)),
        });
        problems.extend(remark::of_text(&body));
        let is_undescribed = problems.iter().any(|it| it.kind == Kind::NoDescription);
        let command = Self {
            name: name.to_owned(),
            title: title.unwrap_or_else(|| summary::title(name)),
            summary: summary::with_next_steps(&description, &front.handoffs),
            description,
            hint: front.hint,
            handoffs_json: Handoff::list_as_json(&front.handoffs),
            handoffs: front.handoffs,
            handoff_lines: front.handoff_lines,
            is_signpost: is_undescribed && summary::is_signpost(&body, name),
            template: Template::new(&body, &dialect),
        };
        (command, problems)
    }

    /// What the agent gets: the text of the file with the user's input in it.
    pub(crate) fn render<'a>(&self, input: impl Into<Input<'a>>) -> Result<String, Error> {
        self.template.fill(input.into())
    }

    /// Like [`Self::render`], for somebody who cannot know whether the command takes input: what
    /// it has no place for stands at the end.
    pub(crate) fn render_losing_nothing(&self, input: &str) -> Result<String, Error> {
        self.template.fill_losing_nothing(input.into())
    }

    /// The inputs that it declares under names of their own.
    pub(crate) fn input_names(&self) -> &[String] {
        self.template.names()
    }

    /// Whether it declares the input as a whole, besides what it declares by name.
    pub(crate) fn declares_whole_input(&self) -> bool {
        self.template.takes_whole() || (self.input_names().is_empty() && self.takes_input())
    }

    /// Whether input that it has no place for stands at its end.
    pub(crate) fn appends_input(&self) -> bool {
        self.template.appends()
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
            && self.input_names() == other.input_names()
    }
}
