//! The paths a source names, and the modules they lead to.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Source;

/// A module by its names from the crate's root down.
pub(super) type Module = Vec<String>;

/// The modules of one crate with what each of them names, tests left out.
pub(super) struct Crate {
    modules: BTreeMap<Module, Contents>,
}

#[derive(Default)]
struct Contents {
    /// Absolute paths, as `crate::a::b` split at the colons, with the line they stand in.
    paths: Vec<(Vec<String>, usize)>,
    /// What `pub use` makes available here under which name, and where it comes from.
    passed_on: BTreeMap<String, Vec<String>>,
}

/// `from` names something that lives in `to`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: Module,
    pub(super) to: Module,
    /// The path as it leads there, and the line it stands in.
    pub(super) path: String,
    pub(super) line: usize,
}

impl Crate {
    pub(super) fn read(sources: &[Source], name: &str) -> Self {
        let mut modules = BTreeMap::new();
        for source in sources.iter().filter(|it| !it.is_test()) {
            let Some((of, inside)) = source.place() else { continue };
            if of != name || ["main.rs", "lib.rs"].contains(&inside) {
                continue;
            }
            let module: Module = inside
                .trim_end_matches(".rs")
                .trim_end_matches("/mod")
                .split('/')
                .map(str::to_owned)
                .collect();
            modules.insert(module.clone(), contents(&source.code(), &module));
        }
        Self { modules }
    }

    /// Every path that leads from one module into another.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (from, contents) in &self.modules {
            for (path, line) in &contents.paths {
                let to = self.home_of(path);
                if to.is_empty() || to == *from {
                    continue;
                }
                let path = format!("crate::{}", path.join("::"));
                edges.push(Edge { from: from.clone(), to, path, line: *line });
            }
        }
        edges
    }

    /// The module in which the thing at the end of a path is written, `pub use` followed.
    fn home_of(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        // A chain of `pub use` has an end; this only guards against our own misreading.
        for _ in 0..16 {
            let depth = (0..=path.len())
                .rev()
                .find(|depth| self.modules.contains_key(&path[..*depth]))
                .unwrap_or(0);
            let module = &path[..depth];
            let next = path.get(depth).zip(self.modules.get(module));
            let Some(further) = next.and_then(|(name, it)| it.passed_on.get(name)) else {
                return module.to_vec();
            };
            let mut followed = further.clone();
            followed.extend_from_slice(&path[depth + 1..]);
            path = followed;
        }
        path
    }
}

fn contents(code: &str, module: &[String]) -> Contents {
    let mut contents = Contents::default();
    let children: BTreeSet<String> = declared_modules(code);
    let tokens = tokens(code);
    let mut at = 0;
    while at < tokens.len() {
        let (token, line) = (&tokens[at].0, tokens[at].1);
        if token == "use" {
            let end = (at..tokens.len()).find(|n| tokens[*n].0 == ";").unwrap_or(tokens.len());
            let exported = is_exported(&tokens[..at]);
            let mut leaves = Vec::new();
            read_tree(&tokens[at + 1..end], &mut Vec::new(), &mut leaves);
            for (path, name) in leaves {
                let path = absolute(&path, module, &children);
                let Some(path) = path else { continue };
                if exported {
                    contents.passed_on.insert(name, path.clone());
                }
                contents.paths.push((path, line));
            }
            at = end + 1;
            continue;
        }
        let begins = ["crate", "super", "self"].contains(&token.as_str())
            && tokens.get(at + 1).is_some_and(|it| it.0 == "::")
            && (at == 0 || tokens[at - 1].0 != "::");
        if begins {
            let mut path = vec![token.clone()];
            at += 1;
            while tokens.get(at).is_some_and(|it| it.0 == "::")
                && tokens.get(at + 1).is_some_and(|it| is_name(&it.0))
            {
                path.push(tokens[at + 1].0.clone());
                at += 2;
            }
            if let Some(path) = absolute(&path, module, &children) {
                contents.paths.push((path, line));
            }
            continue;
        }
        at += 1;
    }
    contents
}

/// Whether `pub`, `pub(crate)` or `pub(super)` stands before the word that follows.
fn is_exported(before: &[(String, usize)]) -> bool {
    let Some((last, _)) = before.last() else { return false };
    last == "pub" || last == ")" && before.iter().rev().nth(3).is_some_and(|it| it.0 == "pub")
}

/// The paths of a `use`, each with the name it is known by here.
fn read_tree(
    tokens: &[(String, usize)],
    prefix: &mut Vec<String>,
    leaves: &mut Vec<(Vec<String>, String)>,
) {
    let depth = prefix.len();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].0.as_str() {
            "{" => {
                let end = matching(tokens, at);
                for part in split_at_commas(&tokens[at + 1..end]) {
                    read_tree(part, prefix, leaves);
                }
                prefix.truncate(depth);
                return;
            }
            "as" => {
                let name = tokens.get(at + 1).map(|it| it.0.clone()).unwrap_or_default();
                leaves.push((prefix.clone(), name));
                prefix.truncate(depth);
                return;
            }
            "::" | "*" => {}
            name => prefix.push(name.to_owned()),
        }
        at += 1;
    }
    // `use a::{self}` names `a` itself.
    let mut path = prefix.clone();
    if path.len() > 1 && path.last().is_some_and(|it| it == "self") {
        path.pop();
    }
    let name = path.last().cloned().unwrap_or_default();
    leaves.push((path, name));
    prefix.truncate(depth);
}

fn matching(tokens: &[(String, usize)], open: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, (token, _)) in tokens[open..].iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + offset;
        }
    }
    tokens.len()
}

fn split_at_commas(tokens: &[(String, usize)]) -> Vec<&[(String, usize)]> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, (token, _)) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 0 => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts.retain(|it| !it.is_empty());
    parts
}

/// The path from the crate's root; `None` for one that leads into another crate.
fn absolute(
    path: &[String],
    module: &[String],
    children: &BTreeSet<String>,
) -> Option<Vec<String>> {
    let mut base: Vec<String> = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        first if children.contains(first) => {
            let mut base = module.to_vec();
            base.extend_from_slice(path);
            return Some(base);
        }
        _ => return None,
    };
    let mut rest = path;
    while let Some((first, further)) = rest.split_first() {
        match first.as_str() {
            "crate" | "self" => {}
            "super" => {
                base.pop();
            }
            _ => break,
        }
        rest = further;
    }
    base.extend_from_slice(rest);
    Some(base)
}

/// The modules that a file declares as files of their own.
fn declared_modules(code: &str) -> BTreeSet<String> {
    let tokens = tokens(code);
    tokens
        .windows(3)
        .filter(|it| it[0].0 == "mod" && it[2].0 == ";")
        .map(|it| it[1].0.clone())
        .collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|it: char| it.is_alphabetic() || it == '_')
}

/// Names, `::` and single marks, each with its line.
fn tokens(code: &str) -> Vec<(String, usize)> {
    let mut tokens: Vec<(String, usize)> = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() || first == '_' {
                rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push((rest[..length].to_owned(), index + 1));
            }
            rest = &rest[length..];
        }
    }
    tokens
}
