//! The sandbox attacked, filled and raced.

mod escapes;
mod files;

use super::{RelPath, Root};

pub(super) fn rel(path: &str) -> RelPath {
    RelPath::parse(path).unwrap()
}

pub(super) fn temp_root() -> (tempfile::TempDir, Root) {
    let directory = tempfile::tempdir().unwrap();
    let root = super::doors::start(directory.path()).unwrap();
    (directory, root)
}
