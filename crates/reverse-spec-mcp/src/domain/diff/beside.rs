//! What is gone from one file and declared by one beside it of the same name, but for its ending: a stub
//! and its module, declarations for two kinds of modules. Whoever uses it finds it there.

use std::collections::HashMap;

use super::pairing::{Space, space};
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol};

/// The file without its ending, the namespace, what kind of name it is, and the name.
type Key<'a> = (&'a str, Option<&'a str>, Space, &'a str);

pub(super) struct Beside<'a> {
    declared: HashMap<Key<'a>, Vec<&'a ExportSymbol>>,
}

impl<'a> Beside<'a> {
    pub(super) fn of(now: &'a CodeSkeleton) -> Self {
        let mut declared: HashMap<Key<'a>, Vec<&'a ExportSymbol>> = HashMap::new();
        for symbol in &now.exports {
            declared.entry(key(symbol)).or_default().push(symbol);
        }
        Self { declared }
    }

    /// What is there of the place and name of a symbol that is gone.
    pub(super) fn instead_of(&self, gone: &ExportSymbol) -> Option<&'a ExportSymbol> {
        let all = self.declared.get(&key(gone))?;
        // Where its own file still has the name, one of several forms is gone.
        let is_form = all.iter().any(|it| it.file == gone.file);
        let same = || all.iter().find(|it| it.signature == gone.signature);
        if is_form { None } else { same().or_else(|| all.first()).copied() }
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
