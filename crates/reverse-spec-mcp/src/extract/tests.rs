//! What each language's declarations become.

mod go;
mod java;
mod limits;
mod python;
mod rust;
mod samples;
mod shortcuts;
mod typescript;

use super::*;

/// The skeleton of one file, what is not exported included.
#[track_caller]
fn read(path: &str, text: &str) -> CodeSkeleton {
    let extracted = Extractor::new().extract(path, text.as_bytes(), Scope::WithInternals);
    extracted.unwrap().skeleton
}

/// `kind name: signature` of every export, with the namespace before the name.
fn exports(path: &str, text: &str) -> Vec<String> {
    let line = |it: &std::sync::Arc<crate::skeleton::ExportSymbol>| {
        let namespace = it.namespace.as_deref().map(|it| format!("{it}.")).unwrap_or_default();
        format!("{} {namespace}{}: {}", it.kind.word(), it.name, it.signature)
    };
    read(path, text).exports.iter().map(line).collect()
}

/// `name: signature` of every member of the export of that name.
fn members(path: &str, text: &str, of: &str) -> Vec<String> {
    let skeleton = read(path, text);
    let home = skeleton.exports.iter().find(|it| it.name == of).unwrap();
    home.members.iter().map(|it| format!("{}: {}", it.name, it.signature)).collect()
}
