//! The front matter of a command file, read leniently: one bad field costs that field alone.

mod fields;
mod place;

use mcp_core::frontmatter::Document;
use mcp_core::text;
use serde_json::{Map, Value};

use super::{Handoff, Kind, Problem};
use place::Lines;

/// Menus show a line or two of a description.
const MAX_DESCRIPTION_CHARS: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) title: Option<String>,
    /// What other agents call the command; the file's name is what counts.
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) hint: Option<String>,
    /// The agent that a prompt file leaves its text to.
    pub(super) agent: Option<String>,
    pub(super) handoffs: Vec<Handoff>,
    pub(super) handoff_lines: Vec<usize>,
    pub(super) problems: Vec<Problem>,
}

/// What becomes of front matter that is not YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// It costs the command: nobody knows what it meant.
    Strict,
    /// Each field is read by itself, as the agents do that these files were written for.
    FieldByField,
}

/// Splits the text of a file. An error costs the whole command.
pub(super) fn read(text: &str, reading: Reading) -> Result<(Front, Document<'_>), Problem> {
    let (fields, document) = fields::read(text, reading)?;
    let lines = Lines(document.front.unwrap_or_default());
    Ok((Front::of(&fields, &lines), document))
}

/// The fields of a block that stands in the text itself.
pub(super) fn of_lines(block: &str) -> Front {
    let fields = fields::one_by_one(block).unwrap_or_default();
    Front::of(&fields, &Lines(block))
}

/// The fields of a file that is not Markdown.
pub(super) fn of_fields(fields: &Map<String, Value>) -> Front {
    Front::of(fields, &Lines(""))
}

impl Front {
    fn of(fields: &Map<String, Value>, lines: &Lines<'_>) -> Self {
        let mut front = Self::default();
        front.title = front.words(fields, "title", lines);
        front.name = fields.get("name").and_then(Value::as_str).and_then(shown);
        front.agent = fields.get("agent").and_then(Value::as_str).map(str::to_owned);
        front.description = front.words(fields, "description", lines);
        front.hint = hint(fields);
        front.read_handoffs(fields, lines);
        front
    }

    fn words(
        &mut self,
        fields: &Map<String, Value>,
        key: &str,
        lines: &Lines<'_>,
    ) -> Option<String> {
        let words = match fields.get(key)? {
            Value::Null => return None,
            Value::String(words) => words.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(word) => word.to_string(),
            Value::Array(_) | Value::Object(_) => {
                let message = format!("`{key}` is not text; put it into quotation marks");
                self.problems.push(Problem::new(Kind::BadField, lines.of_key(key), message));
                return None;
            }
        };
        shown(&words)
    }

    fn read_handoffs(&mut self, fields: &Map<String, Value>, lines: &Lines<'_>) {
        let items = match fields.get("handoffs") {
            None | Some(Value::Null) => return,
            Some(Value::Array(items)) => items,
            Some(_) => {
                let line = lines.of_key("handoffs");
                let message = "`handoffs` is not a list, so there are none";
                self.problems.push(Problem::new(Kind::BadHandoff, line, message));
                return;
            }
        };
        for (index, item) in items.iter().enumerate() {
            let line = lines.of_item("handoffs", index);
            match Handoff::from_item(item) {
                Ok(handoff) => {
                    self.handoffs.push(handoff);
                    self.handoff_lines.push(line);
                }
                Err(reason) => {
                    let message = format!("handoff {} is left out: {reason}", index + 1);
                    self.problems.push(Problem::new(Kind::BadHandoff, line, message));
                }
            }
        }
    }
}

/// `[feature name]` without quotation marks is a list to YAML, and means the words in brackets.
fn hint(fields: &Map<String, Value>) -> Option<String> {
    let words = match fields.get("argument-hint")? {
        Value::String(words) => words.clone(),
        Value::Array(items) => {
            let items = items.iter().map(|item| match item {
                Value::String(words) => words.clone(),
                other => other.to_string(),
            });
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Object(_) => return None,
        scalar => scalar.to_string(),
    };
    shown(&words)
}

/// On one line and of bearable length; `None` when nothing is left.
pub(super) fn shown(words: &str) -> Option<String> {
    let line = text::one_line(words);
    let kept = text::cut(&line, MAX_DESCRIPTION_CHARS);
    match kept {
        "" => None,
        _ if kept.len() < line.len() => Some(format!("{}…", kept.trim_end())),
        _ => Some(line),
    }
}
