//! Changes of links: put in, taken out, turned into another kind, mended.

use serde_json::{Value, json};

use super::draft::Draft;
use super::edit::Edit;
use super::outline::{Block, Said};
use super::reference;
use super::{MutationEntry, Occasion};
use crate::error::Error;
use crate::graph::{File, Item, ItemKind, TraceGraph};
use crate::parse::{Citation, EdgeKind};
use crate::span::Label;

impl TraceGraph {
    /// Lets `source` cite `target`. A target that does not exist makes a broken reference.
    pub(crate) fn add_edge(
        &mut self,
        occasion: &Occasion,
        source_id: &str,
        target_id: &str,
        kind: EdgeKind,
        assertion_targets: &[String],
    ) -> Result<&MutationEntry, Error> {
        let found = self.the_requirement(source_id)?;
        let source = found.id.clone();
        let (target, labels) = self.target(target_id, assertion_targets)?;
        let said: Said = (kind, target.clone(), labels.clone());
        let same =
            |it: &Citation| it.kind == kind && *it.target == *target && *it.labels == *labels;
        if found.requirement.citations.iter().any(same) {
            return Err(Error::refused(
                self.already(&source, kind, &target, &labels),
                "get_requirement shows its relationships.",
            ));
        }
        let was_orphan = found.requirement.citations.iter().all(|it| self.resolve(it).0.is_none());
        let written = self.grammar.write_reference(&target, &labels, self.joined_by(found.file));
        let before = json!({ "source_id": source, "target_id": target, "was_root": was_orphan });
        let mut draft = Draft::new("add_edge", &source, before);
        draft.edit(found.file, reference::addition(found.file, found.requirement, kind, &written));
        let item = found.item;
        let name = source.clone();
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| add_said(blocks, &name, said.clone()),
            move |graph| {
                let mut after = edge_state(&source, &target, kind, &labels);
                if graph.is_broken(item, &target, &labels) {
                    after["broken"] = true.into();
                }
                after
            },
        )
    }

    pub(crate) fn change_edge_kind(
        &mut self,
        occasion: &Occasion,
        source_id: &str,
        target_id: &str,
        new_kind: EdgeKind,
    ) -> Result<&MutationEntry, Error> {
        let (item, file, citation) = self.the_citation(source_id, target_id)?;
        let source = self.id_of(item).to_owned();
        let Some(requirement) = self.requirement(item) else {
            return Err(Error::refused(
                format!("{source} is not a requirement; its links are comments in {}", file.path),
                "Change the keyword of the comment in that file.",
            ));
        };
        let (old_kind, target, labels) =
            (citation.kind, citation.target.to_string(), citation.labels.to_vec());
        if old_kind == new_kind {
            return Err(Error::refused(
                self.already(&source, new_kind, &target, &labels),
                "There is nothing to change.",
            ));
        }
        let twin = |it: &Citation| {
            it.kind == new_kind && it.target == citation.target && it.labels == citation.labels
        };
        if requirement.citations.iter().any(twin) {
            return Err(Error::refused(
                format!("{source} {} {target} as well", new_kind.as_str()),
                "Delete one of the two links with mutate_delete_edge.",
            ));
        }
        let before = edge_state(&source, &target, old_kind, &labels);
        let mut draft = Draft::new("change_edge_kind", &source, before);
        let has_list = requirement.citations.iter().any(|it| it.kind == new_kind);
        let in_place = reference::is_alone(requirement, citation) && !has_list;
        if let Some(edit) =
            reference::renamed_label(file, requirement, citation, new_kind).filter(|_| in_place)
        {
            draft.edit(file, edit);
        } else {
            let token = citation.token.of(&file.text).to_owned();
            draft.edit(file, reference::removal(file, requirement, citation));
            draft.edit(file, reference::addition(file, requirement, new_kind, &token));
        }
        let (name, cited, named) = (source.clone(), target.clone(), labels.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| {
                remove_said(blocks, &name, &(old_kind, cited.clone(), named.clone()));
                add_said(blocks, &name, (new_kind, cited.clone(), named.clone()));
            },
            move |_| edge_state(&source, &target, new_kind, &labels),
        )
    }

    pub(crate) fn delete_edge(
        &mut self,
        occasion: &Occasion,
        source_id: &str,
        target_id: &str,
    ) -> Result<&MutationEntry, Error> {
        let (item, file, citation) = self.the_citation(source_id, target_id)?;
        let source = self.id_of(item).to_owned();
        let (kind, target, labels) =
            (citation.kind, citation.target.to_string(), citation.labels.to_vec());
        let edit = match self.requirement(item) {
            Some(requirement) => reference::removal(file, requirement, citation),
            None => self.comment_removal(item, file, citation)?,
        };
        let mut draft =
            Draft::new("delete_edge", &source, edge_state(&source, &target, kind, &labels));
        draft.edit(file, edit);
        let at = self.place_in_outline(item);
        let (name, said) = (source.clone(), (kind, target.clone(), labels.clone()));
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| match at {
                Some(at) => remove_from(&mut blocks[at], &said),
                None => remove_said(blocks, &name, &said),
            },
            move |graph| {
                let mut after = json!({ "source_id": source, "target_id": target });
                if graph.get_node(&source).is_some_and(|node| node.is_root()) {
                    after["became_root"] = true.into();
                }
                after
            },
        )
    }

    /// Turns a reference that leads nowhere to another target.
    pub(crate) fn fix_broken_reference(
        &mut self,
        occasion: &Occasion,
        source_id: &str,
        old_target_id: &str,
        new_target_id: &str,
    ) -> Result<&MutationEntry, Error> {
        let (item, file, citation) = self.the_broken_citation(source_id, old_target_id)?;
        let source = self.id_of(item).to_owned();
        let (target, mut labels) = self.target(new_target_id, &[])?;
        let names_labels =
            self.grammar.reference(old_target_id).is_some_and(|it| !it.labels.is_empty());
        if labels.is_empty() && !names_labels {
            // The assertions stay the ones that were named.
            labels = citation.labels.to_vec();
        }
        let (kind, old): (EdgeKind, Said) =
            (citation.kind, (citation.kind, citation.target.to_string(), citation.labels.to_vec()));
        let token = citation.token.of(&file.text);
        let written = if citation.labels.as_ref() == labels.as_slice() {
            match self.grammar.reference(token) {
                Some(it) if it.length == token.len() => {
                    reference::with_other_id(&self.grammar, token, &target)
                }
                _ => self.grammar.write_reference(&target, &labels, None),
            }
        } else {
            self.grammar.write_reference(&target, &labels, self.joined_by(file))
        };
        let was_orphan = self.get_node(&source).is_some_and(|node| node.is_root());
        let before = json!({
            "source_id": source, "old_target_id": self.grammar.write_reference(&old.1, &old.2, None),
            "edge_kind": kind.as_str(), "was_root": was_orphan,
        });
        let mut draft = Draft::new("fix_broken_reference", &source, before);
        draft.edit(file, Edit::replace(citation.token, written));
        let at = self.place_in_outline(item);
        let (name, said) = (source.clone(), (kind, target.clone(), labels.clone()));
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| {
                let block = match at {
                    Some(at) => blocks.get_mut(at),
                    None => blocks.iter_mut().find(|block| block.id == name),
                };
                if let Some(block) = block {
                    remove_from(block, &old);
                    block.citations.push(said.clone());
                    block.citations.sort();
                }
            },
            move |graph| {
                let is_broken = graph.is_broken(item, &target, &labels);
                let key = if is_broken { "still_broken" } else { "fixed" };
                let new_target = graph.grammar.write_reference(&target, &labels, None);
                json!({ "source_id": source, "new_target_id": new_target, "edge_kind": kind.as_str(), key: true })
            },
        )
    }

    fn comment_removal(&self, item: Item, file: &File, citation: &Citation) -> Result<Edit, Error> {
        let items: Vec<&Citation> =
            file.citations(item).iter().filter(|it| it.line == citation.line).collect();
        if items.len() < 2 {
            return Err(Error::refused(
                format!(
                    "{} cites nothing else in {}:{}",
                    self.id_of(item),
                    file.path,
                    citation.line
                ),
                "Remove the comment in that file.",
            ));
        }
        Ok(reference::removal_among(&file.text, &items, citation))
    }

    /// Where a comment or test stands in the outline of its file; others are found by id.
    fn place_in_outline(&self, item: Item) -> Option<usize> {
        let contents = &self.file(item.file)?.contents;
        let before = contents.requirements.len() + contents.journeys.len();
        match item.kind {
            ItemKind::Requirement | ItemKind::Journey => None,
            ItemKind::Code => Some(before + item.index as usize),
            ItemKind::Test => Some(before + contents.codes.len() + item.index as usize),
        }
    }

    fn is_broken(&self, item: Item, target: &str, labels: &[Label]) -> bool {
        let citations = self.file(item.file).map_or(&[][..], |file| file.citations(item));
        let found = citations.iter().find(|it| &*it.target == target && *it.labels == *labels);
        found.is_none_or(|it| {
            let (resolved, missing) = self.resolve(it);
            resolved.is_none() || !missing.is_empty()
        })
    }

    fn already(&self, source: &str, kind: EdgeKind, target: &str, labels: &[Label]) -> String {
        let cited = self.grammar.write_reference(target, labels, None);
        format!("{source} {} {cited} already", kind.as_str())
    }

    /// What labels are joined by where this file already joins some.
    fn joined_by(&self, file: &File) -> Option<char> {
        let requirements = &file.contents.requirements;
        let citation =
            requirements.iter().flat_map(|it| &it.citations).find(|it| it.labels.len() > 1)?;
        let token = citation.token.of(&file.text);
        let reference = self.grammar.reference(token)?;
        token[reference.id.length..].chars().filter(|it| !it.is_alphanumeric()).nth(1)
    }
}

fn edge_state(source: &str, target: &str, kind: EdgeKind, labels: &[Label]) -> Value {
    json!({
        "source_id": source, "target_id": target, "edge_kind": kind.as_str(),
        "assertion_targets": labels.iter().map(Label::as_str).collect::<Vec<_>>(),
    })
}

fn add_said(blocks: &mut [Block], id: &str, said: Said) {
    super::node::on_block(blocks, id, |block| {
        block.citations.push(said);
        block.citations.sort();
    });
}

fn remove_said(blocks: &mut [Block], id: &str, said: &Said) {
    super::node::on_block(blocks, id, |block| remove_from(block, said));
}

fn remove_from(block: &mut Block, said: &Said) {
    if let Some(at) = block.citations.iter().position(|it| it == said) {
        block.citations.remove(at);
    }
}
