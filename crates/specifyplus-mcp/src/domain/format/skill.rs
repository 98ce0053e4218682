//! Skills: `SKILL.md` in a directory of its own, whose name is the skill's.
//!
//! Read leniently: fields that the specification of skills does not know are left to the agents
//! that do.

use super::super::Problem;
use super::super::dialect::Dialect;
use super::super::parts::Parts;
use super::markdown;

pub(super) fn read(text: &str, dialect: &Dialect) -> Result<Parts, Problem> {
    markdown::written_for_agents(text, dialect)
}
