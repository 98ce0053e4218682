//! What each language's declarations become.

mod limits;
mod samples;
mod shortcuts;
mod typescript;

use super::*;

/// The skeleton of one file, what is not exported included.
#[track_caller]
fn read(path: &str, text: &str) -> CodeSkeleton {
    let extracted = Extractor::new().extract(path, text.as_bytes(), Scope::WithInternals);
    extracted.unwrap().skeleton
}
