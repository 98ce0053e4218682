//! What a request says: its words, the topics and values it names and in which role, and what kind
//! of work it asks for.

mod classify;
mod mention;
#[cfg(test)]
mod tests;
mod word;

use std::collections::BTreeMap;

use crate::bank::Bank;
use crate::reading::Reading;
pub(crate) use classify::Work;
use mention::{Lexicon, Meaning, Mention, Role};
pub(crate) use word::phrase;
use word::{Token, tokens};

/// A value the request names for a question, with the words it used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) value: String,
    pub(crate) words: String,
    /// Found by a language model rather than by us.
    pub(crate) is_read: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Values {
    /// What shall be.
    pub(crate) wanted: Vec<Named>,
    /// What shall be replaced or left behind.
    pub(crate) replaced: Vec<Named>,
    /// What shall be gone, without a successor.
    pub(crate) dropped: Vec<Named>,
    /// What shall not be.
    pub(crate) refused: Vec<Named>,
}

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) work: Work,
    /// Names of categories, in the order they come up.
    pub(crate) topics: Vec<String>,
    /// Categories that shall go as a whole.
    pub(crate) dropped: Vec<String>,
    /// By question id.
    pub(crate) values: BTreeMap<String, Values>,
    /// It asks for a record, or speaks of architecture, strategy or approach.
    pub(crate) asks_for_record: bool,
    /// It moves something, or goes through everything.
    pub(crate) is_cross_cutting: bool,
    /// A library it wants added, by name.
    pub(crate) dependency: Option<String>,
    /// Ids of questions whose words it has.
    pub(crate) prompted: Vec<String>,
    /// Too few words to know what is meant.
    pub(crate) is_vague: bool,
}

/// Reads `intention`; values may also come from `context`, topics only when there are none.
pub(crate) fn understand(bank: &Bank, intention: &str, context: Option<&str>) -> Request {
    let lexicon = Lexicon::new(bank);
    let words = tokens(intention);
    let mentions = lexicon.mentions(&words);
    let mut request = Request {
        work: classify::work(&words, &mentions),
        topics: Vec::new(),
        dropped: Vec::new(),
        values: BTreeMap::new(),
        asks_for_record: classify::asks_for_record(&words),
        is_cross_cutting: classify::is_cross_cutting(&words),
        dependency: classify::dependency(&words),
        prompted: Vec::new(),
        is_vague: classify::is_vague(&words),
    };
    let moves = classify::moves(&words);
    request.take_topics(bank, &mentions, &words, moves);
    request.take_values(bank, &mentions, intention, &words);
    if let Some(context) = context {
        let words = tokens(context);
        let mentions = lexicon.mentions(&words);
        if request.topics.is_empty() && request.work == Work::Feature {
            request.take_topics(bank, &mentions, &words, false);
        }
        request.take_values(bank, &mentions, context, &words);
    }
    let everything = format!("{intention}\n{}", context.unwrap_or_default());
    request.prompted = prompted(bank, &tokens(&everything));
    request
}

fn prompted(bank: &Bank, words: &[Token]) -> Vec<String> {
    let stems: Vec<&str> = words.iter().map(|it| it.stem.as_str()).collect();
    let has = |wanted: &str| {
        let wanted = phrase(wanted);
        !wanted.is_empty() && stems.windows(wanted.len()).any(|it| it == wanted.as_slice())
    };
    bank.categories
        .iter()
        .flat_map(|it| &it.questions)
        .filter(|question| question.when.iter().any(|it| has(it)))
        .map(|question| question.id.clone())
        .collect()
}

impl Request {
    fn take_topics(&mut self, bank: &Bank, mentions: &[Mention], words: &[Token], moves: bool) {
        for mention in mentions {
            let named: Vec<usize> = mention.topics().collect();
            for &category in &named {
                match mention.role {
                    Role::Refused => {}
                    Role::Dropped if mention.ends_its_clause(words) => {
                        let name = bank.categories[category].name.clone();
                        self.topics.push(name.clone());
                        self.dropped.push(name);
                    }
                    _ => self.topics.push(bank.categories[category].name.clone()),
                }
            }
            if !named.is_empty() || matches!(mention.role, Role::Refused | Role::Neutral) {
                continue;
            }
            // A name alone makes its topic, unless words elsewhere say what it is for.
            let spoken = |category: usize| {
                mentions.iter().any(|it| {
                    it.role != Role::Refused && it.topics().any(|topic| topic == category)
                })
            };
            let mut candidates = mention.values().filter(|(category, question, _)| {
                let question = &bank.categories[*category].questions[*question];
                question.is_core() && (!question.quiet || moves)
            });
            if !mention.values().any(|(category, ..)| spoken(category))
                && let Some((category, ..)) = candidates.next()
            {
                self.topics.push(bank.categories[category].name.clone());
            }
        }
        for list in [&mut self.topics, &mut self.dropped] {
            let mut seen = std::collections::BTreeSet::new();
            list.retain(|it| seen.insert(it.clone()));
        }
    }

    fn take_values(&mut self, bank: &Bank, mentions: &[Mention], text: &str, words: &[Token]) {
        for mention in mentions {
            for (category, question, value) in mention.values() {
                let category = &bank.categories[category];
                if !self.topics.contains(&category.name) {
                    continue;
                }
                let question = &category.questions[question];
                let span = words[mention.start].start..words[mention.end - 1].end;
                let words = text.get(span).unwrap_or_default().to_owned();
                let named = Named { value: value.to_owned(), words, is_read: false };
                let values = self.values.entry(question.id.clone()).or_default();
                let list = match mention.role {
                    Role::Wanted => &mut values.wanted,
                    Role::Replaced => &mut values.replaced,
                    Role::Dropped => &mut values.dropped,
                    Role::Refused => &mut values.refused,
                    Role::Neutral => continue,
                };
                if !list.iter().any(|it| it.value == named.value) {
                    list.push(named);
                }
            }
        }
        for values in self.values.values_mut() {
            let replaced = values.replaced.clone();
            values.wanted.retain(|it| !replaced.iter().any(|other| other.value == it.value));
        }
    }

    /// Takes over what a language model reads in the request, where our own reading says nothing.
    pub(crate) fn take_reading(&mut self, bank: &Bank, reading: &Reading) {
        for id in &reading.questions {
            if let Some((category, _)) = bank.question(id)
                && !self.topics.contains(&category.name)
            {
                self.topics.push(category.name.clone());
            }
        }
        self.prompted.extend(reading.questions.iter().cloned());
        for (id, said) in reading.said.iter().filter(|(_, it)| it.is_literal) {
            let values = self.values.entry(id.clone()).or_default();
            if *values == Values::default() {
                let (value, words) = (said.value.clone(), said.quote.clone());
                values.wanted.push(Named { value, words, is_read: true });
            }
        }
    }

    pub(crate) fn values_of(&self, id: &str) -> &Values {
        static NONE: Values = Values {
            wanted: Vec::new(),
            replaced: Vec::new(),
            dropped: Vec::new(),
            refused: Vec::new(),
        };
        self.values.get(id).unwrap_or(&NONE)
    }

    /// It says what takes the place of what, so there is nothing to confirm.
    pub(crate) fn has_direction(&self) -> bool {
        !self.dropped.is_empty()
            || self.values.values().any(|it| {
                !it.dropped.is_empty() || (!it.replaced.is_empty() && !it.wanted.is_empty())
            })
    }
}

impl Mention {
    fn topics(&self) -> impl Iterator<Item = usize> {
        self.meanings.iter().filter_map(|it| match it {
            Meaning::Topic(category) => Some(*category),
            Meaning::Value { .. } => None,
        })
    }

    fn values(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.meanings.iter().filter_map(|it| match it {
            Meaning::Topic(_) => None,
            Meaning::Value { category, question, value } => {
                Some((*category, *question, value.as_str()))
            }
        })
    }
}
