//! What each language's declarations become.

mod typescript;

use super::*;

/// The skeleton of one file.
#[track_caller]
fn read(path: &str, text: &str) -> CodeSkeleton {
    let extracted = Extractor::new().extract(path, text.as_bytes(), Scope::WithInternals);
    extracted.unwrap().skeleton
}
