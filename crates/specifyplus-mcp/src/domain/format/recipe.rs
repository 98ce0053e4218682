//! Recipes in YAML: `title`, `description`, `instructions` and `prompt`.

use mcp_core::yaml;
use serde_json::{Map, Value};

use super::super::dialect::Dialect;
use super::super::parts::{Described, Parts};
use super::super::{Kind, Problem, front};
use super::markdown;

pub(super) fn read(text: &str) -> Result<Parts, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fields: Map<String, Value> = yaml::parse(text).map_err(|error| {
        let line = error.line.unwrap_or(1);
        Problem::new(Kind::Malformed, line, format!("it is not a recipe: {error}"))
    })?;
    let part = |key: &str| fields.get(key).and_then(Value::as_str).filter(|it| !it.is_empty());
    let body = match (part("instructions"), part("prompt")) {
        (Some(instructions), Some(prompt)) => format!("{}\n\n{prompt}", instructions.trim_end()),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => {
            let message = "there is neither `prompt` nor `instructions` with a text";
            return Err(Problem::new(Kind::Malformed, 1, message));
        }
    };
    Ok(Parts {
        front: markdown::with_meta(front::of_fields(&fields), &body),
        body,
        dialect: Dialect::of(["{{args}}", "{{ args }}"]),
        described_by: Described::ByParagraph,
    })
}
