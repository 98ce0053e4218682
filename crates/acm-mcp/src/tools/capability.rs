//! Searching the capabilities registry, and one capability in full.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::Serialize;

use super::{quick, thorough};
use crate::arguments::{Parameter, schema};
use crate::capability::{self, Capability, Filter, Inventory};
use crate::catalog::CATALOG;
use crate::surroundings::Surroundings;

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

fn kind(description: &'static str) -> Parameter {
    let types = CATALOG.capability_types.iter().map(|it| it.name.as_str()).collect();
    Parameter::choice("type", description, "type", types)
}

pub(super) fn query_capabilities(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![
        Parameter::text("query", "Keyword search across name, description, tags"),
        kind("Filter by capability type"),
        Parameter::words("tags", "Filter by tags (AND logic)"),
    ];
    Tool::read_only(
        "query_capabilities",
        "Search the capabilities registry by keyword, type, or tags. Use when an agent needs to find available tools, skills, agents, or plugins for a task. Returns matching capability summaries.",
    )
    .title("Search capabilities")
    .output::<CapabilityList>()
    .aliases(&[("keyword", "query"), ("search", "query")])
    .run_raw(&schema(&parameters), thorough(parameters, move |given| {
        let registry = surroundings.registry()?;
        let inventory = Inventory::read(&registry)?;
        let filter = Filter {
            query: given.text("query").unwrap_or_default(),
            kind: given.text("type"),
            tags: given.words("tags"),
        };
        let mut found = inventory.search(&filter);
        capability::add_install_levels(&registry, &mut found);
        let list = list(&inventory, found);
        let text = render(&inventory, &list);
        let answer = Answer::data(&list)?.with_text(text).shorten("capabilities");
        Ok(answer.narrow("Narrow the search by query, type or tags."))
    }))
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

pub(super) fn get_capability_detail(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![
        Parameter::capability_id(
            "capability_id",
            "Capability ID (e.g., 'acm-env', 'claude-md-management'). Must match pattern: lowercase alphanumeric with hyphens.",
        )
        .required(),
        kind("Capability type, needed only where two types share the ID."),
    ];
    Tool::read_only(
        "get_capability_detail",
        "Get full details for a specific capability by ID. Use when you need installation instructions, configuration, or complete metadata for a capability found via query_capabilities.",
    )
    .title("Capability details")
    .document()
    .aliases(&[("id", "capability_id"), ("name", "capability_id")])
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let registry = surroundings.registry()?;
        let text =
            capability::detail(&registry, given.required("capability_id"), given.text("type"))?;
        Ok(Answer::document(text))
    }))
}
