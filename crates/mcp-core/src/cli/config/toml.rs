//! Entries in TOML: only the entry's own keys change.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, value};

use super::Change;
use crate::failure::Failure;

fn wrong(what: &str) -> Failure {
    Failure::new("broken_file", format!("`{what}` is not a table"))
        .hint("Mend the file, then try again; it was left as it is.")
}

pub(super) fn merge(before: &str, change: &Change<'_>) -> Result<String, Failure> {
    let mut document = parse(before)?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for key in change.key {
        let mut list = Table::new();
        list.set_implicit(true);
        let item = table.entry(key).or_insert(Item::Table(list));
        table = item.as_table_like_mut().ok_or_else(|| wrong(key))?;
    }
    let shown = format!("{}.{}", change.key.join("."), change.name);
    let own = table.entry(change.name).or_insert(Item::Table(Table::new()));
    let own = own.as_table_like_mut().ok_or_else(|| wrong(&shown))?;
    set_all(own, &change.members, &shown)?;
    for (name, given) in change.defaults {
        if own.get(name).is_none() {
            own.insert(name, item(given));
        }
    }
    // A remote entry of the same name would win over the command.
    own.remove("url");
    Ok(document.to_string())
}

/// The file without the entry.
pub(super) fn remove(before: &str, key: &[String], name: &str) -> Result<String, Failure> {
    let mut document = parse(before)?;
    let mut table: Option<&mut dyn TableLike> = Some(document.as_table_mut());
    for key in key {
        table = table.and_then(|it| it.get_mut(key)).and_then(Item::as_table_like_mut);
    }
    if let Some(list) = table {
        list.remove(name);
    }
    Ok(document.to_string())
}

/// The entry as it stands.
pub(super) fn find(text: &str, key: &[String], name: &str) -> Result<Option<Value>, Failure> {
    let document = parse(text)?;
    let mut table: Option<&dyn TableLike> = Some(document.as_table());
    for key in key {
        table = table.and_then(|it| it.get(key)).and_then(Item::as_table_like);
    }
    Ok(table.and_then(|list| list.get(name)).map(plain))
}

fn parse(text: &str) -> Result<DocumentMut, Failure> {
    text.parse().map_err(|error| {
        Failure::new("broken_file", format!("not TOML: {error}").trim_end().to_owned())
            .hint("Mend the file, then try again; it was left as it is.")
    })
}

fn set_all(
    table: &mut dyn TableLike,
    members: &Map<String, Value>,
    shown: &str,
) -> Result<(), Failure> {
    for (name, given) in members {
        match given {
            Value::Object(inner) => {
                let shown = format!("{shown}.{name}");
                let item = table.entry(name).or_insert(value(InlineTable::new()));
                let table = item.as_table_like_mut().ok_or_else(|| wrong(&shown))?;
                set_all(table, inner, &shown)?;
            }
            given => set(table, name, given),
        }
    }
    Ok(())
}

fn set(table: &mut dyn TableLike, key: &str, given: &Value) {
    if table.get(key).is_some_and(|old| plain(old) == *given) {
        return;
    }
    let decor = table.get(key).and_then(Item::as_value).map(|old| old.decor().clone());
    let mut item = item(given);
    if let (Some(decor), Some(new)) = (decor, item.as_value_mut()) {
        // The comment behind the old value stays behind the new one.
        *new.decor_mut() = decor;
    }
    match table.get_mut(key) {
        Some(old) => *old = item,
        None => {
            table.insert(key, item);
        }
    }
}

fn item(given: &Value) -> Item {
    match given {
        Value::Bool(given) => value(*given),
        Value::Number(given) => value(given.as_i64().unwrap_or_default()),
        Value::Array(items) => value(items.iter().filter_map(Value::as_str).collect::<Array>()),
        Value::String(given) => value(given),
        other => value(other.to_string()),
    }
}

/// The value without spacing and comments.
fn plain(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        let members = table.iter().map(|(name, item)| (name.to_owned(), plain(item)));
        return Value::Object(members.collect());
    }
    match item.as_value() {
        Some(toml_edit::Value::String(text)) => Value::from(text.value().as_str()),
        Some(toml_edit::Value::Integer(number)) => Value::from(*number.value()),
        Some(toml_edit::Value::Boolean(is)) => Value::from(*is.value()),
        Some(toml_edit::Value::Array(items)) => {
            items.iter().map(|it| plain(&Item::Value(it.clone()))).collect()
        }
        _ => Value::Null,
    }
}
