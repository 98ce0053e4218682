//! The fields of front matter: YAML, except where authors never meant it to be.

use mcp_core::frontmatter::{self, Document};
use mcp_core::yaml;
use serde_json::{Map, Value};

use super::super::{Kind, Problem};
use super::Reading;

/// What people write for other people, in brackets and bars that YAML has other uses for.
const RAW: [&str; 2] = ["argument-hint", "allowed-tools"];

/// What the parser says of a value that only lacks quotation marks, such as `Fix: the bug`.
const UNQUOTED: [&str; 4] = [
    "mapping values are not allowed",
    "did not find expected key",
    "unexpected character",
    "illegal placement",
];

pub(super) fn read(
    text: &str,
    reading: Reading,
) -> Result<(Map<String, Value>, Document<'_>), Problem> {
    let document = frontmatter::split(text)
        .map_err(|error| Problem::new(Kind::FrontMatter, 1, error.to_string()))?;
    let Some(front) = document.front else { return Ok((Map::new(), document)) };
    let (strict, raw) = without_raw(front);
    let mut fields = match (yaml::parse::<Value>(&strict), reading) {
        (Ok(Value::Null), _) => Map::new(),
        (Ok(Value::Object(fields)), _) => fields,
        (Ok(_), _) => {
            let message = "front matter: it is not a list of `name: value` lines";
            return Err(Problem::new(Kind::FrontMatter, 2, message));
        }
        (Err(error), Reading::Strict) => return Err(unreadable(error, text)),
        (Err(error), Reading::FieldByField) => {
            one_by_one(&strict).ok_or_else(|| unreadable(error, text))?
        }
    };
    fields.extend(raw);
    Ok((fields, document))
}

fn unreadable(error: yaml::Error, text: &str) -> Problem {
    let error = frontmatter::Error::Yaml(error.moved_down(1));
    let frontmatter::Error::Yaml(yaml) = &error else {
        return Problem::new(Kind::FrontMatter, 1, error.to_string());
    };
    let line = yaml.line.unwrap_or(1);
    let value = text.lines().nth(line - 1).and_then(|line| line.split_once(": "));
    let is_bare = value.is_some_and(|(_, value)| !value.trim_start().starts_with(['"', '\'']));
    let would_help = UNQUOTED.iter().any(|words| yaml.message.contains(words));
    let advice = if is_bare && would_help { "; put the value into quotation marks" } else { "" };
    Problem::new(Kind::FrontMatter, line, format!("{error}{advice}"))
}

/// The block with empty lines in the place of raw values, so that every other line keeps its
/// number, and those values.
fn without_raw(front: &str) -> (String, Map<String, Value>) {
    let mut raw = Map::new();
    let lines: Vec<&str> = front.split_inclusive('\n').collect();
    let mut kept = String::with_capacity(front.len());
    for (index, line) in lines.iter().enumerate() {
        let value = RAW.iter().find_map(|key| Some((*key, value_of(line, key)?)));
        let goes_on = lines.get(index + 1).is_some_and(|next| is_below(next));
        match value {
            Some((key, value)) if !goes_on && !raw.contains_key(key) => {
                raw.insert(key.to_owned(), plainly(value));
                kept.push('\n');
            }
            _ => kept.push_str(line),
        }
    }
    (kept, raw)
}

/// The value of `key: value`; `None` where it stands on further lines or is another key's.
fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let value = line.strip_prefix(key)?.strip_prefix(':')?;
    let value = value.strip_prefix([' ', '\t']).unwrap_or(value).trim();
    let is_block = value.starts_with(['|', '>']) && value.len() <= 3 && !value.contains(' ');
    (!value.is_empty() && !is_block).then_some(value)
}

/// A value that YAML reads as text is that text; any other is the characters themselves.
fn plainly(value: &str) -> Value {
    match yaml::parse::<Value>(value) {
        Ok(Value::String(words)) => Value::String(words),
        Ok(Value::Null) => Value::Null,
        _ => Value::String(value.to_owned()),
    }
}

/// Each field by itself: as YAML where it is, as the words behind the colon where it is not.
/// `None` where a line belongs to no field.
pub(super) fn one_by_one(front: &str) -> Option<Map<String, Value>> {
    let mut blocks: Vec<String> = Vec::new();
    for line in front.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match blocks.last_mut() {
            Some(block) if is_below(line) => {
                block.push('\n');
                block.push_str(line);
            }
            _ => blocks.push(line.to_owned()),
        }
    }
    let mut fields = Map::new();
    for block in &blocks {
        let (key, value) = block.split_once(':')?;
        let is_key = |it: char| it.is_alphanumeric() || "-_.".contains(it);
        if key.is_empty() || !key.chars().all(is_key) {
            return None;
        }
        if fields.contains_key(key) {
            continue;
        }
        let value = match yaml::parse::<Map<String, Value>>(block) {
            Ok(mut parsed) => parsed.remove(key).unwrap_or_default(),
            Err(_) => Value::String(words_behind(value)),
        };
        fields.insert(key.to_owned(), value);
    }
    Some(fields)
}

/// Whether a line goes on with the field above it.
fn is_below(line: &str) -> bool {
    let is_text = !line.trim().is_empty();
    is_text && (line.starts_with([' ', '\t']) || line.starts_with("- "))
}

/// The words of a value over all its lines, without marks of a block or around it all.
fn words_behind(value: &str) -> String {
    let lines =
        value.lines().map(str::trim).filter(|line| !matches!(*line, ">" | "|" | ">-" | "|-"));
    let words = lines.collect::<Vec<_>>().join(" ");
    let words = words.trim();
    let unquoted =
        ['"', '\''].iter().find_map(|mark| words.strip_prefix(*mark)?.strip_suffix(*mark));
    unquoted.unwrap_or(words).to_owned()
}
