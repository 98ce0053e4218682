//! Which symbol of the old state is which of the new one: by file, kind, name and overload, then by
//! what tells a move or a new name from a removal.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::canonical::canonical;
use crate::skeleton::{CodeSkeleton, ExportSymbol, SymbolKind};

#[derive(Default)]
pub(super) struct Pairing<'a> {
    pub(super) pairs: Vec<(&'a ExportSymbol, &'a ExportSymbol)>,
    /// Still there, but no longer for others.
    pub(super) unexported: Vec<(&'a ExportSymbol, &'a ExportSymbol)>,
    pub(super) moved: Vec<(&'a ExportSymbol, &'a ExportSymbol)>,
    pub(super) renamed: Vec<(&'a ExportSymbol, &'a ExportSymbol)>,
    pub(super) removed: Vec<&'a ExportSymbol>,
    pub(super) added: Vec<&'a ExportSymbol>,
}

/// Symbols that stand for each other when their kind changes: a function may become a constant that
/// holds a lambda, a class an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Values,
    Types,
    Other(SymbolKind),
}

fn space(kind: SymbolKind) -> Space {
    match kind {
        SymbolKind::Function | SymbolKind::Const | SymbolKind::Variable => Space::Values,
        SymbolKind::Class
        | SymbolKind::Interface
        | SymbolKind::Type
        | SymbolKind::Enum
        | SymbolKind::Struct
        | SymbolKind::Union
        | SymbolKind::Trait
        | SymbolKind::Record
        | SymbolKind::Annotation => Space::Types,
        other => Space::Other(other),
    }
}

type Key<'a> = (&'a str, Option<&'a str>, Space, &'a str);

impl<'a> Pairing<'a> {
    pub(super) fn of(old: &'a CodeSkeleton, new: &'a CodeSkeleton) -> Self {
        let mut pairing = Self::default();
        let key = |it: &'a ExportSymbol| -> Key<'a> {
            (&it.file, it.namespace.as_deref(), space(it.kind), it.name.as_str())
        };
        let mut present: HashMap<Key<'a>, Vec<&'a ExportSymbol>> = HashMap::new();
        for symbol in new.exports.iter().chain(&new.internals) {
            present.entry(key(symbol)).or_default().push(symbol);
        }
        // Groups in the order of the source, so that the result is the same every time.
        let mut order: Vec<Key<'a>> = Vec::new();
        let mut groups: HashMap<Key<'a>, Vec<&'a ExportSymbol>> = HashMap::new();
        for symbol in old.exports.iter().chain(&old.internals) {
            let group = groups.entry(key(symbol)).or_default();
            if group.is_empty() {
                order.push(key(symbol));
            }
            group.push(symbol);
        }
        let internal: HashSet<*const ExportSymbol> =
            old.internals.iter().chain(&new.internals).map(Arc::as_ptr).collect();
        let is_internal = |it: &ExportSymbol| internal.contains(&std::ptr::from_ref(it));
        let mut removed = Vec::new();
        let mut taken: HashSet<*const ExportSymbol> = HashSet::new();
        for key in order {
            let before = groups.remove(&key).unwrap_or_default();
            let after = present.get(&key).cloned().unwrap_or_default();
            for (before, after) in overloads(before, after) {
                match after {
                    Some(after) => {
                        taken.insert(std::ptr::from_ref(after));
                        if is_internal(after) && !is_internal(before) {
                            pairing.unexported.push((before, after));
                        } else {
                            pairing.pairs.push((before, after));
                        }
                    }
                    None => removed.push(before),
                }
            }
        }
        // What is not exported is new only where the file was known by such items before.
        let internal_files: HashSet<&str> =
            old.internals.iter().map(|it| it.file.as_str()).collect();
        let exporting: HashSet<&str> = new.exports.iter().map(|it| it.file.as_str()).collect();
        let internals = new.internals.iter().filter(|it| {
            internal_files.contains(it.file.as_str()) && !exporting.contains(it.file.as_str())
        });
        let is_free = |it: &&ExportSymbol| !taken.contains(&std::ptr::from_ref(*it));
        let added: Vec<&ExportSymbol> =
            new.exports.iter().chain(internals).map(Arc::as_ref).filter(is_free).collect();
        pairing.find_moves(removed, added);
        pairing.drop_inside_removed();
        pairing
    }

    /// A symbol that is gone from one file and appeared in another, or under another name.
    fn find_moves(&mut self, removed: Vec<&'a ExportSymbol>, added: Vec<&'a ExportSymbol>) {
        let mut free = vec![true; added.len()];
        let mut by_name: HashMap<(SymbolKind, &str), Vec<usize>> = HashMap::new();
        let mut by_content: HashMap<(SymbolKind, String), Vec<usize>> = HashMap::new();
        for (index, symbol) in added.iter().enumerate() {
            by_name.entry((symbol.kind, &symbol.name)).or_default().push(index);
            if let Some(content) = content(symbol) {
                by_content.entry((symbol.kind, content)).or_default().push(index);
            }
        }
        let mut left = Vec::new();
        for before in removed {
            let same_name = by_name.get(&(before.kind, before.name.as_str()));
            let candidates = same_name.into_iter().flatten().copied().filter(|it| free[*it]);
            let candidates: Vec<usize> = candidates.collect();
            // One place only, or one that holds the same: otherwise nobody can tell.
            let alike = |index: &&usize| content(added[**index]) == content(before);
            let found = match candidates.as_slice() {
                [only] => Some(*only),
                several => several.iter().find(alike).copied(),
            };
            match found {
                Some(index) if added[index].file != before.file => {
                    free[index] = false;
                    self.moved.push((before, added[index]));
                }
                _ => left.push(before),
            }
        }
        for before in left {
            let same = content(before).and_then(|it| by_content.get(&(before.kind, it)));
            let found = same.into_iter().flatten().copied().find(|it| free[*it]);
            match found {
                Some(index) => {
                    free[index] = false;
                    self.renamed.push((before, added[index]));
                }
                None => self.removed.push(before),
            }
        }
        let rest = added.into_iter().zip(free).filter(|(_, free)| *free);
        self.added = rest.map(|(symbol, _)| symbol).collect();
    }

    /// What was inside of a namespace that is gone needs no line of its own.
    fn drop_inside_removed(&mut self) {
        let gone: Vec<(String, String)> = self
            .removed
            .iter()
            .filter(|it| matches!(it.kind, SymbolKind::Namespace | SymbolKind::Module))
            .map(|it| (it.file.clone(), super::qualified(it)))
            .collect();
        let inside = |it: &&ExportSymbol| {
            let Some(namespace) = &it.namespace else { return false };
            gone.iter().any(|(file, name)| {
                *file == it.file
                    && namespace
                        .strip_prefix(name.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
            })
        };
        self.removed.retain(|it| !inside(it));
    }
}

type Likeness<'a> = dyn Fn(&ExportSymbol, &ExportSymbol) -> bool + 'a;

/// Pairs declarations of one name: first those that are the same, then by kind and the number of
/// parameters, then in order.
fn overloads<'a>(
    before: Vec<&'a ExportSymbol>,
    mut after: Vec<&'a ExportSymbol>,
) -> Vec<(&'a ExportSymbol, Option<&'a ExportSymbol>)> {
    if let ([only], [other]) = (before.as_slice(), after.as_slice()) {
        return vec![(only, Some(other))];
    }
    let mut pairs: Vec<(&ExportSymbol, Option<&ExportSymbol>)> =
        before.into_iter().map(|it| (it, None)).collect();
    let count = |it: &ExportSymbol| it.parameters.as_ref().map(Vec::len);
    let tests: [&Likeness<'_>; 3] = [
        &|old, new| old.kind == new.kind && canonical(&old.signature) == canonical(&new.signature),
        &|old, new| old.kind == new.kind && count(old) == count(new),
        &|_, _| true,
    ];
    for test in tests {
        for pair in pairs.iter_mut().filter(|it| it.1.is_none()) {
            if let Some(index) = after.iter().position(|it| test(pair.0, it)) {
                pair.1 = Some(after.remove(index));
            }
        }
    }
    pairs
}

/// What a symbol is apart from its name; none where that is too little to recognise it by.
fn content(symbol: &ExportSymbol) -> Option<String> {
    if let Some(re_export) = &symbol.re_export {
        let name = re_export.imported_name.as_deref().unwrap_or("*");
        return Some(format!("{}#{name}", re_export.module_specifier));
    }
    let mut parts: Vec<String> = Vec::new();
    parts.extend(symbol.body_hash.clone());
    for parameter in symbol.parameters.iter().flatten() {
        parts.push(canonical(parameter.type_text.as_deref().unwrap_or("?")));
    }
    parts.extend(symbol.return_type.as_deref().map(canonical));
    for member in &symbol.members {
        parts.push(canonical(&member.signature));
        parts.extend(member.body_hash.clone());
    }
    let telling = symbol.body_hash.is_some() || symbol.members.len() > 1;
    telling.then(|| parts.join("\n"))
}
