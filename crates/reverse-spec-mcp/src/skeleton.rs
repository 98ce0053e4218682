//! What is kept of source code: declarations, imports and what was found in bodies.

mod merge;
mod model;

pub(crate) use merge::{merge, settle};
pub(crate) use model::{
    BodyFacts, CodeSkeleton, ExportSymbol, Fact, FactLists, ImportReference, ImportType,
    LanguageId, Mark, MemberInfo, MemberKind, Parameter, ParseError, ReExport, SymbolKind,
    Visibility,
};
