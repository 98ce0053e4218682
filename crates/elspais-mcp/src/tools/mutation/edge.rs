//! Links: added, turned into another kind, deleted, repaired.

use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{change, changing, confirmed, deleting, edge_kind, shown};
use crate::store::workspace::Workspace;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddParams {
    /// The requirement that cites, e.g. `REQ-d00001`.
    source_id: String,
    /// What it cites, e.g. `REQ-o00001` or `REQ-o00001-A`. One that does not exist makes a broken reference.
    target_id: String,
    /// `IMPLEMENTS` or `REFINES`.
    edge_kind: String,
    /// Labels of the target's assertions that are meant, e.g. `["A", "B"]`. Default: the target as a whole.
    assertion_targets: Option<Vec<String>>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct KindParams {
    /// The requirement that cites, e.g. `REQ-d00001`.
    source_id: String,
    /// What it cites, with labels where there are several links, e.g. `REQ-o00001-A`.
    target_id: String,
    /// `IMPLEMENTS` or `REFINES`.
    new_kind: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteParams {
    /// What cites: a requirement, or code or a test that cites something else as well.
    source_id: String,
    /// What it cites, with labels where there are several links, e.g. `REQ-o00001-A`.
    target_id: String,
    /// Must be true.
    confirm: Option<bool>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "these are the names callers know")]
struct FixParams {
    /// What holds the broken reference, as `get_broken_references` names it.
    source_id: String,
    /// What it names in vain.
    old_target_id: String,
    /// What it should name, e.g. `REQ-o00001`.
    new_target_id: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        add(workspace.clone()),
        change_kind(workspace.clone()),
        delete(workspace.clone()),
        fix(workspace.clone()),
    ]
}

fn add(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_add_edge",
        "Lets a requirement implement or refine another, or some of its assertions, in memory. Refused where it would make a cycle. Nothing is written until save_mutations.",
    )
    .title("Add a link")
    .run_blocking(move |call, it: AddParams| {
        let kind = edge_kind(&it.edge_kind)?;
        let targets = it.assertion_targets.unwrap_or_default();
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_add_edge(it.source_id.trim(), it.target_id.trim(), kind, &targets)
        })
    })
}

fn change_kind(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_change_edge_kind",
        "Turns a link between requirements into another kind, in memory. Nothing is written until save_mutations.",
    )
    .title("Change a link")
    .run_blocking(move |call, it: KindParams| {
        let new_kind = edge_kind(&it.new_kind)?;
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_change_edge_kind(it.source_id.trim(), it.target_id.trim(), new_kind)
        })
    })
}

fn delete(workspace: Arc<Workspace>) -> Tool {
    deleting(
        "mutate_delete_edge",
        "Deletes a link, in memory. Needs confirm=true. Nothing is written until save_mutations.",
    )
    .title("Delete a link")
    .run_blocking(move |call, it: DeleteParams| {
        let (source, target) = (shown(&it.source_id), shown(&it.target_id));
        confirmed(it.confirm, &format!("This deletes the link from {source} to {target}."))?;
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_delete_edge(it.source_id.trim(), it.target_id.trim())
        })
    })
}

fn fix(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_fix_broken_reference",
        "Turns a reference that leads nowhere to another target, in memory, in specs, code and tests alike. get_broken_references lists them. Nothing is written until save_mutations.",
    )
    .title("Fix a broken reference")
    .run_blocking(move |call, it: FixParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            let (source, old) = (it.source_id.trim(), it.old_target_id.trim());
            graph.plan_fix_broken_reference(source, old, it.new_target_id.trim())
        })
    })
}
