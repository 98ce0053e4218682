//! Several files as one skeleton.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::{CodeSkeleton, ExportSymbol, SymbolKind};

/// Moves to the internal items what only the whole set shows to be internal: members given to types
/// that no file exports. Internal items are then those of files that export nothing, unless all of
/// them are to be kept.
pub(crate) fn settle(skeletons: &mut [CodeSkeleton], keep_internals: bool) {
    let exported: HashSet<String> = skeletons
        .iter()
        .flat_map(|it| &it.exports)
        .filter(|it| it.kind != SymbolKind::Impl)
        .map(|it| it.name.clone())
        .collect();
    let hidden: HashSet<String> = skeletons
        .iter_mut()
        .flat_map(|it| std::mem::take(&mut it.hidden_types))
        .filter(|it| !exported.contains(it))
        .collect();
    for skeleton in skeletons {
        let is_hidden =
            |it: &mut Arc<ExportSymbol>| it.kind == SymbolKind::Impl && hidden.contains(&it.name);
        let moved: Vec<Arc<ExportSymbol>> = skeleton.exports.extract_if(.., is_hidden).collect();
        skeleton.internals.extend(moved);
        if !keep_internals && !skeleton.exports.is_empty() {
            skeleton.internals.clear();
        }
    }
}

/// Everything of all files; each entry says which file it is from.
pub(crate) fn merge(skeletons: &[CodeSkeleton]) -> CodeSkeleton {
    let [first, rest @ ..] = skeletons else { return CodeSkeleton::default() };
    if rest.is_empty() {
        return first.clone();
    }
    let mut merged = CodeSkeleton {
        file_path: first.file_path.clone(),
        language: first.language,
        parser_used: first.parser_used.clone(),
        analyzed_at: first.analyzed_at.clone(),
        module_doc: first.module_doc.clone(),
        ..CodeSkeleton::default()
    };
    let mut hashes = Sha256::new();
    for skeleton in skeletons {
        merged.loc += skeleton.loc;
        merged.tests += skeleton.tests;
        merged.exports.extend(skeleton.exports.iter().cloned());
        merged.internals.extend(skeleton.internals.iter().cloned());
        merged.imports.extend(skeleton.imports.iter().cloned());
        merged.parse_errors.extend(skeleton.parse_errors.iter().cloned());
        merged.entry_points.extend(skeleton.entry_points.iter().cloned());
        merged.marks.extend(skeleton.marks.iter().cloned());
        if let Some(features) = &skeleton.features {
            merged.features.get_or_insert_default().extend(features.iter().cloned());
        }
        hashes.update(skeleton.hash.as_bytes());
    }
    merged.hash = crate::domain::hash::hex(&hashes.finalize());
    merged.exports = with_members_at_home(std::mem::take(&mut merged.exports));
    merged
}

/// Puts members that were given to a type in another file beside its own, where there is only one
/// type of that name. Of exports alone: which internal items are listed depends on who asks.
fn with_members_at_home(symbols: Vec<Arc<ExportSymbol>>) -> Vec<Arc<ExportSymbol>> {
    let mut homes: HashMap<String, Option<usize>> = HashMap::new();
    if !symbols.iter().any(|it| it.kind == SymbolKind::Impl) {
        return symbols;
    }
    let (impls, mut kept): (Vec<_>, Vec<_>) =
        symbols.into_iter().partition(|it| it.kind == SymbolKind::Impl);
    for (index, symbol) in kept.iter().enumerate().filter(|(_, it)| it.kind.takes_blocks()) {
        let is_same = |at: usize| {
            // Under another condition: the last stands for all, as it does within a file.
            kept[at].file == symbol.file && kept[at].namespace == symbol.namespace
        };
        homes
            .entry(symbol.name.clone())
            .and_modify(|home| *home = home.filter(|at| is_same(*at)).map(|_| index))
            .or_insert(Some(index));
    }
    for block in impls {
        match homes.get(&block.name).copied().flatten() {
            Some(home) => adopt(Arc::make_mut(&mut kept[home]), &block),
            None => kept.push(block),
        }
    }
    kept
}

fn adopt(home: &mut ExportSymbol, block: &ExportSymbol) {
    let elsewhere = (block.file != home.file).then_some(&block.file);
    for member in &block.members {
        let mut member = member.clone();
        member.file = member.file.or_else(|| elsewhere.cloned());
        home.members.push(member);
    }
    for implemented in &block.implements {
        if !home.implements.contains(implemented) {
            home.implements.push(implemented.clone());
        }
    }
}
