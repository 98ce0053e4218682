//! What knows files, git, watching and language models.
//!
//! In the order to read them: each uses what stands above it.

/// Which files are read, and as what.
pub(crate) mod scan;

/// One file into values of the domain.
mod reading;

/// Other repositories, read along.
pub(crate) mod federation;

/// Files into a graph, all at once or only what differs.
pub(crate) mod snapshot;

/// Pending changes onto the disk, together or not at all.
pub(crate) mod save;

/// Branches that keep the files as they were before a write.
pub(crate) mod safety;

/// The language model that rewrites requirements.
pub(crate) mod rewriter;

/// The project being served: the graph and every way to read or change it.
pub(crate) mod workspace;
