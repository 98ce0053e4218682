//! Changes of whole requirements: renamed, retitled, given a status, added, deleted.

use std::sync::Arc;

use serde_json::{Value, json};

use super::draft::{Draft, UNPLACED};
use super::edit::Edit;
use super::outline::{self, Block};
use super::place;
use super::reference;
use super::{MutationEntry, Occasion};
use crate::error::Error;
use crate::graph::{File, NodeKind, TraceGraph};
use crate::hash;
use crate::parse::{EdgeKind, FieldName, Requirement};

/// What a new requirement is made of.
#[derive(Debug, Clone)]
pub(crate) struct NewRequirement {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) status: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) edge_kind: EdgeKind,
    /// A path that the scan rules select; `None`: the parent's file.
    pub(crate) target_file: Option<String>,
}

impl TraceGraph {
    /// Gives a requirement another id, in its header and in everything that cites it.
    pub(crate) fn rename_node(
        &mut self,
        occasion: &Occasion,
        old_id: &str,
        new_id: &str,
    ) -> Result<&MutationEntry, Error> {
        let found = self.the_requirement(old_id)?;
        let (old_id, new_id) = (found.id.clone(), self.new_id(new_id)?);
        let title = found.requirement.title.of(&found.file.text).to_owned();
        let mut draft = Draft::new("rename_node", &old_id, json!({ "id": old_id, "title": title }));
        draft.subject.1.clone_from(&new_id);
        draft.edit(found.file, Edit::replace(found.requirement.id_span, new_id.clone()));
        let assertions: Vec<Value> = found
            .requirement
            .assertions
            .iter()
            .map(|it| self.grammar.assertion_id(&new_id, it.label).into())
            .collect();
        let mut citations = Vec::new();
        for (cite, file, citation) in self.citations_of(&old_id) {
            let token = citation.token.of(&file.text);
            let text = reference::with_other_id(&self.grammar, token, &new_id);
            citations.push(json!({ "source_id": self.id_of(cite.item), "path": &*file.path, "line": citation.line }));
            draft.edit(file, reference::respelled(citation.token, text));
        }
        let (was, is) = (old_id.clone(), new_id.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| {
                for block in blocks {
                    if block.id == was {
                        block.id.clone_from(&is);
                    }
                    for said in &mut block.citations {
                        if said.1 == was {
                            said.1.clone_from(&is);
                        }
                    }
                    block.citations.sort();
                }
            },
            |_| json!({ "id": new_id, "title": title, "assertions": assertions, "citations": citations }),
        )
    }

    pub(crate) fn update_title(
        &mut self,
        occasion: &Occasion,
        id: &str,
        new_title: &str,
    ) -> Result<&MutationEntry, Error> {
        let title = checked_title(new_title)?;
        let found = self.the_requirement(id)?;
        let id = found.id.clone();
        let text = &*found.file.text;
        let old = found.requirement.title.of(text).to_owned();
        let mut draft = Draft::new("update_title", &id, json!({ "title": old }));
        let glue = if found.requirement.title.of(text).is_empty()
            && !text[..found.requirement.title.from()].ends_with(' ')
        {
            " "
        } else {
            ""
        };
        draft.edit(found.file, Edit::replace(found.requirement.title, format!("{glue}{title}")));
        let below = found.requirement.footer.and_then(|it| it.title);
        if let Some(span) = below.filter(|span| span.of(text) == old) {
            draft.edit(found.file, Edit::replace(span, title.clone()));
        }
        let (name, wanted) = (id.clone(), title.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| on_block(blocks, &name, |block| block.title.clone_from(&wanted)),
            |_| json!({ "title": title }),
        )
    }

    pub(crate) fn change_status(
        &mut self,
        occasion: &Occasion,
        id: &str,
        new_status: &str,
    ) -> Result<&MutationEntry, Error> {
        let status = self.checked_status(new_status)?;
        let found = self.the_requirement(id)?;
        let id = found.id.clone();
        let field = found.requirement.fields.iter().find(|it| it.name == FieldName::Status);
        let old = field.map(|it| it.value.of(&found.file.text).to_owned());
        let edit = match field {
            Some(field) if field.value.start < field.value.end => {
                Edit::replace(field.value, status.clone())
            }
            Some(field) => Edit::insert(field.value.from(), format!(" {status}")),
            None => reference::new_field(
                found.file,
                found.requirement,
                &format!("**Status**: {status}"),
            ),
        };
        let mut draft = Draft::new("change_status", &id, json!({ "status": old }));
        draft.edit(found.file, edit);
        let (name, wanted) = (id.clone(), status.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| on_block(blocks, &name, |block| block.status = Some(wanted.clone())),
            |_| json!({ "status": status }),
        )
    }

    pub(crate) fn add_requirement(
        &mut self,
        occasion: &Occasion,
        new: &NewRequirement,
    ) -> Result<&MutationEntry, Error> {
        let id = self.new_id(&new.id)?;
        let title = checked_title(&new.title)?;
        let status = self.checked_status(&new.status)?;
        let level = self.config.level(&new.level).map(|it| it.name.clone()).ok_or_else(|| {
            let names = self.config.levels.iter().map(|it| it.name.as_str());
            Error::refused(
                format!("'{}' is not a level", mcp_core::text::one_line(&new.level)),
                format!("The levels are {}.", mcp_core::text::list_of_names(names)),
            )
        })?;
        let parent = new.parent_id.as_deref().map(|id| self.parent(id)).transpose()?;
        let path: Arc<str> = match (&new.target_file, &parent) {
            (Some(path), _) => path.as_str().into(),
            (None, Some((_, path))) => path.clone(),
            (None, None) => UNPLACED.into(),
        };
        let mut metadata = format!("**Level**: {level} | **Status**: {status}");
        let citation = parent.as_ref().map(|(reference, _)| reference);
        if let Some(reference) = citation {
            let kind = if new.edge_kind == EdgeKind::Refines { "Refines" } else { "Implements" };
            metadata = format!("{metadata} | **{kind}**: {reference}");
        }
        let known = self.file_at(&path).map(|(_, file)| file);
        let block = new_block(known, &id, &title, &metadata);
        let mut draft = Draft::new("add_requirement", &id, json!({}));
        match known {
            Some(file) => draft.edit(file, Edit::insert(file.text.len(), block)),
            None => draft.created = Some((path.clone(), block)),
        }
        let wanted = Block {
            id: id.clone(),
            title: title.clone(),
            status: Some(status.clone()),
            level: Some(level.clone()),
            citations: citation
                .and_then(|it| self.grammar.reference(it))
                .map(|it| vec![(new.edge_kind, it.id.canonical, it.labels)])
                .unwrap_or_default(),
            assertions: Vec::new(),
        };
        let (edge_kind, parent_id) = (new.edge_kind, citation.cloned());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| outline::append(blocks, wanted.clone()),
            move |graph| {
                let hash = graph.get_node(&id).and_then(|node| node.get_field("hash").map(std::borrow::Cow::into_owned));
                json!({
                    "id": id, "title": title, "level": level, "status": status, "hash": hash,
                    "parent_id": parent_id,
                    "edge_kind": parent_id.as_ref().map(|_| edge_kind.as_str()),
                    "target_file": if &*path == UNPLACED { Value::Null } else { Value::from(&*path) },
                })
            },
        )
    }

    /// Takes a requirement out with its assertions; what cites it then cites nothing.
    pub(crate) fn delete_requirement(
        &mut self,
        occasion: &Occasion,
        id: &str,
    ) -> Result<&MutationEntry, Error> {
        let found = self.the_requirement(id)?;
        let id = found.id.clone();
        let node = self.get_node(&id).ok_or_else(|| self.no_requirement(&id))?;
        let field = |name: &str| node.get_field(name).map(std::borrow::Cow::into_owned);
        let below = |kind: NodeKind| -> Vec<String> {
            node.iter_children().filter(|it| it.kind() == kind).map(|it| it.id()).collect()
        };
        let citers: Vec<String> =
            self.citations_of(&id).map(|(cite, _, _)| self.id_of(cite.item).to_owned()).collect();
        let before = json!({
            "id": id, "title": field("title"), "level": field("level"), "status": field("status"),
            "hash": hash::stored(found.requirement, &found.file.text),
            "was_root": node.is_root(),
            "parent_ids": node.iter_parents().map(|it| it.id()).collect::<Vec<_>>(),
            "child_ids": below(NodeKind::Requirement),
            "assertion_ids": below(NodeKind::Assertion),
        });
        let mut draft = Draft::new("delete_requirement", &id, before);
        if *found.file.path == *UNPLACED && found.file.contents.requirements.len() == 1 {
            // Nothing is left that lacks a place.
            draft.removed.push(found.file.path.clone());
        } else {
            draft.edit(found.file, place::taken_out(found.file, found.requirement));
        }
        let name = id.clone();
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| blocks.retain(|block| block.id != name),
            |_| json!({ "broken_references_from": citers }),
        )
    }

    /// An id that fits the grammar and is free, in its canonical form.
    fn new_id(&self, id: &str) -> Result<String, Error> {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(id, 100));
        let Some(parsed) = self.grammar.id(id).filter(|it| it.length == id.len()) else {
            return Err(Error::refused(
                format!("'{shown}' is not a requirement id"),
                format!("Ids look like {}.", self.grammar.example()),
            ));
        };
        if parsed.canonical != id {
            return Err(Error::refused(
                format!("'{shown}' is not spelled as ids are here"),
                format!("Write {}.", parsed.canonical),
            ));
        }
        if self.definition_of(id).is_some() {
            return Err(Error::refused(
                format!("'{id}' exists already"),
                "Choose an id that search does not find, or change the requirement that is there.",
            ));
        }
        Ok(parsed.canonical)
    }

    fn parent(&self, id: &str) -> Result<(String, Arc<str>), Error> {
        let Some(node) = self.get_node(id) else { return Err(self.no_requirement(id)) };
        match node.kind() {
            NodeKind::Requirement | NodeKind::Assertion => Ok((node.id(), Arc::from(node.path()))),
            other => Err(Error::refused(
                format!("'{id}' is a node of kind {} and cannot be a parent", other.as_str()),
                "A parent is a requirement or one of its assertions.",
            )),
        }
    }

    fn checked_status(&self, status: &str) -> Result<String, Error> {
        let status = status.trim();
        let shown = mcp_core::text::one_line(mcp_core::text::cut(status, 60));
        let is_word =
            !status.is_empty() && status.chars().all(|it| it.is_alphanumeric() || it == '_');
        if !is_word {
            return Err(Error::refused(
                format!("'{shown}' is not a status"),
                "A status is one word, such as Active, Draft or Deprecated.",
            ));
        }
        let known = &self.config.statuses;
        match known.iter().find(|it| it.eq_ignore_ascii_case(status)) {
            Some(name) => Ok(name.clone()),
            None if known.is_empty() => Ok(status.to_owned()),
            None => Err(Error::refused(
                format!("'{shown}' is not a status of this project"),
                format!(
                    "The configuration names {}.",
                    mcp_core::text::list_of_names(known.iter().map(String::as_str))
                ),
            )),
        }
    }
}

pub(super) fn on_block(blocks: &mut [Block], id: &str, change: impl FnOnce(&mut Block)) {
    if let Some(block) = blocks.iter_mut().find(|block| block.id == id) {
        change(block);
    }
}

fn checked_title(title: &str) -> Result<String, Error> {
    let trimmed = title.trim();
    let problem = if trimmed.is_empty() {
        "it is empty"
    } else if trimmed.chars().any(char::is_control) {
        "it has a line break or another control character"
    } else if trimmed.contains('*') {
        "it has a `*`, which ends a title in the footer"
    } else if trimmed.len() > 500 {
        "it is longer than 500 bytes"
    } else {
        return Ok(trimmed.to_owned());
    };
    Err(Error::refused(
        format!(
            "'{}' cannot be a title: {problem}",
            mcp_core::text::one_line(mcp_core::text::cut(trimmed, 80))
        ),
        "A title is one line of plain text.",
    ))
}

/// The text of a new requirement, to be put at the end of a file, in the file's own manner.
fn new_block(file: Option<&File>, id: &str, title: &str, metadata: &str) -> String {
    let ending = file.map_or("\n", File::line_ending);
    let last: Option<&Requirement> = file.and_then(|file| file.contents.requirements.last());
    let depth = match (file, last) {
        (Some(file), Some(last)) => {
            let header = &file.text[last.block.from()..last.id_span.from()];
            header.bytes().filter(|it| *it == b'#').count().clamp(1, 6)
        }
        _ => 2,
    };
    let header = format!("{} {id}: {title}", "#".repeat(depth));
    let footer = format!("*End* *{title}* | **Hash**: ________");
    let lines = [header.as_str(), "", metadata, "", &footer, ""];
    place::at_end(file, &lines.join(ending), ending, false)
}
