//! Stages, their reviews, and the way from one to the next.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};

use super::{PATH_ALIASES, file, project_path, quick, section, uncatalogued};
use crate::arguments::{Parameter, schema};
use crate::catalog::{self, CATALOG};
use crate::project::Project;
use crate::surroundings::Surroundings;
use crate::transition;

fn stage(description: &'static str) -> Parameter {
    Parameter::choice("stage", description, "stage", catalog::names(&CATALOG.stages))
        .announcing(&CATALOG.announced_stages)
        .required()
}

pub(super) fn get_stage(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![stage("ACM stage name"), section()];
    Tool::read_only(
        "get_stage",
        "Get ACM stage requirements and workflow. Use when an agent needs to understand what a stage involves, its phases, entry/exit criteria, and expected outputs. Do NOT use for transition guidance (use get_transition_prompt instead).",
    )
    .title("Stage requirements")
    .document()
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let stage = given.required("stage");
        let path = catalog::file_of(&CATALOG.stages, stage).ok_or_else(|| uncatalogued(stage))?;
        file(&surroundings.process()?, path, given.text("section"))
    }))
}

pub(super) fn get_review_prompt(surroundings: Arc<Surroundings>) -> Tool {
    let phases = CATALOG.phases.iter().map(String::as_str).collect();
    let parameters = vec![
        stage("ACM stage"),
        Parameter::choice("phase", "Review phase", "phase", phases).required(),
    ];
    Tool::read_only(
        "get_review_prompt",
        "Get the review prompt for a stage and review phase. Use when preparing to run an internal (Ralph Loop) or external review. Returns the full prompt text ready for use.",
    )
    .title("Review prompt")
    .document()
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let (stage, phase) = (given.required("stage"), given.required("phase"));
        let review = CATALOG.review(stage, phase).ok_or_else(|| uncatalogued(phase))?;
        file(&surroundings.process()?, &review.file, None)
    }))
}

pub(super) fn get_transition_prompt(surroundings: Arc<Surroundings>) -> Tool {
    let transitions = CATALOG.transitions.iter().map(|it| it.name.as_str()).collect();
    let parameters = vec![
        Parameter::choice("transition", "Stage transition", "transition", transitions).required(),
        project_path(),
        Parameter::flag(
            "validate",
            "If true, reads project status.md and brief to check prerequisites. Default: false.",
        ),
    ];
    Tool::read_only(
        "get_transition_prompt",
        "Get guidance for transitioning between ACM stages. Returns the transition prompt content. Set validate=true to also check prerequisites against the project's current state (reads status.md and brief).",
    )
    .title("Transition prompt")
    .document()
    .aliases(PATH_ALIASES)
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let name = given.required("transition");
        let transition = CATALOG.transition(name).ok_or_else(|| uncatalogued(name))?;
        let prompt = surroundings.process()?.read(&transition.file)?;
        if !given.flag("validate") {
            return Ok(Answer::document(prompt));
        }
        let project = Project::new(surroundings.project(given.text("project_path"))?);
        let summary = transition::validate(&project, transition)?.render();
        Ok(Answer::document(format!("{summary}\n---\n\n{prompt}")))
    }))
}
