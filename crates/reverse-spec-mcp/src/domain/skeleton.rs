//! What is kept of source code: declarations, imports and what was found in bodies.

mod content;
mod facts;
mod language;
mod merge;
mod model;
mod shrink;

pub(crate) use content::content_hash;
pub(crate) use facts::{BodyFacts, Fact, FactLists};
pub(crate) use language::LanguageId;
pub(crate) use merge::{merge, settle};
pub(crate) use model::{
    CodeSkeleton, EntryKind, EntryPoint, ExportSymbol, ImportReference, ImportType, Mark,
    MemberInfo, MemberKind, Outlined, Parameter, ParseError, ReExport, SymbolKind, Visibility,
};
