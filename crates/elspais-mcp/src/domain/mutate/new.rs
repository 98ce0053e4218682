//! What a caller says of a requirement that is to be added.

use crate::domain::parse::EdgeKind;

/// What a new requirement is made of.
#[derive(Debug, Clone)]
pub(crate) struct NewRequirement {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) status: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) edge_kind: EdgeKind,
    /// A path that the scan rules select; else the parent's file, else the only spec file.
    pub(crate) target_file: Option<String>,
}
