//! Commands in TOML: `description` and `prompt`.

use serde_json::{Map, Value};

use super::super::dialect::Dialect;
use super::super::parts::{Described, Parts};
use super::super::{Kind, Problem, front};
use super::markdown;

pub(super) fn read(text: &str) -> Result<Parts, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fields: Map<String, Value> = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let reason = mcp_core::text::one_line(error.message());
        Problem::new(Kind::Malformed, line, format!("it is not TOML: {reason}"))
    })?;
    let Some(body) = fields.get("prompt").and_then(Value::as_str) else {
        return Err(Problem::new(Kind::Malformed, 1, "there is no `prompt` with a text"));
    };
    Ok(Parts {
        front: markdown::with_meta(front::of_fields(&fields), body),
        body: body.to_owned(),
        dialect: Dialect::args(),
        described_by: Described::ByParagraph,
    })
}
