//! Answers as agents send them: checked one by one, and asked again with the reason when wrong.

use mcp_core::text;
use serde_json::{Map, Value};

use super::question::{self, Asked, AskedKind, Purpose};
use super::{Clarification, Given, World};
use crate::domain::bank::{OTHER, facets};

const MAX_VALUE: usize = 200;
const MAX_TEXT: usize = 4_000;
/// The answer that records an open question.
pub(crate) const LATER: &str = "decide later";
/// The reason for the whole decision, accepted with any answers.
const REASON: &str = "reason";

/// Answers that say that the question does not fit.
const APART: [&str; 7] =
    ["not applicable", "n/a", "none", "not about this", "not relevant", "does not apply", "na"];

/// Words that fill a place without saying anything.
const PLACEHOLDERS: [&str; 7] =
    ["tbd", "todo", "unknown", "to be defined", "to be determined", "placeholder", "?"];

impl Clarification {
    /// Takes in what fits; what does not fit is remembered as a complaint.
    pub(super) fn take(&mut self, world: &World<'_>, answers: &Map<String, Value>) -> Vec<String> {
        let mut warnings = Vec::new();
        for (key, value) in answers {
            if value.is_null() {
                continue;
            }
            if key == REASON {
                match text_of(value, MAX_TEXT) {
                    Ok(reason) if reason.is_empty() => {}
                    Ok(reason) => self.reason = Some(reason),
                    Err(problem) => warnings.push(format!("`reason` was not taken: {problem}.")),
                }
                continue;
            }
            if key.strip_suffix("__other").is_some()
                && self.knows(world, key.trim_end_matches("__other"))
            {
                continue;
            }
            match self.asked(world, key) {
                Some(asked) => {
                    let other = answers.get(&question::other_id(key));
                    self.take_one(&asked, value, other);
                }
                None => warnings.push(format!("`{key}` is not a question of this clarification.")),
            }
        }
        self.take_other_texts(world, answers);
        warnings
    }

    fn knows(&self, world: &World<'_>, id: &str) -> bool {
        self.shown.iter().any(|it| it.id == id) || world.bank.question(id).is_some()
    }

    /// The question behind a key: one that was shown, or any of the bank.
    fn asked(&self, world: &World<'_>, key: &str) -> Option<Asked> {
        if let Some(asked) = self.shown.iter().find(|it| it.id == key) {
            return Some(asked.clone());
        }
        match key {
            question::CRITERIA => Some(Asked::criteria()),
            question::DECISION => Some(Asked::decision()),
            question::DETAIL => Some(Asked::detail()),
            question::CUTOVER => Some(Asked::cutover("what is replaced", true)),
            _ if facets().any(|it| it.id == key) => {
                facets().find(|it| it.id == key).map(Asked::facet)
            }
            _ => {
                let (_, question) = world.bank.question(key)?;
                Some(Asked::field(question, world.survey, &[]))
            }
        }
    }

    fn take_one(&mut self, asked: &Asked, value: &Value, other: Option<&Value>) {
        let known_refusal = self.refused.get(&asked.id).map(String::as_str);
        match check(asked, value, other, known_refusal) {
            Ok(given) => {
                self.complaints.remove(&asked.id);
                if let (Purpose::OtherText { id }, Given::Value(_) | Given::Later) =
                    (&asked.purpose, &given)
                {
                    self.given.insert(id.clone(), given.clone());
                }
                self.given.insert(asked.id.clone(), given);
            }
            Err(problem) => {
                if let Value::String(text) = value {
                    self.refused.insert(asked.id.clone(), text.trim().to_lowercase());
                }
                self.given.remove(&asked.id);
                self.complaints.insert(asked.id.clone(), problem);
            }
        }
    }

    /// `<id>__other` alone is an answer too, to the question it belongs to.
    fn take_other_texts(&mut self, world: &World<'_>, answers: &Map<String, Value>) {
        for (key, value) in answers {
            let Some(id) = key.strip_suffix("__other") else { continue };
            // Given together with its question, it was taken with it.
            let came_along = answers.get(id).is_some_and(|it| !it.is_null());
            let taken = came_along && matches!(self.given.get(id), Some(Given::Value(_)));
            if value.is_null() || taken {
                continue;
            }
            if let Some(shown) = self.shown.iter().find(|it| it.id == *key).cloned() {
                self.take_one(&shown, value, None);
            } else if let Some((_, question)) = world.bank.question(id) {
                let asked = Asked::other_text(question);
                match check(&asked, value, None, None) {
                    Ok(given) => {
                        self.given.insert(id.to_owned(), given);
                        self.complaints.remove(id);
                    }
                    Err(problem) => {
                        self.complaints.insert(id.to_owned(), problem);
                    }
                }
            }
        }
    }
}

fn check(
    asked: &Asked,
    value: &Value,
    other: Option<&Value>,
    refused: Option<&str>,
) -> Result<Given, String> {
    if value.as_str().is_some_and(|it| it.trim().eq_ignore_ascii_case(LATER)) {
        return Ok(Given::Later);
    }
    let text = value.as_str().or_else(|| value.as_array()?.first()?.as_str());
    let says_apart = text.is_some_and(|it| APART.contains(&it.trim().to_lowercase().as_str()));
    let offered = text
        .is_some_and(|text| asked.options.iter().any(|it| it.eq_ignore_ascii_case(text.trim())));
    if says_apart && !offered && !matches!(asked.purpose, Purpose::Confirm { .. }) {
        return Ok(Given::Apart);
    }
    match asked.kind {
        AskedKind::FreeText => free_text(asked, value),
        AskedKind::SingleChoice => {
            let Value::String(text) = value else {
                return Err(format!("one of {} is expected, as a string", listed(asked)));
            };
            match choice(asked, text, other, refused)? {
                Some(value) => Ok(Given::Value(value)),
                None => Ok(Given::Other),
            }
        }
        AskedKind::MultiChoice => multi(asked, value, other, refused),
    }
}

fn free_text(asked: &Asked, value: &Value) -> Result<Given, String> {
    let is_value = matches!(asked.purpose, Purpose::OtherText { .. });
    let text = text_of(value, if is_value { MAX_VALUE } else { MAX_TEXT })?;
    let text = text::one_line(&text);
    if text.is_empty() {
        return if asked.optional {
            Ok(Given::Nothing)
        } else {
            Err("a text is expected".to_owned())
        };
    }
    let filler = PLACEHOLDERS.contains(&text.to_lowercase().as_str());
    if filler {
        return Err(format!("`{text}` says nothing; answer \"{LATER}\" to leave it open"));
    }
    Ok(Given::Value(text))
}

/// `None` for "Other" whose text is still missing.
fn choice(
    asked: &Asked,
    text: &str,
    other: Option<&Value>,
    refused: Option<&str>,
) -> Result<Option<String>, String> {
    let text = plain_value(text)?;
    let takes_other = asked.options.iter().any(|it| it == OTHER);
    if takes_other && (text.eq_ignore_ascii_case(OTHER) || text.eq_ignore_ascii_case("other")) {
        return match other.filter(|it| !it.is_null()) {
            None => Ok(None),
            Some(value) => {
                let text = text_of(value, MAX_VALUE)?;
                let text = plain_value(&text)?;
                Ok((!text.is_empty()).then_some(text))
            }
        };
    }
    if let Some(option) = asked.options.iter().find(|it| it.eq_ignore_ascii_case(&text)) {
        return Ok(Some(option.clone()));
    }
    if text.is_empty() {
        return Err(format!("one of {} is expected", listed(asked)));
    }
    if !takes_other {
        return Err(format!("`{text}` is not one of {}", listed(asked)));
    }
    let custom = text
        .split_once(':')
        .filter(|(word, _)| word.trim().eq_ignore_ascii_case("other"))
        .map(|(_, custom)| custom.trim());
    if let Some(custom) = custom {
        return Ok((!custom.is_empty()).then(|| custom.to_owned()));
    }
    if refused == Some(text.to_lowercase().as_str()) {
        return Ok(Some(text));
    }
    let nearest =
        text::nearest(&text, asked.options.iter().map(String::as_str).filter(|it| *it != OTHER));
    let nearest = nearest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
    let options = listed(asked);
    Err(format!(
        "`{text}` is not one of {options}{nearest} (give it again, or as `Other: {text}`, if it is meant)"
    ))
}

fn multi(
    asked: &Asked,
    value: &Value,
    other: Option<&Value>,
    refused: Option<&str>,
) -> Result<Given, String> {
    let items: Vec<String> = match value {
        Value::String(text) => text.split(',').map(|it| it.trim().to_owned()).collect(),
        Value::Array(items) => {
            let texts: Option<Vec<String>> =
                items.iter().map(|it| it.as_str().map(str::to_owned)).collect();
            texts
                .ok_or_else(|| format!("a list of strings out of {} is expected", listed(asked)))?
        }
        _ => return Err(format!("a list out of {} is expected", listed(asked))),
    };
    // What was said before is judged as a whole, so every part of it is meant now.
    let again = value.as_str().is_some_and(|it| refused == Some(it.trim().to_lowercase().as_str()));
    let mut chosen: Vec<String> = Vec::new();
    for item in items.iter().filter(|it| !it.trim().is_empty()) {
        let lower = item.to_lowercase();
        match choice(asked, item, other, again.then_some(lower.as_str()))? {
            None => return Ok(Given::Other),
            Some(value) if chosen.contains(&value) => {}
            Some(value) => chosen.push(value),
        }
    }
    let min = asked.min.unwrap_or(usize::from(!asked.optional));
    let max = asked.max.unwrap_or(usize::MAX);
    if chosen.len() < min {
        return Err(format!("at least {min} of {} must be chosen", listed(asked)));
    }
    if chosen.len() > max {
        return Err(format!("at most {max} of {} can be chosen", listed(asked)));
    }
    let joined = chosen.join(", ");
    Ok(if joined.is_empty() { Given::Nothing } else { Given::Value(joined) })
}

fn listed(asked: &Asked) -> String {
    let options: Vec<String> = asked.options.iter().map(|it| format!("`{it}`")).collect();
    options.join(", ")
}

fn text_of(value: &Value, limit: usize) -> Result<String, String> {
    let Value::String(text) = value else { return Err("a string is expected".to_owned()) };
    let text = text.trim();
    if text.chars().count() > limit {
        return Err(format!("it has more than {limit} characters"));
    }
    if text.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\r' | '\t')) {
        return Err("it holds control characters".to_owned());
    }
    Ok(text.to_owned())
}

fn plain_value(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.chars().count() > MAX_VALUE {
        return Err(format!("it has more than {MAX_VALUE} characters"));
    }
    if text.chars().any(char::is_control) {
        return Err("it holds line breaks or control characters".to_owned());
    }
    Ok(text::one_line(text))
}
