//! What is kept of source code: declarations, imports and what was found in bodies.

mod content;
mod entries;
mod facts;
mod language;
mod merge;
mod model;
mod shrink;

pub(crate) use content::content_hash;
pub(crate) use entries::{EntryKind, EntryPoint, Outlined};
pub(crate) use facts::{BodyFacts, Fact, FactLists};
pub(crate) use language::LanguageId;
pub(crate) use merge::{merge, settle};
pub(crate) use model::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, Mark, MemberInfo, MemberKind,
    Parameter, ParseError, ReExport, SymbolKind, Visibility,
};
