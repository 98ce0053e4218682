//! Skills: `SKILL.md` in a directory of its own, whose name is the skill's.
//!
//! Read leniently: fields that the specification of skills does not know are left to the agents
//! that do.

use mcp_core::frontmatter;
use serde_json::{Map, Value};

use super::super::Problem;
use super::super::dialect::Dialect;
use super::super::parts::Parts;
use super::markdown;

pub(super) fn read(text: &str, dialect: &Dialect) -> Result<Parts, Problem> {
    markdown::written_for_agents(text, dialect)
}

/// The front matter exactly as it is; `None` where it is not YAML.
pub(crate) fn fields(text: &str) -> Option<Map<String, Value>> {
    match frontmatter::parse::<Value>(text).ok()?.0? {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}
