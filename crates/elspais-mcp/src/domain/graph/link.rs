//! Replacing the records of files and correcting everything around them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::item::{Cite, Item, ItemKind};
use super::{File, NodeKind, TraceGraph, verdict};
use crate::domain::parse::part::Part;
use crate::domain::parse::{Citation, Contents, FieldName};
use crate::domain::span::Label;
use crate::domain::text::Text;

/// What happens to one file.
pub(crate) enum FileUpdate {
    Put(File),
    /// Another text, of which only a part was read.
    Amend(Arc<str>, Text, Part),
    Remove(Arc<str>),
}

impl FileUpdate {
    pub(crate) fn path(&self) -> &Arc<str> {
        match self {
            Self::Put(file) => &file.path,
            Self::Amend(path, ..) | Self::Remove(path) => path,
        }
    }
}

impl TraceGraph {
    /// Takes files over; afterwards the graph is what a build from the new texts would give.
    pub(crate) fn relink(&mut self, mut updates: Vec<FileUpdate>) {
        updates.sort_by(|left, right| left.path().cmp(right.path()));
        // Ids whose definition, and ids whose citers, may be different now.
        let mut redefined: Vec<u32> = Vec::new();
        let mut touched: Vec<u32> = Vec::new();
        let mut verdicts_change = false;
        let lines_change = self.concerns_lines(&updates);
        let mut installed = Vec::new();
        // Files of a first build are numbered as their paths go, so none is asked for its path.
        let is_first = self.files.is_empty();
        if is_first {
            self.index.expect(&updates);
        }
        for update in updates {
            let path = update.path().clone();
            let known = self.by_path.get(&path).copied();
            let update = match (known, update) {
                (Some(idx), FileUpdate::Amend(_, text, part)) => {
                    verdicts_change |= concerns_verdicts(&part.fresh);
                    if part.keeps_places() {
                        self.amend(idx, text, part, &mut redefined, &mut touched);
                        continue;
                    }
                    let Some(file) = self.file(idx) else { continue };
                    FileUpdate::Put(file.amended(text, part))
                }
                (_, update) => update,
            };
            if let Some(idx) = known {
                verdicts_change |= self.unlink(idx, &mut redefined, &mut touched);
            }
            match update {
                FileUpdate::Put(file) => {
                    let idx = known.unwrap_or_else(|| {
                        self.files.push(None);
                        u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX)
                    });
                    verdicts_change |= concerns_verdicts(&file.contents);
                    self.by_path.insert(path, idx);
                    self.files[idx as usize] = Some(file);
                    installed.push(idx);
                }
                FileUpdate::Remove(_) => {
                    self.by_path.remove(&path);
                }
                // Of a file that is not there.
                FileUpdate::Amend(..) => {}
            }
        }
        for idx in installed {
            self.link(idx, is_first, &mut redefined, &mut touched);
        }
        if lines_change {
            self.bind_lines();
        }
        if verdicts_change {
            touched.extend(verdict::rebind(self));
        }
        redefined.sort_unstable();
        redefined.dedup();
        self.settle(&redefined, touched);
    }

    /// Takes a file's records out. Returns whether test results have to be bound anew.
    fn unlink(&mut self, idx: u32, redefined: &mut Vec<u32>, touched: &mut Vec<u32>) -> bool {
        let Some(file) = self.files[idx as usize].take() else { return false };
        self.count_contents(&file.contents, false);
        self.unlink_items(&file, file.items(idx), &|it| it.file == idx, redefined, touched);
        concerns_verdicts(&file.contents)
    }

    /// Takes out what these items define and cite; `is_one` says of any item whether it is one of
    /// them.
    pub(super) fn unlink_items(
        &mut self,
        file: &File,
        items: impl Iterator<Item = Item>,
        is_one: &dyn Fn(Item) -> bool,
        redefined: &mut Vec<u32>,
        touched: &mut Vec<u32>,
    ) {
        let mut cited = BTreeSet::new();
        for item in items {
            if let Some(sym) = file.sym_of(item) {
                let entry = &mut self.index.entries[sym as usize];
                entry.defined.retain(|it| !is_one(*it));
                redefined.push(sym);
            }
            cited.extend(file.citations(item).iter().filter_map(|it| it.sym.number()));
        }
        for sym in &cited {
            self.index.entries[*sym as usize].citers.retain(|cite| !is_one(cite.item));
        }
        touched.extend(cited);
    }

    fn link(&mut self, idx: u32, is_last: bool, redefined: &mut Vec<u32>, touched: &mut Vec<u32>) {
        let Some(mut file) = self.files[idx as usize].take() else { return };
        self.count_contents(&file.contents, true);
        let items = file.items(idx);
        self.link_items(&mut file, items, is_last, redefined, touched);
        self.files[idx as usize] = Some(file);
    }

    /// Puts in what these items define and cite; the file itself is not in its place meanwhile.
    /// `is_last` says that no file was linked that goes behind it by its path.
    pub(super) fn link_items(
        &mut self,
        file: &mut File,
        items: impl Iterator<Item = Item>,
        is_last: bool,
        redefined: &mut Vec<u32>,
        touched: &mut Vec<u32>,
    ) {
        // Citers are gathered per target first: a file's citers lie side by side in each list.
        let mut fresh: Vec<(u32, Cite)> = Vec::new();
        for item in items {
            if let Some(sym) = file.number(item, |id| self.index.sym(id)) {
                let defined = &self.index.entries[sym as usize].defined;
                let at = self.position(
                    defined,
                    |it| (it.file == item.file).then_some(*it < item),
                    |it| it.file,
                    |other| other.precedence() < file.precedence(),
                );
                self.index.entries[sym as usize].defined.insert(at, item);
                redefined.push(sym);
            }
            for (nth, citation) in (0..).zip(file.citations(item)) {
                fresh.extend(citation.sym.number().map(|sym| (sym, Cite { item, nth })));
            }
        }
        fresh.sort_unstable();
        let mut rest = &fresh[..];
        while let Some((sym, first)) = rest.first() {
            let first = *first;
            // Those of one kind, between which no other item of the file can stand.
            let is_beside =
                |(it, cite): &&(u32, Cite)| it == sym && cite.item.kind == first.item.kind;
            let count = rest.iter().take_while(is_beside).count();
            let citers = &self.index.entries[*sym as usize].citers;
            let at = if is_last {
                citers.len()
            } else {
                self.position(
                    citers,
                    |it| (it.item.file == first.item.file).then_some(*it < first),
                    |it| it.item.file,
                    |other| other.path < file.path,
                )
            };
            let citers = &mut self.index.entries[*sym as usize].citers;
            citers.splice(at..at, rest[..count].iter().map(|(_, cite)| *cite));
            touched.push(*sym);
            rest = &rest[count..];
        }
    }

    /// Where in a sorted list the things of a file belong: behind those of files that go `first`,
    /// and behind those of the same file that `own` says to stand before them.
    fn position<T>(
        &self,
        list: &[T],
        own: impl Fn(&T) -> Option<bool>,
        file_of: impl Fn(&T) -> u32,
        first: impl Fn(&File) -> bool,
    ) -> usize {
        let before = |it: &T| own(it).unwrap_or_else(|| self.file(file_of(it)).is_some_and(&first));
        // Files are mostly put in by path, so the end is the usual place.
        match list.last() {
            None => 0,
            Some(last) if before(last) => list.len(),
            Some(_) => list.partition_point(before),
        }
    }

    pub(super) fn count_contents(&mut self, contents: &Contents, add: bool) {
        let counts = [
            (NodeKind::Code, contents.codes.len()),
            (NodeKind::Test, contents.tests.len()),
            (NodeKind::Result, contents.outcomes.len()),
            (NodeKind::Remainder, contents.remainders.len()),
            (NodeKind::File, 1),
        ];
        for (kind, count) in counts {
            let total = self.totals.by_kind.entry(kind).or_default();
            *total = if add { *total + count } else { *total - count };
        }
        let remarks = contents.remarks.len();
        let total = &mut self.totals.remarks;
        *total = if add { *total + remarks } else { *total - remarks };
    }

    /// The level a requirement counts under: its field, else what its id's letter says.
    pub(super) fn level_of(&self, item: Item) -> &str {
        let written = self.field_of(item, FieldName::Level);
        let written = written.filter(|it| !it.is_empty());
        let Some(word) = written else {
            let requirement = self.requirement(item);
            let letter = requirement.and_then(|it| it.letter_level.as_deref());
            return letter.unwrap_or("Unknown");
        };
        self.config.level(word).map_or(word, |level| &level.name)
    }

    pub(super) fn status_of(&self, item: Item) -> &str {
        let written = self.field_of(item, FieldName::Status).filter(|it| !it.is_empty());
        let given = || self.requirement(item).and_then(|it| it.given_status);
        written.or_else(given).unwrap_or("Unknown")
    }

    pub(super) fn field_of(&self, item: Item, name: FieldName) -> Option<&str> {
        let file = self.file(item.file)?;
        let requirement = self.requirement(item)?;
        let field = requirement.fields.iter().find(|field| field.name == name)?;
        Some(field.value.of(&file.text).trim_matches(['*', '_', '`', ' ']))
    }

    pub(crate) fn requirement(&self, item: Item) -> Option<&crate::domain::parse::Requirement> {
        if item.kind != ItemKind::Requirement {
            return None;
        }
        self.file(item.file)?.contents.requirements.get(item.index as usize)
    }

    /// The citation behind a `Cite`, when the definition it stands in is the one that counts.
    pub(crate) fn active_citation(&self, cite: Cite) -> Option<(&File, &Citation)> {
        let file = self.file(cite.item.file)?;
        // Without duplicates every definition is the one that counts.
        if cite.item.kind.is_definition()
            && !self.index.duplicated.is_empty()
            && self.definition(file.sym_of(cite.item)?) != Some(cite.item)
        {
            return None;
        }
        Some((file, file.citations(cite.item).get(cite.nth as usize)?))
    }

    /// What a citation leads to: the definition with the labels that exist, and those that do not.
    /// Labels that all are missing lead nowhere.
    pub(crate) fn resolve(&self, citation: &Citation) -> (Option<(Item, Vec<Label>)>, Vec<Label>) {
        let Some(item) = self.cited(citation) else { return (None, Vec::new()) };
        if citation.labels.is_empty() {
            return (Some((item, Vec::new())), Vec::new());
        }
        let (found, missing): (Vec<Label>, Vec<Label>) =
            citation.labels.iter().partition(|it| self.has_label(item, **it));
        if found.is_empty() { (None, missing) } else { (Some((item, found)), missing) }
    }

    /// The definition that a citation names.
    pub(super) fn cited(&self, citation: &Citation) -> Option<Item> {
        match citation.sym.number() {
            Some(sym) => self.definition(sym),
            None => self.definition_of(&citation.target),
        }
    }

    /// How many of the labels a citation names exist, of a definition that it names.
    pub(super) fn known_labels(&self, item: Item, citation: &Citation) -> usize {
        citation.labels.iter().filter(|it| self.has_label(item, **it)).count()
    }

    /// Whether a citation leads to this definition, which it names.
    pub(super) fn leads_to(&self, item: Item, citation: &Citation) -> bool {
        citation.labels.is_empty() || citation.labels.iter().any(|it| self.has_label(item, *it))
    }

    fn has_label(&self, item: Item, label: Label) -> bool {
        let Some(file) = self.file(item.file) else { return false };
        let at = item.index as usize;
        match item.kind {
            ItemKind::Requirement => {
                let requirement = file.contents.requirements.get(at);
                requirement.is_some_and(|it| it.assertions.iter().any(|one| one.label == label))
            }
            ItemKind::Journey => {
                file.contents.journeys.get(at).is_some_and(|it| it.steps.contains(&label))
            }
            ItemKind::Code | ItemKind::Test => false,
        }
    }

    pub(super) fn has_parent(&self, item: Item) -> bool {
        let Some(file) = self.file(item.file) else { return false };
        file.citations(item).iter().any(|citation| {
            let target = self.cited(citation);
            target.is_some_and(|it| self.leads_to(it, citation))
        })
    }
}

fn concerns_verdicts(contents: &Contents) -> bool {
    !contents.outcomes.is_empty() || !contents.tests.is_empty() || !contents.journeys.is_empty()
}
