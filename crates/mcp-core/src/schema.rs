//! JSON Schemas that every client understands: no `$ref`, no home-made formats, no `null` types.
//!
//! Clients compile these with validators of their own, and some convert them to a smaller dialect
//! that knows neither type lists nor references.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

/// A JSON object: a schema, or the arguments of a call.
pub type JsonObject = Map<String, Value>;

/// Formats that JSON Schema itself names; others make validators complain.
const STANDARD_FORMATS: [&str; 9] =
    ["date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri"];

/// Nested types deeper than this are described as "any value": recursion has to end somewhere.
const MAX_INLINE_DEPTH: usize = 12;

/// The schema of a tool's arguments. An optional argument is one that is not required, so `null`
/// is taken out of its type.
///
/// ```
/// #[derive(schemars::JsonSchema)]
/// struct Search {
///     words: String,
///     limit: Option<u32>,
/// }
///
/// let schema = mcp_core::schema::input::<Search>();
/// assert_eq!(schema["properties"]["limit"]["type"], "integer");
/// assert_eq!(schema["required"], serde_json::json!(["words"]));
/// ```
pub fn input<T: JsonSchema>() -> JsonObject {
    portable(
        &SchemaGenerator::new(SchemaSettings::draft2020_12())
            .into_root_schema_for::<T>()
            .to_value(),
        Nulls::Drop,
    )
}

/// The schema of a tool's structured answer, where a value that may be null must say so: clients
/// check the answer against it.
pub fn output<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    portable(&SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value(), Nulls::Keep)
}

/// An argument schema written by hand, brought into the same form.
pub fn input_from(schema: &Value) -> JsonObject {
    portable(schema, Nulls::Drop)
}

#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Drop,
    Keep,
}

fn portable(schema: &Value, nulls: Nulls) -> JsonObject {
    let definitions = schema.get("$defs").cloned().unwrap_or_default();
    let mut object = match simplify(schema, &definitions, nulls, 0) {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    object.remove("$schema");
    object.remove("$defs");
    object.remove("title");
    // The doc comment of a struct is for us; the tool's own description says what it is.
    object.remove("description");
    // Protocol and clients alike demand an object with properties at the root.
    object.entry("type").or_insert_with(|| Value::from("object"));
    if object["type"] == "object" {
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    object
}

fn simplify(schema: &Value, definitions: &Value, nulls: Nulls, depth: usize) -> Value {
    let Value::Object(object) = schema else { return schema.clone() };
    if depth > MAX_INLINE_DEPTH {
        return Value::Object(Map::new());
    }
    if let Some(referred) = object.get("$ref").and_then(Value::as_str) {
        return inline(object, referred, definitions, nulls, depth);
    }
    if let Some(single) = single_alternative(object, nulls) {
        let mut merged = simplify(single, definitions, nulls, depth + 1);
        keep_own_description(object, &mut merged);
        return merged;
    }
    if let Some(merged) = enumeration(object) {
        return merged;
    }
    if nulls == Nulls::Keep
        && let Some(alternatives) = or_null(object)
    {
        return simplify(&alternatives, definitions, nulls, depth);
    }
    let mut simple = Map::new();
    for (key, value) in object {
        match key.as_str() {
            "format" if !value.as_str().is_some_and(|it| STANDARD_FORMATS.contains(&it)) => {}
            "default" if value.is_null() => {}
            "type" if nulls == Nulls::Drop => {
                simple.insert(key.clone(), without_null(value));
            }
            "enum" if nulls == Nulls::Drop => {
                let values = value.as_array().into_iter().flatten().filter(|it| !it.is_null());
                simple.insert(key.clone(), values.cloned().collect());
            }
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                let simplified = properties.map(|(name, property)| {
                    (name.clone(), simplify(property, definitions, nulls, depth + 1))
                });
                simple.insert(key.clone(), Value::Object(simplified.collect()));
            }
            "items" | "additionalProperties" | "not" => {
                simple.insert(key.clone(), simplify(value, definitions, nulls, depth + 1));
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                let parts = value.as_array().into_iter().flatten();
                let parts = parts.map(|part| simplify(part, definitions, nulls, depth + 1));
                simple.insert(key.clone(), parts.collect());
            }
            _ => {
                simple.insert(key.clone(), value.clone());
            }
        }
    }
    Value::Object(simple)
}

/// A list of types as alternatives, which smaller dialects know.
fn or_null(object: &JsonObject) -> Option<Value> {
    let types = object.get("type")?.as_array()?;
    let is_null = |it: &&Value| it.as_str() == Some("null");
    let rest: Vec<&Value> = types.iter().filter(|it| !is_null(it)).collect();
    let [single] = rest[..] else { return None };
    if rest.len() == types.len() {
        return None;
    }
    let mut value = object.clone();
    value.insert("type".to_owned(), single.clone());
    let mut alternatives = Map::new();
    if let Some(description) = value.remove("description") {
        alternatives.insert("description".to_owned(), description);
    }
    let null = serde_json::json!({ "type": "null" });
    alternatives.insert("anyOf".to_owned(), Value::Array(vec![Value::Object(value), null]));
    Some(Value::Object(alternatives))
}

fn inline(
    object: &JsonObject,
    referred: &str,
    definitions: &Value,
    nulls: Nulls,
    depth: usize,
) -> Value {
    let name = referred.rsplit('/').next().unwrap_or_default();
    let Some(definition) = definitions.get(name) else { return Value::Object(Map::new()) };
    let mut inlined = simplify(definition, definitions, nulls, depth + 1);
    keep_own_description(object, &mut inlined);
    inlined
}

/// What stands beside a reference is more specific than what the referred type says of itself.
fn keep_own_description(own: &JsonObject, merged: &mut Value) {
    if let Value::Object(merged) = merged {
        for key in ["description", "default", "examples"] {
            if let Some(value) = own.get(key).filter(|value| !value.is_null()) {
                merged.insert(key.to_owned(), value.clone());
            }
        }
        merged.remove("title");
    }
}

/// The one alternative besides `null`, which is how an optional type is written.
fn single_alternative(object: &JsonObject, nulls: Nulls) -> Option<&Value> {
    if nulls == Nulls::Keep {
        return None;
    }
    let alternatives = object.get("anyOf").or_else(|| object.get("oneOf"))?.as_array()?;
    let mut others = alternatives.iter().filter(|it| it.get("type") != Some(&Value::from("null")));
    let only = others.next()?;
    (others.next().is_none() && alternatives.len() > 1).then_some(only)
}

/// An enum whose variants have descriptions arrives as a list of constants; clients understand the
/// plain list of values better, with the descriptions gathered into one.
fn enumeration(object: &JsonObject) -> Option<Value> {
    let variants = object.get("oneOf")?.as_array()?;
    let mut values = Vec::new();
    let mut lines: Vec<String> =
        object.get("description").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
    for variant in variants {
        let listed = variant.get("enum").and_then(Value::as_array);
        match (variant.get("const"), listed) {
            (Some(value), _) => {
                if let (Some(value), Some(description)) =
                    (value.as_str(), variant.get("description").and_then(Value::as_str))
                {
                    lines.push(format!("{value}: {description}"));
                }
                values.push(value.clone());
            }
            (None, Some(listed)) => values.extend(listed.iter().cloned()),
            (None, None) => return None,
        }
    }
    let mut merged = Map::new();
    merged.insert("type".to_owned(), Value::from("string"));
    if !lines.is_empty() {
        merged.insert("description".to_owned(), Value::from(lines.join("\n")));
    }
    merged.insert("enum".to_owned(), Value::from(values));
    Some(Value::Object(merged))
}

fn without_null(kinds: &Value) -> Value {
    let Value::Array(kinds) = kinds else { return kinds.clone() };
    let mut others: Vec<Value> = kinds.iter().filter(|kind| *kind != "null").cloned().collect();
    if others.len() == 1 { others.remove(0) } else { Value::Array(others) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        /// Everything.
        All,
        /// Only the names.
        Names,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Params {
        /// What to look for.
        query: String,
        /// At most this many.
        limit: Option<u32>,
        /// Which part.
        kind: Option<Kind>,
        /// Nested.
        inner: Option<Inner>,
        many: Vec<Inner>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        /// By name.
        weights: BTreeMap<String, f64>,
        /// Itself again.
        inner: Option<Box<Self>>,
    }

    #[test]
    fn arguments_have_no_references_nulls_or_odd_formats() {
        let schema = Value::Object(input::<Params>());
        let text = schema.to_string();
        for word in ["$ref", "$defs", "$schema", "null", "uint32", "double"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert_eq!(schema["properties"]["limit"]["type"], "integer");
        assert_eq!(schema["properties"]["kind"]["enum"], serde_json::json!(["all", "names"]));
        assert_eq!(schema["required"], serde_json::json!(["query", "many"]));
        assert_eq!(schema["additionalProperties"], false);
    }

    #[test]
    fn an_answer_that_may_be_null_says_so() {
        let schema = Value::Object(output::<Params>());
        let alternatives = schema["properties"]["limit"]["anyOf"].as_array().unwrap();
        assert_eq!(alternatives[0]["type"], "integer");
        assert_eq!(alternatives[1], serde_json::json!({ "type": "null" }));
        assert!(!schema.to_string().contains("$ref"));
    }

    #[test]
    fn no_arguments_at_all_is_still_an_object_with_properties() {
        #[derive(JsonSchema)]
        struct Nothing {}
        let schema = input::<Nothing>();
        assert_eq!(Value::Object(schema), serde_json::json!({"type": "object", "properties": {}}));
    }
}
