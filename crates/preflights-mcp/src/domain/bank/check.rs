//! What must hold of a bank, said in words that help its author.

use std::collections::BTreeSet;

use super::{Bank, Category, ECOSYSTEMS, Kind, OTHER, Question};
use crate::domain::words::phrase;

/// What does not hold, and where it was written.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) category: String,
    /// The question, where it is about one.
    pub(super) question: Option<String>,
    /// The key of the question or category that says it.
    pub(super) key: &'static str,
    pub(super) reason: String,
}

pub(super) fn check(bank: &Bank) -> Result<(), Fault> {
    let mut ids = BTreeSet::new();
    for category in &bank.categories {
        let name = &category.name;
        let wrong = |key, reason: String| Fault {
            category: name.clone(),
            question: None,
            key,
            reason: format!("category `{name}`: {reason}"),
        };
        check_name("category", name).map_err(|reason| wrong("name", reason))?;
        if category.questions.is_empty() {
            return Err(wrong("name", "it has no question".to_owned()));
        }
        if !category.questions.iter().any(Question::is_core) {
            let reason = "it has no question without `when` and `follows`".to_owned();
            return Err(wrong("name", reason));
        }
        if let Some(word) = category.words.iter().find(|it| phrase(it).is_empty()) {
            return Err(wrong("words", format!("`{word}` has no words")));
        }
        let mut fields = BTreeSet::new();
        for question in &category.questions {
            let wrong = |(key, reason): (&'static str, String)| Fault {
                category: name.clone(),
                question: Some(question.id.clone()),
                key,
                reason: format!("question `{}`: {reason}", question.id),
            };
            if !ids.insert(question.id.as_str()) {
                return Err(wrong(("id", "it stands twice".to_owned())));
            }
            if !fields.insert(question.field.as_str()) {
                let reason = format!("field `{}` has another question already", question.field);
                return Err(wrong(("field", reason)));
            }
            check_question(category, question).map_err(wrong)?;
        }
    }
    Ok(())
}

fn check_question(category: &Category, question: &Question) -> Result<(), (&'static str, String)> {
    let wrong = |key: &'static str, reason: &str| Err((key, reason.to_owned()));
    let id_fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if question.id.is_empty() || !question.id.bytes().all(id_fits) || question.id.contains("__") {
        return wrong("id", "an id has lower-case letters, digits and single `_` only");
    }
    check_name("field", &question.field).map_err(|reason| ("field", reason))?;
    if question.ask.trim().is_empty() {
        return wrong("ask", "`ask` must say something");
    }
    if question.why.trim().is_empty() {
        return wrong("why", "`why` must say something");
    }
    if !(1..=10).contains(&question.impact) {
        return wrong("impact", "`impact` is a number from 1 to 10");
    }
    match question.kind {
        Kind::FreeText if !question.options.is_empty() => {
            return wrong("options", "a free text has no options");
        }
        Kind::FreeText if !question.options_for.is_empty() => {
            return wrong("options_for", "a free text has no options");
        }
        Kind::SingleChoice | Kind::MultiChoice if question.options.len() < 2 => {
            return wrong("options", "a choice needs at least two options");
        }
        _ => {}
    }
    if question.kind != Kind::MultiChoice && question.min.is_some() {
        return wrong("min", "only a multi_choice has `min` and `max`");
    }
    if question.kind != Kind::MultiChoice && question.max.is_some() {
        return wrong("max", "only a multi_choice has `min` and `max`");
    }
    if question.min.unwrap_or(0) > question.max.unwrap_or(usize::MAX) {
        return wrong("min", "`min` is above `max`");
    }
    if let Some(ecosystem) =
        question.options_for.keys().find(|it| !ECOSYSTEMS.contains(&it.as_str()))
    {
        let known = ECOSYSTEMS.join(", ");
        let reason = format!("`{ecosystem}` is not an ecosystem; there are {known}");
        return Err(("options_for", reason));
    }
    let special = question.options_for.values().flatten().map(|it| ("options_for", it.as_str()));
    let mut options = question.options.iter().map(|it| ("options", it.as_str())).chain(special);
    if let Some((key, option)) =
        options.find(|(_, it)| it.trim().is_empty() || *it == OTHER || it.contains('\n'))
    {
        return Err((key, format!("`{option}` cannot be an option")));
    }
    check_follows(category, question).map_err(|reason| ("follows", reason))
}

fn check_follows(category: &Category, question: &Question) -> Result<(), String> {
    let Some(follows) = &question.follows else { return Ok(()) };
    let Some(parent) = category.questions.iter().find(|it| it.id == follows.id) else {
        let (name, id) = (&category.name, &follows.id);
        return Err(format!("it follows `{id}`, which category `{name}` does not have"));
    };
    let unknown = follows.values.iter().find(|it| !parent.known_values().any(|known| known == *it));
    match unknown {
        Some(value) => Err(format!("it follows the value `{value}`, which `{}` lacks", parent.id)),
        None => Ok(()),
    }
}

/// Names stand in headings and before ` = `, so they are plain.
fn check_name(what: &str, name: &str) -> Result<(), String> {
    let fits = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if name.is_empty() || name.len() > 40 || !name.chars().all(fits) {
        return Err(format!(
            "`{name}` is not a {what} name: letters, digits, `_` and `-`, up to 40"
        ));
    }
    Ok(())
}
