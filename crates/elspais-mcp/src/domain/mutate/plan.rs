//! A change that is planned: what is edited, and what should be there afterwards.

use super::edit::{Edit, Layer};
use super::mutation::Mutation;
use super::outline::Block;
use crate::domain::graph::{File, TraceGraph};

/// What a file is expected to say afterwards, made from what it said.
type Expect = Box<dyn Fn(&str, &mut Vec<Block>)>;
/// What was done, as far as it is only known when it is.
type Done = Box<dyn FnOnce(&TraceGraph) -> Mutation>;

pub(crate) struct Plan {
    pub(super) target_id: String,
    /// The requirement whose hash says whether the change affects hashes, before and after.
    pub(super) subject: (String, String),
    pub(super) layer: Layer,
    pub(super) expect: Expect,
    pub(super) done: Done,
}

impl Layer {
    pub(super) fn one(file: &File, edit: Edit) -> Self {
        let mut layer = Self::default();
        layer.add(file, edit);
        layer
    }

    pub(super) fn add(&mut self, file: &File, edit: Edit) {
        // What other repositories say is theirs to change.
        if file.repository.is_some() {
            return;
        }
        self.files.entry(file.path.clone()).or_default().push(edit);
    }

    /// Makes these edits a change of `target_id`.
    pub(super) fn plan(
        self,
        target_id: impl Into<String>,
        expect: impl Fn(&str, &mut Vec<Block>) + 'static,
        done: impl FnOnce(&TraceGraph) -> Mutation + 'static,
    ) -> Plan {
        let target_id = target_id.into();
        Plan {
            subject: (target_id.clone(), target_id.clone()),
            target_id,
            layer: self,
            expect: Box::new(expect),
            done: Box::new(done),
        }
    }
}

impl Plan {
    /// Says which requirement is changed, where that is not the target itself.
    pub(super) fn about(mut self, requirement: impl Into<String>) -> Self {
        let requirement = requirement.into();
        self.subject = (requirement.clone(), requirement);
        self
    }

    /// Says under which id the requirement is found afterwards.
    pub(super) fn renamed_to(mut self, id: impl Into<String>) -> Self {
        self.subject.1 = id.into();
        self
    }
}
