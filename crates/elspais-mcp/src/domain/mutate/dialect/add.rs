//! A new item, story or requirement, in the manner of those before it.

use super::spelling::item_of;
use crate::domain::dialect::{self, Dialect, Part, slug};
use crate::domain::graph::{File, TraceGraph};
use crate::domain::mutate::edit::{Edit, Layer};
use crate::domain::mutate::mutation::Mutation;
use crate::domain::mutate::node::NewRequirement;
use crate::domain::mutate::outline::Block;
use crate::domain::mutate::plan::Plan;
use crate::domain::parse::{EdgeKind, FieldName, Form, Requirement};
use crate::domain::span::Label;
use crate::error::Error;

impl TraceGraph {
    /// Adds a requirement whose id is one of a dialect.
    pub(in crate::domain::mutate) fn plan_add_scoped(
        &self,
        new: &NewRequirement,
        title: String,
    ) -> Result<Plan, Error> {
        let id = self.new_scoped_id(&new.id)?;
        let file = self.file_of_scope(&id)?;
        if new.target_file.as_deref().is_some_and(|it| *it != *file.path) {
            return Err(Error::refused(
                format!("{id} belongs in {}", file.path),
                "Leave target_file out: the id says where it goes.",
            ));
        }
        let level = level_of(&id);
        if !self.config.level(&new.level).is_some_and(|it| it.name.eq_ignore_ascii_case(level))
            && !new.level.eq_ignore_ascii_case(level)
        {
            return Err(Error::refused(
                format!("{id} is of level {level} by its form, not {}", new.level),
                format!("Pass level={level}."),
            ));
        }
        let mut text = title.clone();
        let parent = self.story_above(new, &id)?;
        if let Some((parent, _)) = &parent {
            text = format!("{text} (See {})", item_of(parent).replacen("US", "US-", 1));
        }
        let (at, words) = insertion_of(file, &id, &text)?;
        let words = words.replace('\n', file.line_ending());
        let index = file.contents.requirements.iter().filter(|it| it.block.from() < at).count();
        let status = file.contents.requirements.iter().find_map(|it| {
            let field = it.fields.iter().find(|it| it.name == FieldName::Status)?;
            Some(field.value.of(&file.text).to_owned())
        });
        let shared = status.clone().filter(|_| matches!(form_of(&id), Form::Item | Form::Story));
        let citations =
            parent.iter().map(|(id, _)| (EdgeKind::Implements, id.clone(), Vec::<Label>::new()));
        let read_title = dialect_title(&id, &text);
        let wanted = Block {
            id: id.clone(),
            title: read_title,
            status: shared,
            level: None,
            citations: citations.collect(),
            assertions: Vec::new(),
        };
        let path = file.path.to_string();
        Ok(Layer::one(file, Edit::insert(at, words)).plan(
            id.clone(),
            move |_, blocks| blocks.insert(index.min(blocks.len()), wanted.clone()),
            move |graph| Mutation::AddRequirement {
                hash: None,
                status: graph.get_node(&id).map_or("", |it| it.status()).to_owned(),
                id,
                title,
                level: level.to_owned(),
                parent,
                path,
            },
        ))
    }

    /// An id of a dialect that is free, as such ids are spelled.
    pub(in crate::domain::mutate) fn new_scoped_id(&self, id: &str) -> Result<String, Error> {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(id, 100));
        let read = self.grammar.reference(id).filter(|it| it.length == id.len());
        let Some(read) = read.filter(|it| it.labels.is_empty()) else {
            return Err(Error::refused(
                format!("'{shown}' is not a requirement id"),
                "Such ids look like 001-login/FR-003, 001-login/US2, login/1 or auth/session-expiry.",
            ));
        };
        if read.id.canonical != id {
            return Err(Error::refused(
                format!("'{shown}' is not spelled as ids are here"),
                format!("Write {}.", read.id.canonical),
            ));
        }
        if self.definition_of(id).is_some() {
            return Err(Error::refused(
                format!("'{id}' exists already"),
                "Choose an id that search does not find, or change the requirement that is there.",
            ));
        }
        Ok(read.id.canonical)
    }

    /// The file that holds the requirements an id belongs to.
    fn file_of_scope(&self, id: &str) -> Result<&File, Error> {
        let item = item_of(id);
        let scope = &id[..id.len() - item.len() - 1];
        let change = item.split_once('@').map(|(_, change)| change);
        let wanted = match form_of(id) {
            Form::Item | Form::Story => Dialect::SpecKit,
            Form::Numbered => Dialect::Kiro,
            _ => Dialect::OpenSpec,
        };
        let found = self.iter_files().find(|file| {
            dialect::place(&file.path).is_some_and(|it| {
                it.part == Part::Requirements
                    && (it.dialect, it.scope, it.change) == (wanted, scope, change)
            })
        });
        found.ok_or_else(|| {
            Error::refused(
                format!(
                    "there is no file for requirements of {scope} in the form of {}",
                    wanted.as_str()
                ),
                "Add it to a specification that exists.",
            )
        })
    }

    /// The story that a functional requirement serves: the only parent its form has a place for.
    fn story_above(
        &self,
        new: &NewRequirement,
        id: &str,
    ) -> Result<Option<(String, EdgeKind)>, Error> {
        let Some(parent) = &new.parent_id else { return Ok(None) };
        let node = self.get_node(parent).ok_or_else(|| self.no_requirement(parent))?;
        let scope = |id: &str| id.rsplit_once('/').map(|(scope, _)| scope.to_owned());
        let is_story = form_of(&node.id()) == Form::Story && form_of(id) == Form::Item;
        if is_story && scope(&node.id()) == scope(id) && new.edge_kind == EdgeKind::Implements {
            return Ok(Some((node.id(), EdgeKind::Implements)));
        }
        Err(Error::refused(
            format!("{id} cannot be linked to {}: its form has no place for that", node.id()),
            "A functional requirement of spec-kit can name a story of its own spec; leave parent_id out otherwise.",
        ))
    }
}

/// Where the text of a new requirement goes in its file, and what is written there.
fn insertion_of(file: &File, id: &str, words: &str) -> Result<(usize, String), Error> {
    let item = item_of(id);
    let text = &*file.text;
    let form = form_of(id);
    let ending = |requirement: &Requirement| {
        requirement.block.from() + requirement.block.of(text).trim_end().len()
    };
    let before = |it: &&Requirement| match form {
        Form::Item => it.form == form && prefix(item_of(&it.id)) == prefix(item),
        _ => it.form == form,
    };
    let last = file.contents.requirements.iter().rfind(before);
    let none = || {
        Error::refused(
            format!("{} has nothing yet that {item} could be put beside", file.path),
            "Write the first one by hand, call refresh_graph, then repeat the call.",
        )
    };
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    match form {
        Form::Item => {
            let last = last.ok_or_else(none)?;
            let lead = &text[line_start(last.id_span.from())..last.id_span.from()];
            let mid = text.get(last.id_span.to()..last.body.from()).unwrap_or("**: ");
            // Notes belong to the one they were written for.
            let mid = if mid.contains(['(', '[']) {
                if lead.contains('*') { "**: " } else { ": " }
            } else {
                mid
            };
            let parted = if lead.contains('#') { "\n\n" } else { "\n" };
            Ok((ending(last), format!("{parted}{lead}{item}{mid}{words}")))
        }
        Form::Story | Form::Numbered => {
            let last = last.ok_or_else(none)?;
            let number = |id: &str| item_of(id).trim_start_matches("US").parse::<u32>().ok();
            let highest = file.contents.requirements.iter().filter(|it| it.form == form);
            let highest = highest.filter_map(|it| number(&it.id)).max().unwrap_or(0);
            if number(id).is_none_or(|it| it <= highest) {
                return Err(Error::refused(
                    format!("{item} would stand behind a higher number in {}", file.path),
                    format!("The next number is {}.", highest + 1),
                ));
            }
            let lead = &text[line_start(last.id_span.from())..last.id_span.from()];
            let mark = if form == Form::Story { " - " } else { ": " };
            let between = file.contents.requirements.iter().filter(|it| it.form == form);
            let is_parted = between.clone().count() > 1
                && between.take(1).any(|it| {
                    text[it.block.to()..it.extent.to()].lines().any(|it| it.trim() == "---")
                });
            let parted = if is_parted { "\n\n---\n\n" } else { "\n\n" };
            let number = item.trim_start_matches("US");
            Ok((ending(last), format!("{parted}{lead}{number}{mark}{words}")))
        }
        _ => {
            let own = slug(words);
            let meant = item.split('@').next().unwrap_or(item);
            if own != meant {
                return Err(Error::refused(
                    format!("the id is made of the title: `{words}` is {own}, not {meant}"),
                    format!("Pass the id with {own}, or another title."),
                ));
            }
            let last = file.contents.requirements.iter().rfind(|it| {
                it.form == form && it.citations.is_empty() && it.given_status != Some("Deprecated")
            });
            let at = match last {
                Some(last) => ending(last),
                None => section_end(file, form).ok_or_else(none)?,
            };
            Ok((at, format!("\n\n### Requirement: {words}")))
        }
    }
}

/// The end of the heading that new requirements of `OpenSpec` go below.
fn section_end(file: &File, form: Form) -> Option<usize> {
    let wanted = if form == Form::Titled { "## requirements" } else { "## added requirements" };
    let mut at = 0;
    for line in file.text.split_inclusive('\n') {
        if line.trim().eq_ignore_ascii_case(wanted) {
            return Some(at + line.trim_end().len());
        }
        at += line.len();
    }
    None
}

fn form_of(id: &str) -> Form {
    let item = item_of(id);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if digits(item) {
        Form::Numbered
    } else if item.strip_prefix("US").is_some_and(digits) {
        Form::Story
    } else if ["FR-", "NFR-", "SC-"].iter().any(|it| item.starts_with(it)) {
        Form::Item
    } else if item.contains('@') {
        Form::Proposed
    } else {
        Form::Titled
    }
}

fn prefix(item: &str) -> &str {
    item.split('-').next().unwrap_or(item)
}

fn level_of(id: &str) -> &'static str {
    match form_of(id) {
        Form::Story => "PRD",
        Form::Item if item_of(id).starts_with("SC") => "OPS",
        _ => "DEV",
    }
}

/// The title that will be read from the words of a new requirement.
fn dialect_title(id: &str, words: &str) -> String {
    match form_of(id) {
        Form::Item => crate::domain::parse::dialect::title_of(words),
        _ => words.to_owned(),
    }
}
