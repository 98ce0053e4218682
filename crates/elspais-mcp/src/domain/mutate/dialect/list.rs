//! Scenarios and criteria: items of lists, known by their numbers.

use std::collections::BTreeMap;

use super::spelling::item_of;
use crate::domain::mutate::edit::Edit;
use crate::domain::mutate::subject::Found;
use crate::domain::parse::{Assertion, Form};
use crate::domain::span::Label;
use crate::error::Error;

/// Lines behind the first, moved in far enough to belong to an item.
pub(in crate::domain::mutate) fn indented(text: &str, by: usize) -> String {
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push('\n');
        if !line.trim().is_empty() && !line.starts_with([' ', '\t']) {
            out.push_str(&" ".repeat(by));
        }
        out.push_str(line);
    }
    out
}

/// The numbers behind one that is taken out, each with the one before it.
pub(in crate::domain::mutate) fn next_gap(
    assertions: &[Assertion],
    gone: Label,
) -> BTreeMap<Label, Label> {
    let number = |label: Label| label.as_str().parse::<u32>().ok();
    let Some(gone) = number(gone) else { return BTreeMap::new() };
    let behind = assertions.iter().filter_map(|it| Some((it.label, number(it.label)?)));
    behind
        .filter(|(_, number)| *number > gone)
        .filter_map(|(label, number)| Some((label, Label::new(&(number - 1).to_string())?)))
        .collect()
}

impl Found<'_> {
    /// The number that an added scenario or criterion has to have.
    pub(in crate::domain::mutate) fn next_number(&self, label: &str) -> Result<Label, Error> {
        if self.requirement.form == Form::Item {
            return Err(Error::refused(
                format!("{} is its own assertion and has no others", self.id),
                format!("mutate_update_assertion with assertion_id {} words it anew.", self.id),
            ));
        }
        let last = self
            .requirement
            .assertions
            .last()
            .map_or(0, |it| it.label.as_str().parse::<u32>().unwrap_or(0));
        let next = Label::new(&(last + 1).to_string());
        let shown = mcp_core::text::one_line(mcp_core::text::cut(label, 40));
        match next.filter(|next| next.as_str() == label.trim()) {
            Some(next) => Ok(next),
            None => Err(Error::refused(
                format!("'{shown}' cannot be the number of a new assertion of {}", self.id),
                format!("They are numbered one after the other; the next is {}.", last + 1),
            )),
        }
    }

    /// Where a new scenario or criterion goes, and its words as they will be read.
    pub(in crate::domain::mutate) fn list_insertion(
        &self,
        label: Label,
        words: &str,
        gap: &str,
    ) -> (Edit, String) {
        let (text, ending) = (&*self.file.text, self.file.line_ending());
        let requirement = self.requirement;
        let end = requirement.block.from() + requirement.block.of(text).trim_end().len();
        let is_scenario = requirement.form.counts_labels();
        let words = if is_scenario { words.to_owned() } else { indented(words, 3) };
        let on_disk = words.replace('\n', ending);
        let edit = match requirement.assertions.last() {
            Some(last) if is_scenario => {
                let lead = format!("{ending}{ending}#### Scenario: ");
                Edit::insert(last.text.to(), format!("{lead}{on_disk}"))
            }
            Some(last) => {
                // As the one before it is written.
                let start = text[..last.label_span.from()].rfind('\n').map_or(0, |at| at + 1);
                let lead = &text[start..last.label_span.from()];
                let mid = &text[last.label_span.to()..last.text.from()];
                let is_written = last.label_span.start < last.label_span.end;
                let number = if is_written { label.to_string() } else { String::new() };
                Edit::insert(last.text.to(), format!("{gap}{lead}{number}{mid}{on_disk}"))
            }
            None => {
                let heading = match requirement.form {
                    Form::Titled | Form::Proposed => {
                        format!("{ending}{ending}#### Scenario: {on_disk}")
                    }
                    Form::Story => format!(
                        "{ending}{ending}**Acceptance Scenarios**:{ending}{ending}{label}. {on_disk}"
                    ),
                    _ if requirement.body.of(text).trim_end().ends_with("Acceptance Criteria") => {
                        format!("{ending}{ending}{label}. {on_disk}")
                    }
                    _ => format!(
                        "{ending}{ending}#### Acceptance Criteria{ending}{ending}{label}. {on_disk}"
                    ),
                };
                Edit::insert(end, heading)
            }
        };
        (edit, words)
    }

    /// Numbers that follow from the order cannot keep a gap.
    pub(in crate::domain::mutate) fn order_leaves_no_gap(
        &self,
        behind: &BTreeMap<Label, Label>,
    ) -> Result<(), Error> {
        if !self.requirement.form.counts_labels() || behind.is_empty() {
            return Ok(());
        }
        Err(Error::refused(
            format!(
                "the scenarios of {} are known by their order, and later ones would take other numbers while some are cited",
                item_of(&self.id)
            ),
            "Pass compact=true to let the references follow, or change those references first.",
        ))
    }
}
