//! Assertions: added, worded otherwise, deleted, relabelled.

use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{change, changing, confirmed, deleting, shown};
use crate::store::workspace::Workspace;
use crate::tools::REQUIREMENT_ID;

const ASSERTION_ID: &[(&str, &str)] = &[("id", "assertion_id"), ("node_id", "assertion_id")];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddParams {
    /// The requirement's id, e.g. `REQ-d00001`.
    req_id: String,
    /// A label that is free, e.g. `C`.
    label: String,
    /// What SHALL hold.
    text: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateParams {
    /// The assertion's id, e.g. `REQ-d00001-A`.
    assertion_id: String,
    /// What SHALL hold.
    new_text: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteParams {
    /// The assertion's id, e.g. `REQ-d00001-A`.
    assertion_id: String,
    /// Let later labels move up to close the gap, references included. Default: only where neither this nor a later assertion is cited.
    compact: Option<bool>,
    /// Must be true.
    confirm: Option<bool>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RenameParams {
    /// The assertion's id, e.g. `REQ-d00001-A`.
    old_id: String,
    /// A label that is free, e.g. `D`.
    new_label: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        add(workspace.clone()),
        update(workspace.clone()),
        delete(workspace.clone()),
        rename(workspace.clone()),
    ]
}

fn add(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_add_assertion",
        "Adds an assertion to a requirement, in memory, in its place by label. Nothing is written until save_mutations.",
    )
    .title("Add an assertion")
    .aliases(REQUIREMENT_ID)
    .run_blocking(move |call, it: AddParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_add_assertion(it.req_id.trim(), &it.label, &it.text)
        })
    })
}

fn update(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_update_assertion",
        "Words an assertion otherwise, in memory. Nothing is written until save_mutations.",
    )
    .title("Change an assertion")
    .aliases(ASSERTION_ID)
    .run_blocking(move |call, it: UpdateParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_update_assertion(it.assertion_id.trim(), &it.new_text)
        })
    })
}

fn delete(workspace: Arc<Workspace>) -> Tool {
    deleting(
        "mutate_delete_assertion",
        "Deletes an assertion, in memory. Later labels move up where nothing cites them; otherwise the gap stays, and references to the deleted assertion are listed as broken. compact=true moves labels and the references to them. Needs confirm=true. Nothing is written until save_mutations.",
    )
    .title("Delete an assertion")
    .aliases(ASSERTION_ID)
    .run_blocking(move |call, it: DeleteParams| {
        confirmed(it.confirm, &format!("This deletes {}.", shown(&it.assertion_id)))?;
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_delete_assertion(it.assertion_id.trim(), it.compact)
        })
    })
}

fn rename(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_rename_assertion",
        "Gives an assertion another label, in memory; references to it follow. Nothing is written until save_mutations.",
    )
    .title("Relabel an assertion")
    .aliases(&[("id", "old_id"), ("assertion_id", "old_id")])
    .run_blocking(move |call, it: RenameParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_rename_assertion(it.old_id.trim(), &it.new_label)
        })
    })
}
