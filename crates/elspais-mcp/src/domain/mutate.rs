//! Changes to the graph: each is an edit of texts, logged with the edits that take it back.
//!
//! A change is planned on the graph as it is, made in the texts the graph holds, the files are read
//! again, and what came out is compared with what was meant; anything else is refused and leaves no
//! trace. So what is saved is what was seen, and taking the edits back gives the very state before.

mod assertion;
mod citation;
mod dialect;
mod edge;
mod edit;
mod editor;
mod log;
mod mutation;
mod node;
mod outline;
mod place;
mod plan;
mod reference;
mod rehash;
mod relocate;
mod replay;
mod rewrite;
mod subject;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use edit::{Edit, apply};
pub(crate) use editor::Editor;
pub(crate) use log::{MutationEntry, MutationLog, Occasion, PutAside};
pub(crate) use mutation::{CitedAt, LinkState, Mutation, Parent, Relabelled, Respelled};
pub(crate) use node::NewRequirement;
pub(crate) use plan::Plan;
#[cfg(test)]
pub(crate) use tests::{
    PROJECT as SAMPLE, random::step as random_step, random::take as take_random_step,
};
