//! What the parameters of several tools share: the values that the catalogue allows, and our own
//! sentence for a value that is wrong.
//!
//! The schemas advertise the allowed values, but the answer to a wrong one is ours: it names what
//! is supported, where a validator would print its own report.

use mcp_core::failure::Failure;
use mcp_core::server::{Wrong, WrongArgument};
use mcp_core::text;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::domain::catalog::{self, CATALOG};
use crate::error::Error;

/// How much of a caller's value an error repeats.
const SHOWN_CHARS: usize = 100;

fn one_of<'a>(values: impl IntoIterator<Item = &'a str>) -> Schema {
    let values: Vec<&str> = values.into_iter().collect();
    json_schema!({ "type": "string", "enum": values })
}

pub(super) fn stages(_: &mut SchemaGenerator) -> Schema {
    one_of(catalog::names(&CATALOG.stages))
}

pub(super) fn phases(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.phases.iter().map(String::as_str))
}

pub(super) fn transitions(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.transitions.iter().map(|it| it.name.as_str()))
}

pub(super) fn artifacts(_: &mut SchemaGenerator) -> Schema {
    one_of(catalog::names(&CATALOG.artifacts))
}

pub(super) fn stubs(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.stubs.iter().map(|it| it.name.as_str()))
}

pub(super) fn project_types(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.project_types.iter().map(String::as_str))
}

pub(super) fn scales(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.scales.iter().map(String::as_str))
}

pub(super) fn scopes(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.scopes.iter().map(String::as_str))
}

pub(super) fn context_levels(_: &mut SchemaGenerator) -> Schema {
    one_of(catalog::names(&CATALOG.contexts))
}

pub(super) fn capability_types(_: &mut SchemaGenerator) -> Schema {
    one_of(CATALOG.capability_types.iter().map(|it| it.name.as_str()))
}

/// The pattern that the seed gives; checked by `check_capability_id`.
pub(super) fn capability_id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$" })
}

pub(super) fn check_capability_id(id: &str) -> Result<(), Error> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let fits =
        id.bytes().next().is_some_and(plain) && id.bytes().all(|byte| plain(byte) || byte == b'-');
    if fits { Ok(()) } else { Err(argument(not_an_id(&Value::from(id)))) }
}

/// The sentence for an argument that does not fit. Names we do not know are passed over, unless
/// they look like a slip for one that was left out; an empty text is a text.
pub(super) fn object(argument: &WrongArgument<'_>) -> Option<Failure> {
    let problem = match &argument.wrong {
        Wrong::Unknown { name } => {
            let meant = text::nearest(name, left_out(argument))?;
            let name = text::one_line(text::cut(name, SHOWN_CHARS));
            format!("No parameter is named '{name}'. Did you mean '{meant}'?")
        }
        Wrong::Missing { name } if argument.given.contains_key(*name) => return None,
        Wrong::Missing { name } => missing(name, property(argument, name)),
        Wrong::Kind { name: "capability_id", value, .. } => not_an_id(value),
        Wrong::Kind { name, value, required } => {
            let wanted = match *required {
                "boolean" => "true or false",
                "array" => "a list of words, such as [\"review\"]",
                _ => "text",
            };
            format!("Parameter '{name}' must be {wanted}, not {}.", shown(value))
        }
        Wrong::Choice { name, value, allowed } => unsupported(name, value, allowed),
    };
    Some(self::argument(problem).into())
}

fn argument(problem: String) -> Error {
    Error::Argument { problem }
}

fn property<'a>(argument: &WrongArgument<'a>, name: &str) -> Option<&'a Value> {
    argument.schema.get("properties")?.get(name)
}

fn left_out<'a>(argument: &WrongArgument<'a>) -> impl Iterator<Item = &'a str> {
    let given = argument.given;
    let properties = argument.schema.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flat_map(|it| it.keys().map(String::as_str));
    names.filter(move |it| !given.contains_key(*it))
}

fn missing(name: &str, property: Option<&Value>) -> String {
    let key = |key: &str| property.and_then(|it| it.get(key));
    if let Some(values) = key("enum").and_then(Value::as_array) {
        let (kinds, values) = (plural(name), listed(values));
        return format!("Parameter '{name}' is missing. Supported {kinds}: {values}.");
    }
    let description = key("description").and_then(Value::as_str).unwrap_or_default();
    format!("Parameter '{name}' is missing: {}.", description.trim_end_matches('.'))
}

fn unsupported(name: &str, value: &Value, allowed: &[Value]) -> String {
    let (kind, kinds, supported) = (capitalised(&noun(name)), plural(name), listed(allowed));
    let word = value.as_str();
    let announced = CATALOG.announced_stages.iter().filter(|_| name == "stage");
    if let Some(announced) = announced.into_iter().find(|it| Some(it.name.as_str()) == word) {
        return format!(
            "{kind} '{}' is not yet supported. Supported {kinds}: {supported}. \
             See backlog item {}.",
            announced.name, announced.backlog
        );
    }
    let values = allowed.iter().filter_map(Value::as_str);
    let near = word.and_then(|word| text::nearest(word, values));
    let meant = near.map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
    let given = shown(value);
    format!("{kind} {given} is not supported. Supported {kinds}: {supported}.{meant}")
}

fn not_an_id(value: &Value) -> String {
    format!(
        "Capability ID {} is not valid: it has lowercase letters, digits and hyphens only \
         and starts with a letter or digit, such as 'acm-env'. \
         Call query_capabilities to find the IDs.",
        shown(value)
    )
}

fn listed(values: &[Value]) -> String {
    values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

/// What a sentence calls a parameter.
fn noun(name: &str) -> String {
    name.replace('_', " ")
}

fn plural(name: &str) -> String {
    format!("{}s", noun(name))
}

fn capitalised(noun: &str) -> String {
    let mut characters = noun.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// A caller's value as an error repeats it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(word) => format!("'{}'", text::one_line(text::cut(word, SHOWN_CHARS))),
        other => text::one_line(text::cut(&other.to_string(), SHOWN_CHARS)),
    }
}
