//! Where a request names a topic or a value, and in which role: wanted, replaced, dropped, refused.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::grammar::grammar;
use super::role::{Role, role};
use super::spelling::is_library_name;
use crate::domain::bank::Bank;
use crate::domain::words::{Token, phrase, tokens};

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
                    "any",
                    "anymore",
                ])
        })
    }
}

/// All phrases of the bank, by their first stem.
pub(super) struct Lexicon {
    by_first: HashMap<String, Vec<Entry>>,
    /// Categories of frameworks and languages, whose names begin those of their libraries.
    frameworks: Vec<usize>,
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
        let is_framework = |name: &str| ["Frontend", "Backend", "Runtime"].contains(&name);
        let categories = bank.categories.iter().enumerate();
        let frameworks = categories.filter(|(_, it)| is_framework(&it.name)).map(|(at, _)| at);
        Self { by_first, frameworks: frameworks.collect() }
    }

    /// A technology of the bank's, or of the list of libraries.
    pub(super) fn is_known(&self, name: &str) -> bool {
        let stems = tokens(name);
        let is_value =
            |it: &Mention| it.start == 0 && it.end == stems.len() && it.values().next().is_some();
        is_library_name(name)
            || (name.len() > 2 && self.mentions(&stems).first().is_some_and(is_value))
    }

    /// From left to right, the longest phrase first, no word twice.
    pub(super) fn mentions(&self, words: &[Token]) -> Vec<Mention> {
        let mut mentions: Vec<Mention> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let found = self.longest(words, at);
            let Some((length, meanings)) = found.filter(|it| it.0 > 1 || !is_everyday(words, at))
            else {
                at += 1;
                continue;
            };
            let before = mentions.last().map(|it| (it.end, it.role));
            let only_values = meanings.iter().all(|it| matches!(it, Meaning::Value { .. }));
            let role = if only_values && names_a_part(words, at, at + length) {
                Role::Neutral
            } else {
                role(words, at, at + length, before)
            };
            mentions.push(Mention { start: at, end: at + length, role, meanings });
            at += length;
        }
        take_back(words, &mut mentions);
        self.leave_parts_of_names(words, &mut mentions);
        mentions
    }

    /// "Laravel Reverb", "Django Channels": a name that begins with that of a framework is a library
    /// for it, and chooses no framework.
    fn leave_parts_of_names(&self, words: &[Token], mentions: &mut [Mention]) {
        let starts: Vec<usize> = mentions.iter().map(|it| it.start).collect();
        let plain = grammar();
        for mention in mentions {
            let is_framework =
                mention.values().any(|(category, ..)| self.frameworks.contains(&category));
            let next = words.get(mention.end).filter(|it| {
                it.is_capital
                    && !it.ends_clause()
                    && it.start == words[mention.end - 1].end + 1
                    && !it.within(&plain.no_dependency)
                    && !it.within(&plain.common)
            });
            if is_framework && next.is_some() && !starts.contains(&mention.end) {
                mention.meanings = vec![Meaning::Nothing];
            }
        }
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

/// "Stripe: also offer vouchers" names the part that the work is about; "Redis: move to Valkey" does
/// something with it.
fn names_a_part(words: &[Token], start: usize, end: usize) -> bool {
    let grammar = grammar();
    let acts = |it: &Token| {
        it.within(&grammar.moving)
            || grammar.before.replaced.end(&[it]) == 1
            || grammar.before.dropped.end(&[it]) == 1
    };
    let behind = words.get(end + 1..).unwrap_or_default();
    let marked = words.get(end).is_some_and(|it| it.word == ":");
    start == 0 && marked && behind.len() > 1 && !behind.iter().any(acts)
}

/// "We want to react to it", "in spring and summer": a name that is an everyday word counts, where
/// it is written small or opens a sentence, only where something is brought, moved or given up.
fn is_everyday(words: &[Token], at: usize) -> bool {
    let grammar = grammar();
    let begins = at == 0 || words[at - 1].ends_clause();
    if !words[at].within(&grammar.everyday) || (words[at].is_capital && !begins) {
        return false;
    }
    let object = words.get(at + 1).is_some_and(|it| {
        it.within(&grammar.articles) || it.is(&["to", "back", "it", "them", "when", "as", "how"])
    });
    let is_kind = words.get(at + 1).is_some_and(|it| {
        it.is(&[
            "app",
            "apps",
            "server",
            "project",
            "component",
            "components",
            "framework",
            "js",
            "boot",
            "code",
            "client",
            "service",
        ]) || it.word.starts_with(|it: char| it.is_ascii_digit())
    });
    let led = at.checked_sub(1).map(|it| &words[it]).is_some_and(|it| {
        let moves = words[..at]
            .iter()
            .any(|it| it.within(&grammar.moving) || it.is(&["replace", "rewrite"]));
        it.is(&[
            "use",
            "using",
            "with",
            "via",
            "adopt",
            "add",
            "install",
            "replace",
            "drop",
            "remove",
            "of",
            "than",
            "integrate",
            "on",
        ]) || (moves && it.is(&["to", "from", "and", "in", "onto", "off"]))
            || grammar.before.dropped.end(&[it]) == 1
            || grammar.before.replaced.end(&[it]) == 1
    });
    let closes = words.get(at + 1).is_some_and(|it| it.word == ")");
    object || !(is_kind || led || closes || begins && words[at].is_capital)
}

/// "Nobody uses X. Throw it out": what a later sentence takes away by "it".
fn take_back(words: &[Token], mentions: &mut [Mention]) {
    let grammar = grammar();
    for (at, pair) in words.windows(2).enumerate() {
        let rids = pair[0].word == "of" && at > 0 && words[at - 1].word == "rid";
        let takes = rids
            || grammar.before.dropped.end(&[&pair[0]]) == 1
            || (pair[0].is(&["throw", "take", "rip", "kick", "pull"])
                && words.get(at + 2).is_some_and(|it| it.is(&["out", "away", "off"])));
        let begins = words[..at].last().is_none_or(|it| {
            it.ends_clause() || it.within(&grammar.polite) || it.is(&["and", "so"])
        });
        if !takes || !(begins || rids) || !pair[1].is(&["it", "them", "that", "this"]) {
            continue;
        }
        // "A is overkill; B is there anyway, drop it": what is spoken against is meant.
        let is_blamed = |it: &Mention| it.end <= at && it.role == Role::Refused;
        let blamed = mentions.iter().rposition(is_blamed);
        if let Some(index) = blamed {
            mentions[index].role = Role::Dropped;
            continue;
        }
        let meant = mentions.iter_mut().rev().find(|it| it.end <= at);
        if let Some(mention) = meant.filter(|it| it.values().next().is_some())
            && matches!(mention.role, Role::Wanted | Role::Neutral)
        {
            mention.role = Role::Dropped;
        }
    }
}
