//! The formats of command files: what each says, as one kind of value.

mod markdown;
mod pointer;
mod recipe;
mod skill;
mod toml;

use super::dialect::Dialect;
use super::front::Front;
use super::{Command, Problem};

pub(crate) use pointer::pointed_agent;

/// How the text of a file is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Format {
    /// A command file directly in the command directory.
    Plain,
    /// Markdown that was written for some agent.
    Markdown(Dialect),
    /// The `SKILL.md` of a skill.
    Skill(Dialect),
    Toml,
    Recipe,
}

/// What a file says.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) front: Front,
    pub(super) body: String,
    pub(super) dialect: Dialect,
    /// Whether the body itself may say what the command is for.
    pub(super) described_by: Described,
}

/// What stands in for a description that the front matter does not give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Described {
    /// The first heading or sentence, and `lint` says so.
    ByHeading,
    /// The first paragraph, which is what it is there for.
    ByParagraph,
}

impl Format {
    /// Reads a file: the command with what had to be overlooked, or why there is none.
    /// `pointed` is the text of the file that it leaves its own text to.
    pub(crate) fn read(
        &self,
        name: &str,
        text: &str,
        pointed: Option<&str>,
    ) -> Result<(Command, Vec<Problem>), Problem> {
        let parts = match (self, pointed) {
            (Self::Plain, _) => markdown::plain(text)?,
            (Self::Markdown(dialect), Some(agent)) => pointer::read(text, agent, dialect)?,
            (Self::Markdown(dialect), None) => markdown::written_for_agents(text, dialect)?,
            (Self::Skill(dialect), _) => skill::read(text, dialect)?,
            (Self::Toml, _) => toml::read(text)?,
            (Self::Recipe, _) => recipe::read(text)?,
        };
        Ok(Command::from_parts(name, parts))
    }
}
