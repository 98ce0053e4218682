//! What each artifact must look like, and a template to start it from.

use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::{self, object};
use super::{MakeTool, file, uncatalogued};
use crate::domain::catalog::{self, CATALOG};
use crate::store::surroundings::Surroundings;

pub(super) const TOOLS: &[MakeTool] = &[get_artifact_spec, get_artifact_stub];

/// Names that models give the artifact.
const ALIASES: &[(&str, &str)] = &[("artifact_type", "artifact"), ("name", "artifact")];

#[derive(Deserialize, JsonSchema)]
struct GetArtifactSpecParams {
    /// Artifact type
    #[schemars(schema_with = "arguments::artifacts")]
    artifact: String,
    /// Heading of one section to return instead of the whole document; a wrong one gets the list of sections.
    section: Option<String>,
}

fn get_artifact_spec(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_artifact_spec",
        "Get the ACM specification for an artifact type. Use when you need to understand what a valid artifact looks like — required sections, frontmatter, formatting rules.",
    )
    .title("Artifact specification")
    .document()
    .aliases(ALIASES)
    .objecting(object)
    .run_sync(move |_, params: GetArtifactSpecParams| {
        let name = params.artifact.as_str();
        let path = catalog::file_of(&CATALOG.artifacts, name).ok_or_else(|| uncatalogued(name))?;
        file(&surroundings.process()?, path, params.section.as_deref())
    })
}

#[derive(Deserialize, JsonSchema)]
struct GetArtifactStubParams {
    /// Artifact to get stub for
    #[schemars(schema_with = "arguments::stubs")]
    artifact: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        schema_with = "arguments::project_types",
        description = "Project type — used to select the correct claude_md stub. Defaults to 'app'. Ignored for non-claude_md artifacts."
    )]
    project_type: Option<String>,
}

fn get_artifact_stub(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_artifact_stub",
        "Get a starter template for an ACM artifact. Use when initializing a new project or creating a new artifact. Returns the template with placeholder values ready to fill in.",
    )
    .title("Artifact template")
    .document()
    .aliases(ALIASES)
    .objecting(object)
    .run_sync(move |_, params: GetArtifactStubParams| {
        let name = params.artifact.as_str();
        let stub = CATALOG.stub(name).ok_or_else(|| uncatalogued(name))?;
        let kind = params.project_type.as_deref().unwrap_or(CATALOG.default_project_type());
        file(&surroundings.process()?, &stub.file(kind), None)
    })
}
