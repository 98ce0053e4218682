//! What of the old state can still be reached by the names it had, where both states say by which
//! names a library offers what it declares.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::pairing::{MAX_LOOKED_AT, Pairing, space};
use crate::domain::languages;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, ImportReference, SymbolKind};

pub(super) struct Reached<'a> {
    /// What each name leads to now; empty where nothing is known of it.
    now: HashMap<&'a str, Vec<&'a ExportSymbol>>,
    /// What was something of the old state already.
    taken: HashSet<*const ExportSymbol>,
    /// Names whose re-export is told as gone.
    told: HashSet<&'a str>,
    /// Names that a file takes from elsewhere, where that makes them its own.
    imported: HashSet<(&'a str, &'a str)>,
    gone: Vec<GoneModule<'a>>,
}

/// What became of the names of a symbol.
pub(super) enum Names<'a> {
    /// Nothing is known, or nobody had a name for it.
    Unknown,
    Kept,
    /// The first that leads nowhere now.
    Gone(&'a str),
    /// They were names in modules that are gone, which is told of those.
    Told,
}

impl<'a> Reached<'a> {
    /// `files` are all that there are now.
    pub(super) fn of(
        pairing: &Pairing<'a>,
        old: &'a CodeSkeleton,
        new: &'a CodeSkeleton,
        files: &HashSet<&str>,
    ) -> Self {
        let mut now: HashMap<&str, Vec<&ExportSymbol>> = HashMap::new();
        for symbol in &new.exports {
            for path in symbol.paths.iter().flatten() {
                now.entry(path).or_default().push(symbol);
            }
        }
        let kept = pairing.pairs.iter().chain(&pairing.moved);
        let taken = kept.map(|it| std::ptr::from_ref(it.1)).collect();
        let gone = pairing.removed.iter().filter(|it| it.kind == SymbolKind::ReExport);
        let told = gone.flat_map(|it| it.paths.iter().flatten()).map(String::as_str).collect();
        let hands_on = |it: &&Arc<ImportReference>| {
            languages::id_of_path(&it.file).is_some_and(|it| languages::about(it).imports_are_names)
        };
        let imports = new.imports.iter().filter(hands_on);
        let imported = imports
            .flat_map(|it| it.named_imports.iter().map(|name| (it.file.as_str(), name.as_str())))
            .collect();
        let gone = gone_modules(&now, old, files);
        Self { now, taken, told, imported, gone }
    }

    pub(super) fn names(&self, before: &'a ExportSymbol) -> Names<'a> {
        let Some(paths) = before.paths.as_ref().filter(|it| !it.is_empty()) else {
            return Names::Unknown;
        };
        if self.now.is_empty() {
            return Names::Unknown;
        }
        if self.imported.contains(&(before.file.as_str(), before.name.as_str())) {
            return Names::Kept;
        }
        let shown = paths.iter().filter(|it| !it.starts_with('<'));
        let lost: Vec<&String> =
            shown.clone().filter(|it| !self.now.contains_key(it.as_str())).collect();
        match lost.iter().find(|it| !self.is_in_gone_module(it)) {
            Some(path) => Names::Gone(path),
            None if !lost.is_empty() && lost.len() == { shown }.count() => Names::Told,
            None => Names::Kept,
        }
    }

    fn is_in_gone_module(&self, path: &str) -> bool {
        self.gone.iter().any(|it| is_below(path, &it.name))
    }

    /// Whether that a name leads nowhere is told with the re-export that is gone.
    pub(super) fn is_told(&self, path: &str) -> bool {
        self.told.contains(path)
    }

    /// Modules that users import by their name, and of which nothing is left. Of those inside each
    /// other only the outermost.
    pub(super) fn gone_modules(&self) -> &[GoneModule<'a>] {
        &self.gone
    }

    /// What was declared here and is another library's now, under the same names.
    pub(super) fn gone_elsewhere(&self, pairing: &Pairing<'a>) -> HashSet<&'a str> {
        let is_elsewhere =
            |it: &&&'a ExportSymbol| matches!(self.instead_of(it), Some(Instead::Elsewhere(_)));
        pairing.removed.iter().filter(is_elsewhere).map(|it| it.name.as_str()).collect()
    }

    /// What stands under the names of a symbol that is gone: something else of its kind, or what another
    /// library declares. None where a name leads nowhere.
    pub(super) fn instead_of(&self, before: &'a ExportSymbol) -> Option<Instead<'a>> {
        if !matches!(self.names(before), Names::Kept) {
            return None;
        }
        let paths = before.paths.iter().flatten().filter(|it| !it.starts_with('<'));
        let mut there = { paths }.filter_map(|it| self.now.get(it.as_str())).flatten().copied();
        let mut there: Vec<&ExportSymbol> = { there.by_ref() }.collect();
        // A name that is handed on leads to what was handed on, where that is known.
        if there.iter().any(|it| it.kind != SymbolKind::ReExport) {
            there.retain(|it| it.kind != SymbolKind::ReExport);
        }
        if self.imported.contains(&(before.file.as_str(), before.name.as_str())) {
            return Some(Instead::Same);
        }
        if before.kind == SymbolKind::ReExport {
            return there.first().map(|_| Instead::Same);
        }
        let fits = |it: &&&ExportSymbol| {
            it.kind == SymbolKind::ReExport
                || space(it.kind) == space(before.kind)
                    && !self.taken.contains(&std::ptr::from_ref(**it))
        };
        // Of several forms of a function the one that takes what callers give.
        let weight = |it: &&&ExportSymbol| -> usize {
            let told = super::symbol::differences(before, it);
            told.iter().map(|it| it.change.severity().weight()).sum()
        };
        let found = there.iter().filter(fits).take(MAX_LOOKED_AT).min_by_key(weight)?;
        Some(match found.kind {
            SymbolKind::ReExport => Instead::Elsewhere(found),
            _ => Instead::Here(found),
        })
    }
}

/// A module that is gone, and where it was.
pub(super) struct GoneModule<'a> {
    pub(super) name: String,
    pub(super) file: &'a str,
}

impl GoneModule<'_> {
    /// Whether a module is this one or inside it.
    pub(super) fn is_around(&self, module: &str) -> bool {
        is_below(module, &self.name)
    }

    pub(super) fn held(&self, symbol: &ExportSymbol) -> bool {
        symbol.paths.iter().flatten().any(|it| is_below(it, &self.name))
    }
}

/// Whether a name is a module's own, or of something in it.
fn is_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn gone_modules<'a>(
    now: &HashMap<&str, Vec<&ExportSymbol>>,
    old: &'a CodeSkeleton,
    files: &HashSet<&str>,
) -> Vec<GoneModule<'a>> {
    if now.is_empty() {
        return Vec::new();
    }
    let parent = |path: &'a str| path.rsplit_once('.').map(|it| it.0);
    let here: HashSet<&str> =
        now.keys().filter_map(|it| it.rsplit_once('.')).map(|it| it.0).collect();
    let is_left = |module: &str| here.iter().any(|it| is_below(it, module));
    let mut gone: Vec<GoneModule<'a>> = Vec::new();
    for symbol in &old.exports {
        let is_module = languages::about(symbol.language).imports_are_names;
        if !is_module || symbol.namespace.is_some() || symbol.kind == SymbolKind::ReExport {
            continue;
        }
        // The module itself is named after its file.
        let stem = symbol.file.rsplit_once('.').map_or("", |it| it.0);
        let stem = stem.trim_end_matches("/__init__");
        let dotted = stem.replace('/', ".");
        let modules = symbol.paths.iter().flatten().filter_map(|it| parent(it));
        for module in { modules }.filter(|it| dotted == *it || dotted.ends_with(&format!(".{it}")))
        {
            if is_left(module) || files.contains(symbol.file.as_str()) {
                continue;
            }
            let (mut name, mut place) = (module, stem);
            // So is the package around it, where no file is left in its folder.
            while let (Some((outer, _)), Some((folder, _))) =
                (name.rsplit_once('.'), place.rsplit_once('/'))
            {
                let inside = format!("{folder}/");
                if is_left(outer) || files.iter().any(|it| it.starts_with(&inside)) {
                    break;
                }
                (name, place) = (outer, folder);
            }
            if !gone.iter().any(|it| is_below(name, &it.name)) {
                gone.retain(|it| !is_below(&it.name, name));
                gone.push(GoneModule { name: name.to_owned(), file: &symbol.file });
            }
        }
    }
    gone
}

/// What stands in the place of something that is gone.
pub(super) enum Instead<'a> {
    Here(&'a ExportSymbol),
    /// What another library declares.
    Elsewhere(&'a ExportSymbol),
    /// The same, by another way.
    Same,
}
