//! The front matter of a command file, read leniently: one bad field costs that field alone.

use mcp_core::frontmatter::{self, Document};
use mcp_core::text;
use serde_json::{Map, Value};

use super::{Handoff, Kind, Problem};

/// Menus show a line or two of a description.
const MAX_DESCRIPTION_CHARS: usize = 1000;

/// What the parser says of a value that only lacks quotation marks, such as `Fix: the bug`.
const UNQUOTED: [&str; 4] = [
    "mapping values are not allowed",
    "did not find expected key",
    "unexpected character",
    "illegal placement",
];

#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) hint: Option<String>,
    pub(super) handoffs: Vec<Handoff>,
    pub(super) handoff_lines: Vec<usize>,
    pub(super) problems: Vec<Problem>,
}

/// Splits the text of a file. An error costs the whole command: nobody knows what it meant.
pub(super) fn read(text: &str) -> Result<(Front, Document<'_>), Problem> {
    let (fields, document) =
        frontmatter::parse::<Value>(text).map_err(|error| unreadable(&error, text))?;
    let fields = match fields {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(fields)) => fields,
        Some(_) => {
            let message = "front matter: it is not a list of `name: value` lines";
            return Err(Problem::new(Kind::FrontMatter, 2, message));
        }
    };
    let lines = Lines(document.front.unwrap_or_default());
    let mut front = Front::default();
    front.title = front.words(&fields, "title", &lines);
    front.description = front.words(&fields, "description", &lines);
    front.hint = hint(&fields);
    front.read_handoffs(&fields, &lines);
    Ok((front, document))
}

fn unreadable(error: &frontmatter::Error, text: &str) -> Problem {
    let frontmatter::Error::Yaml(yaml) = error else {
        return Problem::new(Kind::FrontMatter, 1, error.to_string());
    };
    let line = yaml.line.unwrap_or(1);
    let value = text.lines().nth(line - 1).and_then(|line| line.split_once(": "));
    let is_bare = value.is_some_and(|(_, value)| !value.trim_start().starts_with(['"', '\'']));
    let would_help = UNQUOTED.iter().any(|words| yaml.message.contains(words));
    let advice = if is_bare && would_help { "; put the value into quotation marks" } else { "" };
    Problem::new(Kind::FrontMatter, line, format!("{error}{advice}"))
}

impl Front {
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

/// Where things stand in the block. The parser has forgotten, so this goes by the layout that
/// people write; at worst the line of the key is named.
struct Lines<'a>(&'a str);

impl Lines<'_> {
    /// The block begins on the second line of the file.
    fn of_key(&self, key: &str) -> usize {
        let is_key = |line: &str| {
            let rest = line.strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        self.0.lines().position(is_key).map_or(1, |index| index + 2)
    }

    fn of_item(&self, key: &str, wanted: usize) -> usize {
        let key_line = self.of_key(key);
        let below = self.0.lines().enumerate().skip(key_line.saturating_sub(1));
        let mut indent = None;
        let mut seen = 0;
        for (index, line) in below {
            let trimmed = line.trim_start();
            let depth = line.len() - trimmed.len();
            let is_item = trimmed.starts_with("- ") || trimmed == "-";
            if !is_item && depth == 0 && !trimmed.is_empty() && !trimmed.starts_with('#') {
                break;
            }
            if is_item && *indent.get_or_insert(depth) == depth {
                if seen == wanted {
                    return index + 2;
                }
                seen += 1;
            }
        }
        key_line
    }
}
