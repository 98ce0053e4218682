//! The rules of rules, and of the files that give an agent its context.

use std::sync::Arc;

use mcp_core::server::Tool;

use super::{file, quick, section, uncatalogued};
use crate::arguments::{Parameter, schema};
use crate::catalog::{self, CATALOG};
use crate::surroundings::Surroundings;

const RULES: &str = "rules";

pub(super) fn get_rules_spec(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![section()];
    Tool::read_only(
        "get_rules_spec",
        "Get the ACM rules governance specification. Use when setting up or auditing a project's .claude/rules/ directory — covers what rules are, categories, file organization, and lifecycle.",
    )
    .title("Rules specification")
    .document()
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let path = catalog::file_of(&CATALOG.artifacts, RULES).ok_or_else(|| uncatalogued(RULES))?;
        file(&surroundings.process()?, path, given.text("section"))
    }))
}

pub(super) fn get_context_spec(surroundings: Arc<Surroundings>) -> Tool {
    let levels = catalog::names(&CATALOG.contexts);
    let parameters = vec![
        Parameter::choice("level", "Which CLAUDE.md spec to return", "level", levels).required(),
        section(),
    ];
    Tool::read_only(
        "get_context_spec",
        "Get the ACM specification for CLAUDE.md context artifacts. Use when creating or auditing CLAUDE.md files — covers required sections, what belongs in global vs project level.",
    )
    .title("Context specification")
    .document()
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let level = given.required("level");
        let path = catalog::file_of(&CATALOG.contexts, level).ok_or_else(|| uncatalogued(level))?;
        file(&surroundings.process()?, path, given.text("section"))
    }))
}
