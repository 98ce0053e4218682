//! The 13 tools, a file for each category: they check arguments, ask the domain, and word answers.

mod artifact;
mod capability;
mod governance;
mod knowledge;
mod orchestration;
mod project;

use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::Arc;

use mcp_core::schema::JsonObject;
use mcp_core::server::{Answer, Call, Halt, Tool};

use crate::arguments::{self, Given, Parameter};
use crate::document;
use crate::error::Error;
use crate::surroundings::Surroundings;
use crate::tree::Tree;

/// In the order clients see them.
pub(crate) fn all(surroundings: &Arc<Surroundings>) -> Vec<Tool> {
    let tools = [
        orchestration::get_stage,
        orchestration::get_review_prompt,
        orchestration::get_transition_prompt,
        artifact::get_artifact_spec,
        artifact::get_artifact_stub,
        project::get_project_type_guidance,
        project::check_project_structure,
        project::check_project_health,
        governance::get_rules_spec,
        governance::get_context_spec,
        capability::query_capabilities,
        capability::get_capability_detail,
        knowledge::query_knowledge,
    ];
    tools.iter().map(|tool| tool(surroundings.clone())).collect()
}

type Outcome = Result<Answer, Halt>;

/// For tools that read a file or two.
fn quick<F>(
    parameters: Vec<Parameter>,
    answer: F,
) -> impl Fn(Call, JsonObject) -> Ready<Outcome> + Send + Sync + 'static
where
    F: Fn(&Given) -> Outcome + Send + Sync + 'static,
{
    move |_, given| {
        let given = arguments::check(&parameters, given).map_err(Halt::from);
        ready(given.and_then(|given| answer(&given)))
    }
}

type Answering = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// For tools that read many files: they get a thread that may wait for the disk.
fn thorough<F>(
    parameters: Vec<Parameter>,
    answer: F,
) -> impl Fn(Call, JsonObject) -> Answering + Send + Sync + 'static
where
    F: Fn(&Given) -> Outcome + Send + Sync + 'static,
{
    let answer = Arc::new(answer);
    move |call, given| {
        let (answer, given) = (answer.clone(), arguments::check(&parameters, given));
        Box::pin(async move {
            let given = given?;
            call.blocking(move |_| answer(&given)).await
        })
    }
}

fn section() -> Parameter {
    Parameter::text(
        "section",
        "Heading of one section to return instead of the whole document; a wrong one gets the list of sections.",
    )
}

fn project_path() -> Parameter {
    Parameter::text("project_path", "Project root path. Defaults to cwd.")
}

/// Names that models give the project's path.
const PATH_ALIASES: &[(&str, &str)] =
    &[("path", "project_path"), ("project", "project_path"), ("project_root", "project_path")];

/// A file of the process tree, verbatim, or one section of it.
fn file(tree: &Tree, path: &str, section: Option<&str>) -> Outcome {
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
