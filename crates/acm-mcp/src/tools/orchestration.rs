//! Stages, their reviews, and the way from one to the next.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::{self, object};
use super::{MakeTool, PATH_ALIASES, file, uncatalogued};
use crate::domain::catalog::{self, CATALOG};
use crate::domain::transition;
use crate::store::project::Project;
use crate::store::surroundings::Surroundings;

pub(super) const TOOLS: &[MakeTool] = &[get_stage, get_review_prompt, get_transition_prompt];

#[derive(Deserialize, JsonSchema)]
struct GetStageParams {
    /// ACM stage name
    #[schemars(schema_with = "arguments::stages")]
    stage: String,
    /// Heading of one section to return instead of the whole document; a wrong one gets the list of sections.
    section: Option<String>,
}

fn get_stage(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_stage",
        "Get ACM stage requirements and workflow. Use when an agent needs to understand what a stage involves, its phases, entry/exit criteria, and expected outputs. Do NOT use for transition guidance (use get_transition_prompt instead).",
    )
    .title("Stage requirements")
    .document()
    .objecting(object)
    .run_sync(move |_, params: GetStageParams| {
        let stage = params.stage.as_str();
        let path = catalog::file_of(&CATALOG.stages, stage).ok_or_else(|| uncatalogued(stage))?;
        file(&surroundings.process()?, path, params.section.as_deref())
    })
}

#[derive(Deserialize, JsonSchema)]
struct GetReviewPromptParams {
    /// ACM stage
    #[schemars(schema_with = "arguments::stages")]
    stage: String,
    /// Review phase
    #[schemars(schema_with = "arguments::phases")]
    phase: String,
}

fn get_review_prompt(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_review_prompt",
        "Get the review prompt for a stage and review phase. Use when preparing to run an internal (Ralph Loop) or external review. Returns the full prompt text ready for use.",
    )
    .title("Review prompt")
    .document()
    .objecting(object)
    .run_sync(move |_, params: GetReviewPromptParams| {
        let (stage, phase) = (params.stage.as_str(), params.phase.as_str());
        let review = CATALOG.review(stage, phase).ok_or_else(|| uncatalogued(phase))?;
        file(&surroundings.process()?, &review.file, None)
    })
}

#[derive(Deserialize, JsonSchema)]
struct GetTransitionPromptParams {
    /// Stage transition
    #[schemars(schema_with = "arguments::transitions")]
    transition: String,
    /// Project root path. Defaults to cwd.
    project_path: Option<String>,
    /// If true, reads project status.md and brief to check prerequisites. Default: false.
    validate: Option<bool>,
}

fn get_transition_prompt(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_transition_prompt",
        "Get guidance for transitioning between ACM stages. Returns the transition prompt content. Set validate=true to also check prerequisites against the project's current state (reads status.md and brief).",
    )
    .title("Transition prompt")
    .document()
    .aliases(PATH_ALIASES)
    .objecting(object)
    .run_sync(move |_, params: GetTransitionPromptParams| {
        let name = params.transition.as_str();
        let transition = CATALOG.transition(name).ok_or_else(|| uncatalogued(name))?;
        let prompt = surroundings.process()?.read(&transition.file)?;
        if !params.validate.unwrap_or_default() {
            return Ok(Answer::document(prompt));
        }
        let project = Project::new(surroundings.project(params.project_path.as_deref())?);
        let summary = transition::validate(&project.papers(transition)?, transition).render();
        Ok(Answer::document(format!("{summary}\n---\n\n{prompt}")))
    })
}
