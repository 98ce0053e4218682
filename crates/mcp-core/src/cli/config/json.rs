//! Merging an entry into JSON with comments: only the entry's own members change.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::entry::Entry;
use crate::failure::Failure;

pub(super) fn merge(before: &str, servers: &str, entry: &Entry) -> Result<String, Failure> {
    let (mark, text) = match before.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", before),
    };
    let root = CstRootNode::parse(text, &options()).map_err(|error| {
        Failure::new("broken_file", format!("not JSON: {error}"))
            .hint("Mend the file, then try again; it was left as it is.")
    })?;
    let wrong = |what: &str| {
        Failure::new("broken_file", format!("{what} is not an object"))
            .hint("Mend the file, then try again; it was left as it is.")
    };
    let top = root.object_value_or_create().ok_or_else(|| wrong("the file"))?;
    let listed =
        top.object_value_or_create(servers).ok_or_else(|| wrong(&format!("`{servers}`")))?;
    if listed.get(entry.name).is_none() {
        listed.append(entry.name, CstInputValue::Object(Vec::new()));
    }
    let own = listed
        .object_value(entry.name)
        .ok_or_else(|| wrong(&format!("`{servers}.{}`", entry.name)))?;
    if let Some(kind) = entry.kind {
        set(&own, "type", &Value::from(kind));
    }
    set(&own, "command", &Value::from(entry.command.as_str()));
    set(&own, "args", &entry.args.iter().map(String::as_str).collect());
    if !entry.env.is_empty() {
        let env = own
            .object_value_or_create("env")
            .ok_or_else(|| wrong(&format!("`{servers}.{}.env`", entry.name)))?;
        for (name, value) in &entry.env {
            set(&env, name, &Value::from(value.as_str()));
        }
    }
    // A remote entry of the same name would win over the command.
    for remote in ["url", "httpUrl"] {
        if let Some(property) = own.get(remote) {
            property.remove();
        }
    }
    let mut after = format!("{mark}{root}");
    if before.trim().is_empty() && !after.ends_with('\n') {
        after.push('\n');
    }
    Ok(after)
}

fn set(object: &CstObject, name: &str, value: &Value) {
    match object.get(name) {
        // The same value may be written and commented in its own way.
        Some(property)
            if property.value().and_then(|it| it.to_serde_value()).as_ref() == Some(value) => {}
        Some(property) => property.set_value(input(value)),
        None => {
            object.append(name, input(value));
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::String(text) => CstInputValue::String(text.clone()),
        other => CstInputValue::String(other.to_string()),
    }
}

/// What clients themselves accept: comments and trailing commas, nothing looser.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    }
}
