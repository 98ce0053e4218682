//! Arguments by the contract's own schemas, with errors that say what is wrong and what is valid.

use mcp_core::failure::Failure;
use mcp_core::schema::JsonObject;
use mcp_core::server::{Wrong, WrongArgument};
use mcp_core::text;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A schema of the contract.
pub(super) fn schema(text: &str) -> JsonObject {
    serde_json::from_str(text).unwrap_or_default()
}

/// Our words for arguments that do not fit.
pub(super) fn objection(argument: &WrongArgument<'_>) -> Option<Failure> {
    let tool = argument.tool;
    let message = match &argument.wrong {
        Wrong::Unknown { name } => {
            let properties = argument.schema.get("properties").and_then(Value::as_object);
            let known = properties.into_iter().flat_map(|it| it.keys().map(String::as_str));
            let nearest = text::nearest(name, known);
            let meant = nearest.map(|it| format!("; `{it}` is meant?")).unwrap_or_default();
            let name = text::one_line(text::cut(name, 60));
            format!("`{tool}` has no argument `{name}`{meant}")
        }
        Wrong::Missing { name } => format!("argument `{name}` of `{tool}` is missing"),
        Wrong::Kind { required: "boolean", value: Value::String(word), .. }
            if truth(word).is_some() =>
        {
            return None;
        }
        Wrong::Kind { name, value, required } => {
            let sent = kind_of(value);
            format!("argument `{name}` of `{tool}` is a {sent}, a {required} is required")
        }
        Wrong::Choice { name, .. } => {
            format!("argument `{name}` of `{tool}` is none of the values it may have")
        }
    };
    Some(Failure::new(Failure::INVALID_ARGUMENTS, message).hint(argument.expected()))
}

/// A flag, which some clients send as a word.
pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sent {
        Flag(bool),
        Word(String),
    }
    match Sent::deserialize(deserializer)? {
        Sent::Flag(flag) => Ok(flag),
        Sent::Word(word) => {
            truth(&word).ok_or_else(|| serde::de::Error::custom("neither true nor false"))
        }
    }
}

fn truth(word: &str) -> Option<bool> {
    match word {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}
