//! What code says, apart from where it says it: one hash that moved lines, spaces and comments which
//! document nothing leave alone.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::CodeSkeleton;

/// Where something is, and what depends on every byte or on the time.
const PLACES: [&str; 8] =
    ["startLine", "endLine", "line", "column", "loc", "hash", "analyzedAt", "reachedAs"];

/// Of a target and of what its tests take from it.
pub(crate) fn content_hash(merged: &CodeSkeleton, tests: &[CodeSkeleton]) -> String {
    let mut content = serde_json::to_value(merged).unwrap_or_default();
    leave_places_out(&mut content);
    let tests = tests.iter().map(|test| {
        let names = test.imports.iter().map(|it| (&it.module_specifier, &it.named_imports));
        json!([test.file_path, test.tests, names.collect::<Vec<_>>()])
    });
    let tests: Vec<Value> = tests.collect();
    let mut hash = Sha256::new();
    hash.update(content.to_string());
    hash.update(Value::Array(tests).to_string());
    crate::domain::hash::hex(&hash.finalize())
}

fn leave_places_out(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(leave_places_out),
        Value::Object(fields) => {
            fields.retain(|name, _| !PLACES.contains(&name.as_str()));
            fields.values_mut().for_each(leave_places_out);
        }
        _ => {}
    }
}
