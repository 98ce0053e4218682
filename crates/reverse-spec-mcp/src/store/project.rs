//! Where code lies: the project around a target, which of its files are read, and by what base
//! paths are told.

mod manifest;
mod place;
mod scan;

pub(crate) use manifest::{files_by, files_of, package_at, workspace_members};
pub(crate) use place::{Places, Target, TargetKind};
pub(crate) use scan::SourceFile;

/// Larger files are named in a warning instead of being parsed: a parser's memory is a multiple.
pub(crate) const MAX_SOURCE_BYTES: u64 = 2 * 1024 * 1024;
/// More files than this are left out, with a warning that says so.
pub(crate) const MAX_FILES: usize = 50_000;

#[cfg(test)]
mod tests;
