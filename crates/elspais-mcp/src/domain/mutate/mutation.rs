//! What was done to the graph, one variant for each kind of change.
//!
//! Whatever has to follow a change asks here: a new variant does not compile until `renames` says
//! what it renames.

use crate::domain::parse::EdgeKind;
use crate::domain::span::Label;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mutation {
    RenameNode {
        old_id: String,
        new_id: String,
        title: String,
        /// Under their new ids.
        assertions: Vec<String>,
        citations: Vec<CitedAt>,
    },
    UpdateTitle {
        before: String,
        after: String,
        /// The ids before and after, where the title makes the id.
        renamed: Option<(String, String)>,
    },
    ChangeStatus {
        before: Option<String>,
        after: String,
    },
    AddRequirement {
        id: String,
        title: String,
        level: String,
        status: String,
        hash: Option<String>,
        parent: Option<(String, EdgeKind)>,
        path: String,
    },
    DeleteRequirement {
        id: String,
        title: String,
        level: String,
        status: String,
        hash: Option<String>,
        was_root: bool,
        parent_ids: Vec<String>,
        child_ids: Vec<String>,
        assertion_ids: Vec<String>,
        broken_references_from: Vec<String>,
    },
    AddAssertion {
        parent: Parent,
        id: String,
        label: Label,
        text: String,
    },
    UpdateAssertion {
        parent: Parent,
        before: String,
        after: String,
    },
    RenameAssertion {
        parent: Parent,
        relabelled: Relabelled,
        citations: Vec<Respelled>,
    },
    DeleteAssertion {
        parent: Parent,
        id: String,
        label: Label,
        text: String,
        compact: bool,
        /// Assertions behind it that moved up.
        renames: Vec<Relabelled>,
        citations: Vec<Respelled>,
        broken_references_from: Vec<String>,
    },
    AddEdge {
        link: LinkState,
        was_root: bool,
        is_broken: bool,
    },
    ChangeEdgeKind {
        /// As it is now.
        link: LinkState,
        old_kind: EdgeKind,
    },
    DeleteEdge {
        link: LinkState,
        became_root: bool,
    },
    FixBrokenReference {
        source_id: String,
        old_target_id: String,
        new_target_id: String,
        kind: EdgeKind,
        was_root: bool,
        still_broken: bool,
    },
    MoveRequirement {
        id: String,
        old_path: String,
        new_path: String,
    },
    RewriteText {
        part: Prose,
        before: String,
        after: String,
    },
}

/// The requirement an assertion belongs to, with its stored hash before and after the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parent {
    pub(crate) id: String,
    pub(crate) hash_before: Option<String>,
    pub(crate) hash_after: Option<String>,
}

/// An assertion that has another label now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relabelled {
    pub(crate) old_id: String,
    pub(crate) new_id: String,
    pub(crate) old_label: Label,
    pub(crate) new_label: Label,
}

/// Where something is cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CitedAt {
    pub(crate) source_id: String,
    pub(crate) path: String,
    pub(crate) line: u32,
}

/// A reference that is now spelled differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Respelled {
    pub(crate) at: CitedAt,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// One link between two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkState {
    pub(crate) source_id: String,
    pub(crate) target_id: String,
    pub(crate) kind: EdgeKind,
    pub(crate) labels: Vec<Label>,
}

/// A part of a requirement's prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prose {
    Text,
    Rationale,
}

impl Prose {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Rationale => "rationale",
        }
    }
}

impl Mutation {
    /// The name callers know it by.
    pub(crate) fn operation(&self) -> &'static str {
        match self {
            Self::RenameNode { .. } => "rename_node",
            Self::UpdateTitle { .. } => "update_title",
            Self::ChangeStatus { .. } => "change_status",
            Self::AddRequirement { .. } => "add_requirement",
            Self::DeleteRequirement { .. } => "delete_requirement",
            Self::AddAssertion { .. } => "add_assertion",
            Self::UpdateAssertion { .. } => "update_assertion",
            Self::RenameAssertion { .. } => "rename_assertion",
            Self::DeleteAssertion { .. } => "delete_assertion",
            Self::AddEdge { .. } => "add_edge",
            Self::ChangeEdgeKind { .. } => "change_edge_kind",
            Self::DeleteEdge { .. } => "delete_edge",
            Self::FixBrokenReference { .. } => "fix_broken_reference",
            Self::MoveRequirement { .. } => "move_requirement",
            Self::RewriteText { .. } => "rewrite_text",
        }
    }

    /// Ids that are others now, each with what it has become.
    pub(crate) fn renames(&self) -> Vec<(&str, &str)> {
        match self {
            Self::RenameNode { old_id, new_id, .. } => vec![(old_id, new_id)],
            Self::RenameAssertion { relabelled, .. } => {
                vec![(&relabelled.old_id, &relabelled.new_id)]
            }
            Self::DeleteAssertion { renames, .. } => {
                renames.iter().map(|it| (it.old_id.as_str(), it.new_id.as_str())).collect()
            }
            Self::UpdateTitle { renamed, .. } => {
                renamed.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect()
            }
            Self::ChangeStatus { .. }
            | Self::AddRequirement { .. }
            | Self::DeleteRequirement { .. }
            | Self::AddAssertion { .. }
            | Self::UpdateAssertion { .. }
            | Self::AddEdge { .. }
            | Self::ChangeEdgeKind { .. }
            | Self::DeleteEdge { .. }
            | Self::FixBrokenReference { .. }
            | Self::MoveRequirement { .. }
            | Self::RewriteText { .. } => Vec::new(),
        }
    }
}
