//! What a language model reads in a request: questions of the bank, and values that the user has
//! demonstrably said.

use std::collections::BTreeMap;

use mcp_core::text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bank::{Bank, Kind, Question};

/// Topics beyond those the engine finds itself.
const MAX_NEW_TOPICS: usize = 2;

/// Kept with the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// Questions of the bank that belong to the request.
    pub(crate) questions: Vec<String>,
    /// The order to ask in; it decides nothing else.
    pub(crate) missing_info: Vec<String>,
    /// For information: it never decides whether a record is written.
    pub(crate) decision_hint: Option<String>,
    /// By question.
    pub(crate) said: BTreeMap<String, Said>,
}

/// A value with the words of the user behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) value: String,
    pub(crate) quote: String,
    /// The words name the value. Where they only suggest it, it is recommended and asked.
    pub(crate) is_literal: bool,
}

/// What an answer is held against.
pub(crate) struct Heard<'a> {
    pub(crate) bank: &'a Bank,
    /// Topics the engine has found itself.
    pub(crate) topics: Vec<String>,
    /// What the user said, in their words.
    pub(crate) sources: Vec<&'a str>,
}

pub(crate) fn questions(heard: &Heard<'_>, answer: &Value) -> Reading {
    let mut topics = heard.topics.clone();
    let room = topics.len() + MAX_NEW_TOPICS;
    let mut questions = Vec::new();
    for id in strings(&answer["questions"]) {
        let Some((category, _)) = heard.bank.question(&id) else { continue };
        if !topics.contains(&category.name) {
            if topics.len() >= room {
                continue;
            }
            topics.push(category.name.clone());
        }
        questions.push(id);
    }
    Reading {
        questions,
        missing_info: strings(&answer["missing_info"]),
        decision_hint: answer["decision_hint"].as_str().map(str::to_owned),
        said: said(&answer["said"], &topics, heard.bank, &heard.sources),
    }
}

/// The fields of a decision that concern the topics of the request.
pub(crate) fn fields(heard: &Heard<'_>, answer: &Value) -> BTreeMap<String, Said> {
    if answer["status"] != "extracted" {
        return BTreeMap::new();
    }
    said(&answer["fields"], &heard.topics, heard.bank, &heard.sources)
}

fn said(list: &Value, topics: &[String], bank: &Bank, sources: &[&str]) -> BTreeMap<String, Said> {
    let mut said = BTreeMap::new();
    for item in list.as_array().into_iter().flatten() {
        let [id, value, quote] = ["id", "value", "quote"].map(|it| item[it].as_str());
        let (Some(id), Some(value), Some(quote)) = (id, value, quote) else { continue };
        let Some((category, question)) = bank.question(id) else { continue };
        if !topics.contains(&category.name) || question.kind == Kind::FreeText {
            continue;
        }
        if let Some(found) = supported(value, quote, question, sources) {
            said.entry(id.to_owned()).or_insert(found);
        }
    }
    said
}

/// The value, if the quote is the user's, and the bank knows the value or the quote holds it.
fn supported(value: &str, quote: &str, question: &Question, sources: &[&str]) -> Option<Said> {
    let value = text::one_line(value);
    let words = plain(quote);
    let is_theirs = !words.is_empty() && sources.iter().any(|it| plain(it).contains(&words));
    if !is_theirs {
        return None;
    }
    let names = |name: &str| {
        let name = plain(name);
        !name.is_empty() && words.contains(&name)
    };
    let known = question.known_values().find(|it| it.eq_ignore_ascii_case(&value));
    let value = known.map_or(value, str::to_owned);
    let aliases = question.names.get(&value).into_iter().flatten();
    let is_literal = names(&value) || aliases.map(String::as_str).any(names);
    (known.is_some() || is_literal).then(|| Said {
        value,
        quote: text::one_line(quote),
        is_literal,
    })
}

/// Lower case, one space between words, and a space around all, so that only whole words are found.
fn plain(text: &str) -> String {
    let words = text
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase);
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(" {} ", words.join(" ")) }
}

fn strings(list: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for item in list.as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !found.iter().any(|it| it == item) {
            found.push(item.to_owned());
        }
    }
    found
}
