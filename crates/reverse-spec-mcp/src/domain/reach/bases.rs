//! Types that nobody outside can name, and whose members everybody has from a type that extends them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::domain::skeleton::{CodeSkeleton, ExportSymbol};

/// Marks what is reached through what others have from it.
pub(super) fn tell(skeletons: &mut [CodeSkeleton]) {
    let mut reached: HashMap<String, String> = HashMap::new();
    let mut seen: HashSet<String> = HashSet::new();
    {
        let mut by_name: HashMap<&str, Vec<&ExportSymbol>> = HashMap::new();
        for symbol in skeletons.iter().flat_map(|it| &it.exports) {
            by_name.entry(&symbol.name).or_default().push(symbol);
        }
        let is_shown = |it: &&Arc<ExportSymbol>| it.paths.as_ref().is_some_and(|it| !it.is_empty());
        let shown = skeletons.iter().flat_map(|it| &it.exports).filter(is_shown);
        let mut open: Vec<(&ExportSymbol, &str)> =
            shown.map(|it| (it.as_ref(), it.name.as_str())).collect();
        while let Some((symbol, through)) = open.pop() {
            for base in symbol.extends.iter().chain(&symbol.implements) {
                let end = base.find(['<', '[', '(']).unwrap_or(base.len());
                let name = base[..end].rsplit(['.', ':']).next().unwrap_or_default().trim();
                if !seen.insert(name.to_owned()) {
                    continue;
                }
                for base in by_name.get(name).into_iter().flatten() {
                    reached.entry(name.to_owned()).or_insert_with(|| format!("<{through}>"));
                    open.push((base, through));
                }
            }
        }
    }
    for symbol in skeletons.iter_mut().flat_map(|it| &mut it.exports) {
        let is_hidden = symbol.paths.as_ref().is_some_and(Vec::is_empty);
        if is_hidden && let Some(through) = reached.get(&symbol.name) {
            Arc::make_mut(symbol).paths = Some(vec![through.clone()]);
        }
    }
}
