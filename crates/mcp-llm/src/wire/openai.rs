//! Chat completions: the wire that most services understand.

use serde_json::{Value, json};

use super::{Answer, Content, Question, asked_in_words, tokens};
use crate::error::Error;
use crate::request::{Stop, Usage};

pub(crate) fn body(question: &Question<'_>, limit_field: &str) -> Value {
    // Some services take `response_format` and do nothing with it: the words ask as well.
    let system = question
        .shape
        .map_or_else(|| question.system.to_owned(), |it| asked_in_words(question.system, it));
    let mut body = json!({
        "model": question.model,
        "messages": [
            { "role": "system", "content": system },
            { "role": "user", "content": question.prompt },
        ],
    });
    // Under its newer name the limit is about what is thought too.
    let limit = match limit_field {
        "max_completion_tokens" => question.limit_with_thoughts(),
        _ => question.max_tokens,
    };
    body[limit_field] = limit.into();
    if let Some(shape) = question.shape {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": { "name": shape.name, "schema": shape.schema, "strict": shape.strict },
        });
    }
    body
}

pub(crate) fn read(body: &Value) -> Result<Answer, Error> {
    let choice = body.pointer("/choices/0").ok_or_else(|| Error::malformed("it has no choices"))?;
    let message = choice.get("message").cloned().unwrap_or_default();
    if message.get("refusal").is_some_and(Value::is_string) {
        return Err(Error::Refused);
    }
    let stop = match choice.get("finish_reason").and_then(Value::as_str) {
        Some("content_filter") => return Err(Error::Refused),
        Some("length") => Stop::Cut,
        Some("") | None => Stop::Unstated,
        Some(_) => Stop::Complete,
    };
    let usage = body.get("usage").cloned().unwrap_or_default();
    let usage = Usage {
        input: tokens(&usage, "prompt_tokens"),
        output: tokens(&usage, "completion_tokens"),
    };
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|it| it.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    };
    let model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok(Answer { content: Content::Text(text), stop, usage, model })
}
