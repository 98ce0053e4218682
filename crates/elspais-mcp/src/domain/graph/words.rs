//! The words of every requirement as numbers: who looks for words looks through these instead of
//! through the texts.
//!
//! The numbers of a file are made when they are first needed and again when its text is another
//! one; nothing else has to be told about a change.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use rayon::prelude::*;

use super::{File, Item, ItemKind, TraceGraph};
use crate::domain::parse::Requirement;
use crate::domain::text::Identity;

/// Enough for one thread to be busy for a while.
const FILES_AT_ONCE: usize = 32;

/// Every word there is, with small letters where they are ASCII.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    words: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
}

impl Vocabulary {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.words.push(word.into());
        self.numbers.insert(word.into(), number);
        number
    }

    pub(crate) fn words(&self) -> &[Box<str>] {
        &self.words
    }
}

/// The words of one file. Those of a requirement lie side by side: its title, its assertions one
/// after the other, then its body with each word once.
#[derive(Debug)]
struct FileWords {
    made_of: Identity,
    numbers: Vec<u32>,
    /// Where each of those parts ends.
    ends: Vec<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Words {
    vocabulary: Vocabulary,
    /// By the number of the file.
    files: Vec<Option<FileWords>>,
}

/// The words of a requirement, part by part.
pub(crate) struct Parts<'w> {
    pub(crate) item: Item,
    numbers: &'w [u32],
    ends: &'w [u32],
}

impl<'w> Parts<'w> {
    pub(crate) fn title(&self) -> &'w [u32] {
        self.part(0)
    }

    pub(crate) fn assertions(&self) -> impl Iterator<Item = &'w [u32]> {
        (1..self.ends.len() - 2).map(|at| self.part(at))
    }

    pub(crate) fn body(&self) -> &'w [u32] {
        self.part(self.ends.len() - 2)
    }

    /// Title and assertions: what keywords are taken from.
    pub(crate) fn without_body(&self) -> &'w [u32] {
        &self.numbers[self.ends[0] as usize..self.ends[self.ends.len() - 2] as usize]
    }

    /// `ends` begins with where the first part starts.
    fn part(&self, at: usize) -> &'w [u32] {
        &self.numbers[self.ends[at] as usize..self.ends[at + 1] as usize]
    }
}

/// Which of the words that are looked for a requirement holds, a bit for each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) title: u64,
    pub(super) body: u64,
}

/// What a word is made of.
pub(crate) fn is_letter(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || it == '-' || (!it.is_ascii() && it.is_alphanumeric())
}

pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it| !is_letter(it)).map(|word| word.trim_matches(['-', '_']));
    words.filter(|it| !it.is_empty())
}

impl FileWords {
    fn of(file: &File, vocabulary: &mut Vocabulary) -> Self {
        let mut made = Self { made_of: file.text.identity(), numbers: Vec::new(), ends: vec![0] };
        let mut buffer = String::new();
        for requirement in &file.contents.requirements {
            made.add(requirement.title_in(&file.text), vocabulary, &mut buffer);
            for assertion in &requirement.assertions {
                made.add(assertion.text.of(&file.text), vocabulary, &mut buffer);
            }
            let start = made.numbers.len();
            made.add(requirement.body.of(&file.text), vocabulary, &mut buffer);
            made.numbers[start..].sort_unstable();
            let distinct = distinct(&mut made.numbers[start..]);
            made.numbers.truncate(start + distinct);
            made.close_last();
        }
        made.numbers.shrink_to_fit();
        made
    }

    fn add(&mut self, text: &str, vocabulary: &mut Vocabulary, buffer: &mut String) {
        for word in split(text) {
            buffer.clear();
            buffer.push_str(word);
            buffer.make_ascii_lowercase();
            self.numbers.push(vocabulary.number(buffer));
        }
        self.ends.push(0);
        self.close_last();
    }

    fn close_last(&mut self) {
        let end = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        if let Some(last) = self.ends.last_mut() {
            *last = end;
        }
    }
}

/// Brings each number of a sorted list to the front once; how many there are.
fn distinct(sorted: &mut [u32]) -> usize {
    let mut kept = 0;
    for at in 0..sorted.len() {
        if at == 0 || sorted[at] != sorted[kept - 1] {
            sorted[kept] = sorted[at];
            kept += 1;
        }
    }
    kept
}

impl Words {
    /// Whether all is there for the texts as they are.
    fn is_current(&self, graph: &TraceGraph) -> bool {
        graph.spec_files().all(|(idx, file)| self.knows(idx, file))
    }

    fn knows(&self, idx: u32, file: &File) -> bool {
        let known = self.files.get(idx as usize).and_then(Option::as_ref);
        known.is_some_and(|it| it.made_of.is_of(&file.text))
    }

    fn bring_up_to_date(&mut self, graph: &TraceGraph) {
        self.files.resize_with(graph.files.len(), || None);
        let stale: Vec<(u32, &File)> =
            graph.spec_files().filter(|(idx, file)| !self.knows(*idx, file)).collect();
        let read = stale.par_chunks(FILES_AT_ONCE).map(|files| {
            let mut own = Vocabulary::default();
            let made = files.iter().map(|(idx, file)| (*idx, FileWords::of(file, &mut own)));
            let made: Vec<(u32, FileWords)> = made.collect();
            (own, made)
        });
        for (own, made) in read.collect::<Vec<_>>() {
            let numbers: Vec<u32> =
                own.words.iter().map(|word| self.vocabulary.number(word)).collect();
            for (idx, mut words) in made {
                for number in &mut words.numbers {
                    *number = numbers[*number as usize];
                }
                self.files[idx as usize] = Some(words);
            }
        }
    }
}

impl TraceGraph {
    /// The words of all requirements that count, for as long as the graph stays as it is.
    pub(crate) fn words(&self) -> AllWords<'_> {
        loop {
            let words = self.words.read().unwrap_or_else(PoisonError::into_inner);
            if words.is_current(self) {
                return AllWords { graph: self, words };
            }
            drop(words);
            let mut words = self.words.write().unwrap_or_else(PoisonError::into_inner);
            words.bring_up_to_date(self);
        }
    }

    fn spec_files(&self) -> impl Iterator<Item = (u32, &File)> {
        let files = self.by_path.values().filter_map(|idx| Some((*idx, self.file(*idx)?)));
        files.filter(|(_, file)| !file.contents.requirements.is_empty())
    }
}

pub(crate) struct AllWords<'g> {
    graph: &'g TraceGraph,
    words: RwLockReadGuard<'g, Words>,
}

impl<'g> AllWords<'g> {
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.words.vocabulary
    }

    /// Every word that is one of the wanted, as a mask with a bit for each of those.
    pub(crate) fn masks(&self, is_one: impl Fn(&str) -> u64) -> Vec<u64> {
        self.vocabulary().words().iter().map(|word| is_one(word)).collect()
    }

    /// What `look` makes of each requirement that counts, by file and place.
    pub(crate) fn requirements<T: Send>(
        &self,
        look: impl Fn(&Requirement, &Parts<'_>) -> Option<T> + Sync,
    ) -> Vec<T> {
        let files: Vec<(u32, &'g File)> = self.graph.spec_files().collect();
        let found = files.par_iter().map(|(idx, file)| {
            self.in_file(*idx, file, &mut |requirement, parts| look(requirement, parts))
        });
        found.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    /// For each requirement of a file, which bits its words have.
    pub(super) fn held(&self, idx: u32, file: &File, masks: &[u64]) -> Vec<Held> {
        let bits = |words: &[u32]| words.iter().fold(0, |bits, it| bits | masks[*it as usize]);
        self.in_file(idx, file, &mut |_, parts| {
            Some(Held { title: bits(parts.title()), body: bits(parts.body()) })
        })
    }

    /// In how many of the requirements that count each thing occurs, where `things` says which
    /// thing a word is, in a title or an assertion.
    pub(crate) fn count(&self, things: &[Option<usize>], n_things: usize) -> Vec<usize> {
        let files: Vec<(u32, &'g File)> = self.graph.spec_files().collect();
        let counted = files.par_chunks(FILES_AT_ONCE * 8).map(|files| {
            let mut counts = vec![0; n_things];
            // With each thing the last requirement that had it: it counts once there.
            let mut last = vec![0_usize; n_things];
            let mut nth = 0;
            for (idx, file) in files {
                self.in_file(*idx, file, &mut |requirement, parts| -> Option<()> {
                    nth += 1;
                    if self.graph.counts(&requirement.id, parts.item) {
                        let words = parts.without_body().iter();
                        for thing in words.filter_map(|it| things[*it as usize]) {
                            counts[thing] += usize::from(last[thing] != nth);
                            last[thing] = nth;
                        }
                    }
                    None
                });
            }
            counts
        });
        let sum = |mut all: Vec<usize>, more: Vec<usize>| {
            all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
            all
        };
        counted.reduce(|| vec![0; n_things], sum)
    }

    fn in_file<T>(
        &self,
        idx: u32,
        file: &File,
        look: &mut dyn FnMut(&Requirement, &Parts<'_>) -> Option<T>,
    ) -> Vec<T> {
        let Some(Some(words)) = self.words.files.get(idx as usize) else { return Vec::new() };
        let mut at = 0;
        let mut found = Vec::new();
        for (index, requirement) in (0..).zip(&file.contents.requirements) {
            // One more than there are parts: where the first begins.
            let to = at + requirement.assertions.len() + 3;
            let item = Item { file: idx, kind: ItemKind::Requirement, index };
            let ends = &words.ends[at..to];
            at = to - 1;
            let parts = Parts { item, numbers: &words.numbers, ends };
            found.extend(look(requirement, &parts));
        }
        found
    }
}

pub(super) type Kept = RwLock<Words>;
