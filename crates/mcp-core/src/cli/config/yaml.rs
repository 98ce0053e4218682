//! An entry in YAML, to be copied by hand: what people keep in YAML would not survive being
//! written again.

use std::fmt::Write as _;

use serde_json::Value;

use super::Change;

pub(super) fn show(change: &Change<'_>) -> String {
    let mut page = String::new();
    let mut depth = 0;
    for key in change.key.iter().map(String::as_str).chain([change.name]) {
        let _infallible = writeln!(page, "{}{}:", "  ".repeat(depth), scalar(&Value::from(key)));
        depth += 1;
    }
    for (name, value) in change.members.iter().chain(change.defaults) {
        member(&mut page, depth, name, value);
    }
    page
}

fn member(page: &mut String, depth: usize, name: &str, value: &Value) {
    let indent = "  ".repeat(depth);
    let name = scalar(&Value::from(name));
    match value {
        Value::Array(items) if !items.is_empty() => {
            let _infallible = writeln!(page, "{indent}{name}:");
            for item in items {
                let _infallible = writeln!(page, "{indent}  - {}", scalar(item));
            }
        }
        Value::Object(members) if !members.is_empty() => {
            let _infallible = writeln!(page, "{indent}{name}:");
            members.iter().for_each(|(name, value)| member(page, depth + 1, name, value));
        }
        value => {
            let _infallible = writeln!(page, "{indent}{name}: {}", scalar(value));
        }
    }
}

/// Plain where that can mean nothing else, and quoted as JSON otherwise, which YAML reads alike.
fn scalar(value: &Value) -> String {
    let Value::String(text) = value else { return value.to_string() };
    let plain = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/')
        && text.chars().all(|it| it.is_ascii_alphanumeric() || "-_./".contains(it))
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
            .contains(&text.to_ascii_lowercase().as_str());
    if plain { text.clone() } else { value.to_string() }
}
