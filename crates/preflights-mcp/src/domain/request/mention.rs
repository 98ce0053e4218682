//! Where a request names a topic or a value, and in which role: wanted, replaced, dropped, refused.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::grammar::grammar;
use super::role::{Role, role};
use crate::domain::bank::Bank;
use crate::domain::words::{Token, phrase};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A phrase with the word of a topic in it that is about something else.
    Nothing,
    /// The index of a category.
    Topic(usize),
    Value {
        category: usize,
        question: usize,
        value: String,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// Token indices.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) role: Role,
    pub(super) meanings: Vec<Meaning>,
}

impl Mention {
    /// "drop the cache" speaks of the cache, "drop the cache key" does not.
    pub(super) fn ends_its_clause(&self, words: &[Token]) -> bool {
        words.get(self.end).is_none_or(|next| {
            next.ends_clause()
                || next.is(&[
                    "from",
                    "and",
                    "because",
                    "since",
                    "entirely",
                    "completely",
                    "altogether",
                    "layer",
                    "for",
                    "in",
                    "as",
                ])
        })
    }
}

/// All phrases of the bank, by their first stem.
pub(super) struct Lexicon {
    by_first: HashMap<String, Vec<Entry>>,
}

struct Entry {
    stems: Vec<String>,
    /// `=messaging` in the bank: this very word, not "messages".
    exactly: Option<String>,
    meaning: Meaning,
}

impl Entry {
    fn fits(&self, words: &[Token]) -> bool {
        words.len() >= self.stems.len()
            && self.stems.iter().zip(words).all(|(stem, word)| *stem == word.stem)
            && self
                .exactly
                .as_ref()
                .is_none_or(|it| words.first().is_some_and(|word| word.word == *it))
    }
}

/// The phrases of the embedded bank are put together once.
static EMBEDDED: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(Bank::embedded()));

impl Lexicon {
    pub(super) fn embedded() -> &'static Self {
        &EMBEDDED
    }

    pub(super) fn new(bank: &Bank) -> Self {
        let mut by_first: HashMap<String, Vec<Entry>> = HashMap::new();
        let mut add = |text: &str, meaning: Meaning| {
            let exactly = text.strip_prefix('=').map(str::to_lowercase);
            let stems = phrase(text);
            if let Some(first) = stems.first() {
                let entry = Entry { stems: stems.clone(), exactly, meaning };
                by_first.entry(first.clone()).or_default().push(entry);
            }
        };
        for phrase in &grammar().no_topic {
            add(phrase, Meaning::Nothing);
        }
        for (index, category) in bank.categories.iter().enumerate() {
            for word in &category.words {
                add(word, Meaning::Topic(index));
            }
            for (position, question) in category.questions.iter().enumerate() {
                for (value, names) in &question.names {
                    let meaning = Meaning::Value {
                        category: index,
                        question: position,
                        value: value.clone(),
                    };
                    if names.is_empty() {
                        add(value, meaning);
                    } else {
                        for name in names {
                            add(name, meaning.clone());
                        }
                    }
                }
            }
        }
        Self { by_first }
    }

    /// From left to right, the longest phrase first, no word twice.
    pub(super) fn mentions(&self, words: &[Token]) -> Vec<Mention> {
        let mut mentions: Vec<Mention> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let found = self.longest(words, at);
            let Some((length, meanings)) = found else {
                at += 1;
                continue;
            };
            let before = mentions.last().map(|it| (it.end, it.role));
            let role = role(words, at, at + length, before);
            mentions.push(Mention { start: at, end: at + length, role, meanings });
            at += length;
        }
        mentions
    }

    fn longest(&self, words: &[Token], at: usize) -> Option<(usize, Vec<Meaning>)> {
        let entries = self.by_first.get(&words[at].stem)?;
        let fitting = || entries.iter().filter(|it| it.fits(&words[at..]));
        let length = fitting().map(|it| it.stems.len()).max()?;
        let longest = fitting().filter(|it| it.stems.len() == length);
        let meanings = longest.map(|it| it.meaning.clone()).collect();
        Some((length, meanings))
    }
}
