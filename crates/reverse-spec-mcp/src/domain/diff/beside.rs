//! What is gone from one file and declared by one beside it of the same name, but for its ending: a stub
//! and its module, declarations for two kinds of modules. Whoever uses it finds it there.

use std::collections::{HashMap, HashSet};

use super::pairing::{Space, space};
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol};

/// The file without its ending, the namespace, what kind of name it is, and the name.
type Key<'a> = (&'a str, Option<&'a str>, Space, &'a str);

pub(super) struct Beside<'a> {
    /// The files that declare it.
    declared: HashMap<Key<'a>, HashSet<&'a str>>,
}

impl<'a> Beside<'a> {
    pub(super) fn of(now: &'a CodeSkeleton) -> Self {
        let mut declared: HashMap<Key<'a>, HashSet<&'a str>> = HashMap::new();
        for symbol in &now.exports {
            declared.entry(key(symbol)).or_default().insert(&symbol.file);
        }
        Self { declared }
    }

    /// Whether something else of the place and name of a symbol that is gone is there.
    pub(super) fn declares(&self, gone: &ExportSymbol) -> bool {
        // Where its own file still has the name, one of several forms is gone.
        let files = self.declared.get(&key(gone));
        files.is_some_and(|it| !it.contains(gone.file.as_str()))
    }
}

fn key(symbol: &ExportSymbol) -> Key<'_> {
    (module(&symbol.file), symbol.namespace.as_deref(), space(symbol.kind), &symbol.name)
}

/// A path without the ending of its language: `a/b` of `a/b.d.ts`.
fn module(path: &str) -> &str {
    let Some((stem, _)) = path.rsplit_once('.').filter(|it| !it.1.contains('/')) else {
        return path;
    };
    stem.strip_suffix(".d").unwrap_or(stem)
}
