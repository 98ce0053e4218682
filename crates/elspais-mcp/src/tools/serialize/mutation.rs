//! What was done to the graph as callers see it: the one place where a mutation becomes JSON.

use mcp_core::failure::Failure;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::mutate::{
    CitedAt, LinkState, Mutation, MutationEntry, Parent, Relabelled, Respelled,
};
use crate::domain::parse::EdgeKind;
use crate::domain::span::Label;
use crate::store::workspace::Mutated;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MutationOutput {
    /// For `undo_to_mutation` and `if_tip_mutation_id`.
    pub(crate) id: String,
    pub(crate) operation: String,
    pub(crate) target_id: String,
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub(crate) before_state: Value,
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub(crate) after_state: Value,
    /// Whether the requirement's hash is another one now.
    pub(crate) affects_hash: bool,
    /// RFC 3339, UTC.
    pub(crate) timestamp: String,
}

/// The one mutation that was made or taken back.
pub(crate) fn serialize_only_mutation(mutated: &Mutated) -> Result<MutationOutput, Failure> {
    let entry = mutated
        .entries
        .first()
        .ok_or_else(|| Failure::new(Failure::INTERNAL, "the change left no entry in the log"))?;
    Ok(in_room(entry, &ALONE))
}

/// One of many mutations.
pub(crate) fn serialize_mutation_brief(entry: &MutationEntry) -> MutationOutput {
    in_room(entry, &AMONG_OTHERS)
}

/// How much of an entry is shown. A change that was made is answered, however much it touched.
struct Room {
    items: usize,
    characters: usize,
}

const ALONE: Room = Room { items: 1_000, characters: 20_000 };
const AMONG_OTHERS: Room = Room { items: 50, characters: 2_000 };

fn in_room(entry: &MutationEntry, room: &Room) -> MutationOutput {
    let (before, after) = states(&entry.mutation);
    MutationOutput {
        id: entry.id.clone(),
        operation: entry.mutation.operation().to_owned(),
        target_id: entry.target_id.clone(),
        before_state: fitted(before, room),
        after_state: fitted(after, room),
        affects_hash: entry.affects_hash,
        timestamp: entry.timestamp.to_string(),
    }
}

/// What stood there before, and what stands there now.
fn states(mutation: &Mutation) -> (Value, Value) {
    match mutation {
        Mutation::RenameNode { old_id, new_id, title, assertions, citations } => {
            let citations: Vec<Value> = citations.iter().map(cited_at).collect();
            let after = json!({ "id": new_id, "title": title, "assertions": assertions, "citations": citations });
            (json!({ "id": old_id, "title": title }), after)
        }
        Mutation::UpdateTitle { before, after, .. } => {
            (json!({ "title": before }), json!({ "title": after }))
        }
        Mutation::ChangeStatus { before, after } => {
            (json!({ "status": before }), json!({ "status": after }))
        }
        Mutation::AddRequirement { id, title, level, status, hash, parent, path } => {
            let (parent_id, kind) = parent.as_ref().map(|(id, kind)| (id, kind.as_str())).unzip();
            let after = json!({
                "id": id, "title": title, "level": level, "status": status, "hash": hash,
                "parent_id": parent_id, "edge_kind": kind, "target_file": path,
            });
            (json!({}), after)
        }
        Mutation::DeleteRequirement {
            id,
            title,
            level,
            status,
            hash,
            was_root,
            parent_ids,
            child_ids,
            assertion_ids,
            broken_references_from,
        } => {
            let before = json!({
                "id": id, "title": title, "level": level, "status": status, "hash": hash,
                "was_root": was_root, "parent_ids": parent_ids, "child_ids": child_ids,
                "assertion_ids": assertion_ids,
            });
            (before, json!({ "broken_references_from": broken_references_from }))
        }
        Mutation::AddAssertion { parent, id, label, text } => (
            json!({ "parent_id": parent.id, "parent_hash": parent.hash_before }),
            json!({ "id": id, "label": label.as_str(), "text": text, "parent_hash": parent.hash_after }),
        ),
        Mutation::UpdateAssertion { parent, before, after } => (
            json!({ "text": before, "parent_id": parent.id, "parent_hash": parent.hash_before }),
            json!({ "text": after, "parent_hash": parent.hash_after }),
        ),
        Mutation::RenameAssertion { parent, relabelled: it, citations } => {
            let citations: Vec<Value> = citations.iter().map(respelled).collect();
            let before = json!({
                "id": it.old_id, "label": it.old_label.as_str(), "parent_id": parent.id,
                "parent_hash": parent.hash_before,
            });
            let after = json!({
                "id": it.new_id, "label": it.new_label.as_str(), "citations": citations,
                "parent_hash": parent.hash_after,
            });
            (before, after)
        }
        Mutation::DeleteAssertion {
            parent,
            id,
            label,
            text,
            compact,
            renames,
            citations,
            broken_references_from,
        } => {
            let renames: Vec<Value> = renames.iter().map(relabelled).collect();
            let citations: Vec<Value> = citations.iter().map(respelled).collect();
            let Parent { id: parent_id, hash_before, hash_after } = parent;
            let before = json!({
                "id": id, "label": label.as_str(), "text": text, "parent_id": parent_id,
                "parent_hash": hash_before, "compact": compact, "renames": renames,
            });
            let after = json!({
                "parent_hash": hash_after, "renames": renames, "citations": citations,
                "broken_references_from": broken_references_from,
            });
            (before, after)
        }
        Mutation::AddEdge { link: it, was_root, is_broken } => {
            let before = json!({ "source_id": it.source_id, "target_id": it.target_id, "was_root": was_root });
            (before, with_mark(link(it, it.kind), "broken", *is_broken))
        }
        Mutation::ChangeEdgeKind { link: it, old_kind } => (link(it, *old_kind), link(it, it.kind)),
        Mutation::DeleteEdge { link: it, became_root } => {
            let after = json!({ "source_id": it.source_id, "target_id": it.target_id });
            (link(it, it.kind), with_mark(after, "became_root", *became_root))
        }
        Mutation::FixBrokenReference {
            source_id,
            old_target_id,
            new_target_id,
            kind,
            was_root,
            still_broken,
        } => {
            let kind = kind.as_str();
            let before = json!({
                "source_id": source_id, "old_target_id": old_target_id, "edge_kind": kind,
                "was_root": was_root,
            });
            let after = json!({ "source_id": source_id, "new_target_id": new_target_id, "edge_kind": kind });
            (before, with_mark(after, if *still_broken { "still_broken" } else { "fixed" }, true))
        }
        Mutation::MoveRequirement { id, old_path, new_path } => {
            (json!({ "id": id, "path": old_path }), json!({ "id": id, "path": new_path }))
        }
        Mutation::RewriteText { part, before, after } => {
            (json!({ part.as_str(): before }), json!({ part.as_str(): after }))
        }
    }
}

fn cited_at(it: &CitedAt) -> Value {
    json!({ "source_id": it.source_id, "path": it.path, "line": it.line })
}

fn respelled(it: &Respelled) -> Value {
    let CitedAt { source_id, path, line } = &it.at;
    json!({ "source_id": source_id, "path": path, "line": line, "old": it.old, "new": it.new })
}

fn relabelled(it: &Relabelled) -> Value {
    json!({
        "old_id": it.old_id, "new_id": it.new_id, "old_label": it.old_label.as_str(),
        "new_label": it.new_label.as_str(),
    })
}

fn link(it: &LinkState, kind: EdgeKind) -> Value {
    json!({
        "source_id": it.source_id, "target_id": it.target_id, "edge_kind": kind.as_str(),
        "assertion_targets": it.labels.iter().map(Label::as_str).collect::<Vec<_>>(),
    })
}

/// Marks are there only where they apply.
fn with_mark(mut state: Value, mark: &str, applies: bool) -> Value {
    if applies {
        state[mark] = true.into();
    }
    state
}

/// Lists and texts that are too long are cut; `…_total` beside them says how long they are.
fn fitted(state: Value, room: &Room) -> Value {
    let Value::Object(fields) = state else { return state };
    let mut fitted = serde_json::Map::new();
    for (name, value) in fields {
        let (value, total) = match value {
            Value::Array(items) if items.len() > room.items => {
                (items[..room.items].into(), Some(items.len()))
            }
            Value::String(text) if text.len() > room.characters => {
                (mcp_core::text::cut(&text, room.characters).into(), Some(text.chars().count()))
            }
            other => (other, None),
        };
        let total = total.map(|total| (format!("{name}_total"), total.into()));
        fitted.insert(name, value);
        fitted.extend(total);
    }
    fitted.into()
}
