//! Addresses as they are reached through files that put others before them.

use std::collections::HashMap;

use super::found::joined;
use crate::domain::skeleton::{CodeSkeleton, EntryKind, EntryPoint};

/// Mounts through more files than this are a circle.
const MAX_DEPTH: usize = 5;

/// One router below an address, with the files that it may be in.
struct Mount {
    prefix: String,
    from: usize,
    /// The file it leads to, and the name there.
    to: Option<usize>,
    name: String,
}

/// Says of each route how it is reached where another file of the set mounts it.
pub(crate) fn settle(skeletons: &mut [CodeSkeleton]) {
    let has_mounts =
        skeletons.iter().any(|it| it.entry_points.iter().any(|it| it.kind == EntryKind::Mount));
    if !has_mounts {
        return;
    }
    let by_path: HashMap<String, usize> =
        skeletons.iter().enumerate().map(|(at, it)| (it.file_path.clone(), at)).collect();
    let mut mounts: Vec<Mount> = Vec::new();
    let mut everywhere = String::new();
    for (from, skeleton) in skeletons.iter().enumerate() {
        for entry in skeleton.entry_points.iter().filter(|it| it.kind == EntryKind::Mount) {
            let target = entry.handler.as_deref().unwrap_or_default();
            if target == "*" {
                everywhere.clone_from(&entry.name);
                continue;
            }
            let to = leads_to(skeletons, &by_path, from, target);
            let name = last_name(target).to_owned();
            mounts.push(Mount { prefix: entry.name.clone(), from, to, name });
        }
    }
    let told: Vec<Vec<Option<String>>> = skeletons
        .iter()
        .enumerate()
        .map(|(file, skeleton)| {
            let entries = skeleton.entry_points.iter();
            let home = |scope: &str| imported(skeleton, &by_path, scope, None);
            entries.map(|it| reached(&mounts, &everywhere, file, it, &home)).collect()
        })
        .collect();
    for (skeleton, names) in skeletons.iter_mut().zip(told) {
        for (entry, name) in skeleton.entry_points.iter_mut().zip(names) {
            entry.reached_as = name;
        }
    }
}

/// `home` tells the file from which a router is imported.
fn reached(
    mounts: &[Mount],
    everywhere: &str,
    file: usize,
    entry: &EntryPoint,
    home: &dyn Fn(&str) -> Option<usize>,
) -> Option<String> {
    if entry.kind != EntryKind::Route {
        return None;
    }
    let scope = entry.scope.as_deref().unwrap_or_default();
    let mut prefix = prefix_of(mounts, file, scope, 0);
    if prefix.is_empty()
        && let Some(home) = home(scope).filter(|it| *it != file && !scope.is_empty())
    {
        prefix = prefix_of(mounts, home, scope, 0);
    }
    if !everywhere.is_empty() && entry.is_marked {
        prefix = joined(everywhere, &prefix);
    }
    if matches!(prefix.as_str(), "" | "/") {
        return None;
    }
    let (verb, address) = entry.name.split_once(' ').unwrap_or(("", &entry.name));
    let whole = joined(&prefix, address);
    Some(if verb.is_empty() { whole } else { format!("{verb} {whole}") })
}

/// What stands before everything on a router of a file.
fn prefix_of(mounts: &[Mount], file: usize, scope: &str, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return String::new();
    }
    let here = || mounts.iter().filter(|it| it.to == Some(file) && it.from != file);
    let mount = here().find(|it| it.name == scope).or_else(|| here().next());
    let Some(mount) = mount else { return String::new() };
    let outer = prefix_of(mounts, mount.from, "", depth + 1);
    if outer.is_empty() { mount.prefix.clone() } else { joined(&outer, &mount.prefix) }
}

fn last_name(target: &str) -> &str {
    let plain = target.split('(').next().unwrap_or_default();
    plain.rsplit(['.', ':']).next().unwrap_or(plain)
}

/// The file that a mount leads to: by an import of its first word, by the name of a module, or by the
/// path in `require('./x')`.
fn leads_to(
    skeletons: &[CodeSkeleton],
    by_path: &HashMap<String, usize>,
    from: usize,
    target: &str,
) -> Option<usize> {
    let skeleton = &skeletons[from];
    let first = target.split(['.', ':', '(']).next().unwrap_or_default();
    let quoted = target.split(['\'', '"']).nth(1);
    if let Some(place) = imported(skeleton, by_path, first, quoted) {
        return Some(place);
    }
    // `app.urls` of Django, and `users::router` of a module of the crate.
    let dotted = target.trim_end_matches("()").replace("::", ".");
    let module = dotted.replace('.', "/");
    let parent = module.rsplit_once('/').map_or("", |it| it.0);
    let ends = [
        format!("{module}.py"),
        format!("{module}/__init__.py"),
        format!("{parent}.rs"),
        format!("{parent}/mod.rs"),
    ];
    let is_meant = |path: &str| {
        ends.iter().any(|end| {
            !end.starts_with(['.', '/']) && (path == end || path.ends_with(&format!("/{end}")))
        })
    };
    let found = skeletons.iter().position(|it| is_meant(&it.file_path));
    // A package of Go is a folder.
    found.or_else(|| {
        let name = last_name(target);
        skeletons.iter().position(|it| {
            it.language.as_str() == "go"
                && it.file_path.rsplit('/').nth(1) == Some(first)
                && it.entry_points.iter().any(|it| it.scope.as_deref() == Some(name))
        })
    })
}

/// The file that a name is imported from, or that a quoted path leads to.
fn imported(
    skeleton: &CodeSkeleton,
    by_path: &HashMap<String, usize>,
    first: &str,
    quoted: Option<&str>,
) -> Option<usize> {
    for import in &skeleton.imports {
        let names = import
            .named_imports
            .iter()
            .chain(&import.default_import)
            .chain(&import.namespace_import);
        let specifier = import.module_specifier.as_str();
        let is_meant =
            names.into_iter().any(|it| it == first || it.ends_with(&format!(" as {first}")))
                || quoted == Some(specifier)
                || specifier.rsplit(['/', '.', ':']).next() == Some(first);
        let path = import.resolved_path.as_ref().filter(|_| is_meant);
        if let Some(place) = path.and_then(|it| by_path.get(it)) {
            // `from api import users` leads to the package; the module is beside its first file.
            let beside = path.and_then(|it| it.rsplit_once('/')).map(|it| it.0).unwrap_or_default();
            let inner = by_path.get(&format!("{beside}/{first}.py"));
            return Some(*inner.unwrap_or(place));
        }
    }
    None
}
