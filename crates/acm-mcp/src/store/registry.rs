//! The capabilities registry on disk: its inventory, and the detail file of each capability.

use mcp_core::yaml;
use serde_json::Value;

use super::tree::Tree;
use crate::domain::capability::{
    self, Capability, DETAIL, INVENTORY, Inventory, ambiguous, kinds_of, other_kind, usual_paths,
};
use crate::domain::catalog::CATALOG;
use crate::error::Error;

/// The answer's budget has no room for more entries than this, however short they are.
const INSTALL_LEVELS_READ: usize = 600;

pub(crate) fn inventory(registry: &Tree) -> Result<Inventory, Error> {
    Inventory::parse(&registry.read(INVENTORY)?, &registry.describe())
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
    let inventory = inventory(registry);
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
        return first(registry, &paths)?
            .ok_or_else(|| capability::without_detail(&registry.describe(), id, &paths));
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
    Err(capability::unknown(&registry.describe(), id, &inventory))
}

fn first(registry: &Tree, paths: &[String]) -> Result<Option<String>, Error> {
    for path in paths {
        if registry.has_entry(path) {
            return registry.read(path).map(Some);
        }
    }
    Ok(None)
}
