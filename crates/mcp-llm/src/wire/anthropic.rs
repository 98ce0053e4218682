//! Anthropic's Messages: a structured answer is asked for by its schema, a long one comes in parts.

mod parts;

use serde_json::{Map, Value, json};

use super::{Answer, Content, Question, asked_in_words, tokens};
use crate::error::Error;
use crate::request::{Stop, Usage};
use crate::shape::Shape;

pub(crate) use parts::whole;

pub(crate) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");
pub(crate) const KEY_HEADER: &str = "x-api-key";

/// Longer answers may take more time than a connection without a sign of life is kept open.
const STREAMED_FROM: u32 = 16_000;

pub(crate) fn body(question: &Question<'_>) -> Value {
    // What the service cannot enforce of a schema, the words still ask for.
    let system = question
        .shape
        .map_or_else(|| question.system.to_owned(), |it| asked_in_words(question.system, it));
    let limit = question.limit_with_thoughts();
    let mut body = json!({
        "model": question.model,
        "max_tokens": limit,
        "system": system,
        "messages": [{ "role": "user", "content": question.prompt }],
    });
    if limit > STREAMED_FROM {
        body["stream"] = true.into();
    }
    if let Some(shape) = question.shape {
        let mut schema = enforced(&shape.schema);
        schema["title"] = shape.name.as_str().into();
        body["output_config"] = json!({ "format": { "type": "json_schema", "schema": schema } });
    }
    body
}

/// Keywords that the service takes a schema with.
const ENFORCED: [&str; 9] =
    ["type", "properties", "required", "items", "enum", "const", "anyOf", "title", "description"];

/// The part of a schema that the service enforces; it wants each object closed.
fn enforced(schema: &Value) -> Value {
    let Some(fields) = schema.as_object() else { return schema.clone() };
    let mut kept = Map::new();
    for (keyword, value) in fields.iter().filter(|it| ENFORCED.contains(&it.0.as_str())) {
        let value = match (keyword.as_str(), value) {
            ("properties", Value::Object(named)) => {
                Value::Object(named.iter().map(|(name, it)| (name.clone(), enforced(it))).collect())
            }
            ("anyOf", Value::Array(forms)) => forms.iter().map(enforced).collect(),
            ("items", items) => enforced(items),
            _ => value.clone(),
        };
        kept.insert(keyword.clone(), value);
    }
    let is_object = match kept.get("type") {
        Some(Value::Array(types)) => types.iter().any(|it| it == "object"),
        it => it == Some(&json!("object")),
    };
    if is_object {
        kept.insert("additionalProperties".to_owned(), false.into());
    }
    Value::Object(kept)
}

pub(crate) fn read(mut body: Value, shape: Option<&Shape>) -> Result<Answer, Error> {
    let stop = match body.get("stop_reason").and_then(Value::as_str) {
        Some("refusal") => return Err(Error::Refused),
        Some("max_tokens" | "model_context_window_exceeded" | "pause_turn") => Stop::Cut,
        Some(_) => Stop::Complete,
        None => Stop::Unstated,
    };
    let usage = body.get("usage").cloned().unwrap_or_default();
    let usage = Usage {
        input: tokens(&usage, "input_tokens")
            + tokens(&usage, "cache_creation_input_tokens")
            + tokens(&usage, "cache_read_input_tokens"),
        output: tokens(&usage, "output_tokens"),
    };
    let model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    let Some(Value::Array(blocks)) = body.get_mut("content").map(Value::take) else {
        return Err(Error::malformed("it has no content"));
    };
    let content = content(blocks, shape);
    Ok(Answer { content, stop, usage, model })
}

/// The words of an answer. A service in between may answer by calling a tool of the shape's name.
fn content(blocks: Vec<Value>, shape: Option<&Shape>) -> Content {
    let mut text = String::new();
    for mut block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("tool_use")
                if shape.is_some_and(|it| block.get("name") == Some(&json!(it.name))) =>
            {
                let input = block.get_mut("input").map(Value::take).unwrap_or_default();
                return Content::Value(input);
            }
            Some("text") => {
                text.push_str(block.get("text").and_then(Value::as_str).unwrap_or_default());
            }
            _ => {}
        }
    }
    Content::Text(text)
}
