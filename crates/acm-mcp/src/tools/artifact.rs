//! What each artifact must look like, and a template to start it from.

use std::sync::Arc;

use mcp_core::server::Tool;

use super::{file, quick, section, uncatalogued};
use crate::arguments::{Parameter, schema};
use crate::catalog::{self, CATALOG};
use crate::surroundings::Surroundings;

/// Names that models give the artifact.
const ALIASES: &[(&str, &str)] = &[("artifact_type", "artifact"), ("name", "artifact")];

pub(super) fn get_artifact_spec(surroundings: Arc<Surroundings>) -> Tool {
    let artifacts = catalog::names(&CATALOG.artifacts);
    let parameters = vec![
        Parameter::choice("artifact", "Artifact type", "artifact", artifacts).required(),
        section(),
    ];
    Tool::read_only(
        "get_artifact_spec",
        "Get the ACM specification for an artifact type. Use when you need to understand what a valid artifact looks like — required sections, frontmatter, formatting rules.",
    )
    .title("Artifact specification")
    .document()
    .aliases(ALIASES)
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let name = given.required("artifact");
        let path = catalog::file_of(&CATALOG.artifacts, name).ok_or_else(|| uncatalogued(name))?;
        file(&surroundings.process()?, path, given.text("section"))
    }))
}

pub(super) fn get_artifact_stub(surroundings: Arc<Surroundings>) -> Tool {
    let stubs = CATALOG.stubs.iter().map(|it| it.name.as_str()).collect();
    let types = CATALOG.project_types.iter().map(String::as_str).collect();
    let parameters = vec![
        Parameter::choice("artifact", "Artifact to get stub for", "artifact", stubs).required(),
        Parameter::choice(
            "project_type",
            "Project type — used to select the correct claude_md stub. Defaults to 'app'. Ignored for non-claude_md artifacts.",
            "project type",
            types,
        ),
    ];
    Tool::read_only(
        "get_artifact_stub",
        "Get a starter template for an ACM artifact. Use when initializing a new project or creating a new artifact. Returns the template with placeholder values ready to fill in.",
    )
    .title("Artifact template")
    .document()
    .aliases(ALIASES)
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let name = given.required("artifact");
        let stub = CATALOG.stub(name).ok_or_else(|| uncatalogued(name))?;
        let kind = given.text("project_type").unwrap_or(CATALOG.default_project_type());
        file(&surroundings.process()?, &stub.file(kind), None)
    }))
}
