//! Capabilities: the inventory's entries, which of them fit a query, and where their details lie.

use mcp_core::yaml;
use serde_json::Value;

use crate::catalog::CATALOG;
use crate::error::Error;
use crate::search::{Query, Rank};
use crate::tree::Tree;

const INVENTORY: &str = "inventory.json";
const DETAIL: &str = "capability.yaml";

/// The answer's budget has no room for more entries than this, however short they are.
const INSTALL_LEVELS_READ: usize = 600;

/// An entry of the inventory. Registries have no ids: the name is the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Capability {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) install_level: Option<String>,
    path: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Inventory {
    pub(crate) capabilities: Vec<Capability>,
    /// Entries that are no capabilities.
    pub(crate) skipped: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Filter<'a> {
    pub(crate) query: &'a str,
    pub(crate) kind: Option<&'a str>,
    pub(crate) tags: Vec<&'a str>,
}

impl Inventory {
    pub(crate) fn read(registry: &Tree) -> Result<Self, Error> {
        let text = registry.read(INVENTORY)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let wrong = |problem: String| Error::Inventory {
            problem: format!("`{INVENTORY}` {problem} in {}.", registry.describe()),
            fix: "Put the file right; it holds {\"capabilities\": [{\"name\": …, \"type\": …, \
                  \"description\": …, \"tags\": […]}]}."
                .to_owned(),
        };
        let value: Value = serde_json::from_str(text).map_err(|error| {
            wrong(format!("is not valid JSON at line {}, column {}", error.line(), error.column()))
        })?;
        let entries = match &value {
            Value::Array(entries) => entries,
            Value::Object(fields) => match fields.get("capabilities") {
                Some(Value::Array(entries)) => entries,
                _ => return Err(wrong("has no list `capabilities`".to_owned())),
            },
            _ => return Err(wrong("is neither an object nor a list".to_owned())),
        };
        let capabilities: Vec<Capability> = entries.iter().filter_map(Capability::read).collect();
        Ok(Self { skipped: entries.len() - capabilities.len(), capabilities })
    }

    /// What fits, best first, in the inventory's order where two fit alike.
    pub(crate) fn search(&self, filter: &Filter<'_>) -> Vec<Capability> {
        let query = Query::new(filter.query);
        let mut found: Vec<(Rank, &Capability)> = self
            .capabilities
            .iter()
            .filter(|it| filter.kind.is_none_or(|kind| it.kind.eq_ignore_ascii_case(kind)))
            .filter(|it| filter.tags.iter().all(|tag| it.has_tag(tag)))
            .filter_map(|it| Some((it.rank(&query)?, it)))
            .collect();
        if !query.is_empty() {
            found.sort_by_key(|(rank, _)| *rank);
        }
        found.into_iter().map(|(_, it)| it.clone()).collect()
    }
}

impl Capability {
    fn read(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        let tags = entry.get("tags").and_then(Value::as_array).into_iter().flatten();
        Some(Self {
            name: text("name").or_else(|| text("id")).filter(|it| !it.trim().is_empty())?,
            kind: text("type").unwrap_or_else(|| "unknown".to_owned()),
            description: text("description").unwrap_or_default(),
            tags: tags.filter_map(Value::as_str).map(str::to_owned).collect(),
            install_level: text("install_level"),
            path: text("path"),
        })
    }

    fn has_tag(&self, wanted: &str) -> bool {
        self.tags.iter().any(|tag| tag.to_lowercase() == wanted.trim().to_lowercase())
    }

    fn rank(&self, query: &Query) -> Option<Rank> {
        let text = format!("{}\n{}", self.description, self.tags.join("\n"));
        query.rank(&[&self.name], &text)
    }

    /// Where its detail file may lie, in the order it is looked for.
    fn detail_paths(&self) -> Vec<String> {
        let given = self.path.as_ref().map(|path| {
            let path = path.trim_end_matches('/');
            if path.ends_with(DETAIL) { path.to_owned() } else { format!("{path}/{DETAIL}") }
        });
        given.into_iter().chain(usual_paths(&self.name, Some(&self.kind))).collect()
    }
}

/// The directories of the types (or of one), then the one without a type.
fn usual_paths(name: &str, kind: Option<&str>) -> Vec<String> {
    let types = CATALOG.capability_types.iter();
    let typed = types.filter(|it| kind.is_none_or(|kind| it.name.eq_ignore_ascii_case(kind)));
    let typed = typed.map(|it| format!("{}/{name}/{DETAIL}", it.directory));
    typed.chain(std::iter::once(format!("capabilities/{name}/{DETAIL}"))).collect()
}

/// Fills in the install levels that only the detail files know.
pub(crate) fn add_install_levels(registry: &Tree, capabilities: &mut [Capability]) {
    for capability in capabilities.iter_mut().take(INSTALL_LEVELS_READ) {
        if capability.install_level.is_some() {
            continue;
        }
        let paths = capability.detail_paths();
        let Some(path) = paths.iter().find(|path| registry.has_entry(path)) else { continue };
        // A detail file that cannot be read has no say here; asking for it tells what is wrong.
        let Ok(text) = registry.read(path) else { continue };
        let Ok(value) = yaml::parse::<Value>(text.trim_start_matches('\u{feff}')) else { continue };
        capability.install_level =
            value.get("install_level").and_then(Value::as_str).map(str::to_owned);
    }
}

/// The detail file of one capability, verbatim.
pub(crate) fn detail(registry: &Tree, id: &str, kind: Option<&str>) -> Result<String, Error> {
    let inventory = Inventory::read(registry);
    let listed: Vec<&Capability> = match &inventory {
        Ok(inventory) => inventory.capabilities.iter().filter(|it| it.name == id).collect(),
        Err(_) => Vec::new(),
    };
    let of_kind = |it: &&Capability| kind.is_none_or(|kind| it.kind.eq_ignore_ascii_case(kind));
    let meant: Vec<&Capability> = listed.iter().copied().filter(of_kind).collect();
    if let Some(one) = meant.first() {
        let kinds = kinds_of(&meant);
        if kinds.len() > 1 {
            return Err(ambiguous(id, &kinds));
        }
        let paths = one.detail_paths();
        return first(registry, &paths)?.ok_or_else(|| without_detail(registry, id, &paths));
    }
    let directories = CATALOG.capability_types.iter().filter(|it| {
        kind.is_none_or(|kind| kind == it.name)
            && registry.has_entry(&format!("{}/{id}/{DETAIL}", it.directory))
    });
    let kinds: Vec<&str> = directories.map(|it| it.name.as_str()).collect();
    if kinds.len() > 1 {
        return Err(ambiguous(id, &kinds));
    }
    // The directory without a type belongs to what is listed, which is of another type.
    if !listed.is_empty() && kinds.is_empty() {
        return Err(other_kind(id, &kinds_of(&listed)));
    }
    if let Some(text) = first(registry, &usual_paths(id, kind))? {
        return Ok(text);
    }
    // Nothing lies where it would lie: then what is wrong with the inventory matters.
    let inventory = inventory?;
    Err(unknown(registry, id, &inventory))
}

/// Each type once, in the inventory's order.
fn kinds_of<'a>(capabilities: &[&'a Capability]) -> Vec<&'a str> {
    let mut kinds: Vec<&str> = Vec::new();
    for it in capabilities {
        if !kinds.contains(&it.kind.as_str()) {
            kinds.push(&it.kind);
        }
    }
    kinds
}

fn first(registry: &Tree, paths: &[String]) -> Result<Option<String>, Error> {
    for path in paths {
        if registry.has_entry(path) {
            return registry.read(path).map(Some);
        }
    }
    Ok(None)
}

fn ambiguous(id: &str, kinds: &[&str]) -> Error {
    let listed: Vec<String> = kinds.iter().map(|kind| format!("type=\"{kind}\"")).collect();
    Error::Capability {
        problem: format!(
            "Capability '{id}' is ambiguous: it is registered as {}.",
            kinds.join(" and as ")
        ),
        fix: format!("Call get_capability_detail again with {}.", listed.join(" or ")),
    }
}

fn other_kind(id: &str, kinds: &[&str]) -> Error {
    Error::Capability {
        problem: format!(
            "Capability '{id}' is not found under that type: it is registered as {}.",
            kinds.join(" and as ")
        ),
        fix: "Call get_capability_detail again with that type, or without one.".to_owned(),
    }
}

fn without_detail(registry: &Tree, id: &str, paths: &[String]) -> Error {
    Error::Capability {
        problem: format!(
            "Details of capability '{id}' not found in {}: it is in the inventory, but none of {} exists.",
            registry.describe(),
            paths.join(", ")
        ),
        fix: "Call query_capabilities for what the inventory says about it.".to_owned(),
    }
}

fn unknown(registry: &Tree, id: &str, inventory: &Inventory) -> Error {
    let names = inventory.capabilities.iter().map(|it| it.name.as_str());
    let near = mcp_core::text::nearest(id, names);
    let meant = near.map(|it| format!("Did you mean '{it}'? ")).unwrap_or_default();
    Error::Capability {
        problem: format!("Capability '{id}' not found in {}.", registry.describe()),
        fix: format!(
            "{meant}Call query_capabilities to search for it; without arguments it lists all."
        ),
    }
}
