//! Which link is meant: what a caller names, found among what the files say.

use crate::domain::graph::{File, Item, ItemKind, TraceGraph};
use crate::domain::parse::Citation;
use crate::domain::span::Label;
use crate::error::Error;

impl TraceGraph {
    /// A target as it is meant: the requirement, and labels that exist where it does.
    pub(super) fn target(
        &self,
        target_id: &str,
        more: &[String],
    ) -> Result<(String, Vec<Label>), Error> {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(target_id, 100));
        let reference = self
            .grammar
            .reference(target_id.trim())
            .filter(|it| it.length == target_id.trim().len());
        let Some(reference) = reference else {
            return Err(Error::refused(
                format!("'{shown}' is not an id that can be cited"),
                format!("Ids look like {}.", self.grammar.example()),
            ));
        };
        let id = reference.id.canonical;
        let mut labels = reference.labels;
        for label in more {
            // Both spellings are in use: the label alone, or the id of the assertion.
            let word = label.trim();
            let word = self.grammar.reference(word).filter(|it| it.id.canonical == id).map_or_else(
                || word.to_owned(),
                |it| it.labels.first().map(ToString::to_string).unwrap_or_default(),
            );
            // Scenarios and criteria have numbers, whatever labels are configured.
            let number = || id.contains('/').then(|| Label::new(&word)).flatten();
            match self.grammar.label(&word).or_else(number) {
                Some(label) if !labels.contains(&label) => labels.push(label),
                Some(_) => {}
                None => {
                    return Err(Error::refused(
                        format!("'{}' is not a label", mcp_core::text::one_line(label)),
                        format!(
                            "assertion_targets are labels, such as {}.",
                            self.grammar.example_label()
                        ),
                    ));
                }
            }
        }
        if let Some(requirement) = self.definition_of(&id).and_then(|item| self.requirement(item)) {
            let known: Vec<Label> = requirement.assertions.iter().map(|it| it.label).collect();
            if let Some(missing) = labels.iter().find(|label| !known.contains(label)) {
                let listed: Vec<&str> = known.iter().map(Label::as_str).collect();
                let hint = if listed.is_empty() {
                    "It has none.".to_owned()
                } else {
                    format!("It has {}.", listed.join(", "))
                };
                return Err(Error::refused(format!("{id} has no assertion {missing}"), hint));
            }
        }
        Ok((id, labels))
    }

    /// The one link between two nodes, the labels of the target telling them apart.
    pub(crate) fn the_citation(
        &self,
        source_id: &str,
        target_id: &str,
    ) -> Result<(Item, &File, &Citation), Error> {
        let item = self.citing_item(source_id)?;
        let all: Vec<(&File, &Citation)> = self
            .file(item.file)
            .into_iter()
            .flat_map(|file| file.citations(item).iter().map(move |it| (file, it)))
            .collect();
        let target_id = target_id.trim();
        let wanted = self.grammar.reference(target_id).filter(|it| it.length == target_id.len());
        let (id, labels) = match &wanted {
            Some(it) => (it.id.canonical.as_str(), &it.labels[..]),
            None => (target_id, &[][..]),
        };
        let mut fitting: Vec<&(&File, &Citation)> =
            all.iter().filter(|(_, it)| &*it.target == id).collect();
        let exact: Vec<_> =
            fitting.iter().copied().filter(|(_, it)| *it.labels == *labels).collect();
        if !exact.is_empty() {
            fitting = exact;
        } else if !labels.is_empty() {
            fitting.clear();
        }
        let spelled = |it: &Citation| self.grammar.write_reference(&it.target, &it.labels, None);
        match fitting[..] {
            [(file, citation)] => Ok((item, file, citation)),
            [] => {
                let cited: Vec<String> = all.iter().map(|(_, it)| spelled(it)).collect();
                let hint = if cited.is_empty() {
                    "It cites nothing.".to_owned()
                } else {
                    format!("It cites {}.", cited.join(", "))
                };
                Err(Error::refused(
                    format!("{source_id} does not cite '{}'", mcp_core::text::one_line(target_id)),
                    hint,
                ))
            }
            _ => {
                let links: Vec<String> = fitting
                    .iter()
                    .map(|(_, it)| format!("{} {}", it.kind.as_str(), spelled(it)))
                    .collect();
                Err(Error::refused(
                    format!("{source_id} cites {id} in {} ways: {}", links.len(), links.join("; ")),
                    "Name the one you mean with its labels as target_id.",
                ))
            }
        }
    }

    pub(super) fn the_broken_citation(
        &self,
        source_id: &str,
        target_id: &str,
    ) -> Result<(Item, &File, &Citation), Error> {
        let item = self.citing_item(source_id)?;
        let is_broken = |it: &Citation| {
            let (resolved, missing) = self.resolve(it);
            resolved.is_none() || !missing.is_empty()
        };
        let names = |it: &Citation| {
            let whole = self.grammar.write_reference(&it.target, &it.labels, None);
            let one = it
                .labels
                .iter()
                .any(|label| self.grammar.assertion_id(&it.target, *label) == target_id);
            let wanted =
                self.grammar.reference(target_id).filter(|it| it.length == target_id.len());
            let same = wanted.is_some_and(|wanted| {
                *wanted.id.canonical == *it.target
                    && (wanted.labels.is_empty() || *wanted.labels == *it.labels)
            });
            &*it.target == target_id || whole == target_id || one || same
        };
        let file = self.file(item.file);
        let found =
            file.and_then(|file| file.citations(item).iter().find(|it| is_broken(it) && names(it)));
        file.zip(found).map(|(file, citation)| (item, file, citation)).ok_or_else(|| {
            Error::refused(
                format!(
                    "No broken reference from '{source_id}' to '{}'",
                    mcp_core::text::one_line(target_id)
                ),
                "get_broken_references lists them.",
            )
        })
    }

    fn citing_item(&self, id: &str) -> Result<Item, Error> {
        let Some(node) = self.get_node(id) else { return Err(self.no_requirement(id)) };
        match node.citing_item() {
            Some(item) if item.kind == ItemKind::Requirement => {
                self.the_requirement(id)?;
                Ok(item)
            }
            Some(item) => Ok(item),
            None => Err(Error::refused(
                format!("Node '{id}' of kind {} cites nothing", node.kind().as_str()),
                "Links start at requirements, journeys, code and tests.",
            )),
        }
    }
}
