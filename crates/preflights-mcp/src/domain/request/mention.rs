//! Where a request names a topic or a value, and in which role: wanted, replaced, dropped, refused.

use std::collections::HashMap;

use super::frame;
use crate::domain::bank::Bank;
use crate::domain::words::{Token, phrase};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The index of a category.
    Topic(usize),
    Value {
        category: usize,
        question: usize,
        value: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Wanted,
    Replaced,
    Dropped,
    Refused,
    /// Named as what stays.
    Kept,
    /// Named in passing.
    Neutral,
}

impl Role {
    /// Spoken against, in whatever way.
    pub(super) fn is_against(self) -> bool {
        matches!(self, Self::Replaced | Self::Dropped | Self::Refused)
    }
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

impl Lexicon {
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
            let role = role(words, at, at + length, mentions.last());
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

const FILLERS: [&str; 22] = [
    "a", "an", "the", "our", "any", "all", "old", "legacy", "existing", "current", "use", "using",
    "want", "more", "support", "its", "their", "my", "of", "own", "custom", "away",
];
const REFUSAL_FILLERS: [&str; 8] = ["to", "be", "need", "going", "like", "have", "longer", "rely"];
const REFUSING: [&str; 15] = [
    "not", "no", "without", "dont", "never", "avoid", "except", "neither", "nor", "against",
    "doesnt", "wont", "cant", "cannot", "shouldnt",
];
const KEEPING: [&str; 6] = ["keep", "keeping", "retain", "leave", "preserve", "stay"];
/// What stands before something that is there already and stays beside the new.
const BESIDE: [&str; 4] = ["besides", "alongside", "beside", "next"];
const DROPPING: [&str; 18] = [
    "revert",
    "reverting",
    "undo",
    "abandon",
    "abandoning",
    "sunset",
    "deprecate",
    "drop",
    "remove",
    "delete",
    "retire",
    "decommission",
    "ditch",
    "uninstall",
    "stop",
    "rid",
    "removing",
    "dropping",
];
const REPLACING: [&str; 5] = ["replace", "swap", "substitute", "replacing", "swapping"];
pub(super) const MOVING: [&str; 16] = [
    "going",
    "back",
    "migrate",
    "move",
    "switch",
    "convert",
    "port",
    "transition",
    "migrating",
    "moving",
    "switching",
    "change",
    "rewrite",
    "changing",
    "migration",
    "replatform",
];

pub(super) fn role(words: &[Token], start: usize, end: usize, before: Option<&Mention>) -> Role {
    if frame::is_question(words, start) {
        return Role::Neutral;
    }
    if let Some(before) = before {
        let between = &words[before.end..start];
        let joined = !between.is_empty() && between.iter().all(|it| it.is(&["and", "or", "nor"]));
        if joined && !matches!(before.role, Role::Neutral | Role::Wanted) {
            return before.role;
        }
    }
    let after = &words[end..];
    let becomes = after.iter().take(4).position(|it| it.is(&["replaced", "superseded"]));
    if becomes.is_some_and(|at| after.get(at + 1).is_some_and(|it| it.is(&["by", "with"]))) {
        return Role::Replaced;
    }
    let clause = words[..start].iter().rev().take_while(|it| !it.ends_clause());
    let gives_way =
        after.iter().take_while(|it| !it.ends_clause()).any(|it| it.is(&["with", "by"]));
    if gives_way && clause.clone().any(|it| it.is(&REPLACING)) {
        return Role::Replaced;
    }
    // "We do not want to use Redis" refuses it as "not Redis" does.
    let mut refusal = clause.skip_while(|it| it.is(&FILLERS) || it.is(&REFUSAL_FILLERS));
    if refusal.next().is_some_and(|it| it.is(&REFUSING)) {
        return Role::Refused;
    }
    let mut back = words[..start].iter().rev().take_while(|it| !it.ends_clause()).peekable();
    if back.peek().is_some_and(|it| it.word == "of") {
        let mut phrase = back.clone().skip(1);
        match phrase.next().map(|it| it.word.as_str()) {
            Some("instead") => return Role::Replaced,
            Some("rid") => return Role::Dropped,
            _ => {}
        }
    }
    let Some(previous) = back.find(|it| !it.is(&FILLERS)) else { return Role::Wanted };
    if previous.is(&KEEPING) {
        return Role::Kept;
    }
    let beside = previous.is(&BESIDE) && previous.word != "next"
        || previous.is(&["to"]) && back.peek().is_some_and(|it| it.is(&["next", "addition"]));
    if beside {
        return Role::Neutral;
    }
    if previous.is(&["than"]) && back.peek().is_some_and(|it| it.word == "rather") {
        return Role::Replaced;
    }
    if previous.is(&["instead"]) {
        return Role::Replaced;
    }
    if previous.is(&DROPPING) {
        // "Drop X in favour of Y" and "remove X, use Y" replace it; that is settled by what is
        // wanted besides.
        return Role::Dropped;
    }
    if previous.is(&REPLACING) {
        return Role::Replaced;
    }
    let arrives = after.iter().any(|it| it.is(&["to", "onto", "into", "towards"]));
    let moves = words.iter().any(|it| it.is(&MOVING));
    if previous.is(&["from", "off"]) {
        let leaves = words[..start].iter().rev().take(3).any(|it| it.word == "away");
        return if arrives || moves || leaves { Role::Replaced } else { Role::Neutral };
    }
    if previous.is(&MOVING) && arrives {
        return Role::Replaced;
    }
    Role::Wanted
}
