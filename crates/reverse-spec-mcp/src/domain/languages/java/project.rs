//! How Java lays out a project: packages as directories below `src/main/java`.

use crate::domain::languages::files::{ProjectFiles, directory, file_name};

/// The file of the class that is imported: a package may lie in any source directory.
pub(super) fn resolve(files: &ProjectFiles, specifier: &str) -> Option<String> {
    let path = specifier.trim_end_matches(".*").replace('.', "/");
    let (end, exact) = (format!("/{path}.java"), format!("{path}.java"));
    let named = files.named(file_name(&exact));
    named.iter().find(|it| **it == exact || it.ends_with(&end)).cloned()
}

/// Its directory, which is the same beneath the tests and beneath the sources.
pub(super) fn package_of(file: &str) -> String {
    directory(file).replacen("src/test/java", "src/main/java", 1)
}

/// Packages lie in folders that hold no file themselves.
pub(super) fn leads_to_packages(folder: &str, files: &[&str]) -> bool {
    let is_java = |file: &str| file.rsplit('.').next() == Some("java");
    if folder == "src/main" || folder.ends_with("/src/main") {
        return files.iter().any(|file| is_java(file));
    }
    let inside = |file: &str| -> Option<bool> {
        Some(file.strip_prefix(folder)?.strip_prefix('/')?.contains('/'))
    };
    files.iter().all(|file| is_java(file) && inside(file) == Some(true))
}
