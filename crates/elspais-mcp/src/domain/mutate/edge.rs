//! Changes of links: put in, taken out, turned into another kind, repaired.

use super::edit::{Edit, Layer};
use super::mutation::{LinkState, Mutation};
use super::outline::{Block, Said, on_block};
use super::plan::Plan;
use super::{dialect, reference};
use crate::domain::graph::{File, Item, ItemKind, TraceGraph};
use crate::domain::parse::{Citation, EdgeKind};
use crate::domain::span::Label;
use crate::error::Error;

impl TraceGraph {
    /// Lets `source` cite `target`. A target that does not exist makes a broken reference.
    pub(crate) fn plan_add_edge(
        &self,
        source_id: &str,
        target_id: &str,
        kind: EdgeKind,
        assertion_targets: &[String],
    ) -> Result<Plan, Error> {
        let found = self.the_requirement(source_id)?;
        found.only_as_block("links of this kind")?;
        let source = found.id.clone();
        let (target, labels) = self.target(target_id, assertion_targets)?;
        let same =
            |it: &Citation| it.kind == kind && *it.target == *target && *it.labels == *labels;
        if found.requirement.citations.iter().any(same) {
            return Err(Error::refused(
                self.already(&source, kind, &target, &labels),
                "get_requirement shows its relationships.",
            ));
        }
        let was_root = found.requirement.citations.iter().all(|it| self.resolve(it).0.is_none());
        let written = self.grammar.write_reference(&target, &labels, self.joined_by(found.file));
        let edit = reference::addition(found.file, found.requirement, kind, &written);
        let item = found.item;
        let said: Said = (kind, target.clone(), labels.clone());
        let (name, target_id) = (source.clone(), source.clone());
        Ok(Layer::one(found.file, edit).plan(
            target_id,
            move |_, blocks| add_said(blocks, &name, said.clone()),
            move |graph| Mutation::AddEdge {
                is_broken: graph.is_broken(item, &target, &labels),
                link: LinkState { source_id: source, target_id: target, kind, labels },
                was_root,
            },
        ))
    }

    pub(crate) fn plan_change_edge_kind(
        &self,
        source_id: &str,
        target_id: &str,
        new_kind: EdgeKind,
    ) -> Result<Plan, Error> {
        let (item, file, citation) = self.the_citation(source_id, target_id)?;
        let source = self.id_of(item).to_owned();
        dialect::links_are_free(file, &source)?;
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
        let mut edits = Layer::default();
        let has_list = requirement.citations.iter().any(|it| it.kind == new_kind);
        let in_place = reference::is_alone(requirement, citation) && !has_list;
        if let Some(edit) =
            reference::renamed_label(file, requirement, citation, new_kind).filter(|_| in_place)
        {
            edits.add(file, edit);
        } else {
            let token = citation.token.of(&file.text).to_owned();
            edits.add(file, reference::removal(file, requirement, citation));
            edits.add(file, reference::addition(file, requirement, new_kind, &token));
        }
        let (name, cited, named) = (source.clone(), target.clone(), labels.clone());
        Ok(edits.plan(
            source.clone(),
            move |_, blocks| {
                remove_said(blocks, &name, &(old_kind, cited.clone(), named.clone()));
                add_said(blocks, &name, (new_kind, cited.clone(), named.clone()));
            },
            move |_| Mutation::ChangeEdgeKind {
                link: LinkState { source_id: source, target_id: target, kind: new_kind, labels },
                old_kind,
            },
        ))
    }

    pub(crate) fn plan_delete_edge(&self, source_id: &str, target_id: &str) -> Result<Plan, Error> {
        let (item, file, citation) = self.the_citation(source_id, target_id)?;
        let source = self.id_of(item).to_owned();
        dialect::links_are_free(file, &source)?;
        let (kind, target, labels) =
            (citation.kind, citation.target.to_string(), citation.labels.to_vec());
        let edit = match self.requirement(item) {
            Some(requirement) => reference::removal(file, requirement, citation),
            None => self.comment_removal(item, file, citation)?,
        };
        let at = self.place_in_outline(item);
        let (name, said) = (source.clone(), (kind, target.clone(), labels.clone()));
        Ok(Layer::one(file, edit).plan(
            source.clone(),
            move |_, blocks| match at {
                Some(at) => remove_from(&mut blocks[at], &said),
                None => remove_said(blocks, &name, &said),
            },
            move |graph| Mutation::DeleteEdge {
                became_root: graph.get_node(&source).is_some_and(|node| node.is_root()),
                link: LinkState { source_id: source, target_id: target, kind, labels },
            },
        ))
    }

    /// Turns a reference that leads nowhere to another target.
    pub(crate) fn plan_fix_broken_reference(
        &self,
        source_id: &str,
        old_target_id: &str,
        new_target_id: &str,
    ) -> Result<Plan, Error> {
        let (item, file, citation) = self.the_broken_citation(source_id, old_target_id)?;
        let source = self.id_of(item).to_owned();
        dialect::links_are_free(file, &source)?;
        let (target, mut labels) = self.target(new_target_id, &[])?;
        let names_labels =
            self.grammar.reference(old_target_id).is_some_and(|it| !it.labels.is_empty());
        if labels.is_empty() && !names_labels {
            // The assertions stay the ones that were named.
            labels = citation.labels.to_vec();
        }
        let kind = citation.kind;
        let old: Said = (kind, citation.target.to_string(), citation.labels.to_vec());
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
        let old_target_id = self.grammar.write_reference(&old.1, &old.2, None);
        let was_root = self.get_node(&source).is_some_and(|node| node.is_root());
        let at = self.place_in_outline(item);
        let (name, said) = (source.clone(), (kind, target.clone(), labels.clone()));
        Ok(Layer::one(file, Edit::replace(citation.token, written)).plan(
            source.clone(),
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
            move |graph| Mutation::FixBrokenReference {
                source_id: source,
                old_target_id,
                new_target_id: graph.grammar.write_reference(&target, &labels, None),
                kind,
                was_root,
                still_broken: graph.is_broken(item, &target, &labels),
            },
        ))
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

fn add_said(blocks: &mut [Block], id: &str, said: Said) {
    on_block(blocks, id, |block| {
        block.citations.push(said);
        block.citations.sort();
    });
}

fn remove_said(blocks: &mut [Block], id: &str, said: &Said) {
    on_block(blocks, id, |block| remove_from(block, said));
}

fn remove_from(block: &mut Block, said: &Said) {
    if let Some(at) = block.citations.iter().position(|it| it == said) {
        block.citations.remove(at);
    }
}
