//! Changes of whole requirements: renamed, retitled, given a status, added, deleted.

use std::sync::Arc;

use super::edit::{Edit, Layer};
use super::mutation::{CitedAt, Mutation};
use super::outline::{self, Block, on_block};
use super::place;
use super::plan::Plan;
use super::subject::Found;
use super::{dialect, reference};
use crate::domain::config::Level;
use crate::domain::graph::{File, NodeKind, Role, TraceGraph, some_of};
use crate::domain::parse::{EdgeKind, FieldName, Form, Requirement};
use crate::error::Error;

/// What a new requirement is made of.
#[derive(Debug, Clone)]
pub(crate) struct NewRequirement {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) status: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) edge_kind: EdgeKind,
    /// A path that the scan rules select; else the parent's file, else the only spec file.
    pub(crate) target_file: Option<String>,
}

impl TraceGraph {
    /// Gives a requirement another id, in its header and in everything that cites it.
    pub(crate) fn plan_rename_node(&self, old_id: &str, new_id: &str) -> Result<Plan, Error> {
        let found = self.the_requirement(old_id)?;
        let form = found.requirement.form;
        if form.counts_labels() {
            return Err(Error::refused(
                format!("the id of {} is made of its title", found.id),
                "mutate_update_title changes both.",
            ));
        }
        let new_id = match form {
            Form::Block => self.new_id(new_id)?,
            _ => self.other_item(&found, new_id)?,
        };
        let old_id = found.id.clone();
        let title = found.requirement.title_in(&found.file.text).to_owned();
        let mut edits = Layer::one(
            found.file,
            Edit::replace(found.requirement.id_span, dialect::written_id(form, &new_id)),
        );
        let assertions = found.requirement.assertions.iter();
        let assertions =
            assertions.map(|it| self.grammar.assertion_id(&new_id, it.label)).collect();
        let mut citations = Vec::new();
        for (cite, file, citation) in self.citations_of(&old_id) {
            let text = dialect::respelled(&self.grammar, file, citation, &new_id, &citation.labels);
            citations.push(CitedAt {
                source_id: self.id_of(cite.item).to_owned(),
                path: file.path.to_string(),
                line: citation.line,
            });
            edits.add(file, Edit::replace(citation.token, text));
        }
        let (was, is, target) = (old_id.clone(), new_id.clone(), old_id.clone());
        let plan = edits.plan(
            target,
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
            {
                let new_id = new_id.clone();
                |_| Mutation::RenameNode { old_id, new_id, title, assertions, citations }
            },
        );
        Ok(plan.renamed_to(new_id))
    }

    pub(crate) fn plan_update_title(&self, id: &str, new_title: &str) -> Result<Plan, Error> {
        let after = checked_title(new_title)?;
        let found = self.the_requirement(id)?;
        if found.requirement.form.counts_labels() {
            return self.plan_retitle(&found, after);
        }
        let text = &*found.file.text;
        let title = found.requirement.title;
        let before = title.of(text).to_owned();
        let needs_blank = before.is_empty() && !text[..title.from()].ends_with(' ');
        let glue = if needs_blank { " " } else { "" };
        let mut edits = Layer::one(found.file, Edit::replace(title, format!("{glue}{after}")));
        let below = found.requirement.footer.and_then(|it| it.title);
        if let Some(span) = below.filter(|span| span.of(text) == before) {
            edits.add(found.file, Edit::replace(span, after.clone()));
        }
        let (name, wanted) = (found.id.clone(), after.clone());
        Ok(edits.plan(
            found.id,
            move |_, blocks| on_block(blocks, &name, |block| block.title.clone_from(&wanted)),
            |_| Mutation::UpdateTitle { before, after, renamed: None },
        ))
    }

    pub(crate) fn plan_change_status(&self, id: &str, new_status: &str) -> Result<Plan, Error> {
        let found = self.the_requirement(id)?;
        found.has_status_of_its_own()?;
        let after = self.checked_status(new_status)?;
        let field = found.requirement.fields.iter().find(|it| it.name == FieldName::Status);
        let before = field.map(|it| it.value.of(&found.file.text).to_owned());
        let edit = match field {
            Some(field) if field.value.start < field.value.end => {
                Edit::replace(field.value, after.clone())
            }
            Some(field) => Edit::insert(field.value.from(), format!(" {after}")),
            None => {
                let field = format!("**Status**: {after}");
                reference::new_field(found.file, found.requirement, &field)
            }
        };
        let (name, wanted) = (found.id.clone(), after.clone());
        Ok(Layer::one(found.file, edit).plan(
            found.id,
            move |_, blocks| on_block(blocks, &name, |block| block.status = Some(wanted.clone())),
            |_| Mutation::ChangeStatus { before, after },
        ))
    }

    pub(crate) fn plan_add_requirement(&self, new: &NewRequirement) -> Result<Plan, Error> {
        if self.grammar.scopes().begins(&new.id).is_some() {
            return self.plan_add_scoped(new, checked_title(&new.title)?);
        }
        let id = self.new_id(&new.id)?;
        let title = checked_title(&new.title)?;
        let status = self.checked_status(&new.status)?;
        let level = self.config.level(&new.level).ok_or_else(|| {
            let names = self.config.levels.iter().map(|it| it.name.as_str());
            Error::refused(
                format!("'{}' is not a level", mcp_core::text::one_line(&new.level)),
                format!("The levels are {}.", mcp_core::text::list_of_names(names)),
            )
        })?;
        let parent = new.parent_id.as_deref().map(|id| self.parent(id)).transpose()?;
        let path: Arc<str> = match (&new.target_file, &parent) {
            (Some(path), _) => path.as_str().into(),
            (None, Some((_, path))) if self.is_spec_file(path) => path.clone(),
            (None, _) => self.only_spec_file()?,
        };
        let parent = parent.map(|(id, _)| (id, new.edge_kind));
        let known = self.file_at(&path).map(|(_, file)| file);
        let level = self.spelled_level(known, level);
        let mut metadata = format!("**Level**: {level} | **Status**: {status}");
        if let Some((parent, kind)) = &parent {
            let kind = if *kind == EdgeKind::Refines { "Refines" } else { "Implements" };
            metadata = format!("{metadata} | **{kind}**: {parent}");
        }
        let block = new_block(known, &id, &title, &metadata);
        let mut edits = Layer::default();
        match known {
            Some(file) => edits.add(file, Edit::insert(file.text.len(), block)),
            None => edits.created.push((path.clone(), block.into())),
        }
        let cited =
            parent.as_ref().and_then(|(id, kind)| Some((self.grammar.reference(id)?, kind)));
        let wanted = Block {
            id: id.clone(),
            title: title.clone(),
            status: Some(status.clone()),
            level: Some(level.clone()),
            citations: cited
                .map(|(it, kind)| (*kind, it.id.canonical, it.labels))
                .into_iter()
                .collect(),
            assertions: Vec::new(),
        };
        Ok(edits.plan(
            id.clone(),
            move |_, blocks| outline::append(blocks, wanted.clone()),
            move |graph| Mutation::AddRequirement {
                hash: graph.stored_hash(&id),
                id,
                title,
                level,
                status,
                parent,
                path: path.to_string(),
            },
        ))
    }

    /// Takes a requirement out with its assertions; what cites it then cites nothing.
    pub(crate) fn plan_delete_requirement(&self, id: &str) -> Result<Plan, Error> {
        let found = self.the_requirement(id)?;
        let id = found.id.clone();
        let node = self.get_node(&id).ok_or_else(|| self.no_requirement(&id))?;
        let below = |kind: NodeKind| -> Vec<String> {
            node.iter_children().filter(|it| it.kind() == kind).map(|it| it.id()).collect()
        };
        let citers = self.citations_of(&id).map(|(cite, _, _)| self.id_of(cite.item).to_owned());
        let done = Mutation::DeleteRequirement {
            id: id.clone(),
            title: node.title().to_owned(),
            level: node.level().to_owned(),
            status: node.status().to_owned(),
            hash: found.stored_hash(),
            was_root: node.is_root(),
            parent_ids: node.iter_parents().map(|it| it.id()).collect(),
            child_ids: below(NodeKind::Requirement),
            assertion_ids: below(NodeKind::Assertion),
            broken_references_from: citers.collect(),
        };
        let edits = Layer::one(found.file, place::taken_out(found.file, found.requirement));
        let name = id.clone();
        Ok(edits.plan(id, move |_, blocks| blocks.retain(|block| block.id != name), |_| done))
    }

    pub(crate) fn stored_hash(&self, id: &str) -> Option<String> {
        self.get_node(id)?.hash().map(str::to_owned)
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

    /// Another id for an item of a dialect, of the same kind and scope.
    fn other_item(&self, found: &Found<'_>, id: &str) -> Result<String, Error> {
        let id = self.new_scoped_id(id)?;
        let kind = |id: &str| {
            let (scope, item) = id.rsplit_once('/').unwrap_or(("", id));
            let letters = item.bytes().take_while(u8::is_ascii_alphabetic).count();
            (scope.to_owned(), item[..letters].to_owned())
        };
        if kind(&id) == kind(&found.id) {
            return Ok(id);
        }
        Err(Error::refused(
            format!(
                "{} cannot become {id}: its folder and its kind are part of its form",
                found.id
            ),
            "Choose another number, or move the text in the files.",
        ))
    }

    fn is_spec_file(&self, path: &str) -> bool {
        self.file_at(path).is_some_and(|(_, file)| file.role == Role::Spec)
    }

    /// A level as the file, or else the project, spells it; by its name where nobody does.
    fn spelled_level(&self, file: Option<&File>, level: &Level) -> String {
        let spelled = file.into_iter().chain(self.iter_files()).find_map(|file| {
            let fields = file.contents.requirements.iter().flat_map(|it| &it.fields);
            let mut levels = fields.filter(|it| it.name == FieldName::Level);
            let words = levels.find_map(|it| {
                let word = it.value.of(&file.text);
                self.config.level(word).filter(|it| it.key == level.key).map(|_| word)
            });
            words.map(str::to_owned)
        });
        spelled.unwrap_or_else(|| level.name.clone())
    }

    /// Where a requirement goes that has no parent, if there is no choice.
    fn only_spec_file(&self) -> Result<Arc<str>, Error> {
        let specs: Vec<&File> = self.iter_files().filter(|it| it.role == Role::Spec).collect();
        if let [file] = specs[..] {
            return Ok(file.path.clone());
        }
        let hint = if specs.is_empty() {
            "Name one with target_file, such as `spec/requirements.md`.".to_owned()
        } else {
            let listed = some_of(specs.iter().map(|it| format!("`{}`", it.path)));
            format!("Name one with target_file, or give parent_id; there are {listed}.")
        };
        Err(Error::refused("it is not said which file the requirement belongs in", hint))
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
