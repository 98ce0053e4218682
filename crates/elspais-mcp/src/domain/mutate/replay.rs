//! Changes made once more, in texts that have become others meanwhile.

use std::sync::Arc;

use super::editor::Editor;
use super::log::{MutationEntry, Occasion};
use super::mutation::{LinkState, Mutation};
use super::new::NewRequirement;
use super::plan::Plan;
use crate::domain::graph::TraceGraph;
use crate::domain::parse::EdgeKind;
use crate::domain::span::Label;
use crate::error::Error;

impl Editor<'_> {
    /// Makes changes again under their old names. Those that no longer apply are put aside in the
    /// log, with the reason.
    pub(crate) fn replay(&mut self, entries: Vec<Arc<MutationEntry>>) {
        for entry in entries {
            let occasion = Occasion { id: entry.id.clone(), now: entry.timestamp };
            let made = self.graph.plan_again(&entry).and_then(|it| self.carry_out(&occasion, it));
            if let Err(error) = made {
                self.log.put_aside(entry, error.to_string());
            }
        }
    }
}

impl TraceGraph {
    /// What was meant, planned on the graph as it is now.
    fn plan_again(&self, entry: &MutationEntry) -> Result<Plan, Error> {
        let target = &entry.target_id;
        match &entry.mutation {
            Mutation::RenameNode { old_id, new_id, .. } => self.plan_rename_node(old_id, new_id),
            Mutation::UpdateTitle { after, .. } => self.plan_update_title(target, after),
            Mutation::ChangeStatus { after, .. } => self.plan_change_status(target, after),
            Mutation::AddRequirement { id, title, level, status, parent, path, .. } => {
                let (parent_id, edge_kind) = parent.clone().unzip();
                self.plan_add_requirement(&NewRequirement {
                    id: id.clone(),
                    title: title.clone(),
                    level: level.clone(),
                    status: status.clone(),
                    parent_id,
                    edge_kind: edge_kind.unwrap_or(EdgeKind::Implements),
                    target_file: Some(path.clone()),
                })
            }
            Mutation::DeleteRequirement { id, .. } => self.plan_delete_requirement(id),
            Mutation::AddAssertion { parent, label, text, .. } => {
                self.plan_add_assertion(&parent.id, label.as_str(), text)
            }
            Mutation::UpdateAssertion { after, .. } => self.plan_update_assertion(target, after),
            Mutation::RenameAssertion { relabelled: it, .. } => {
                self.plan_rename_assertion(&it.old_id, it.new_label.as_str())
            }
            Mutation::DeleteAssertion { id, compact, .. } => {
                self.plan_delete_assertion(id, Some(*compact))
            }
            Mutation::AddEdge { link, .. } => {
                let labels: Vec<String> = link.labels.iter().map(Label::to_string).collect();
                self.plan_add_edge(&link.source_id, &link.target_id, link.kind, &labels)
            }
            Mutation::ChangeEdgeKind { link, .. } => {
                self.plan_change_edge_kind(&link.source_id, &self.spelled(link), link.kind)
            }
            Mutation::DeleteEdge { link, .. } => {
                self.plan_delete_edge(&link.source_id, &self.spelled(link))
            }
            Mutation::FixBrokenReference { source_id, old_target_id, new_target_id, .. } => {
                self.plan_fix_broken_reference(source_id, old_target_id, new_target_id)
            }
            Mutation::MoveRequirement { id, new_path, .. } => {
                self.plan_move_requirement(id, new_path, true)
            }
            Mutation::RewriteText { part, after, .. } => {
                self.plan_reword(target, *part, after)?.ok_or_else(|| {
                    Error::refused("it stands there already", "There is nothing to change.")
                })
            }
        }
    }

    fn spelled(&self, link: &LinkState) -> String {
        self.grammar.write_reference(&link.target_id, &link.labels, None)
    }
}
