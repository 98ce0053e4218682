//! `Shape`: the JSON Schema of a structured answer, and the check of what came back against it.

use regex::Regex;
use serde_json::{Map, Value};

use crate::error::Error;

/// What is understood. A schema with any other keyword is refused, so that nothing a caller wrote
/// down goes unchecked.
const KEYWORDS: [&str; 15] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "pattern",
];
/// Said to the model, not checked.
const REMARKS: [&str; 4] = ["title", "description", "default", "examples"];

#[derive(Debug, Clone)]
pub struct Shape {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: Value,
    /// Whether the schema keeps to the rules under which providers enforce it themselves.
    pub(crate) strict: bool,
}

impl Shape {
    /// `name` is what the model sees it called: letters, digits and underscores.
    pub fn new(name: &str, description: &str, schema: Value) -> Result<Self, Error> {
        let object = schema.get("type").and_then(Value::as_str) == Some("object");
        if !object {
            return Err(Error::Shape { problem: "it is not an object at the top".to_owned() });
        }
        check_schema(&schema, "")?;
        let strict = is_strict(&schema);
        Ok(Self { name: name.to_owned(), description: description.to_owned(), schema, strict })
    }

    /// Says in words what does not fit, without repeating the value.
    pub fn check(&self, value: &Value) -> Result<(), Error> {
        fits(value, &self.schema, "the answer").map_err(Error::malformed)
    }
}

fn check_schema(schema: &Value, at: &str) -> Result<(), Error> {
    let wrong = |problem: String| Err(Error::Shape { problem: format!("{problem} at `{at}/`") });
    let Some(fields) = schema.as_object() else { return wrong("no object".to_owned()) };
    for (keyword, value) in fields {
        let below = format!("{at}/{keyword}");
        match keyword.as_str() {
            "properties" => {
                let Some(properties) = value.as_object() else {
                    return wrong("properties without names".to_owned());
                };
                for (name, schema) in properties {
                    check_schema(schema, &format!("{below}/{name}"))?;
                }
            }
            "items" => check_schema(value, &below)?,
            "anyOf" => {
                for schema in value.as_array().into_iter().flatten() {
                    check_schema(schema, &below)?;
                }
            }
            "additionalProperties" if !value.is_boolean() => {
                return wrong("additionalProperties other than true and false".to_owned());
            }
            "pattern" if value.as_str().is_none_or(|it| Regex::new(it).is_err()) => {
                return wrong("a pattern that is none".to_owned());
            }
            known if KEYWORDS.contains(&known) || REMARKS.contains(&known) => {}
            unknown => return wrong(format!("the keyword `{unknown}`")),
        }
    }
    Ok(())
}

/// Providers enforce a schema only where each object names all its fields and allows no others.
fn is_strict(schema: &Value) -> bool {
    let objects = schema.get("properties").and_then(Value::as_object).is_none_or(|properties| {
        let required = schema.get("required").and_then(Value::as_array);
        let all = properties.keys().all(|name| {
            required.is_some_and(|it| it.iter().any(|it| it.as_str() == Some(name.as_str())))
        });
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        all && closed && properties.values().all(is_strict)
    });
    let items = schema.get("items").is_none_or(is_strict);
    let choices = schema.get("anyOf").and_then(Value::as_array);
    objects && items && choices.is_none_or(|it| it.iter().all(is_strict))
}

fn fits(value: &Value, schema: &Value, at: &str) -> Result<(), String> {
    let Some(rules) = schema.as_object() else { return Ok(()) };
    if let Some(wanted) = rules.get("type") {
        check_type(value, wanted, at)?;
    }
    if let Some(Value::Array(allowed)) = rules.get("enum")
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
        return Err(format!("{at} must be one of {}", allowed.join(", ")));
    }
    if let Some(only) = rules.get("const")
        && only != value
    {
        return Err(format!("{at} must be {only}"));
    }
    if let Some(Value::Array(choices)) = rules.get("anyOf")
        && !choices.iter().any(|it| fits(value, it, at).is_ok())
    {
        return Err(format!("{at} fits none of the allowed forms"));
    }
    match value {
        Value::Object(fields) => check_object(fields, rules, at),
        Value::Array(items) => check_array(items, rules, at),
        Value::String(text) => check_text(text, rules, at),
        Value::Number(number) => check_number(number.as_f64().unwrap_or(f64::NAN), rules, at),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

fn check_type(value: &Value, wanted: &Value, at: &str) -> Result<(), String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    };
    let names: Vec<&str> = match wanted {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if names.iter().any(|it| is(it)) {
        return Ok(());
    }
    Err(format!("{at} must be of type {}", names.join(" or ")))
}

fn check_object(
    fields: &Map<String, Value>,
    rules: &Map<String, Value>,
    at: &str,
) -> Result<(), String> {
    for name in rules.get("required").and_then(Value::as_array).into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        if !fields.contains_key(name) {
            return Err(format!("{at} lacks `{name}`"));
        }
    }
    let properties = rules.get("properties").and_then(Value::as_object);
    for (name, value) in fields {
        match properties.and_then(|it| it.get(name)) {
            Some(schema) => fits(value, schema, &format!("`{name}` of {at}"))?,
            None if rules.get("additionalProperties") == Some(&Value::Bool(false)) => {
                let known: Vec<&str> =
                    properties.into_iter().flat_map(|it| it.keys().map(String::as_str)).collect();
                return Err(format!("{at} has a field besides {}", known.join(", ")));
            }
            None => {}
        }
    }
    Ok(())
}

fn check_array(items: &[Value], rules: &Map<String, Value>, at: &str) -> Result<(), String> {
    check_bounds(count(items.len()), rules, ["minItems", "maxItems"], at, "items")?;
    let Some(schema) = rules.get("items") else { return Ok(()) };
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| fits(item, schema, &format!("item {} of {at}", index + 1)))
}

fn check_text(text: &str, rules: &Map<String, Value>, at: &str) -> Result<(), String> {
    let length = count(text.chars().count());
    check_bounds(length, rules, ["minLength", "maxLength"], at, "characters")?;
    match rules.get("pattern").and_then(Value::as_str) {
        Some(pattern) if !Regex::new(pattern).is_ok_and(|it| it.is_match(text)) => {
            Err(format!("{at} must match {pattern}"))
        }
        _ => Ok(()),
    }
}

fn check_number(number: f64, rules: &Map<String, Value>, at: &str) -> Result<(), String> {
    check_bounds(number, rules, ["minimum", "maximum"], at, "as its value")
}

fn check_bounds(
    actual: f64,
    rules: &Map<String, Value>,
    [least, most]: [&str; 2],
    at: &str,
    what: &str,
) -> Result<(), String> {
    let bound = |name: &str| rules.get(name).and_then(Value::as_f64);
    if let Some(least) = bound(least)
        && actual < least
    {
        return Err(format!("{at} must have at least {least} {what}"));
    }
    if let Some(most) = bound(most)
        && actual > most
    {
        return Err(format!("{at} must have at most {most} {what}"));
    }
    Ok(())
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}
