//! What the wires have in common: one question out, one answer in.

pub(crate) mod anthropic;
pub(crate) mod openai;

use serde_json::Value;

use crate::error::Error;
use crate::request::{Stop, Usage};
use crate::shape::Shape;

/// A question with its secrets already replaced.
pub(crate) struct Question<'a> {
    pub(crate) model: Option<&'a str>,
    pub(crate) system: &'a str,
    pub(crate) prompt: &'a str,
    pub(crate) max_tokens: u32,
    pub(crate) shape: Option<&'a Shape>,
}

/// What models may think before they answer, which counts as a part of the answer.
const THOUGHTS: u32 = 16_384;

impl Question<'_> {
    /// How long the answer may be together with what is thought before it.
    pub(crate) fn limit_with_thoughts(&self) -> u32 {
        self.max_tokens.saturating_add(THOUGHTS)
    }
}

#[derive(Debug)]
pub(crate) enum Content {
    Text(String),
    Value(Value),
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) content: Content,
    pub(crate) stop: Stop,
    pub(crate) usage: Usage,
    pub(crate) model: Option<String>,
}

impl Answer {
    /// The structured answer, also where a model wrote it out as text.
    pub(crate) fn into_value(self) -> Result<Value, Error> {
        match self.content {
            Content::Value(value) => Ok(value),
            Content::Text(text) => json_in(&text),
        }
    }

    pub(crate) fn into_text(self) -> Result<String, Error> {
        match self.content {
            Content::Text(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(Error::malformed("it holds no text")),
        }
    }
}

/// Where a wire has no other way to ask for a shape, the words do.
pub(crate) fn asked_in_words(system: &str, shape: &Shape) -> String {
    format!(
        "{system}\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. \
         {} It must fit this JSON Schema:\n{}",
        shape.description, shape.schema
    )
}

/// The JSON object in a text that should be one: a code fence or a sentence around it is forgiven.
fn json_in(text: &str) -> Result<Value, Error> {
    let not_json = || Error::malformed("it is not JSON");
    let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else {
        return Err(not_json());
    };
    let object = text.get(start..=end).ok_or_else(not_json)?;
    serde_json::from_str(object).map_err(|_| not_json())
}

/// A count of tokens; what is missing or no number counts as none.
pub(crate) fn tokens(usage: &Value, name: &str) -> u64 {
    usage.get(name).and_then(Value::as_u64).unwrap_or(0)
}
