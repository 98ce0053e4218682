//! An answer that comes in parts, put together as if it had come at once.

use serde_json::{Value, json};

use crate::error::Error;

/// The message in a body: as it stands, or from its events.
pub(crate) fn whole(body: &[u8]) -> Result<Value, Error> {
    let text = std::str::from_utf8(body).map_err(|_| Error::malformed("its body is not text"))?;
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|_| Error::malformed("its body is not JSON"));
    }
    let mut message = None;
    let mut blocks: Vec<Value> = Vec::new();
    let mut is_complete = false;
    for data in text.lines().filter_map(|it| it.strip_prefix("data:")) {
        let event: Value = serde_json::from_str(data.trim())
            .map_err(|_| Error::malformed("an event of it is not JSON"))?;
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => message = event.get("message").cloned(),
            Some("content_block_start") => {
                blocks.push(event.get("content_block").cloned().unwrap_or_default());
            }
            Some("content_block_delta") => add(blocks.last_mut(), &event["delta"]),
            Some("message_delta") => {
                let Some(message) = &mut message else { continue };
                if let Some(reason) = event.pointer("/delta/stop_reason") {
                    message["stop_reason"] = reason.clone();
                }
                // Counted from the beginning each time.
                if let Some(count) = event.pointer("/usage/output_tokens") {
                    message["usage"]["output_tokens"] = count.clone();
                }
            }
            Some("message_stop") => is_complete = true,
            Some("error") => return Ok(json!({ "error": event["error"] })),
            _ => {}
        }
    }
    let mut message = message.ok_or_else(|| Error::malformed("its body is not JSON"))?;
    if !is_complete {
        return Err(Error::malformed("it ended before it was complete"));
    }
    message["content"] = blocks.into();
    Ok(message)
}

fn add(block: Option<&mut Value>, delta: &Value) {
    let (Some(block), Some(more)) = (block, delta.get("text").and_then(Value::as_str)) else {
        return;
    };
    let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
    block["text"] = format!("{text}{more}").into();
}
