//! The small project that `try` lets the servers work on, embedded so that it is always at hand.

use std::path::Path;

use crate::{Result, files};

/// Relative path and content of every file.
pub(crate) const FILES: &[(&str, &str)] = &[
    (".claude/commands/plan.md", include_str!("../sample/.claude/commands/plan.md")),
    (".claude/commands/review.md", include_str!("../sample/.claude/commands/review.md")),
    ("README.md", include_str!("../sample/README.md")),
    ("docs/overview.md", include_str!("../sample/docs/overview.md")),
    ("package.json", include_str!("../sample/package.json")),
    ("spec/dev-todo.md", include_str!("../sample/spec/dev-todo.md")),
    ("spec/prd-todo.md", include_str!("../sample/spec/prd-todo.md")),
    ("src/http.ts", include_str!("../sample/src/http.ts")),
    ("src/store.ts", include_str!("../sample/src/store.ts")),
    ("src/todo.ts", include_str!("../sample/src/todo.ts")),
];

pub(crate) fn lay(dir: &Path) -> Result {
    FILES.iter().try_for_each(|(path, text)| files::write(&dir.join(path), text))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::FILES;
    use crate::files;

    #[test]
    fn every_sample_file_is_embedded() {
        let on_disk = files::tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample")).unwrap();
        let embedded: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        assert_eq!(on_disk.keys().map(String::as_str).collect::<Vec<_>>(), embedded);
    }
}
