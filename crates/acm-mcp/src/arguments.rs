//! What a tool takes: one list that is both the schema clients see and the check we make.
//!
//! Clients are told the allowed values, but the answer to a wrong one is ours: a sentence that
//! names what is supported, where a validator would print its own report.

use mcp_core::schema::JsonObject;
use mcp_core::text;
use serde_json::{Value, json};

use crate::catalog::Announced;
use crate::error::Error;

#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    name: &'static str,
    description: &'static str,
    kind: Kind,
    required: bool,
}

#[derive(Debug, Clone)]
enum Kind {
    /// One of these words; the noun is what a sentence calls it.
    Choice {
        noun: &'static str,
        values: Vec<&'static str>,
        announced: &'static [Announced],
    },
    Text,
    CapabilityId,
    Flag,
    Words,
}

/// The pattern that the seed gives; checked by `is_capability_id`.
const CAPABILITY_ID: &str = "^[a-z0-9][a-z0-9-]*$";

/// How much of a caller's value an error repeats.
const SHOWN_CHARS: usize = 100;

impl Parameter {
    fn new(name: &'static str, description: &'static str, kind: Kind) -> Self {
        Self { name, description, kind, required: false }
    }

    pub(crate) fn choice(
        name: &'static str,
        description: &'static str,
        noun: &'static str,
        values: Vec<&'static str>,
    ) -> Self {
        Self::new(name, description, Kind::Choice { noun, values, announced: &[] })
    }

    pub(crate) fn text(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Text)
    }

    pub(crate) fn capability_id(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::CapabilityId)
    }

    pub(crate) fn flag(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Flag)
    }

    pub(crate) fn words(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Words)
    }

    pub(crate) fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Values that are planned: asking for one gets a sentence of its own.
    pub(crate) fn announcing(mut self, values: &'static [Announced]) -> Self {
        if let Kind::Choice { announced, .. } = &mut self.kind {
            *announced = values;
        }
        self
    }

    fn schema(&self) -> Value {
        let description = self.description;
        match &self.kind {
            Kind::Choice { values, .. } => {
                json!({ "type": "string", "enum": values, "description": description })
            }
            Kind::Text => json!({ "type": "string", "description": description }),
            Kind::CapabilityId => {
                json!({ "type": "string", "pattern": CAPABILITY_ID, "description": description })
            }
            Kind::Flag => json!({ "type": "boolean", "description": description }),
            Kind::Words => json!({
                "type": "array", "items": { "type": "string" }, "description": description,
            }),
        }
    }

    fn check(&self, given: Option<&Value>) -> Result<(), Error> {
        match (given, &self.kind) {
            (None, _) if self.required => Err(self.missing()),
            (None, _)
            | (Some(Value::String(_)), Kind::Text)
            | (Some(Value::Bool(_)), Kind::Flag) => Ok(()),
            (Some(value), Kind::Choice { noun, values, announced }) => match value.as_str() {
                Some(word) if values.contains(&word) => Ok(()),
                word => Err(unsupported(noun, values, announced, word, value)),
            },
            (Some(Value::String(id)), Kind::CapabilityId) if is_capability_id(id) => Ok(()),
            (Some(value), Kind::CapabilityId) => Err(argument(format!(
                "Capability ID {} is not valid: it has lowercase letters, digits and hyphens only \
                 and starts with a letter or digit, such as 'acm-env'. \
                 Call query_capabilities to find the IDs.",
                shown(value)
            ))),
            (Some(Value::Array(items)), Kind::Words) if items.iter().all(Value::is_string) => {
                Ok(())
            }
            (Some(value), kind) => {
                let wanted = match kind {
                    Kind::Flag => "true or false",
                    Kind::Words => "a list of words, such as [\"review\"]",
                    _ => "text",
                };
                let problem =
                    format!("Parameter '{}' must be {wanted}, not {}.", self.name, shown(value));
                Err(argument(problem))
            }
        }
    }

    fn missing(&self) -> Error {
        argument(match &self.kind {
            Kind::Choice { noun, values, .. } => format!(
                "Parameter '{}' is missing. Supported {}: {}.",
                self.name,
                plural(noun),
                values.join(", ")
            ),
            _ => format!(
                "Parameter '{}' is missing: {}.",
                self.name,
                self.description.trim_end_matches('.')
            ),
        })
    }
}

fn argument(problem: String) -> Error {
    Error::Argument { problem }
}

fn plural(noun: &str) -> String {
    format!("{noun}s")
}

fn unsupported(
    noun: &str,
    values: &[&str],
    announced: &[Announced],
    word: Option<&str>,
    value: &Value,
) -> Error {
    let (kind, plural) = (capitalised(noun), plural(noun));
    let supported = values.join(", ");
    if let Some(announced) = announced.iter().find(|it| Some(it.name.as_str()) == word) {
        return argument(format!(
            "{kind} '{}' is not yet supported. Supported {plural}: {supported}. \
             See backlog item {}.",
            announced.name, announced.backlog
        ));
    }
    let near = word.and_then(|word| text::nearest(word, values.iter().copied()));
    let meant = near.map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
    let given = shown(value);
    argument(format!("{kind} {given} is not supported. Supported {plural}: {supported}.{meant}"))
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

fn is_capability_id(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    id.bytes().next().is_some_and(plain) && id.bytes().all(|byte| plain(byte) || byte == b'-')
}

/// The schema of a tool with these parameters.
pub(crate) fn schema(parameters: &[Parameter]) -> Value {
    let properties: JsonObject =
        parameters.iter().map(|it| (it.name.to_owned(), it.schema())).collect();
    let required: Vec<&str> =
        parameters.iter().filter(|it| it.required).map(|it| it.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// Arguments that have been checked.
#[derive(Debug)]
pub(crate) struct Given(JsonObject);

/// Checks what a caller sent. `null` counts as not given; names we do not know are passed over,
/// unless they look like a slip for one that was left out.
pub(crate) fn check(parameters: &[Parameter], mut arguments: JsonObject) -> Result<Given, Error> {
    arguments.retain(|_, value| !value.is_null());
    for name in arguments.keys() {
        if parameters.iter().any(|it| it.name == name) {
            continue;
        }
        let free = parameters.iter().map(|it| it.name).filter(|it| !arguments.contains_key(*it));
        if let Some(meant) = text::nearest(name, free) {
            let name = text::one_line(text::cut(name, SHOWN_CHARS));
            return Err(argument(format!(
                "No parameter is named '{name}'. Did you mean '{meant}'?"
            )));
        }
    }
    for parameter in parameters {
        parameter.check(arguments.get(parameter.name))?;
    }
    Ok(Given(arguments))
}

impl Given {
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A parameter that was checked to be there.
    pub(crate) fn required(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(crate) fn words(&self, name: &str) -> Vec<&str> {
        let words = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        words.filter_map(Value::as_str).collect()
    }
}
