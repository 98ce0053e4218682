//! Searching the capabilities registry, and one capability in full.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MakeTool;
use super::arguments::{self, check_capability_id, object};
use crate::domain::capability::{Capability, Filter, Inventory};
use crate::store::registry;
use crate::store::surroundings::Surroundings;

pub(super) const TOOLS: &[MakeTool] = &[query_capabilities, get_capability_detail];

#[derive(Serialize, JsonSchema)]
struct CapabilityList {
    /// How many fit.
    total: usize,
    /// Best first.
    capabilities: Vec<CapabilitySummary>,
    /// What to know about the registry itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct CapabilitySummary {
    /// What `get_capability_detail` takes as `capability_id`.
    id: String,
    name: String,
    r#type: String,
    description: String,
    tags: Vec<String>,
    /// Where it is installed: user or project.
    #[serde(skip_serializing_if = "Option::is_none")]
    install_level: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct QueryCapabilitiesParams {
    /// Keyword search across name, description, tags
    query: Option<String>,
    /// Filter by capability type
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "arguments::capability_types")]
    r#type: Option<String>,
    /// Filter by tags (AND logic)
    tags: Option<Vec<String>>,
}

fn query_capabilities(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "query_capabilities",
        "Search the capabilities registry by keyword, type, or tags. Use when an agent needs to find available tools, skills, agents, or plugins for a task. Returns matching capability summaries.",
    )
    .title("Search capabilities")
    .output::<CapabilityList>()
    .aliases(&[("keyword", "query"), ("search", "query")])
    .objecting(object)
    .run_blocking(move |_, params: QueryCapabilitiesParams| {
        let registry = surroundings.registry()?;
        let inventory = registry::inventory(&registry)?;
        let filter = Filter {
            query: params.query.as_deref().unwrap_or_default(),
            kind: params.r#type.as_deref(),
            tags: params.tags.iter().flatten().map(String::as_str).collect(),
        };
        let mut found = inventory.search(&filter);
        registry::add_install_levels(&registry, &mut found);
        let list = list(&inventory, found);
        let text = render(&inventory, &list);
        let answer = Answer::data(&list)?.with_text(text).shorten("capabilities");
        Ok(answer.narrow("Narrow the search by query, type or tags."))
    })
}

fn list(inventory: &Inventory, found: Vec<Capability>) -> CapabilityList {
    let notes = match inventory.skipped {
        0 => Vec::new(),
        1 => vec!["1 entry of the inventory was skipped: it has no name.".to_owned()],
        count => vec![format!("{count} entries of the inventory were skipped: they have no name.")],
    };
    let summary = |it: Capability| CapabilitySummary {
        id: it.name.clone(),
        name: it.name,
        r#type: it.kind,
        description: it.description,
        tags: it.tags,
        install_level: it.install_level,
    };
    let capabilities: Vec<_> = found.into_iter().map(summary).collect();
    CapabilityList { total: capabilities.len(), capabilities, notes }
}

fn render(inventory: &Inventory, list: &CapabilityList) -> String {
    let head = match list.total {
        0 if inventory.capabilities.is_empty() => {
            "The capabilities registry is empty.\n".to_owned()
        }
        0 => "No capabilities matched. Try fewer words, another type or fewer tags; without \
              arguments query_capabilities lists all.\n"
            .to_owned(),
        1 => "Found 1 capability:\n\n".to_owned(),
        total => format!("Found {total} capabilities:\n\n"),
    };
    let entries: String = list.capabilities.iter().map(render_one).collect();
    let notes: Vec<String> = list.notes.iter().map(|note| format!("\nNote: {note}\n")).collect();
    format!("{head}{entries}{}", notes.concat())
}

fn render_one(it: &CapabilitySummary) -> String {
    let about = match it.description.as_str() {
        "" => String::new(),
        description => format!(" — {description}"),
    };
    let mut lines = vec![format!("- **{}** ({}){about}", it.name, it.r#type)];
    if !it.tags.is_empty() {
        lines.push(format!("  Tags: {}", it.tags.join(", ")));
    }
    lines.extend(it.install_level.as_ref().map(|level| format!("  Install level: {level}")));
    lines.push(String::new());
    lines.join("\n")
}

#[derive(Deserialize, JsonSchema)]
struct GetCapabilityDetailParams {
    /// Capability ID (e.g., 'acm-env', 'claude-md-management'). Must match pattern: lowercase alphanumeric with hyphens.
    #[schemars(schema_with = "arguments::capability_id")]
    capability_id: String,
    /// Capability type, needed only where two types share the ID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "arguments::capability_types")]
    r#type: Option<String>,
}

fn get_capability_detail(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_capability_detail",
        "Get full details for a specific capability by ID. Use when you need installation instructions, configuration, or complete metadata for a capability found via query_capabilities.",
    )
    .title("Capability details")
    .document()
    .aliases(&[("id", "capability_id"), ("name", "capability_id")])
    .objecting(object)
    .run_sync(move |_, params: GetCapabilityDetailParams| {
        let id = params.capability_id.as_str();
        check_capability_id(id)?;
        let text = registry::detail(&surroundings.registry()?, id, params.r#type.as_deref())?;
        Ok(Answer::document(text))
    })
}
