//! Whole requirements: renamed, retitled, given a status, added, deleted.

use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{change, changing, confirmed, deleting, edge_kind, shown};
use crate::domain::mutate::NewRequirement;
use crate::domain::parse::EdgeKind;
use crate::store::workspace::Workspace;
use crate::tools::{NODE_ID, REQUIREMENT_ID};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "these are the names callers know")]
struct RenameParams {
    /// The id now, e.g. `REQ-d00001`.
    old_id: String,
    /// The new id, in the project's form.
    new_id: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TitleParams {
    /// The requirement's id, e.g. `REQ-d00001`.
    node_id: String,
    /// One line of plain text.
    new_title: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatusParams {
    /// The requirement's id, e.g. `REQ-d00001`.
    node_id: String,
    /// One word, e.g. `Active`, `Draft` or `Deprecated`.
    new_status: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddParams {
    /// An id that is free, e.g. `REQ-d00099`.
    req_id: String,
    /// One line of plain text.
    title: String,
    /// A level of the project, e.g. `PRD`, `OPS` or `DEV`.
    level: String,
    /// One word. Default: `Draft`.
    status: Option<String>,
    /// The requirement or assertion it serves, e.g. `REQ-o00001` or `REQ-o00001-A`.
    parent_id: Option<String>,
    /// `IMPLEMENTS` (default) or `REFINES`.
    edge_kind: Option<String>,
    /// The spec file it will be written to, e.g. `spec/login.md`. Default: the parent's file, else the only spec file.
    target_file: Option<String>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteParams {
    /// The requirement's id, e.g. `REQ-d00001`.
    node_id: String,
    /// Must be true.
    confirm: Option<bool>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        rename(workspace.clone()),
        update_title(workspace.clone()),
        change_status(workspace.clone()),
        add(workspace.clone()),
        delete(workspace.clone()),
    ]
}

fn rename(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_rename_node",
        "Gives a requirement another id, in memory: its assertions and every reference to it follow, in specs, code, tests and journeys. Nothing is written until save_mutations.",
    )
    .title("Rename a requirement")
    .run_blocking(move |call, it: RenameParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_rename_node(it.old_id.trim(), it.new_id.trim())
        })
    })
}

fn update_title(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_update_title",
        "Gives a requirement another title, in memory. Nothing is written until save_mutations.",
    )
    .title("Change a title")
    .aliases(NODE_ID)
    .run_blocking(move |call, it: TitleParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_update_title(it.node_id.trim(), &it.new_title)
        })
    })
}

fn change_status(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_change_status",
        "Gives a requirement another status, in memory. Nothing is written until save_mutations.",
    )
    .title("Change a status")
    .aliases(NODE_ID)
    .run_blocking(move |call, it: StatusParams| {
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_change_status(it.node_id.trim(), &it.new_status)
        })
    })
}

fn add(workspace: Arc<Workspace>) -> Tool {
    changing(
        "mutate_add_requirement",
        "Adds a requirement, in memory, optionally linked to a parent. Add its assertions with mutate_add_assertion. Nothing is written until save_mutations.",
    )
    .title("Add a requirement")
    .aliases(REQUIREMENT_ID)
    .run_blocking(move |call, it: AddParams| {
        let edge_kind = it.edge_kind.map_or(Ok(EdgeKind::Implements), |kind| edge_kind(&kind))?;
        let (wanted, tip) = (it.target_file, it.if_tip_mutation_id);
        let mut new = NewRequirement {
            id: it.req_id.trim().to_owned(),
            title: it.title,
            level: it.level.trim().to_owned(),
            status: it.status.unwrap_or_else(|| "Draft".to_owned()),
            parent_id: it.parent_id.map(|id| id.trim().to_owned()),
            edge_kind,
            target_file: None,
        };
        change(&workspace, call, tip.as_deref(), |graph, snapshot| {
            if let Some(path) = &wanted {
                new.target_file = Some(snapshot.spec_path(&graph.config, path)?);
            }
            graph.plan_add_requirement(&new)
        })
    })
}

fn delete(workspace: Arc<Workspace>) -> Tool {
    deleting(
        "mutate_delete_requirement",
        "Deletes a requirement with its assertions, in memory; what cites it is left with broken references. Needs confirm=true. Nothing is written until save_mutations.",
    )
    .title("Delete a requirement")
    .aliases(NODE_ID)
    .run_blocking(move |call, it: DeleteParams| {
        let what = format!("This deletes {} with its assertions.", shown(&it.node_id));
        confirmed(it.confirm, &what)?;
        change(&workspace, call, it.if_tip_mutation_id.as_deref(), |graph, _| {
            graph.plan_delete_requirement(it.node_id.trim())
        })
    })
}
