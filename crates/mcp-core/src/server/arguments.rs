//! Arguments as models send them: names put right, then checked and read, with errors that teach.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;
use crate::schema::JsonObject;

/// One way in which arguments do not fit a tool's schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrong<'a> {
    /// The schema has no argument of that name.
    Unknown {
        /// The name that was given.
        name: &'a str,
    },
    /// A required argument is not there, or is an empty text.
    Missing {
        /// The argument, as the schema names it.
        name: &'a str,
    },
    /// The value is not of the kind that the schema says.
    Kind {
        /// The argument, as the schema names it.
        name: &'a str,
        /// What was given for it.
        value: &'a Value,
        /// The kind in the schema's words, such as `integer`.
        required: &'a str,
    },
    /// The value is none of those that the schema lists.
    Choice {
        /// The argument, as the schema names it.
        name: &'a str,
        /// What was given for it.
        value: &'a Value,
        /// The values that the schema lists.
        allowed: &'a [Value],
    },
}

/// What a server's own words for wrong arguments are made from.
#[derive(Debug)]
pub struct WrongArgument<'a> {
    /// The name of the tool that was called.
    pub tool: &'a str,
    /// The schema that the arguments were compared with.
    pub schema: &'a JsonObject,
    /// Everything that was given, `null` left out.
    pub given: &'a JsonObject,
    /// The first thing that was found wrong and not yet let pass.
    pub wrong: Wrong<'a>,
}

/// Says what is wrong in the server's own words; `None` lets it pass to the reading of the
/// arguments, which may put up with it or object in ours.
pub(super) type Object = fn(&WrongArgument<'_>) -> Option<Failure>;

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

/// Compares what was given with the schema and lets the server object. `null` counts as absent.
pub(super) fn check(
    tool: &str,
    schema: &JsonObject,
    mut given: JsonObject,
    object: Object,
) -> Result<JsonObject, Failure> {
    given.retain(|_, value| !value.is_null());
    let none = JsonObject::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let unknown = given.keys().filter(|name| !properties.contains_key(*name));
    let unknown = unknown.map(|name| Wrong::Unknown { name });
    let values = properties.iter().filter_map(|(name, property)| {
        given.get(name).and_then(|value| wrong_value(name, property, value))
    });
    let is_missing = |name: &&str| match given.get(*name) {
        Some(Value::String(text)) => text.trim().is_empty(),
        other => other.is_none(),
    };
    let missing = required(schema).filter(is_missing).map(|name| Wrong::Missing { name });
    for wrong in unknown.chain(values).chain(missing) {
        if let Some(failure) = object(&WrongArgument { tool, schema, given: &given, wrong }) {
            return Err(failure);
        }
    }
    Ok(given)
}

fn wrong_value<'a>(name: &'a str, property: &'a Value, value: &'a Value) -> Option<Wrong<'a>> {
    if let Some(allowed) = property.get("enum").and_then(Value::as_array) {
        return (!allowed.contains(value)).then_some(Wrong::Choice { name, value, allowed });
    }
    let required = property.get("type").and_then(Value::as_str)?;
    let fits = match (required, value) {
        ("string", Value::String(_))
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => number.is_i64() || number.is_u64(),
        ("array", Value::Array(items)) => {
            let item = property.get("items").unwrap_or(&Value::Null);
            items.iter().all(|it| wrong_value(name, item, it).is_none())
        }
        _ => false,
    };
    (!fits).then_some(Wrong::Kind { name, value, required })
}

fn required(schema: &JsonObject) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
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
    let required: Vec<&str> = required(schema).collect();
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

impl WrongArgument<'_> {
    /// What the tool takes, as one sentence: the hint of the core's own words.
    pub fn expected(&self) -> String {
        expected(self.schema)
    }
}
