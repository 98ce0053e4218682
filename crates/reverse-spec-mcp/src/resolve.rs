//! Which file of the project an import leads to, as far as paths alone can tell.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use mcp_core::sandbox::Root;

use crate::skeleton::{CodeSkeleton, ImportReference, LanguageId};

/// Knows the files that were read.
pub(crate) struct Resolver {
    files: BTreeSet<String>,
    /// Files of Java by their name, since a package may lie in any source directory.
    java: HashMap<String, Vec<String>>,
    /// The path that Go's own packages begin with, from `go.mod`, with the directory it is for.
    go_modules: Vec<(String, String)>,
}

/// What a path of TypeScript or JavaScript may leave out.
const SCRIPT_ENDS: [&str; 20] = [
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".d.ts",
    ".d.mts",
    ".d.cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    "/index.ts",
    "/index.tsx",
    "/index.mts",
    "/index.d.ts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
    "/index.cjs",
];
/// How one file may be written for another: `./x.js` for `./x.ts`, `./x.ts` for its declarations.
const SCRIPT_SWAPS: [(&str, &str); 10] = [
    (".js", ".ts"),
    (".js", ".tsx"),
    (".mjs", ".mts"),
    (".cjs", ".cts"),
    (".js", ".d.ts"),
    (".mjs", ".d.mts"),
    (".cjs", ".d.cts"),
    (".ts", ".d.ts"),
    (".mts", ".d.mts"),
    (".cts", ".d.cts"),
];

impl Resolver {
    pub(crate) fn new<'a>(root: &Root, skeletons: impl Iterator<Item = &'a CodeSkeleton>) -> Self {
        let mut files = BTreeSet::new();
        let mut has_go = false;
        let mut java: HashMap<String, Vec<String>> = HashMap::new();
        for skeleton in skeletons {
            if skeleton.language == LanguageId::Java {
                let name = skeleton.file_path.rsplit('/').next().unwrap_or_default();
                java.entry(name.to_owned()).or_default().push(skeleton.file_path.clone());
            }
            has_go |= skeleton.language == LanguageId::Go;
            files.insert(skeleton.file_path.clone());
        }
        let go_modules = if has_go { go_modules(root, &files) } else { Vec::new() };
        Self { files, java, go_modules }
    }

    /// Fills in where the imports of one file lead.
    pub(crate) fn resolve(&self, skeleton: &mut CodeSkeleton) {
        let from = skeleton.file_path.clone();
        let language = skeleton.language;
        let imports = std::mem::take(&mut skeleton.imports);
        skeleton.imports.reserve_exact(imports.len());
        for mut import in imports {
            if let Some(rest) = self.part_modules(&from, language, &import, &mut skeleton.imports) {
                if rest.is_empty() && import.namespace_import.is_none() {
                    continue;
                }
                Arc::make_mut(&mut import).named_imports = rest;
            }
            let resolved = match language {
                LanguageId::TypeScript | LanguageId::JavaScript => self.script(&from, &import),
                LanguageId::Rust => self.rust(&from, &import.module_specifier, false),
                LanguageId::Python => self.python(&from, &import.module_specifier),
                LanguageId::Go => self.go(&import),
                LanguageId::Java => self.java(&import),
                LanguageId::Other => None,
            };
            // Nobody else has it yet, so nothing is copied.
            Arc::make_mut(&mut import).resolved_path = resolved;
            skeleton.imports.push(import);
        }
    }

    /// `from package import module, name` leads to two files: each module that is imported by name
    /// becomes an import of its own. Gives the other names back, or none where there is no module.
    fn part_modules(
        &self,
        from: &str,
        language: LanguageId,
        import: &ImportReference,
        parted: &mut Vec<Arc<ImportReference>>,
    ) -> Option<Vec<String>> {
        let specifier = import.module_specifier.as_str();
        let module = |name: &str| match language {
            // Types begin with a capital, and most names are of types.
            _ if !name.starts_with(|it: char| it.is_lowercase() || it == '_') => None,
            LanguageId::Python if specifier.ends_with('.') => {
                self.python(from, &format!("{specifier}{name}"))
            }
            LanguageId::Python => self.python(from, &format!("{specifier}.{name}")),
            LanguageId::Rust => self.rust(from, &format!("{specifier}::{name}"), true),
            _ => None,
        };
        let mut rest = Vec::new();
        let before = parted.len();
        for name in &import.named_imports {
            match module(name) {
                Some(path) => parted.push(Arc::new(ImportReference {
                    named_imports: vec![name.clone()],
                    namespace_import: None,
                    resolved_path: Some(path),
                    ..import.clone()
                })),
                None => rest.push(name.clone()),
            }
        }
        (parted.len() > before).then_some(rest)
    }

    fn first_of(&self, candidates: impl IntoIterator<Item = String>) -> Option<String> {
        candidates.into_iter().find(|it| self.files.contains(it))
    }

    fn script(&self, from: &str, import: &ImportReference) -> Option<String> {
        if !import.module_specifier.starts_with('.') {
            return None;
        }
        let path = joined(directory(from), &import.module_specifier)?;
        let swapped = SCRIPT_SWAPS.iter().filter_map(|(end, instead)| {
            path.strip_suffix(end).map(|stem| format!("{stem}{instead}"))
        });
        let plain = SCRIPT_ENDS.iter().map(|end| format!("{path}{end}"));
        // The root itself has no name before the slash.
        let plain = plain.map(|it| it.trim_start_matches('/').to_owned());
        self.first_of(plain.chain(swapped))
    }

    /// `mod name;`, and `use` of a path in the same crate, as far as it names modules, or only if all
    /// of it does.
    fn rust(&self, from: &str, specifier: &str, whole: bool) -> Option<String> {
        let own = rust_module_directory(from);
        let module = |base: &str, parts: &[&str]| {
            let least = if whole { parts.len() } else { 1 };
            (least.max(1)..=parts.len()).rev().find_map(|taken| {
                let path = joined(base, &parts[..taken].join("/"))?;
                self.first_of([format!("{path}.rs"), format!("{path}/mod.rs")])
            })
        };
        let parts: Vec<&str> = specifier.split("::").collect();
        match parts.as_slice() {
            ["crate", rest @ ..] => {
                let base = rust_crate_directory(from, &self.files)?;
                module(&base, rest)
            }
            ["self", rest @ ..] => module(&own, rest),
            ["super", rest @ ..] => {
                let mut base = directory(&own).to_owned();
                let mut rest = rest;
                while let ["super", further @ ..] = rest {
                    directory(&base).to_owned().clone_into(&mut base);
                    rest = further;
                }
                let parent = || self.first_of([format!("{base}.rs"), format!("{base}/mod.rs")]);
                module(&base, rest).or_else(|| if whole { None } else { parent() })
            }
            parts => module(&own, parts),
        }
    }

    fn python(&self, from: &str, name: &str) -> Option<String> {
        let dots = name.bytes().take_while(|it| *it == b'.').count();
        let path = name[dots..].replace('.', "/");
        let ends = ["/__init__.py", ".py", ".pyi", "/__init__.pyi"];
        if dots > 0 {
            let mut base = directory(from);
            for _ in 1..dots {
                base = directory(base);
            }
            let path = joined(base, &path).unwrap_or_default();
            let tried = ends.map(|end| format!("{path}{end}").trim_start_matches('/').to_owned());
            return self.first_of(tried);
        }
        // Absolute names begin at any directory above, or at the `src` in one: a package of a
        // workspace may have its own.
        let mut base = directory(from);
        loop {
            let at = |further: &str| {
                let tried = joined(base, further)?;
                self.first_of(ends.map(|end| format!("{tried}{end}")))
            };
            let found = at(&path).or_else(|| at(&format!("src/{path}")));
            if found.is_some() || base.is_empty() {
                return found;
            }
            base = directory(base);
        }
    }

    fn go(&self, import: &ImportReference) -> Option<String> {
        let (base, rest) = self.go_modules.iter().find_map(|(module, base)| {
            let rest = import.module_specifier.strip_prefix(module.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then_some((base, rest))
        })?;
        let folder = joined(base, rest.trim_start_matches('/'))?;
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let beside = |it: &&String| !it[start.len()..].contains('/') && is_go(it);
        let candidates = self.files.range(start.clone()..);
        candidates.take_while(|it| it.starts_with(&start)).find(beside).cloned()
    }

    fn java(&self, import: &ImportReference) -> Option<String> {
        let path = import.module_specifier.trim_end_matches(".*").replace('.', "/");
        let (end, exact) = (format!("/{path}.java"), format!("{path}.java"));
        let name = exact.rsplit('/').next().unwrap_or_default();
        let named = self.java.get(name)?;
        named.iter().find(|it| **it == exact || it.ends_with(&end)).cloned()
    }
}

fn is_go(path: &str) -> bool {
    path.rsplit('.').next() == Some("go")
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The two as one path without `.` and `..`; none when it leads out of the project.
fn joined(base: &str, further: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|it| !it.is_empty()).collect();
    for part in further.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Where the modules inside of a Rust file lie.
fn rust_module_directory(file: &str) -> String {
    let folder = directory(file);
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".rs");
    if matches!(name, "mod" | "lib" | "main") {
        folder.to_owned()
    } else if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The directory of the crate's first file, upwards from one of its modules.
fn rust_crate_directory(file: &str, files: &BTreeSet<String>) -> Option<String> {
    let mut base = directory(file).to_owned();
    loop {
        let start = if base.is_empty() { String::new() } else { format!("{base}/") };
        let first = ["lib.rs", "main.rs"].iter().any(|it| files.contains(&format!("{start}{it}")));
        if first || base == "src" || base.ends_with("/src") {
            return Some(base);
        }
        if base.is_empty() {
            return None;
        }
        directory(&base).to_owned().clone_into(&mut base);
    }
}

fn go_modules(root: &Root, files: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    for file in files.iter().filter(|it| is_go(it)) {
        let mut folder = directory(file);
        while folders.insert(folder) && !folder.is_empty() {
            folder = directory(folder);
        }
    }
    let mut found = Vec::new();
    for folder in folders {
        let path = if folder.is_empty() { "go.mod".to_owned() } else { format!("{folder}/go.mod") };
        let Ok(path) = mcp_core::sandbox::RelPath::parse(&path) else { continue };
        let Ok(text) = root.read_text(&path) else { continue };
        let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
        if let Some(module) = module {
            found.push((module.trim().trim_matches('"').to_owned(), folder.to_owned()));
        }
    }
    // The most particular first.
    found.sort_by_key(|(module, _)| std::cmp::Reverse(module.len()));
    found
}

#[cfg(test)]
mod tests;
