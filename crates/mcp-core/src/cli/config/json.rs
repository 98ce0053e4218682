//! Entries in JSON with comments: only the entry's own members change.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::Change;
use crate::failure::Failure;

/// Members of a remote entry, which would win over the command.
const REMOTE: [&str; 3] = ["url", "httpUrl", "serverUrl"];

fn wrong(what: &str) -> Failure {
    Failure::new("broken_file", format!("{what} is not an object"))
        .hint("Mend the file, then try again; it was left as it is.")
}

pub(super) fn merge(before: &str, change: &Change<'_>) -> Result<String, Failure> {
    let (mark, root) = parse(before)?;
    let mut list = root.object_value_or_create().ok_or_else(|| wrong("the file"))?;
    for key in change.key {
        list = list.object_value_or_create(key).ok_or_else(|| wrong(&format!("`{key}`")))?;
    }
    if list.get(change.name).is_none() {
        list.append(change.name, CstInputValue::Object(Vec::new()));
    }
    let shown = format!("`{}.{}`", change.key.join("."), change.name);
    let own = list.object_value(change.name).ok_or_else(|| wrong(&shown))?;
    set_all(&own, &change.members, &shown)?;
    for (name, value) in change.defaults {
        if own.get(name).is_none() {
            own.append(name, input(value));
        }
    }
    for remote in REMOTE {
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

/// The file without the entry.
pub(super) fn remove(before: &str, key: &[String], name: &str) -> Result<String, Failure> {
    let (mark, root) = parse(before)?;
    if let Some(property) = list(&root, key).and_then(|list| list.get(name)) {
        property.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// The entry as it stands.
pub(super) fn find(text: &str, key: &[String], name: &str) -> Result<Option<Value>, Failure> {
    let (_, root) = parse(text)?;
    let property = list(&root, key).and_then(|list| list.get(name));
    Ok(property.and_then(|it| it.value()).and_then(|it| it.to_serde_value()))
}

fn list(root: &CstRootNode, key: &[String]) -> Option<CstObject> {
    key.iter().try_fold(root.object_value()?, |list, key| list.object_value(key))
}

fn parse(text: &str) -> Result<(&'static str, CstRootNode), Failure> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", text),
    };
    let root = CstRootNode::parse(text, &options()).map_err(|error| {
        Failure::new("broken_file", format!("not JSON: {error}"))
            .hint("Mend the file, then try again; it was left as it is.")
    })?;
    Ok((mark, root))
}

fn set_all(object: &CstObject, members: &Map<String, Value>, shown: &str) -> Result<(), Failure> {
    for (name, value) in members {
        match value {
            Value::Object(inner) => {
                let shown = format!("{}.{name}`", shown.trim_end_matches('`'));
                let object = object.object_value_or_create(name).ok_or_else(|| wrong(&shown))?;
                set_all(&object, inner, &shown)?;
            }
            value => set(object, name, value),
        }
    }
    Ok(())
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
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => CstInputValue::Object(
            members.iter().map(|(name, value)| (name.clone(), input(value))).collect(),
        ),
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
