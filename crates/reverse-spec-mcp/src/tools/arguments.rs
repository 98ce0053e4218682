//! Arguments by the contract's own schemas, with errors that say what is wrong and what is valid.

use mcp_core::failure::Failure;
use mcp_core::text;
use serde_json::{Map, Value};

/// A tool's schema and the arguments of one call, checked against it.
pub(super) struct Given {
    values: Map<String, Value>,
}

/// Reads a schema of the contract.
pub(super) fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Checks what a client sent: names, kinds and what is required. Null counts as absent.
pub(super) fn check(
    tool: &str,
    schema: &Value,
    sent: Map<String, Value>,
) -> Result<Given, Failure> {
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let refuse = |message: String| {
        Failure::new(Failure::INVALID_ARGUMENTS, message).hint(expected(schema, properties))
    };
    let mut values = Map::new();
    for (name, value) in sent {
        let Some(property) = properties.get(&name) else {
            let nearest = text::nearest(&name, properties.keys().map(String::as_str));
            let meant = nearest.map(|it| format!("; `{it}` is meant?")).unwrap_or_default();
            let name = text::one_line(text::cut(&name, 60));
            return Err(refuse(format!("`{tool}` has no argument `{name}`{meant}")));
        };
        let value = match (property["type"].as_str(), value) {
            (_, Value::Null) => continue,
            (Some("boolean"), Value::String(word)) if word == "true" || word == "false" => {
                Value::Bool(word == "true")
            }
            (Some("boolean"), value @ Value::Bool(_))
            | (Some("string"), value @ Value::String(_)) => value,
            (kind, value) => {
                let kind = kind.unwrap_or("other");
                let sent = kind_of(&value);
                return Err(refuse(format!(
                    "argument `{name}` of `{tool}` is a {sent}, a {kind} is required"
                )));
            }
        };
        values.insert(name, value);
    }
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    for name in required.iter().filter_map(Value::as_str) {
        let given = values.get(name).and_then(Value::as_str);
        if given.is_none_or(|it| it.trim().is_empty()) {
            return Err(refuse(format!("argument `{name}` of `{tool}` is missing")));
        }
    }
    Ok(Given { values })
}

impl Given {
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.values.get(name).and_then(Value::as_str).map(str::to_owned)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.values.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
}

fn expected(schema: &Value, properties: &Map<String, Value>) -> String {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let listed: Vec<String> = properties
        .iter()
        .map(|(name, property)| {
            let need = if required.iter().any(|it| it == name) { "required" } else { "optional" };
            format!("`{name}` ({}, {need})", property["type"].as_str().unwrap_or("any"))
        })
        .collect();
    format!("It takes {}.", listed.join(", "))
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
