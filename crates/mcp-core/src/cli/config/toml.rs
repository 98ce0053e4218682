//! Merging an entry into TOML: only the entry's own keys change.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::entry::Entry;
use crate::failure::Failure;

const SERVERS: &str = "mcp_servers";

pub(super) fn merge(before: &str, entry: &Entry) -> Result<String, Failure> {
    let mut document: DocumentMut = before.parse().map_err(|error| {
        Failure::new("broken_file", format!("not TOML: {error}").trim_end().to_owned())
            .hint("Mend the file, then try again; it was left as it is.")
    })?;
    let wrong = |what: String| {
        Failure::new("broken_file", format!("{what} is not a table"))
            .hint("Mend the file, then try again; it was left as it is.")
    };
    let mut servers = Table::new();
    servers.set_implicit(true);
    let servers = document.entry(SERVERS).or_insert(Item::Table(servers));
    let servers = servers.as_table_like_mut().ok_or_else(|| wrong(format!("`{SERVERS}`")))?;
    let own = servers.entry(entry.name).or_insert(Item::Table(Table::new()));
    let own =
        own.as_table_like_mut().ok_or_else(|| wrong(format!("`{SERVERS}.{}`", entry.name)))?;
    let args: Array = entry.args.iter().map(String::as_str).collect();
    set(own, "command", value(&entry.command));
    set(own, "args", value(args));
    if !entry.env.is_empty() {
        let env = own.entry("env").or_insert(value(toml_edit::InlineTable::new()));
        let env = env
            .as_table_like_mut()
            .ok_or_else(|| wrong(format!("`{SERVERS}.{}.env`", entry.name)))?;
        for (name, given) in &entry.env {
            set(env, name, value(given));
        }
    }
    // A remote entry of the same name would win over the command.
    own.remove("url");
    Ok(document.to_string())
}

fn set(table: &mut dyn toml_edit::TableLike, key: &str, item: Item) {
    let same = table.get(key).is_some_and(|old| plain(old) == plain(&item));
    if same {
        return;
    }
    let decor = table.get(key).and_then(Item::as_value).map(|old| old.decor().clone());
    let mut item = item;
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

/// The value without spacing and comments.
fn plain(item: &Item) -> String {
    match item.as_value() {
        Some(toml_edit::Value::Array(array)) => {
            let items: Vec<_> = array.iter().map(|it| it.as_str().unwrap_or_default()).collect();
            items.join("\u{0}")
        }
        Some(other) => other.as_str().unwrap_or_default().to_owned(),
        None => String::new(),
    }
}
