//! Which file of the project an import leads to, as far as paths alone can tell.

use std::sync::Arc;

use super::languages::{self, Language, ProjectFiles};
use super::skeleton::{CodeSkeleton, ImportReference};

/// Fills in where the imports of one file lead.
pub(crate) fn resolve(files: &ProjectFiles, skeleton: &mut CodeSkeleton) {
    let Some(language) = languages::of(skeleton.language) else { return };
    let from = skeleton.file_path.clone();
    let imports = std::mem::take(&mut skeleton.imports);
    skeleton.imports.reserve_exact(imports.len());
    for mut import in imports {
        if let Some(rest) = part_modules(files, &from, language, &import, &mut skeleton.imports) {
            if rest.is_empty() && import.namespace_import.is_none() {
                continue;
            }
            Arc::make_mut(&mut import).named_imports = rest;
        }
        let resolved = language.resolve(files, &from, &import);
        // Nobody else has it yet, so nothing is copied.
        Arc::make_mut(&mut import).resolved_path = resolved;
        skeleton.imports.push(import);
    }
}

/// `from package import module, name` leads to two files: each module that is imported by name
/// becomes an import of its own. Gives the other names back, or none where there is no module.
fn part_modules(
    files: &ProjectFiles,
    from: &str,
    language: &dyn Language,
    import: &ImportReference,
    parted: &mut Vec<Arc<ImportReference>>,
) -> Option<Vec<String>> {
    let module = |name: &str| {
        // Types begin with a capital, and most names are of types.
        let may_be = name.starts_with(|it: char| it.is_lowercase() || it == '_');
        may_be.then(|| language.submodule(files, from, &import.module_specifier, name)).flatten()
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
