//! Capabilities: the inventory's entries, which of them fit a query, and where their details lie.

use serde_json::Value;

use crate::domain::catalog::CATALOG;
use crate::domain::search::{Query, Rank};
use crate::error::Error;

pub(crate) const INVENTORY: &str = "inventory.json";
pub(crate) const DETAIL: &str = "capability.yaml";

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
    /// Reads the inventory; `registry` is what messages call where it lies.
    pub(crate) fn parse(text: &str, registry: &str) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let wrong = |problem: String| Error::Inventory {
            problem: format!("`{INVENTORY}` {problem} in {registry}."),
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
    pub(crate) fn detail_paths(&self) -> Vec<String> {
        let given = self.path.as_ref().map(|path| {
            let path = path.trim_end_matches('/');
            if path.ends_with(DETAIL) { path.to_owned() } else { format!("{path}/{DETAIL}") }
        });
        given.into_iter().chain(usual_paths(&self.name, Some(&self.kind))).collect()
    }
}

/// The directories of the types (or of one), then the one without a type.
pub(crate) fn usual_paths(name: &str, kind: Option<&str>) -> Vec<String> {
    let types = CATALOG.capability_types.iter();
    let typed = types.filter(|it| kind.is_none_or(|kind| it.name.eq_ignore_ascii_case(kind)));
    let typed = typed.map(|it| format!("{}/{name}/{DETAIL}", it.directory));
    typed.chain(std::iter::once(format!("capabilities/{name}/{DETAIL}"))).collect()
}

/// Each type once, in the inventory's order.
pub(crate) fn kinds_of<'a>(capabilities: &[&'a Capability]) -> Vec<&'a str> {
    let mut kinds: Vec<&str> = Vec::new();
    for it in capabilities {
        if !kinds.contains(&it.kind.as_str()) {
            kinds.push(&it.kind);
        }
    }
    kinds
}

pub(crate) fn ambiguous(id: &str, kinds: &[&str]) -> Error {
    let listed: Vec<String> = kinds.iter().map(|kind| format!("type=\"{kind}\"")).collect();
    Error::Capability {
        problem: format!(
            "Capability '{id}' is ambiguous: it is registered as {}.",
            kinds.join(" and as ")
        ),
        fix: format!("Call get_capability_detail again with {}.", listed.join(" or ")),
    }
}

pub(crate) fn other_kind(id: &str, kinds: &[&str]) -> Error {
    Error::Capability {
        problem: format!(
            "Capability '{id}' is not found under that type: it is registered as {}.",
            kinds.join(" and as ")
        ),
        fix: "Call get_capability_detail again with that type, or without one.".to_owned(),
    }
}

pub(crate) fn without_detail(registry: &str, id: &str, paths: &[String]) -> Error {
    Error::Capability {
        problem: format!(
            "Details of capability '{id}' not found in {registry}: it is in the inventory, but none of {} exists.",
            paths.join(", ")
        ),
        fix: "Call query_capabilities for what the inventory says about it.".to_owned(),
    }
}

pub(crate) fn unknown(registry: &str, id: &str, inventory: &Inventory) -> Error {
    let names = inventory.capabilities.iter().map(|it| it.name.as_str());
    let near = mcp_core::text::nearest(id, names);
    let meant = near.map(|it| format!("Did you mean '{it}'? ")).unwrap_or_default();
    Error::Capability {
        problem: format!("Capability '{id}' not found in {registry}."),
        fix: format!(
            "{meant}Call query_capabilities to search for it; without arguments it lists all."
        ),
    }
}
