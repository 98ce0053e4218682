//! Arguments as models send them: names put right, then read, with errors that teach.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;
use crate::schema::JsonObject;

/// Replaces made-up names by the real ones; a real name that is given too wins.
pub(super) fn rename(mut arguments: JsonObject, aliases: &[(&str, &str)]) -> JsonObject {
    for (alias, name) in aliases {
        if arguments.contains_key(*name) {
            continue;
        }
        if let Some(value) = arguments.shift_remove(*alias) {
            arguments.insert((*name).to_owned(), value);
        }
    }
    arguments
}

pub(super) fn parse<P: DeserializeOwned>(
    tool: &str,
    schema: &JsonObject,
    arguments: JsonObject,
) -> Result<P, Failure> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner();
        let message = if path == "." {
            format!("arguments of `{tool}`: {problem}")
        } else {
            format!("argument `{path}` of `{tool}`: {problem}")
        };
        Failure::new(Failure::INVALID_ARGUMENTS, message).hint(expected(schema))
    })
}

/// What the tool takes, as one sentence.
fn expected(schema: &JsonObject) -> String {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let listed: Vec<String> = properties
        .into_iter()
        .flatten()
        .map(|(name, property)| {
            let kind = kind_of(property);
            let need = if required.contains(&name.as_str()) { "required" } else { "optional" };
            format!("`{name}` ({kind}, {need})")
        })
        .collect();
    if listed.is_empty() {
        "It takes no arguments.".to_owned()
    } else {
        format!("It takes {}.", listed.join(", "))
    }
}

fn kind_of(property: &Value) -> String {
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        return format!("one of {}", values.join(", "));
    }
    property.get("type").and_then(Value::as_str).unwrap_or("any value").to_owned()
}
