//! Changes of assertions: added, worded otherwise, relabelled, deleted.

use std::collections::BTreeMap;

use super::edit::{Edit, Layer};
use super::mutation::{CitedAt, Mutation, Parent, Relabelled, Respelled};
use super::outline::{Block, on_block, plain};
use super::plan::Plan;
use super::subject::Found;
use super::{dialect, reference};
use crate::domain::graph::{NodeKind, TraceGraph, some_of};
use crate::domain::parse::lines::split_markdown;
use crate::domain::parse::spec::heading_words;
use crate::domain::parse::{Assertion, Form};
use crate::domain::span::Label;
use crate::error::Error;

impl TraceGraph {
    pub(crate) fn plan_add_assertion(
        &self,
        req_id: &str,
        label: &str,
        text: &str,
    ) -> Result<Plan, Error> {
        let found = self.the_requirement(req_id)?;
        let is_block = found.requirement.form == Form::Block;
        let label =
            if is_block { self.free_label(&found, label)? } else { found.next_number(label)? };
        let text = checked_text(text)?;
        let id = self.grammar.assertion_id(&found.id, label);
        let (edit, at, wanted) = if is_block {
            let (edit, at) = self.insertion(&found, label, &text);
            (edit, at, text.clone())
        } else {
            let assertions = &found.requirement.assertions;
            let gap = gap_between(&found.file.text, assertions, found.file.line_ending());
            let (edit, wanted) = found.list_insertion(label, &text, &gap);
            (edit, assertions.len(), wanted)
        };
        let name = found.id.clone();
        let hash_before = found.stored_hash();
        let owner = found.id.clone();
        let plan = Layer::one(found.file, edit).plan(
            id.clone(),
            move |_, blocks| {
                on_block(blocks, &name, |it| it.assertions.insert(at, (label, wanted.clone())));
            },
            move |graph| Mutation::AddAssertion {
                parent: graph.parent_of_assertion(owner, hash_before),
                id,
                label,
                text,
            },
        );
        Ok(plan.about(found.id))
    }

    pub(crate) fn plan_update_assertion(
        &self,
        assertion_id: &str,
        new_text: &str,
    ) -> Result<Plan, Error> {
        if let Some(found) = self.own_assertion(assertion_id)? {
            return Ok(self.plan_reword_item(&found, checked_text(new_text)?));
        }
        let (found, assertion) = self.the_assertion(assertion_id)?;
        let after = checked_text(new_text)?;
        let after = match found.requirement.form {
            Form::Story | Form::Numbered => dialect::indented(&after, 3),
            _ => after,
        };
        let before = assertion.text.of(&found.file.text).to_owned();
        let glue = if before.is_empty() { " " } else { "" };
        let on_disk = after.replace('\n', found.file.line_ending());
        let edit = Edit::replace(assertion.text, format!("{glue}{on_disk}"));
        let (name, label, wanted) = (found.id.clone(), assertion.label, after.clone());
        let (owner, hash_before) = (found.id.clone(), found.stored_hash());
        let plan = Layer::one(found.file, edit).plan(
            self.grammar.assertion_id(&found.id, label),
            move |_, blocks| {
                on_block(blocks, &name, |block| {
                    for (it, text) in &mut block.assertions {
                        if *it == label {
                            text.clone_from(&wanted);
                        }
                    }
                });
            },
            move |graph| Mutation::UpdateAssertion {
                parent: graph.parent_of_assertion(owner, hash_before),
                before,
                after,
            },
        );
        Ok(plan.about(found.id))
    }

    pub(crate) fn plan_rename_assertion(
        &self,
        old_id: &str,
        new_label: &str,
    ) -> Result<Plan, Error> {
        let (found, assertion) = self.the_assertion(old_id)?;
        found.only_as_block("other numbers than those of its list")?;
        let new = self.free_label(&found, new_label)?;
        let relabelled = self.relabelled(&found.id, assertion.label, new);
        let renames = BTreeMap::from([(assertion.label, new)]);
        let mut edits =
            Layer::one(found.file, Edit::replace(assertion.label_span, new.to_string()));
        let citations = self.relabel_citations(&found.id, &renames, &mut edits);
        let name = found.id.clone();
        let (owner, hash_before) = (found.id.clone(), found.stored_hash());
        let plan = edits.plan(
            relabelled.old_id.clone(),
            move |_, blocks| relabel(blocks, &name, &renames),
            move |graph| Mutation::RenameAssertion {
                parent: graph.parent_of_assertion(owner, hash_before),
                relabelled,
                citations,
            },
        );
        Ok(plan.about(found.id))
    }

    /// Takes an assertion out. With `compact` those behind it move up to close the gap, and what
    /// cites them follows; unless told, they do so only where nothing cites any of them.
    pub(crate) fn plan_delete_assertion(
        &self,
        assertion_id: &str,
        compact: Option<bool>,
    ) -> Result<Plan, Error> {
        let (found, assertion) = self.the_assertion(assertion_id)?;
        let gone = assertion.label;
        let behind = self.closing_gap(&found, gone);
        let is_at_stake = |label: &Label| *label == gone || behind.contains_key(label);
        let compact = compact.unwrap_or_else(|| {
            let mut cited = self.citations_of(&found.id).flat_map(|(_, _, it)| it.labels.iter());
            !cited.any(is_at_stake)
        });
        if !compact {
            found.order_leaves_no_gap(&behind)?;
        }
        let moved = if compact { behind } else { BTreeMap::new() };
        let citers: Vec<String> = self
            .citations_of(&found.id)
            .filter(|(_, _, citation)| citation.labels.contains(&gone))
            .map(|(cite, _, _)| self.id_of(cite.item).to_owned())
            .collect();
        let id = self.grammar.assertion_id(&found.id, gone);
        if !moved.is_empty() && !citers.is_empty() {
            return Err(Error::refused(
                format!("{id} is cited by {}, and another assertion would take its label", some_of(citers.iter().cloned())),
                "Change those references first, or leave compact out: labels then stay as they are and the references are reported as broken.",
            )
            .cited_by(citers));
        }
        let mut edits = Layer::one(found.file, removal(&found.file.text, assertion));
        for other in &found.requirement.assertions {
            let is_written = other.label_span.start < other.label_span.end;
            if let Some(new) = moved.get(&other.label).filter(|_| is_written) {
                edits.add(found.file, Edit::replace(other.label_span, new.to_string()));
            }
        }
        let citations = self.relabel_citations(&found.id, &moved, &mut edits);
        let renames =
            moved.iter().map(|(old, new)| self.relabelled(&found.id, *old, *new)).collect();
        let text = assertion.text.of(&found.file.text).to_owned();
        let name = found.id.clone();
        let (owner, hash_before) = (found.id.clone(), found.stored_hash());
        let plan = edits.plan(
            id.clone(),
            move |_, blocks| {
                on_block(blocks, &name, |it| it.assertions.retain(|(label, _)| *label != gone));
                relabel(blocks, &name, &moved);
            },
            move |graph| Mutation::DeleteAssertion {
                parent: graph.parent_of_assertion(owner, hash_before),
                id,
                label: gone,
                text,
                compact,
                renames,
                citations,
                broken_references_from: citers,
            },
        );
        Ok(plan.about(found.id))
    }

    /// The requirement an assertion belongs to, once the change is made.
    fn parent_of_assertion(&self, id: String, hash_before: Option<String>) -> Parent {
        Parent { hash_after: self.stored_hash(&id), id, hash_before }
    }

    fn relabelled(&self, id: &str, old: Label, new: Label) -> Relabelled {
        Relabelled {
            old_id: self.grammar.assertion_id(id, old),
            new_id: self.grammar.assertion_id(id, new),
            old_label: old,
            new_label: new,
        }
    }

    /// The labels behind a gap, each with the one before it.
    fn closing_gap(&self, found: &Found<'_>, gone: Label) -> BTreeMap<Label, Label> {
        if found.requirement.form != Form::Block {
            return dialect::next_gap(&found.requirement.assertions, gone);
        }
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
        edits: &mut Layer,
    ) -> Vec<Respelled> {
        let mut listed = Vec::new();
        for (cite, file, citation) in self.citations_of(id) {
            let labels: Vec<Label> =
                citation.labels.iter().map(|it| renames.get(it).copied().unwrap_or(*it)).collect();
            if *labels == *citation.labels {
                continue;
            }
            let token = citation.token.of(&file.text);
            let text = match self.grammar.reference(token) {
                Some(_) => reference::with_other_labels(&self.grammar, token, &labels),
                None => dialect::respelled(&self.grammar, file, citation, id, &labels),
            };
            listed.push(Respelled {
                at: CitedAt {
                    source_id: self.id_of(cite.item).to_owned(),
                    path: file.path.to_string(),
                    line: citation.line,
                },
                old: token.to_owned(),
                new: text.clone(),
            });
            edits.add(file, Edit::replace(citation.token, text));
        }
        listed
    }

    /// A requirement that is its own assertion, where that is what is named.
    fn own_assertion(&self, id: &str) -> Result<Option<Found<'_>>, Error> {
        let node = self.get_node(id).filter(|it| it.kind() == NodeKind::Requirement);
        let Some(node) = node else { return Ok(None) };
        let stands_alone = node.form().is_some_and(Form::stands_alone);
        if stands_alone { self.the_requirement(&node.id()).map(Some) } else { Ok(None) }
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
        let label = node.label();
        let owner = node.iter_parents().next().map(|it| it.id()).unwrap_or_default();
        let found = self.the_requirement(&owner)?;
        let assertion =
            found.requirement.assertions.iter().find(|it| Some(it.label) == label).copied();
        assertion.map(|assertion| (found, assertion)).ok_or_else(|| self.no_requirement(id))
    }

    fn free_label(&self, found: &Found<'_>, label: &str) -> Result<Label, Error> {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(label, 40));
        let in_series = |it: &Label| {
            self.grammar.place_of(*it).and_then(|n| self.grammar.nth_label(n)).is_some()
        };
        let parsed = self.grammar.label(label.trim()).filter(in_series);
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

/// The lines of an assertion, with the blank line above it.
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
