//! What all languages share in reading a tree: node kinds by their role, text that layout cannot
//! change, bodies as tokens.

pub(crate) mod comment;
pub(crate) mod field;
pub(crate) mod mending;
pub(crate) mod scratch;
pub(crate) mod stream;
pub(crate) mod symbols;
pub(crate) mod table;
pub(crate) mod unit;
mod visit;

pub(crate) use unit::CUT;
pub(crate) use visit::visit_at;
