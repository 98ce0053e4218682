//! The safety net that files are written over: a branch of git.

use mcp_core::failure::Failure;
use mcp_core::git::Git;

use super::{AboutToWrite, SafetyError, keep};
use crate::save::{SafetyNet, Writing};

pub(crate) struct GitNet;

impl SafetyNet for GitNet {
    fn keep(&self, writing: &Writing<'_>) -> Result<String, Failure> {
        let git = Git::open(writing.directory).map_err(SafetyError::from)?;
        let files: Vec<AboutToWrite<'_>> = writing
            .files
            .iter()
            .map(|file| AboutToWrite {
                path: &file.path,
                before: file.before.as_deref().map(str::as_bytes),
                after: file.after.as_deref().map(str::as_bytes),
            })
            .collect();
        Ok(keep(&git, writing.subject, writing.purpose, &files, writing.now)?)
    }
}
