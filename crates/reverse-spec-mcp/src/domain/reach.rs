//! By which names a library offers what it declares: from the files it shows to its users, along
//! everything that is handed on. What no such name leads to is nobody else's business.

mod bases;
mod unlisted;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::languages::{self, Entry, Language, ProjectFiles};
use super::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, LanguageId, ReExport, SymbolKind,
};

/// Longer chains of re-exports are circles.
const MAX_DEPTH: usize = 12;
/// More names for one thing say nothing new.
const MAX_PATHS: usize = 8;

/// Tells every export by which names others reach it, where the set of files declares a library.
pub(crate) fn tell(files: &ProjectFiles, skeletons: &mut [CodeSkeleton]) {
    for language in languages::all() {
        let id = language.about().id();
        tell_features(files, id, skeletons);
        let Some(entries) = language.entries(files).filter(|it| !it.is_empty()) else { continue };
        unlisted::offer(files, language, skeletons);
        let found = Walk::over(files, language, skeletons, &entries);
        let inside = files_inside(skeletons, id, &entries);
        let mut all: Vec<(usize, usize, Vec<String>)> = Vec::new();
        for (at, skeleton) in skeletons.iter().enumerate() {
            if !inside.contains(skeleton.file_path.as_str()) {
                continue;
            }
            for (index, symbol) in skeleton.exports.iter().enumerate() {
                // Members that are given to a type are reached with it.
                if symbol.kind != SymbolKind::Impl {
                    let paths = found.get(&(at, index)).cloned().unwrap_or_default();
                    all.push((at, index, paths.into_iter().take(MAX_PATHS).collect()));
                }
            }
        }
        for (at, index, paths) in all {
            Arc::make_mut(&mut skeletons[at].exports[index]).paths = Some(paths);
        }
    }
    bases::tell(skeletons);
}

/// What users may switch on is said with the first file of the package.
fn tell_features(files: &ProjectFiles, id: LanguageId, skeletons: &mut [CodeSkeleton]) {
    for (directory, offer) in files.offers(id) {
        let Some(features) = &offer.features else { continue };
        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let is_entry = |it: &&mut CodeSkeleton| {
            let rest = it.file_path.strip_prefix(&start);
            let listed = offer.entries.iter().flat_map(|it| &it.1);
            it.language == id && rest.is_some_and(|rest| { listed }.any(|it| it == rest))
        };
        if let Some(entry) = skeletons.iter_mut().find(is_entry) {
            entry.features = Some(features.clone());
        }
    }
}

/// The files of which it is known whether they are shown: those of the directories of the entries, and
/// where modules name their parts, the parts that they name.
fn files_inside<'a>(
    skeletons: &'a [CodeSkeleton],
    id: LanguageId,
    entries: &[Entry],
) -> HashSet<&'a str> {
    let own = || skeletons.iter().filter(move |it| it.language == id);
    let parts = |it: &'a CodeSkeleton| {
        let named = it.imports.iter().filter(|it| it.import_type == ImportType::Submodule);
        named.filter_map(|it| it.resolved_path.as_deref())
    };
    let by_file: HashMap<&str, &CodeSkeleton> =
        own().map(|it| (it.file_path.as_str(), it)).collect();
    let is_tree =
        own().any(|it| it.imports.iter().any(|it| it.import_type == ImportType::Submodule));
    if !is_tree {
        let is_inside = |it: &&str| entries.iter().any(|entry| it.starts_with(&entry.realm));
        return by_file.into_keys().filter(is_inside).collect();
    }
    let mut found: HashSet<&str> = HashSet::new();
    let first = entries.iter().filter_map(|it| by_file.get_key_value(it.file.as_str()));
    let mut open: Vec<&str> = first.map(|it| *it.0).collect();
    while let Some(file) = open.pop() {
        if found.insert(file) {
            open.extend(by_file.get(file).into_iter().flat_map(|it| parts(it)));
        }
    }
    found
}

/// An export by the place of its file and its own.
type Place = (usize, usize);

struct Walk<'a> {
    files: &'a ProjectFiles,
    language: &'a dyn Language,
    skeletons: &'a [CodeSkeleton],
    places: HashMap<&'a str, usize>,
    /// The exports of each file by the namespace they are in.
    exports: HashMap<(usize, Option<&'a str>), Vec<usize>>,
    found: HashMap<Place, BTreeSet<String>>,
    seen: HashSet<(String, usize, Option<String>)>,
}

impl<'a> Walk<'a> {
    fn over(
        files: &'a ProjectFiles,
        language: &'a dyn Language,
        skeletons: &'a [CodeSkeleton],
        entries: &[Entry],
    ) -> HashMap<Place, BTreeSet<String>> {
        let places =
            skeletons.iter().enumerate().map(|(at, it)| (it.file_path.as_str(), at)).collect();
        let mut exports: HashMap<(usize, Option<&str>), Vec<usize>> = HashMap::new();
        for (at, skeleton) in skeletons.iter().enumerate() {
            for (index, symbol) in skeleton.exports.iter().enumerate() {
                exports.entry((at, symbol.namespace.as_deref())).or_default().push(index);
            }
        }
        let found = HashMap::new();
        let seen = HashSet::new();
        let mut walk = Self { files, language, skeletons, places, exports, found, seen };
        for entry in entries {
            if let Some(at) = walk.places.get(entry.file.as_str()).copied() {
                walk.offer(&entry.prefix, at, None, 0);
            }
        }
        walk.found
    }

    fn symbol(&self, place: Place) -> &'a ExportSymbol {
        &self.skeletons[place.0].exports[place.1]
    }

    fn separator(&self) -> &'a str {
        &self.language.about().separator
    }

    /// Everything in a module, under names that begin with `prefix`.
    fn offer(&mut self, prefix: &str, at: usize, namespace: Option<&str>, depth: usize) {
        let key = (prefix.to_owned(), at, namespace.map(str::to_owned));
        if depth > MAX_DEPTH || !self.seen.insert(key) {
            return;
        }
        for index in self.exports.get(&(at, namespace)).cloned().unwrap_or_default() {
            let name = self.symbol((at, index)).name.clone();
            self.name(prefix, &name, (at, index), depth);
        }
    }

    /// One export, and whatever is inside it or behind it.
    fn name(&mut self, prefix: &str, name: &str, place: Place, depth: usize) {
        let symbol = self.symbol(place);
        // What documentation hides is meant for nobody.
        if symbol.decorators.iter().any(|it| it == "#[doc(hidden)]") {
            return;
        }
        let path = format!("{prefix}{name}");
        let is_star = symbol.re_export.as_ref().is_some_and(|it| it.is_star) && name == "*";
        if !is_star && !self.found.entry(place).or_default().insert(path.clone()) {
            return;
        }
        let inner = format!("{path}{}", self.separator());
        if let Some(from) = &symbol.re_export {
            self.follow(prefix, &path, from, place.0, depth + 1);
            return;
        }
        let namespace = match &symbol.namespace {
            Some(around) => format!("{around}{}{}", self.separator(), symbol.name),
            None => symbol.name.clone(),
        };
        if symbol.kind == SymbolKind::Module
            && let Some(file) = self.part(place.0, &namespace)
        {
            self.offer(&inner, file, None, depth + 1);
        }
        self.offer(&inner, place.0, Some(&namespace), depth + 1);
    }

    /// The file of a module that another one names as its part.
    fn part(&self, at: usize, name: &str) -> Option<usize> {
        let named = |it: &&Arc<ImportReference>| {
            it.import_type == ImportType::Submodule && it.module_specifier == name
        };
        let import = self.skeletons[at].imports.iter().find(named)?;
        self.places.get(import.resolved_path.as_deref()?).copied()
    }

    /// What a re-export stands for.
    fn follow(&mut self, prefix: &str, path: &str, from: &ReExport, at: usize, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let inner = format!("{path}{}", self.separator());
        let local = path.strip_prefix(prefix).unwrap_or(path).to_owned();
        if from.module_specifier.is_empty() {
            let name = from.imported_name.as_deref().unwrap_or(&local);
            for place in self.find_in_wholes(at, name, depth) {
                self.name(prefix, &local, place, depth);
            }
            return;
        }
        let Some((home, namespace)) = self.home(at, &from.module_specifier) else { return };
        match &from.imported_name {
            None if path.ends_with('*') => self.offer(prefix, home, namespace.as_deref(), depth),
            None => self.offer(&inner, home, namespace.as_deref(), depth),
            Some(name) => {
                let found = self.find(home, namespace.as_deref(), name, depth);
                for place in &found {
                    self.name(prefix, &local, *place, depth);
                }
                if found.is_empty() {
                    let file = &self.skeletons[at].file_path;
                    let specifier = &from.module_specifier;
                    let part = self.language.submodule(self.files, file, specifier, name);
                    if let Some(part) = part.and_then(|it| self.places.get(it.as_str()).copied()) {
                        self.offer(&inner, part, None, depth);
                    }
                }
            }
        }
    }

    /// The exports under a name of the modules that a file imports whole.
    fn find_in_wholes(&self, at: usize, name: &str, depth: usize) -> Vec<Place> {
        let is_whole = |it: &&Arc<ImportReference>| it.namespace_import.as_deref() == Some("*");
        let wholes = self.skeletons[at].imports.iter().filter(is_whole);
        let homes = wholes.filter_map(|it| self.places.get(it.resolved_path.as_deref()?).copied());
        let mut found = homes.map(|home| self.find(home, None, name, depth));
        found.find(|it| !it.is_empty()).unwrap_or_default()
    }

    /// The module that a specifier leads to: a file, or a namespace in the file that names it.
    fn home(&self, at: usize, specifier: &str) -> Option<(usize, Option<String>)> {
        let file = &self.skeletons[at].file_path;
        let found = self.language.home_of(self.files, file, specifier);
        if let Some(home) = found.and_then(|it| self.places.get(it.as_str()).copied()) {
            return Some((home, None));
        }
        let namespace = specifier.trim_start_matches("self::").trim_start_matches("crate::");
        self.exports.contains_key(&(at, Some(namespace))).then(|| (at, Some(namespace.to_owned())))
    }

    /// The exports of a module under a name, also of those that it hands on whole.
    fn find(&self, at: usize, namespace: Option<&str>, name: &str, depth: usize) -> Vec<Place> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![(at, namespace.map(str::to_owned), depth)];
        while let Some((at, namespace, depth)) = open.pop() {
            if depth > MAX_DEPTH || !seen.insert((at, namespace.clone())) {
                continue;
            }
            let listed = self.exports.get(&(at, namespace.as_deref()));
            for index in listed.into_iter().flatten() {
                let symbol = self.symbol((at, *index));
                if symbol.name == name {
                    found.push((at, *index));
                } else if let Some(from) = &symbol.re_export
                    && from.is_star
                    && symbol.name == "*"
                    && let Some((home, inner)) = self.home(at, &from.module_specifier)
                {
                    open.push((home, inner, depth + 1));
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
