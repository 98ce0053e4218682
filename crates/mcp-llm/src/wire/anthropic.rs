//! Anthropic's Messages: a structured answer is the input of a tool the model has to call.

use serde_json::{Value, json};

use super::{Answer, Content, Question, tokens};
use crate::error::Error;
use crate::request::{Stop, Usage};
use crate::shape::Shape;

pub(crate) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");
pub(crate) const KEY_HEADER: &str = "x-api-key";

pub(crate) fn body(question: &Question<'_>) -> Value {
    let mut body = json!({
        "model": question.model,
        "max_tokens": question.max_tokens,
        "system": question.system,
        "messages": [{ "role": "user", "content": question.prompt }],
    });
    if let Some(shape) = question.shape {
        body["tools"] = json!([{
            "name": shape.name,
            "description": shape.description,
            "input_schema": shape.schema,
        }]);
        body["tool_choice"] = json!({ "type": "tool", "name": shape.name });
    }
    body
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
