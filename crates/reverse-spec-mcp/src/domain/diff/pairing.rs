//! Which symbol of the old state is which of the new one: by file, kind, name and overload, then by
//! what tells a move or a new name from a removal.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::canonical::canonical;
use super::partners::{Pool, partners};
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, SymbolKind};

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
pub(super) enum Space {
    Values,
    Types,
    Other(SymbolKind),
}

pub(super) fn space(kind: SymbolKind) -> Space {
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

/// Of more declarations of one name each is only held against its like.
pub(super) const MAX_LOOKED_AT: usize = 12;

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
            let after = present.get(&key).map(Vec::as_slice).unwrap_or_default();
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
        let contents: Vec<Option<String>> = added.iter().map(|it| content(it)).collect();
        let left = self.find_moved(removed, &added, &contents, &mut free);
        let wanted: Vec<Option<String>> = left.iter().map(|it| content(it)).collect();
        let told = || contents.iter().enumerate().filter_map(|(at, it)| Some((it.as_ref()?, at)));
        let mut here = Pool::of(told().map(|(it, at)| ((added[at].kind, it, &added[at].file), at)));
        let mut anywhere = Pool::of(told().map(|(it, at)| ((added[at].kind, it), at)));
        for (before, wanted) in left.into_iter().zip(&wanted) {
            let found = wanted.as_ref().and_then(|it| {
                let near = here.take(&(before.kind, it, &before.file), &free);
                near.or_else(|| anywhere.take(&(before.kind, it), &free))
            });
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

    /// Takes out what has its name in another file now: where that holds the same, is the one file
    /// with the name, or the one that is called as the old one was. Otherwise nobody can tell.
    fn find_moved(
        &mut self,
        removed: Vec<&'a ExportSymbol>,
        added: &[&'a ExportSymbol],
        contents: &[Option<String>],
        free: &mut [bool],
    ) -> Vec<&'a ExportSymbol> {
        let places = || added.iter().copied().enumerate();
        let mut alike = Pool::of(
            places().map(|(at, it)| ((it.kind, it.name.as_str(), contents[at].clone()), at)),
        );
        let mut by_name: HashMap<(SymbolKind, &str), usize> = HashMap::new();
        for symbol in added {
            *by_name.entry((symbol.kind, &symbol.name)).or_default() += 1;
        }
        let file_name = |it: &'a ExportSymbol| it.file.rsplit('/').next().unwrap_or_default();
        let mut called =
            Pool::of(places().map(|(at, it)| ((it.kind, it.name.as_str(), file_name(it)), at)));
        let mut named = Pool::of(places().map(|(at, it)| ((it.kind, it.name.as_str()), at)));
        // Where both states say by which names it is reached, one of those names tells.
        let mut reached: HashMap<(SymbolKind, &str), Option<usize>> = HashMap::new();
        for (at, symbol) in places() {
            for path in symbol.paths.iter().flatten() {
                let known = reached.entry((symbol.kind, path));
                known.and_modify(|it| *it = None).or_insert(Some(at));
            }
        }
        let by_path = |it: &'a ExportSymbol| {
            let mut paths = it.paths.iter().flatten();
            paths.find_map(|path| reached.get(&(it.kind, path.as_str())).copied().flatten())
        };
        let mut left = Vec::new();
        let mut others = Vec::new();
        for before in removed {
            match by_path(before).filter(|at| free[*at]) {
                Some(at) if added[at].name == before.name && added[at].file != before.file => {
                    free[at] = false;
                    self.moved.push((before, added[at]));
                }
                _ => others.push(before),
            }
        }
        for before in others {
            let key = (before.kind, before.name.as_str());
            let Some(count) = by_name.get(&key) else {
                left.push(before);
                continue;
            };
            let found = alike
                .take(&(key.0, key.1, content(before)), free)
                .or_else(|| called.take(&(key.0, key.1, file_name(before)), free))
                .or_else(|| (*count == 1).then(|| named.take(&key, free)).flatten());
            match found {
                Some(index) if added[index].file != before.file => {
                    free[index] = false;
                    self.moved.push((before, added[index]));
                }
                _ => left.push(before),
            }
        }
        left
    }

    /// What was inside a namespace that is gone needs no line of its own.
    fn drop_inside_removed(&mut self) {
        let gone: HashSet<(String, String)> = self
            .removed
            .iter()
            .filter(|it| matches!(it.kind, SymbolKind::Namespace | SymbolKind::Module))
            .map(|it| (it.file.clone(), super::qualified(it)))
            .collect();
        let inside = |it: &&ExportSymbol| {
            let Some(namespace) = &it.namespace else { return false };
            let ends = namespace.match_indices(['.', ':']).map(|(at, _)| at);
            let mut around = ends.chain([namespace.len()]).map(|end| &namespace[..end]);
            around.any(|name| gone.contains(&(it.file.clone(), name.to_owned())))
        };
        if !gone.is_empty() {
            self.removed.retain(|it| !inside(it));
        }
    }
}

/// Pairs declarations of one name: first those that are the same, then by kind and the number of
/// parameters, then in order.
fn overloads<'a>(
    before: Vec<&'a ExportSymbol>,
    after: &[&'a ExportSymbol],
) -> Vec<(&'a ExportSymbol, Option<&'a ExportSymbol>)> {
    if let ([only], [other]) = (before.as_slice(), after) {
        return vec![(only, Some(other))];
    }
    let count = |it: &ExportSymbol| it.parameters.as_ref().map(Vec::len);
    let found = partners(
        &before,
        after,
        &[
            &|it| format!("{:?} {}", it.kind, it.signature),
            &|it| format!("{:?} {}", it.kind, canonical(&it.signature)),
            &|it| format!("{:?} {:?}", it.kind, count(it)),
            &|_| String::new(),
        ],
    );
    let is_covered = |it: &ExportSymbol, by: &ExportSymbol| {
        let found = super::symbol::differences(it, by);
        found.iter().all(|it| it.change.severity() == super::Severity::Low)
    };
    // One of the others may take all that a caller gives.
    let may_look = after.len() > 1 && after.len() <= MAX_LOOKED_AT;
    let better = |it: &'a ExportSymbol, at: Option<usize>| {
        let paired = at.map(|at| after[at]);
        if !may_look || paired.is_some_and(|by| is_covered(it, by)) {
            return paired;
        }
        after.iter().find(|by| is_covered(it, by)).copied().or(paired)
    };
    before.into_iter().zip(found).map(|(it, at)| (it, better(it, at))).collect()
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
