//! A message looked at from outside: enough to pass it on, without reading what it holds.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::limit::too_many_values;
use super::{INVALID_REQUEST, PARSE_ERROR, Refusal, message, trim, values};

/// What has to be known of a message that somebody else reads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Envelope {
    pub(crate) opens_session: bool,
}

/// The outermost parts of a message, not taken apart.
#[derive(Deserialize)]
struct Parts<'a> {
    jsonrpc: &'a str,
    method: Option<&'a str>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Looks at the one message in a body without reading what it holds, which is done once, by whoever
/// answers it. Where anything is out of the ordinary it is read after all, to say what is wrong.
pub(crate) fn envelope(bytes: &[u8]) -> Result<Envelope, Refusal> {
    let body = trim(bytes);
    if let Some(refusal) = too_many_values(body) {
        return Err(refusal);
    }
    if let Ok(parts) = serde_json::from_slice::<Parts<'_>>(body)
        && is_ordinary(&parts)
    {
        return Ok(Envelope { opens_session: false });
    }
    let value = single(body)?;
    let opens_session = value.get("method").and_then(Value::as_str) == Some("initialize");
    message(value)?;
    Ok(Envelope { opens_session })
}

/// A request or notification whose shape leaves nothing to say. The one that opens a session is
/// read here, because a connection that is not open cannot explain what is wrong with it.
fn is_ordinary(parts: &Parts<'_>) -> bool {
    let begins = |part: Option<&RawValue>, with: fn(u8) -> bool| {
        part.is_none_or(|it| it.get().bytes().next().is_some_and(with))
    };
    parts.jsonrpc == "2.0"
        && parts.method.is_some_and(|it| it != "initialize")
        && begins(parts.id, |it| it == b'"')
            | parts.id.is_some_and(|it| it.get().parse::<i64>().is_ok())
        && begins(parts.params, |it| it == b'{')
        && parts.result.is_none()
        && parts.error.is_none()
}

/// The one message that a body holds.
fn single(body: &[u8]) -> Result<Value, Refusal> {
    let mut values = values(body);
    let value = match (values.pop(), values.is_empty()) {
        (Some(value), true) => value?,
        (None, _) => return Err(Refusal::new(None, PARSE_ERROR, "the body is empty")),
        (Some(_), false) => {
            return Err(Refusal::new(None, INVALID_REQUEST, "a body holds one message"));
        }
    };
    if value.is_array() {
        let message = "several messages in one array are not taken over HTTP";
        return Err(Refusal::new(None, INVALID_REQUEST, message));
    }
    Ok(value)
}
