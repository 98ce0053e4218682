//! A whole requirement worded anew: title, prose, assertions and rationale, each by its own edit.

use std::collections::BTreeSet;

use super::edit::{Edit, Layer};
use super::editor::Editor;
use super::log::Occasion;
use super::mutation::{Mutation, Prose};
use super::outline::plain;
use super::plan::Plan;
use super::subject::Found;
use crate::domain::graph::{TraceGraph, some_of};
use crate::domain::parse::lines::split_markdown;
use crate::domain::parse::spec::heading_words;
use crate::domain::span::Span;
use crate::domain::transform::Rewriting;
use crate::error::Error;

impl Editor<'_> {
    /// Makes a requirement what `wanted` says. Assertions that others cite cannot be left out.
    pub(crate) fn rewrite(
        &mut self,
        occasion: &Occasion,
        id: &str,
        wanted: &Rewriting,
    ) -> Result<(), Error> {
        let found = self.graph.the_requirement(id)?;
        found.only_as_block("text that a model shaped otherwise")?;
        let id = found.id.clone();
        let text = found.file.text.clone();
        let title = found.requirement.title.of(&text).to_owned();
        let there: Vec<(String, String)> = found
            .requirement
            .assertions
            .iter()
            .map(|it| (it.label.to_string(), plain(it.text.of(&text))))
            .collect();
        self.graph.refuse_orphaned_citers(&id, wanted)?;
        if title != wanted.title.trim() {
            self.carry_out(occasion, self.graph.plan_update_title(&id, &wanted.title)?)?;
        }
        let kept: BTreeSet<&str> = wanted.assertions.iter().map(|it| it.label.trim()).collect();
        for (label, _) in there.iter().filter(|(label, _)| !kept.contains(label.as_str())) {
            let gone = self.graph.assertion_of(&id, label)?;
            self.carry_out(occasion, self.graph.plan_delete_assertion(&gone, Some(false))?)?;
        }
        for assertion in &wanted.assertions {
            let label = assertion.label.trim();
            let words = plain(assertion.text.trim());
            let plan = match there.iter().find(|(known, _)| known == label) {
                Some((_, old)) if *old == words => continue,
                Some(_) => {
                    let assertion = self.graph.assertion_of(&id, label)?;
                    self.graph.plan_update_assertion(&assertion, &words)?
                }
                None => self.graph.plan_add_assertion(&id, label, &words)?,
            };
            self.carry_out(occasion, plan)?;
        }
        let mut parts = vec![(Prose::Text, &wanted.text)];
        parts.extend(wanted.rationale.as_ref().map(|words| (Prose::Rationale, words)));
        for (part, words) in parts {
            if let Some(plan) = self.graph.plan_reword(&id, part, words)? {
                self.carry_out(occasion, plan)?;
            }
        }
        Ok(())
    }
}

impl TraceGraph {
    fn assertion_of(&self, id: &str, label: &str) -> Result<String, Error> {
        let found = self.the_requirement(id)?;
        let assertion = found.requirement.assertions.iter().find(|it| it.label.as_str() == label);
        let known = assertion.map(|it| self.grammar.assertion_id(id, it.label));
        known.ok_or_else(|| {
            Error::refused(
                format!("{id} has no assertion {label}"),
                "get_requirement shows its assertions.",
            )
        })
    }

    fn refuse_orphaned_citers(&self, id: &str, wanted: &Rewriting) -> Result<(), Error> {
        let kept: BTreeSet<&str> = wanted.assertions.iter().map(|it| it.label.trim()).collect();
        let mut citers = BTreeSet::new();
        for (cite, _, citation) in self.citations_of(id) {
            if citation.labels.iter().any(|label| !kept.contains(label.as_str())) {
                citers.insert(self.id_of(cite.item).to_owned());
            }
        }
        if citers.is_empty() {
            return Ok(());
        }
        let citers: Vec<String> = citers.into_iter().collect();
        Err(Error::refused(
            format!(
                "the rewritten requirement lacks assertions that are cited by {}",
                some_of(citers.iter().cloned())
            ),
            "Change those references first, or say in the prompt that these assertions stay.",
        )
        .cited_by(citers))
    }

    /// Replaces one part of the prose, or adds it where there is none; `None` where it stands as
    /// it should already.
    pub(super) fn plan_reword(
        &self,
        id: &str,
        part: Prose,
        words: &str,
    ) -> Result<Option<Plan>, Error> {
        let found = self.the_requirement(id)?;
        found.only_as_block("prose and rationale")?;
        let after = checked_prose(part, words)?;
        let Place { at, before: lead, after: tail } = match part {
            Prose::Text => prose(&found),
            Prose::Rationale => rationale(&found),
        };
        let before = plain(at.of(&found.file.text).trim());
        if before == after {
            return Ok(None);
        }
        let with = if after.is_empty() { String::new() } else { format!("{lead}{after}{tail}") };
        let with = with.replace('\n', found.file.line_ending());
        let done = move |_: &Self| Mutation::RewriteText { part, before, after };
        Ok(Some(Layer::one(found.file, Edit::replace(at, with)).plan(id, |_, _| {}, done)))
    }
}

/// Where a part of the prose goes, and what has to stand around it there.
struct Place {
    at: Span,
    before: String,
    after: String,
}

/// What stands before the first heading of the body.
fn prose(found: &Found<'_>) -> Place {
    let (body, text) = (found.requirement.body, &*found.file.text);
    let end = headings(found).first().map_or(body.to(), |(at, _)| *at);
    let inside = text[body.from()..end].trim_end().len();
    let end_of_words = body.from() + inside;
    if inside == 0 {
        // Nothing is there yet: a blank line has to part it from what follows.
        let after = if end == body.to() && body.from() == body.to() { "\n" } else { "\n\n" };
        return Place {
            at: Span::new(body.from(), body.from()),
            before: String::new(),
            after: after.to_owned(),
        };
    }
    let at = Span::new(body.from(), end_of_words);
    Place { at, before: String::new(), after: String::new() }
}

/// What stands below the heading Rationale; at the end of the body where there is none.
fn rationale(found: &Found<'_>) -> Place {
    let (body, text) = (found.requirement.body, &*found.file.text);
    let headings = headings(found);
    let named = |words: &str| words.trim_matches(['*', ':', ' ']).eq_ignore_ascii_case("rationale");
    let position = headings.iter().position(|(at, _)| {
        let line = text[*at..].lines().next().unwrap_or_default();
        heading_words(line).is_some_and(named)
    });
    let Some(position) = position else {
        let depth = headings.first().map_or("##", |(at, _)| {
            let hashes = text[*at..].bytes().take_while(|byte| *byte == b'#').count();
            &text[*at..*at + hashes]
        });
        let end = body.from() + text[body.from()..body.to()].trim_end().len();
        let before = format!("\n\n{depth} Rationale\n\n");
        return Place { at: Span::new(end, end), before, after: String::new() };
    };
    let start = headings[position].1;
    let end = headings.get(position + 1).map_or(body.to(), |(at, _)| *at);
    let words = &text[start..end];
    let lead = words.len() - words.trim_start().len();
    if words.trim().is_empty() {
        let at = Span::new(start, start);
        return Place { at, before: "\n".to_owned(), after: "\n".to_owned() };
    }
    let at = Span::new(start + lead, start + words.trim_end().len());
    Place { at, before: String::new(), after: String::new() }
}

/// Headings of the body: where each begins, and where the line behind it does.
fn headings(found: &Found<'_>) -> Vec<(usize, usize)> {
    let (body, text) = (found.requirement.body, &*found.file.text);
    let inside = &text[body.from()..body.to()];
    split_markdown(inside, &mut Vec::new())
        .iter()
        .filter(|line| !line.hidden && heading_words(line.of(inside)).is_some())
        .map(|line| (body.from() + line.start, body.from() + line.next))
        .collect()
}

/// Prose that is nothing but prose.
fn checked_prose(part: Prose, words: &str) -> Result<String, Error> {
    let words = plain(words.trim());
    let mut remarks = Vec::new();
    let lines = split_markdown(&words, &mut remarks);
    let is_odd = |line: &str| {
        let line = line.trim_start();
        heading_words(line).is_some()
            || line.starts_with("*End*")
            || line.starts_with("```")
            || line.starts_with("~~~")
            || line.starts_with("<!--")
            || line.trim_end() == "---"
    };
    let odd = lines.iter().map(|line| line.of(&words)).find(|line| is_odd(line));
    let control = words.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\t'));
    let problem = match odd {
        Some(line) => {
            format!("`{}` has a meaning of its own", mcp_core::text::cut(line.trim(), 60))
        }
        None if control => "it has control characters".to_owned(),
        None if words.len() > 20_000 => "it is longer than 20,000 bytes".to_owned(),
        None => return Ok(words),
    };
    Err(Error::refused(
        format!("this cannot be the {} of a requirement: {problem}", part.as_str()),
        "Leave out headings, `*End*` markers, code fences and comments.",
    ))
}
