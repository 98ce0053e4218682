//! Several values at once: a list behind the word that it is of, and a choice between two.

use super::mention::Mention;
use super::role::Role;
use super::{Named, Request};
use crate::domain::bank::{Bank, Kind};
use crate::domain::words::{Token, phrase};

impl Request {
    /// "roles (owner, editor, viewer)": a list behind the word names the values.
    pub(super) fn take_lists(&mut self, bank: &Bank, text: &str, words: &[Token]) {
        for category in bank.categories.iter().filter(|it| self.topics.contains(&it.name)) {
            for question in category.questions.iter().filter(|it| !it.listed_after.is_empty()) {
                let stems: Vec<String> =
                    question.listed_after.iter().flat_map(|it| phrase(it)).collect();
                let opens = |it: &[Token]| stems.contains(&it[0].stem) && it[1].is(&["(", ":"]);
                let Some(at) = words.windows(2).position(opens) else { continue };
                let listed = words[at + 2..].split(|it| it.is(&[",", "and", "or"]));
                let values = self.values.entry(question.id.clone()).or_default();
                for item in listed.take(8) {
                    let ends = item.iter().position(Token::ends_clause);
                    let item = &item[..ends.unwrap_or(item.len())];
                    if let (Some(first), Some(last)) = (item.first(), item.last())
                        && item.len() <= 3
                        && let Some(value) = text.get(first.start..last.end)
                        && !values.wanted.iter().any(|it| it.value == value)
                    {
                        let (value, words) = (value.to_owned(), value.to_owned());
                        values.wanted.push(Named { value, words, is_read: false });
                    }
                    if ends.is_some() {
                        break;
                    }
                }
            }
        }
    }

    /// "Redis or Memcached": two values of one question, and a choice to be made.
    pub(super) fn take_choices(&mut self, bank: &Bank, mentions: &[Mention], words: &[Token]) {
        for pair in mentions.windows(2) {
            let [one, other] = pair else { continue };
            let between = &words[one.end..other.start];
            if !between.iter().any(|it| it.word == "or") || between.len() > 3 {
                continue;
            }
            for (category, question, _) in one.values() {
                let same = other.values().any(|it| (it.0, it.1) == (category, question));
                let question = &bank.categories[category].questions[question];
                if same && one.role == Role::Wanted && question.kind == Kind::SingleChoice {
                    self.undecided.push(question.id.clone());
                }
            }
        }
    }
}
