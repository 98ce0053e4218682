//! Changes of assertions: added, worded otherwise, relabelled, deleted.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::draft::{Draft, Found};
use super::edit::Edit;
use super::node::on_block;
use super::outline::{Block, plain};
use super::reference::{self, cited_by};
use super::{MutationEntry, Occasion};
use crate::error::Error;
use crate::graph::{NodeKind, TraceGraph, some_of};
use crate::hash;
use crate::parse::Assertion;
use crate::parse::lines::split_markdown;
use crate::parse::spec::heading_words;
use crate::span::Label;

impl TraceGraph {
    pub(crate) fn add_assertion(
        &mut self,
        occasion: &Occasion,
        req_id: &str,
        label: &str,
        text: &str,
    ) -> Result<&MutationEntry, Error> {
        let found = self.the_requirement(req_id)?;
        let label = self.free_label(&found, label)?;
        let words = checked_text(text)?;
        let id = found.id.clone();
        let before = json!({ "parent_id": id, "parent_hash": hash::stored(found.requirement, &found.file.text) });
        let assertion_id = self.grammar.assertion_id(&id, label);
        let mut draft = Draft::new("add_assertion", &assertion_id, before);
        draft.subject = (id.clone(), id.clone());
        let (edit, at) = self.insertion(&found, label, &words);
        draft.edit(found.file, edit);
        let (name, wanted) = (id.clone(), words.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| on_block(blocks, &name, |block| block.assertions.insert(at, (label, wanted.clone()))),
            move |graph| json!({ "id": assertion_id, "label": label.as_str(), "text": words, "parent_hash": graph.stored_hash(&id) }),
        )
    }

    pub(crate) fn update_assertion(
        &mut self,
        occasion: &Occasion,
        assertion_id: &str,
        new_text: &str,
    ) -> Result<&MutationEntry, Error> {
        let (found, assertion) = self.the_assertion(assertion_id)?;
        let words = checked_text(new_text)?;
        let id = found.id.clone();
        let assertion_id = self.grammar.assertion_id(&id, assertion.label);
        let old = assertion.text.of(&found.file.text);
        let before = json!({ "text": old, "parent_id": id, "parent_hash": hash::stored(found.requirement, &found.file.text) });
        let mut draft = Draft::new("update_assertion", &assertion_id, before);
        draft.subject = (id.clone(), id.clone());
        let glue = if old.is_empty() { " " } else { "" };
        let on_disk = words.replace('\n', found.file.line_ending());
        draft.edit(found.file, Edit::replace(assertion.text, format!("{glue}{on_disk}")));
        let (name, label, wanted) = (id.clone(), assertion.label, words.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| {
                on_block(blocks, &name, |block| {
                    for (it, text) in &mut block.assertions {
                        if *it == label {
                            text.clone_from(&wanted);
                        }
                    }
                });
            },
            move |graph| json!({ "text": words, "parent_hash": graph.stored_hash(&id) }),
        )
    }

    pub(crate) fn rename_assertion(
        &mut self,
        occasion: &Occasion,
        old_id: &str,
        new_label: &str,
    ) -> Result<&MutationEntry, Error> {
        let (found, assertion) = self.the_assertion(old_id)?;
        let (id, old) = (found.id.clone(), assertion.label);
        let new = self.free_label(&found, new_label)?;
        let before = json!({
            "id": self.grammar.assertion_id(&id, old), "label": old.as_str(), "parent_id": id,
            "parent_hash": hash::stored(found.requirement, &found.file.text),
        });
        let mut draft =
            Draft::new("rename_assertion", &self.grammar.assertion_id(&id, old), before);
        draft.subject = (id.clone(), id.clone());
        draft.edit(found.file, Edit::replace(assertion.label_span, new.to_string()));
        let renames = BTreeMap::from([(old, new)]);
        let citations = self.relabel_citations(&id, &renames, &mut draft);
        let new_id = self.grammar.assertion_id(&id, new);
        let name = id.clone();
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| relabel(blocks, &name, &renames),
            move |graph| json!({ "id": new_id, "label": new.as_str(), "citations": citations, "parent_hash": graph.stored_hash(&id) }),
        )
    }

    /// Takes an assertion out. With `compact` those behind it move up to close the gap, and what
    /// cites them follows.
    pub(crate) fn delete_assertion(
        &mut self,
        occasion: &Occasion,
        assertion_id: &str,
        compact: bool,
    ) -> Result<&MutationEntry, Error> {
        let (found, assertion) = self.the_assertion(assertion_id)?;
        let (id, gone) = (found.id.clone(), assertion.label);
        let renames = if compact { self.closing_gap(&found, gone) } else { BTreeMap::new() };
        let citers: Vec<String> = self
            .citations_of(&id)
            .filter(|(_, _, citation)| citation.labels.contains(&gone))
            .map(|(cite, _, _)| self.id_of(cite.item).to_owned())
            .collect();
        let gone_id = self.grammar.assertion_id(&id, gone);
        if !renames.is_empty() && !citers.is_empty() {
            return Err(Error::refused(
                format!("{gone_id} is cited by {}, and another assertion would take its label", some_of(citers.iter().cloned())),
                "Change those references first, or pass compact=false: labels then stay as they are and the references are reported as broken.",
            )
            .with_details(cited_by(&citers)));
        }
        let listed: Vec<Value> = renames
            .iter()
            .map(|(old, new)| {
                json!({
                    "old_id": self.grammar.assertion_id(&id, *old), "new_id": self.grammar.assertion_id(&id, *new),
                    "old_label": old.as_str(), "new_label": new.as_str(),
                })
            })
            .collect();
        let before = json!({
            "id": gone_id, "label": gone.as_str(), "text": assertion.text.of(&found.file.text),
            "parent_id": id, "parent_hash": hash::stored(found.requirement, &found.file.text),
            "compact": compact, "renames": listed,
        });
        let mut draft = Draft::new("delete_assertion", &gone_id, before);
        draft.subject = (id.clone(), id.clone());
        draft.edit(found.file, removal(&found.file.text, assertion));
        for other in &found.requirement.assertions {
            if let Some(new) = renames.get(&other.label) {
                draft.edit(found.file, Edit::replace(other.label_span, new.to_string()));
            }
        }
        let citations = self.relabel_citations(&id, &renames, &mut draft);
        let (name, moved) = (id.clone(), renames.clone());
        self.carry_out(
            occasion,
            draft,
            move |_, blocks| {
                on_block(blocks, &name, |block| block.assertions.retain(|(label, _)| *label != gone));
                relabel(blocks, &name, &moved);
            },
            move |graph| {
                json!({
                    "parent_hash": graph.stored_hash(&id), "renames": listed, "citations": citations,
                    "broken_references_from": citers,
                })
            },
        )
    }

    /// The labels behind a gap, each with the one before it.
    fn closing_gap(&self, found: &Found<'_>, gone: Label) -> BTreeMap<Label, Label> {
        let Some(from) = self.grammar.place_of(gone) else { return BTreeMap::new() };
        let mut behind: Vec<(usize, Label)> = found
            .requirement
            .assertions
            .iter()
            .filter_map(|it| Some((self.grammar.place_of(it.label)?, it.label)))
            .filter(|(place, _)| *place > from)
            .collect();
        behind.sort_unstable();
        // Gaps that were there before stay: each label moves up by one place of the series.
        behind
            .into_iter()
            .filter_map(|(place, label)| Some((label, self.grammar.nth_label(place - 1)?)))
            .collect()
    }

    /// Edits of every reference to labels that change; what was edited is listed.
    fn relabel_citations(
        &self,
        id: &str,
        renames: &BTreeMap<Label, Label>,
        draft: &mut Draft,
    ) -> Vec<Value> {
        let mut listed = Vec::new();
        for (cite, file, citation) in self.citations_of(id) {
            let labels: Vec<Label> =
                citation.labels.iter().map(|it| renames.get(it).copied().unwrap_or(*it)).collect();
            if *labels == *citation.labels {
                continue;
            }
            let token = citation.token.of(&file.text);
            let text = reference::with_other_labels(&self.grammar, token, &labels);
            listed.push(json!({
                "source_id": self.id_of(cite.item), "path": &*file.path, "line": citation.line,
                "old": token, "new": text,
            }));
            draft.edit(file, reference::respelled(citation.token, text));
        }
        listed
    }

    pub(crate) fn stored_hash(&self, id: &str) -> Option<String> {
        self.get_node(id)?.get_field("hash").map(std::borrow::Cow::into_owned)
    }

    pub(super) fn the_assertion(&self, id: &str) -> Result<(Found<'_>, Assertion), Error> {
        let Some(node) = self.get_node(id) else {
            let shown = mcp_core::text::one_line(mcp_core::text::cut(id, 200));
            let owner = self.grammar.reference(id).and_then(|it| self.get_node(&it.id.canonical));
            let Some(owner) = owner else { return Err(self.no_requirement(id)) };
            let labels: Vec<String> = owner
                .iter_children()
                .filter(|it| it.kind() == NodeKind::Assertion)
                .map(|it| it.id())
                .collect();
            let hint = if labels.is_empty() {
                format!("{} has no assertions; mutate_add_assertion adds one.", owner.id())
            } else {
                format!("{} has {}.", owner.id(), labels.join(", "))
            };
            return Err(Error::refused(format!("Assertion '{shown}' not found"), hint));
        };
        if node.kind() != NodeKind::Assertion {
            return Err(Error::refused(
                format!(
                    "Node '{}' is not an assertion but a node of kind {}",
                    node.id(),
                    node.kind().as_str()
                ),
                format!(
                    "Name an assertion of it, such as {}-{}.",
                    node.id(),
                    self.grammar.example_label()
                ),
            ));
        }
        let label = node.get_field("label").and_then(|it| Label::new(&it));
        let owner = node.iter_parents().next().map(|it| it.id()).unwrap_or_default();
        let found = self.the_requirement(&owner)?;
        let assertion =
            found.requirement.assertions.iter().find(|it| Some(it.label) == label).copied();
        assertion.map(|assertion| (found, assertion)).ok_or_else(|| self.no_requirement(id))
    }

    fn free_label(&self, found: &Found<'_>, label: &str) -> Result<Label, Error> {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(label, 40));
        let parsed =
            self.grammar.label(label.trim()).filter(|it| self.grammar.place_of(*it).is_some());
        let Some(parsed) = parsed else {
            let last = (0..).map_while(|n| self.grammar.nth_label(n)).last();
            return Err(Error::refused(
                format!("'{shown}' is not a label"),
                format!(
                    "Labels run from {} to {}.",
                    self.grammar.example_label(),
                    last.map(|it| it.to_string()).unwrap_or_default()
                ),
            ));
        };
        if found.requirement.assertions.iter().any(|it| it.label == parsed) {
            let taken: Vec<String> =
                found.requirement.assertions.iter().map(|it| it.label.to_string()).collect();
            let free = (0..)
                .map_while(|n| self.grammar.nth_label(n))
                .find(|it| !taken.contains(&it.to_string()));
            let hint = match free {
                Some(free) => format!("The next free label is {free}."),
                None => "All labels are taken.".to_owned(),
            };
            return Err(Error::refused(
                format!("{} has an assertion {parsed} already", found.id),
                hint,
            ));
        }
        Ok(parsed)
    }

    /// Where a new assertion goes: among the others by its label, and how many stand before it.
    fn insertion(&self, found: &Found<'_>, label: Label, words: &str) -> (Edit, usize) {
        let file = found.file;
        let text = &*file.text;
        let ending = file.line_ending();
        let assertions = &found.requirement.assertions;
        let line = format!("{label}. {}", words.replace('\n', ending));
        let place = |label: Label| self.grammar.place_of(label).unwrap_or(usize::MAX);
        let before = assertions.iter().rposition(|it| place(it.label) < place(label));
        if let Some(before) = before {
            let gap = gap_between(text, assertions, ending);
            return (
                Edit::insert(assertions[before].text.to(), format!("{gap}{line}")),
                before + 1,
            );
        }
        if let Some(first) = assertions.first() {
            let gap = gap_between(text, assertions, ending);
            let start = text[..first.label_span.from()].rfind('\n').map_or(0, |at| at + 1);
            return (Edit::insert(start, format!("{line}{gap}")), 0);
        }
        if let Some(heading) = found.requirement.assertions_heading {
            return (Edit::insert(heading.to(), format!("{ending}{ending}{line}")), 0);
        }
        (new_section(found, &line), 0)
    }
}

/// A section of its own, before the first other one or the footer.
fn new_section(found: &Found<'_>, line: &str) -> Edit {
    let text = &*found.file.text;
    let ending = found.file.line_ending();
    let others = found.file.contents.requirements.iter().filter_map(|it| it.assertions_heading);
    let heading = others.map(|it| it.of(text)).next().unwrap_or("## Assertions");
    let inner = found.requirement.inner;
    let lines = split_markdown(inner.of(text), &mut Vec::new());
    let first_section = lines
        .iter()
        .find(|line| !line.hidden && heading_words(line.of(inner.of(text))).is_some())
        .map(|line| inner.from() + line.start);
    let at = first_section.unwrap_or(inner.to());
    let before = &text[..at];
    let lead = if before.ends_with("\n\n") || before.ends_with("\n\r\n") {
        String::new()
    } else if before.ends_with('\n') {
        ending.to_owned()
    } else {
        format!("{ending}{ending}")
    };
    let rest = &text[at..];
    let is_parted = rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
    let tail = if is_parted { "" } else { ending };
    Edit::insert(at, format!("{lead}{heading}{ending}{ending}{line}{ending}{tail}"))
}

/// What parts assertions in this requirement: a line break, or a blank line.
fn gap_between(text: &str, assertions: &[Assertion], ending: &str) -> String {
    let spaced = assertions.windows(2).any(|pair| {
        let between = &text[pair[0].text.to()..pair[1].label_span.from()];
        between.matches('\n').count() > 1
    });
    ending.repeat(if spaced { 2 } else { 1 })
}

/// The lines of an assertion, with the blank line that parted it from the one before.
fn removal(text: &str, assertion: Assertion) -> Edit {
    let start = text[..assertion.label_span.from()].rfind('\n').map_or(0, |at| at + 1);
    let end = text[assertion.text.to()..]
        .find('\n')
        .map_or(text.len(), |at| assertion.text.to() + at + 1);
    let follows_blank = text[..start].ends_with("\n\n") || text[..start].ends_with("\n\r\n");
    let rest = &text[end..];
    let blank_line = rest.starts_with('\n') || rest.starts_with("\r\n");
    // One blank line is enough where there were two.
    let end = if follows_blank && blank_line {
        end + rest.find('\n').map_or(0, |at| at + 1)
    } else {
        end
    };
    Edit::remove(start, end)
}

fn relabel(blocks: &mut [Block], id: &str, renames: &BTreeMap<Label, Label>) {
    let new = |label: &Label| renames.get(label).copied().unwrap_or(*label);
    for block in blocks {
        if block.id == id {
            for (label, _) in &mut block.assertions {
                *label = new(label);
            }
        }
        for (_, target, labels) in &mut block.citations {
            if *target == id {
                for label in labels.iter_mut() {
                    *label = new(label);
                }
            }
        }
        block.citations.sort();
    }
}

fn checked_text(text: &str) -> Result<String, Error> {
    let words = plain(text);
    let words = words.trim();
    let problem = if words.is_empty() {
        "it is empty"
    } else if words.contains('\r')
        || words.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\t'))
    {
        "it has control characters"
    } else if words.len() > 20_000 {
        "it is longer than 20,000 bytes"
    } else {
        return Ok(words.to_owned());
    };
    Err(Error::refused(
        format!("this cannot be the text of an assertion: {problem}"),
        "Write what SHALL hold, in plain text.",
    ))
}
