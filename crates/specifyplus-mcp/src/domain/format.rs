//! The formats of command files: what each says, as one kind of value.

mod markdown;
mod pointer;
mod recipe;
mod skill;
mod toml;

use super::dialect::Dialect;
use super::{Command, Problem};

pub(crate) use pointer::pointed_agent;
pub(crate) use skill::fields as skill_fields;

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

impl Command {
    /// Reads a command file by the contract, as one directly in the command directory.
    pub(crate) fn parse(name: &str, text: &str) -> Result<(Self, Vec<Problem>), Problem> {
        Format::Plain.read(name, text, None)
    }
}
