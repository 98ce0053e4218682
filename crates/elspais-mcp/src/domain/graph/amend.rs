//! A file that is another one only in part: what lies outside of that part stays linked as it is.

use std::ops::Range;

use super::item::{Item, ItemKind};
use super::{File, Role, TraceGraph};
use crate::domain::grammar::Grammar;
use crate::domain::parse::part::Part;
use crate::domain::span::Span;
use crate::domain::text::Text;

impl TraceGraph {
    /// Takes over a part that has as many records as there were.
    pub(super) fn amend(
        &mut self,
        idx: u32,
        text: Text,
        part: Part,
        redefined: &mut Vec<u32>,
        touched: &mut Vec<u32>,
    ) {
        let Some(mut file) = self.files[idx as usize].take() else { return };
        self.count_contents(&file.contents, false);
        let (requirements, journeys) = (part.requirements.clone(), part.journeys.clone());
        let is_one = |it: Item| {
            let own = match it.kind {
                ItemKind::Requirement => &requirements,
                _ => &journeys,
            };
            it.file == idx && own.contains(&(it.index as usize))
        };
        let items = || {
            items(idx, ItemKind::Requirement, &requirements).chain(items(
                idx,
                ItemKind::Journey,
                &journeys,
            ))
        };
        self.unlink_items(&file, items(), &is_one, redefined, touched);
        part.put_into(&mut file.contents);
        file.text = text;
        self.count_contents(&file.contents, true);
        self.link_items(&mut file, items(), false, redefined, touched);
        self.files[idx as usize] = Some(file);
    }
}

impl File {
    /// What is another thing where a text differs from this one at `at`; `None` where it has to
    /// be read as a whole.
    pub(crate) fn part_of(&self, grammar: &Grammar, at: Span, new: &str) -> Option<Part> {
        let is_plain = self.role == Role::Spec;
        is_plain.then(|| Part::read(grammar, &self.contents, &self.text, at, new)).flatten()
    }

    /// The same file with another text, of which only a part was read.
    pub(super) fn amended(&self, text: Text, part: Part) -> Self {
        let mut file = Self { text, ..self.clone() };
        part.put_into(&mut file.contents);
        file
    }
}

fn items(file: u32, kind: ItemKind, places: &Range<usize>) -> impl Iterator<Item = Item> + use<> {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    (narrow(places.start)..narrow(places.end)).map(move |index| Item { file, kind, index })
}
