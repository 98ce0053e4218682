//! What counts as drift and how much, what does not, and that code is never drift from itself.

mod foreign;
mod growth;
mod layout;
mod table;
mod whereabouts;

use super::*;
use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;

/// The skeletons of files given as `//- path` and text.
fn skeletons(files: &str, scope: Scope) -> Vec<CodeSkeleton> {
    let mut found = Vec::new();
    let mut extractor = Extractor::new();
    for file in files.split("//- ").filter(|it| !it.trim().is_empty()) {
        let (path, text) = file.split_once('\n').unwrap();
        found.push(extractor.extract_bytes(path.trim(), text.as_bytes(), scope).unwrap());
    }
    crate::domain::skeleton::settle(&mut found, scope == Scope::WithInternals);
    found
}

/// What `after` differs in from a specification that was written from `before`.
fn drift(before: &str, after: &str) -> Drift {
    let baseline = Baseline::of(&skeletons(before, Scope::Exports));
    // As it comes back out of a specification.
    let baseline = Baseline::read(&baseline.comment()).unwrap();
    compare(&baseline, &skeletons(after, Scope::WithInternals))
}

/// `SEVERITY symbol`, one for each item.
fn told(drift: &Drift) -> Vec<String> {
    let severity = |it: &DriftItem| match it.severity {
        Severity::High => "HIGH",
        Severity::Medium => "MEDIUM",
        Severity::Low => "LOW",
    };
    drift.items.iter().map(|it| format!("{} {}", severity(it), it.symbol_name)).collect()
}
