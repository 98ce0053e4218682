//! The rules of rules, and of the files that give an agent its context.

use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::{self, object};
use super::{MakeTool, file, uncatalogued};
use crate::domain::catalog::{self, CATALOG};
use crate::store::surroundings::Surroundings;

pub(super) const TOOLS: &[MakeTool] = &[get_rules_spec, get_context_spec];

const RULES: &str = "rules";

#[derive(Deserialize, JsonSchema)]
struct GetRulesSpecParams {
    /// Heading of one section to return instead of the whole document; a wrong one gets the list of sections.
    section: Option<String>,
}

fn get_rules_spec(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_rules_spec",
        "Get the ACM rules governance specification. Use when setting up or auditing a project's .claude/rules/ directory — covers what rules are, categories, file organization, and lifecycle.",
    )
    .title("Rules specification")
    .document()
    .objecting(object)
    .run_sync(move |_, params: GetRulesSpecParams| {
        let path = catalog::file_of(&CATALOG.artifacts, RULES).ok_or_else(|| uncatalogued(RULES))?;
        file(&surroundings.process()?, path, params.section.as_deref())
    })
}

#[derive(Deserialize, JsonSchema)]
struct GetContextSpecParams {
    /// Which CLAUDE.md spec to return
    #[schemars(schema_with = "arguments::context_levels")]
    level: String,
    /// Heading of one section to return instead of the whole document; a wrong one gets the list of sections.
    section: Option<String>,
}

fn get_context_spec(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_context_spec",
        "Get the ACM specification for CLAUDE.md context artifacts. Use when creating or auditing CLAUDE.md files — covers required sections, what belongs in global vs project level.",
    )
    .title("Context specification")
    .document()
    .objecting(object)
    .run_sync(move |_, params: GetContextSpecParams| {
        let level = params.level.as_str();
        let path = catalog::file_of(&CATALOG.contexts, level).ok_or_else(|| uncatalogued(level))?;
        file(&surroundings.process()?, path, params.section.as_deref())
    })
}
