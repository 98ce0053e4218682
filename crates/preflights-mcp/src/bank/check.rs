//! What must hold of a bank, said in words that help its author.

use std::collections::BTreeSet;

use super::{Bank, Category, ECOSYSTEMS, Kind, OTHER, Question};
use crate::request::phrase;

pub(super) fn check(bank: &Bank) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    for category in &bank.categories {
        check_name("category", &category.name)?;
        if category.questions.is_empty() {
            return Err(format!("category `{}` has no question", category.name));
        }
        if !category.questions.iter().any(Question::is_core) {
            let name = &category.name;
            return Err(format!("category `{name}` has no question without `when` and `follows`"));
        }
        if let Some(word) = category.words.iter().find(|it| phrase(it).is_empty()) {
            return Err(format!("category `{}`: `{word}` has no words", category.name));
        }
        let mut fields = BTreeSet::new();
        for question in &category.questions {
            if !ids.insert(question.id.as_str()) {
                return Err(format!("question `{}` stands twice", question.id));
            }
            if !fields.insert(question.field.as_str()) {
                let (name, field) = (&category.name, &question.field);
                return Err(format!("category `{name}` has two questions for field `{field}`"));
            }
            check_question(category, question)
                .map_err(|reason| format!("question `{}`: {reason}", question.id))?;
        }
    }
    Ok(())
}

fn check_question(category: &Category, question: &Question) -> Result<(), String> {
    let id_fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if question.id.is_empty() || !question.id.bytes().all(id_fits) || question.id.contains("__") {
        return Err("an id has lower-case letters, digits and single `_` only".to_owned());
    }
    check_name("field", &question.field)?;
    if question.ask.trim().is_empty() || question.why.trim().is_empty() {
        return Err("`ask` and `why` must say something".to_owned());
    }
    if !(1..=10).contains(&question.impact) {
        return Err("`impact` is a number from 1 to 10".to_owned());
    }
    match question.kind {
        Kind::FreeText if !question.options.is_empty() || !question.options_for.is_empty() => {
            return Err("a free text has no options".to_owned());
        }
        Kind::SingleChoice | Kind::MultiChoice if question.options.len() < 2 => {
            return Err("a choice needs at least two options".to_owned());
        }
        _ => {}
    }
    if question.kind != Kind::MultiChoice && (question.min.is_some() || question.max.is_some()) {
        return Err("only a multi_choice has `min` and `max`".to_owned());
    }
    if question.min.unwrap_or(0) > question.max.unwrap_or(usize::MAX) {
        return Err("`min` is above `max`".to_owned());
    }
    if let Some(ecosystem) =
        question.options_for.keys().find(|it| !ECOSYSTEMS.contains(&it.as_str()))
    {
        let known = ECOSYSTEMS.join(", ");
        return Err(format!("`{ecosystem}` is no ecosystem; there are {known}"));
    }
    let mut options = question.options.iter().chain(question.options_for.values().flatten());
    if let Some(option) =
        options.find(|it| it.trim().is_empty() || *it == OTHER || it.contains('\n'))
    {
        return Err(format!("`{option}` cannot be an option"));
    }
    if let Some(follows) = &question.follows {
        let parent = category.questions.iter().find(|it| it.id == follows.id);
        let Some(parent) = parent else {
            let (name, id) = (&category.name, &follows.id);
            return Err(format!("it follows `{id}`, which category `{name}` does not have"));
        };
        if let Some(value) =
            follows.values.iter().find(|value| !parent.known_values().any(|it| it == *value))
        {
            return Err(format!("it follows the value `{value}`, which `{}` lacks", parent.id));
        }
    }
    Ok(())
}

/// Names stand in headings and before ` = `, so they are plain.
fn check_name(what: &str, name: &str) -> Result<(), String> {
    let fits = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if name.is_empty() || name.len() > 40 || !name.chars().all(fits) {
        return Err(format!("`{name}` is no {what} name: letters, digits, `_` and `-`, up to 40"));
    }
    Ok(())
}
