//! What is logged of a look at the files: each problem once, when it appears.

use std::collections::BTreeSet;

use super::{Located, Snapshot};
use crate::domain::{Kind, Problem};

pub(super) fn new_problems(before: &Snapshot, after: &Snapshot) {
    let known: BTreeSet<(&str, &str)> = before
        .faults()
        .map(|located| (located.file.as_str(), located.problem.message.as_str()))
        .collect();
    for Located { file, problem } in after.faults() {
        if known.contains(&(file.as_str(), problem.message.as_str())) {
            continue;
        }
        let Problem { kind, line, message } = problem;
        match kind {
            Kind::NoDirectory => {
                tracing::warn!("no commands are served from {file}: {message}");
            }
            kind if kind.loses_command() => tracing::warn!("{file}:{line} is skipped: {message}"),
            _ => tracing::warn!("{file}:{line}: {message}"),
        }
    }
}
