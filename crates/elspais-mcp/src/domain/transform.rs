//! A requirement rewritten by a language model: what it is asked, and what of its answer is taken.
//!
//! The answer is data of a fixed shape, checked here and once more by the graph, which reads the
//! file with the new text in it before anything is written.

#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::domain::graph::{Node, NodeKind};
use crate::error::Error;

pub(crate) const INSTRUCTIONS: &str = include_str!("../../assets/prompts/transform.md");
const MAX_WISH_CHARS: usize = 4_000;
const MAX_TEXT_BYTES: usize = 20_000;
const MAX_ASSERTIONS: usize = 100;

/// The requirement as it shall be.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Rewriting {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) assertions: Vec<Worded>,
    pub(crate) rationale: Option<String>,
    #[serde(default)]
    pub(crate) summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Worded {
    pub(crate) label: String,
    pub(crate) text: String,
}

/// What the model is shown.
pub(crate) fn prompt(node: &Node<'_>, wish: &str) -> Result<String, Error> {
    let wish = wish.trim();
    if wish.is_empty() || wish.chars().count() > MAX_WISH_CHARS {
        return Err(Error::refused(
            format!("the prompt has to have 1 to {MAX_WISH_CHARS} characters"),
            "Say in a few sentences what should change.",
        ));
    }
    let requirement = json!({
        "id": node.id(),
        "title": node.title(),
        "level": node.level(),
        "status": node.status(),
        "body": node.body(),
        "assertions": node
            .iter_children()
            .take_while(|it| it.kind() == NodeKind::Assertion)
            .map(|it| json!({ "label": it.label().map(|it| it.to_string()), "text": it.body() }))
            .collect::<Vec<_>>(),
    });
    Ok(format!("The wish:\n\n{wish}\n\nThe requirement:\n\n{requirement:#}\n"))
}

/// The shape of the answer.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": { "type": "string", "minLength": 1, "maxLength": 300 },
            "text": { "type": "string", "maxLength": MAX_TEXT_BYTES },
            "assertions": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_ASSERTIONS,
                "items": {
                    "type": "object",
                    "properties": {
                        "label": { "type": "string", "minLength": 1, "maxLength": 8 },
                        "text": { "type": "string", "minLength": 1, "maxLength": MAX_TEXT_BYTES },
                    },
                    "required": ["label", "text"],
                    "additionalProperties": false,
                },
            },
            "rationale": {
                "anyOf": [{ "type": "string", "maxLength": MAX_TEXT_BYTES }, { "type": "null" }],
            },
            "summary": { "type": "string", "maxLength": 1_000 },
        },
        "required": ["title", "text", "assertions", "rationale", "summary"],
        "additionalProperties": false,
    })
}

impl Rewriting {
    /// Takes an answer, unless it holds what a requirement must not hold.
    pub(crate) fn of(answer: Value) -> Result<Self, Error> {
        let rewriting: Self = serde_json::from_value(answer).map_err(|error| {
            unusable(&format!("it is not of the shape that was asked for ({error})"))
        })?;
        for assertion in &rewriting.assertions {
            if !assertion.text.contains("SHALL") {
                return Err(unusable(&format!(
                    "assertion {} does not say SHALL",
                    shown(&assertion.label)
                )));
            }
        }
        let mut labels: Vec<&str> = rewriting.assertions.iter().map(|it| it.label.trim()).collect();
        labels.sort_unstable();
        if let Some(twice) = labels.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(unusable(&format!("label {} is used twice", shown(twice[0]))));
        }
        if rewriting.rationale.as_deref().is_some_and(|it| it.contains("SHALL")) {
            return Err(unusable("its rationale says SHALL, which only assertions may"));
        }
        Ok(rewriting)
    }
}

/// An answer that nothing is done with.
pub(crate) fn unusable(why: &str) -> Error {
    Error::refused(
        format!("the model's answer cannot be used: {why}; nothing was written"),
        "Call again, perhaps with a more precise prompt, or make the change with the mutate_ tools.",
    )
}

fn shown(text: &str) -> String {
    mcp_core::text::one_line(mcp_core::text::cut(text, 20))
}
