//! The small words of the language, as data: verbs by what they do, and what stands around a name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::words::Token;

pub(super) type Words = BTreeSet<String>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grammar {
    pub(super) polite: Words,
    pub(super) fillers: Words,
    pub(super) refusal_fillers: Words,
    pub(super) articles: Words,
    pub(super) definite: Words,
    pub(super) mending: Words,
    pub(super) making: Words,
    pub(super) deciding: Words,
    pub(super) doing: Words,
    pub(super) placing: Words,
    pub(super) storing: Words,
    pub(super) common: Words,
    pub(super) no_topic: Vec<String>,
    pub(super) sending: Words,
    pub(super) reshaping: Words,
    pub(super) adjusting: Words,
    pub(super) renaming: Words,
    pub(super) wording_verbs: Words,
    pub(super) quickening: Words,
    pub(super) speed: Words,
    pub(super) raising: Words,
    pub(super) moving: Words,
    pub(super) choosing_verbs: Words,
    pub(super) settings: Words,
    pub(super) wording: Words,
    pub(super) looks: Words,
    pub(super) documents: Words,
    pub(super) defects: Words,
    pub(super) telling: Words,
    pub(super) modal: Words,
    pub(super) behind_a_topic: Words,
    pub(super) adjuncts: Words,
    pub(super) subjects: Words,
    pub(super) choosing: Words,
    pub(super) bringing: Words,
    pub(super) small: Words,
    pub(super) no_dependency: Words,
    pub(super) english: Words,
    pub(super) foreign: Words,
    pub(super) once_wished: Words,
    pub(super) libraries: Words,
    pub(super) asking: Phrases,
    pub(super) weighing: Phrases,
    pub(super) taking: Words,
    pub(super) lifting: Words,
    pub(super) serving: Words,
    pub(super) everyday: Words,
    pub(super) closed: Words,
    pub(super) defaulting: Words,
    pub(super) examining: Phrases,
    pub(super) versions: Versions,
    pub(super) before: Before,
    pub(super) after: After,
}

/// Phrases right behind a version of something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Versions {
    pub(super) new: Phrases,
    pub(super) old: Phrases,
}

/// Phrases right before a name, by what they make of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    pub(super) refused: Phrases,
    pub(super) replaced: Phrases,
    pub(super) dropped: Phrases,
    /// Verbs that turn all of their clause around.
    pub(super) undoing: Words,
    pub(super) kept: Phrases,
    pub(super) neutral: Phrases,
}

/// Phrases right behind a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct After {
    pub(super) against: Phrases,
    pub(super) verdicts: Phrases,
    pub(super) replaced: Phrases,
    pub(super) passing: Phrases,
    pub(super) wanted: Phrases,
}

/// Short runs of words.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Phrases(Vec<Vec<String>>);

impl From<Vec<String>> for Phrases {
    fn from(lines: Vec<String>) -> Self {
        let split = |it: &String| it.split_whitespace().map(str::to_owned).collect();
        Self(lines.iter().map(split).collect())
    }
}

impl Phrases {
    /// Whether one of them begins `words`.
    pub(super) fn begin(&self, words: &[Token]) -> bool {
        let fits = |it: &Vec<String>| {
            it.len() <= words.len() && it.iter().zip(words).all(|(one, other)| *one == other.word)
        };
        self.0.iter().any(fits)
    }

    /// How long the longest of them is that ends `words`.
    pub(super) fn end(&self, words: &[&Token]) -> usize {
        let fits = |it: &&Vec<String>| {
            words.len() >= it.len()
                && it.iter().rev().zip(words.iter().rev()).all(|(one, other)| *one == other.word)
        };
        self.0.iter().filter(fits).map(Vec::len).max().unwrap_or_default()
    }
}

impl Token {
    pub(super) fn within(&self, words: &Words) -> bool {
        words.contains(&self.word)
    }
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded words are read by every test")]
    toml::from_str(include_str!("../../../assets/grammar.toml")).expect("the words are valid")
});

pub(super) fn grammar() -> &'static Grammar {
    &GRAMMAR
}
