//! What this server is called and what it offers.

use std::sync::Arc;

use mcp_core::server::{Identity, Server};

use crate::store::surroundings::Surroundings;
use crate::tools;
use crate::tools::resources::Library;
use crate::tools::skill::Companion;

pub(crate) const IDENTITY: Identity = Identity {
    name: "acm",
    title: "ACM",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "ACM holds the process a project follows: three stages (discover, design, develop), the artifacts each one produces, and the gates between them. All tools only read.\n\
        - Before work in a stage: get_stage. Moving on: get_transition_prompt with validate=true.\n\
        - Writing an artifact: get_artifact_stub for a template, get_artifact_spec for its rules. CLAUDE.md: get_context_spec; .claude/rules/: get_rules_spec. Long documents: pass `section`.\n\
        - New project: get_project_type_guidance, the stubs, then check_project_structure.\n\
        - Review: check_project_health first, then get_review_prompt (internal before external).\n\
        - Looking for a tool, skill, agent or plugin: query_capabilities, then get_capability_detail. For how others solved it: query_knowledge.\n\
        project_path defaults to the project the server was started for.",
};

pub(crate) fn assemble(surroundings: Surroundings) -> Server {
    let surroundings = Arc::new(surroundings);
    Server::new(IDENTITY)
        .tools(tools::all(&surroundings))
        .resources(Library::new(surroundings))
        .skills(Companion)
}
