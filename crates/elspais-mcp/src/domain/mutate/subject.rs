//! Which requirement is meant, and why it cannot be changed where it cannot.

use crate::domain::graph::{File, Item, NodeKind, TraceGraph, some_places};
use crate::domain::hash;
use crate::domain::parse::Requirement;
use crate::error::Error;

/// A requirement and where it is.
pub(super) struct Found<'g> {
    pub(super) id: String,
    pub(super) item: Item,
    pub(super) file: &'g File,
    pub(super) requirement: &'g Requirement,
}

impl Found<'_> {
    pub(super) fn stored_hash(&self) -> Option<String> {
        hash::stored(self.requirement, &self.file.text).map(str::to_owned)
    }
}

impl TraceGraph {
    /// The one definition of a requirement, or the reason why there is no such thing.
    pub(super) fn the_requirement(&self, id: &str) -> Result<Found<'_>, Error> {
        let Some(node) = self.get_node(id) else { return Err(self.no_requirement(id)) };
        if node.kind() != NodeKind::Requirement {
            return Err(Error::refused(
                format!(
                    "Node '{id}' is not a requirement but a node of kind {}",
                    node.kind().as_str()
                ),
                "Give the id of a requirement, such as search returns.",
            ));
        }
        let id = node.id();
        if self.definitions_of(&id) > 1 {
            let places: Vec<(String, u32)> = self
                .duplicates()
                .into_iter()
                .filter(|(it, _)| *it == id)
                .flat_map(|(_, places)| places)
                .collect();
            return Err(Error::refused(
                format!("{id} is defined more than once: {}", some_places(&places)),
                "Give one of them another id by hand, call refresh_graph, then repeat the call.",
            ));
        }
        let item = self.definition_of(&id).ok_or_else(|| self.no_requirement(&id))?;
        let found = self.file(item.file).zip(self.requirement(item));
        let (file, requirement) = found.ok_or_else(|| self.no_requirement(&id))?;
        if let Some(name) = &file.repository {
            return Err(Error::refused(
                format!("{id} lies in repository {name}, which is only read here"),
                "Change it there, with a server of its own.",
            ));
        }
        Ok(Found { id, item, file, requirement })
    }

    pub(crate) fn no_requirement(&self, id: &str) -> Error {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(id, 200));
        let canonical =
            self.grammar.reference(&shown).map_or_else(|| shown.clone(), |it| it.id.canonical);
        let ids: Vec<String> =
            self.nodes_by_kind(NodeKind::Requirement).map(|node| node.id()).collect();
        let nearest = mcp_core::text::nearest(&canonical, ids.iter().map(String::as_str));
        Error::NotFound {
            what: "Requirement",
            id: shown,
            nearest: nearest.map(str::to_owned),
            hint: "search finds requirements by id, title or text.",
        }
    }
}
