//! Declarations that are one to a caller. Some languages let an interface, an enum or a namespace be
//! declared in several places of a file: what it holds is all of it together.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::canonical::{canonical, missing};
use crate::domain::languages;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, SymbolKind};

pub(super) fn joined(skeleton: &CodeSkeleton) -> Cow<'_, CodeSkeleton> {
    let lists = [&skeleton.exports, &skeleton.internals];
    let [exports, internals] = lists.map(|it| join(it));
    if exports.is_none() && internals.is_none() {
        return Cow::Borrowed(skeleton);
    }
    let mut whole = skeleton.clone();
    whole.exports = exports.unwrap_or(whole.exports);
    whole.internals = internals.unwrap_or(whole.internals);
    Cow::Owned(whole)
}

type Key<'a> = (&'a str, Option<&'a str>, SymbolKind, &'a str);

/// None where every declaration stands alone.
fn join(symbols: &[Arc<ExportSymbol>]) -> Option<Vec<Arc<ExportSymbol>>> {
    let mut first: HashMap<Key<'_>, usize> = HashMap::new();
    let mut parts: Vec<(usize, &Arc<ExportSymbol>)> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate().filter(|(_, it)| may_go_on(it)) {
        let key =
            (symbol.file.as_str(), symbol.namespace.as_deref(), symbol.kind, symbol.name.as_str());
        let home = *first.entry(key).or_insert(at);
        if home != at {
            parts.push((home, symbol));
        }
    }
    if parts.is_empty() {
        return None;
    }
    let mut whole: Vec<Arc<ExportSymbol>> = symbols.to_vec();
    for (home, part) in &parts {
        take_in(Arc::make_mut(&mut whole[*home]), part);
    }
    for home in parts.iter().map(|it| it.0).collect::<BTreeSet<_>>() {
        drop_repeated(Arc::make_mut(&mut whole[home]));
    }
    let taken: HashSet<*const ExportSymbol> = parts.iter().map(|it| Arc::as_ptr(it.1)).collect();
    whole.retain(|it| !taken.contains(&Arc::as_ptr(it)));
    Some(whole)
}

fn may_go_on(symbol: &ExportSymbol) -> bool {
    let is_kind =
        matches!(symbol.kind, SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Namespace);
    is_kind && languages::about(symbol.language).declarations_join
}

fn take_in(home: &mut ExportSymbol, part: &ExportSymbol) {
    home.overload = None;
    home.members.extend(part.members.iter().cloned());
    home.extends.extend(missing(&part.extends, &home.extends));
    home.decorators.extend(missing(&part.decorators, &home.decorators));
}

/// A member may be said again in every part, in the same words.
fn drop_repeated(symbol: &mut ExportSymbol) {
    let mut seen = HashSet::new();
    symbol.members.retain(|it| seen.insert((it.kind, canonical(&it.signature))));
}
