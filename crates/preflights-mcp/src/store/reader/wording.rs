//! The prompts for the model and the shapes its answers must have, both made from the bank.

use std::fmt::Write as _;

use mcp_llm::{Error, Shape};
use serde_json::{Value, json};

use crate::domain::bank::{Bank, Kind};
use crate::domain::clarify::{Clarification, World};

pub(super) const QUESTIONS: &str = include_str!("../../../assets/prompts/questions.md");
pub(super) const DECISION: &str = include_str!("../../../assets/prompts/decision.md");

pub(super) fn questions_shape(bank: &Bank) -> Result<Shape, Error> {
    let ids = ids(bank);
    Shape::new(
        "submit_clarification",
        "The questions of the bank that the request raises, and what it says itself.",
        closed(&json!({
            "questions": { "type": "array", "maxItems": 8, "items": { "enum": ids } },
            "said": said(&ids),
            "missing_info": { "type": "array", "maxItems": 8, "items": { "enum": ids } },
            "decision_hint": { "enum": ["adr", "task", "unsure"] },
            "reading": reading_shape(),
        })),
    )
}

/// As the tool's own argument of that name, with nothing left out.
fn reading_shape() -> Value {
    // That it can be read is a test.
    serde_json::from_str(include_str!("../../../assets/schemas/reading.json")).unwrap_or_default()
}

pub(super) fn decision_shape(bank: &Bank) -> Result<Shape, Error> {
    Shape::new(
        "submit_decision",
        "What has been decided, field by field.",
        closed(&json!({
            "status": { "enum": ["extracted", "insufficient"] },
            "fields": said(&ids(bank)),
            "reason": { "type": "string", "maxLength": 1000 },
        })),
    )
}

fn said(ids: &[&str]) -> Value {
    let item = closed(&json!({
        "id": { "enum": ids },
        "value": { "type": "string", "minLength": 1, "maxLength": 200 },
        "quote": { "type": "string", "minLength": 1, "maxLength": 500 },
    }));
    json!({ "type": "array", "maxItems": 24, "items": item })
}

/// An object with these properties, all of them and no others.
fn closed(properties: &Value) -> Value {
    let required: Vec<&str> =
        properties.as_object().into_iter().flat_map(|it| it.keys().map(String::as_str)).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn ids(bank: &Bank) -> Vec<&str> {
    bank.categories.iter().flat_map(|it| &it.questions).map(|it| it.id.as_str()).collect()
}

pub(super) fn request(state: &Clarification, world: &World<'_>) -> String {
    let mut text = spoken(state, world);
    text.push_str("\n# Bank of questions\n");
    for category in &world.bank.categories {
        list(&mut text, world, &category.name, |_| true);
    }
    text
}

pub(super) fn answers(state: &Clarification, world: &World<'_>) -> String {
    let mut text = spoken(state, world);
    text.push_str("\n# Answers\n\n");
    for (id, value) in state.words_given() {
        let asked = state.shown.iter().find(|it| it.id == id).map_or(id, |it| it.text.as_str());
        line(&mut text, &format!("- {asked} {value}"));
    }
    text.push_str("\n# Fields\n");
    for name in &state.topics(world) {
        list(&mut text, world, name, |id| !state.given.contains_key(id));
    }
    text
}

/// The request, and what it is held against.
fn spoken(state: &Clarification, world: &World<'_>) -> String {
    let mut text = format!("# Request\n\n{}\n", state.intention);
    if let Some(context) = &state.context {
        line(&mut text, &format!("\n# Context\n\n{context}"));
    }
    if !world.architecture.is_empty() {
        text.push_str("\n# Decided\n\n");
        for (category, fields) in world.architecture.categories() {
            for (field, decided) in fields {
                line(&mut text, &format!("- {category}.{field}: {}", decided.value));
            }
        }
    }
    if !world.survey.ecosystems.is_empty() {
        line(&mut text, &format!("\n# Ecosystems\n\n{}", world.survey.ecosystems.join(", ")));
    }
    text
}

fn list(text: &mut String, world: &World<'_>, name: &str, wanted: impl Fn(&str) -> bool) {
    let Some(category) = world.bank.category(name) else { return };
    line(text, &format!("\n## {name}\n"));
    for question in category.questions.iter().filter(|it| wanted(&it.id)) {
        let options = match question.kind {
            Kind::FreeText => "in words".to_owned(),
            _ => question.options_in(&world.survey.ecosystems).join(" | "),
        };
        line(text, &format!("- {}: {} [{options}]", question.id, question.ask));
    }
}

fn line(text: &mut String, words: &str) {
    // Writing to a string does not fail.
    writeln!(text, "{words}").ok();
}
