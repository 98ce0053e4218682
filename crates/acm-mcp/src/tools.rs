//! The 13 tools, a file for each category: they take arguments, ask store and domain, and word
//! answers.

mod arguments;
mod artifact;
mod capability;
mod governance;
mod knowledge;
mod orchestration;
mod project;
pub(crate) mod resources;
pub(crate) mod skill;

use std::sync::Arc;

use mcp_core::server::{Answer, Halt, Tool};

use crate::domain::document;
use crate::error::Error;
use crate::store::surroundings::Surroundings;
use crate::store::tree::Tree;

/// In the order clients see them.
pub(crate) fn all(surroundings: &Arc<Surroundings>) -> Vec<Tool> {
    let categories = [
        orchestration::TOOLS,
        artifact::TOOLS,
        project::TOOLS,
        governance::TOOLS,
        capability::TOOLS,
        knowledge::TOOLS,
    ];
    categories.into_iter().flatten().map(|make| make(surroundings.clone())).collect()
}

type MakeTool = fn(Arc<Surroundings>) -> Tool;

/// Names that models give the project's path.
const PATH_ALIASES: &[(&str, &str)] =
    &[("path", "project_path"), ("project", "project_path"), ("project_root", "project_path")];

/// A file of the process tree, verbatim, or one section of it.
fn file(tree: &Tree, path: &str, section: Option<&str>) -> Result<Answer, Halt> {
    let text = tree.read(path)?;
    match section.filter(|it| !it.trim().is_empty()) {
        Some(wanted) => Ok(Answer::document(document::section(&text, wanted, path)?)),
        None => Ok(Answer::document(text)),
    }
}

/// A name that the check let through but the catalogue does not have.
fn uncatalogued(name: &str) -> Halt {
    Error::Argument { problem: format!("'{name}' is not in the catalogue.") }.into()
}
