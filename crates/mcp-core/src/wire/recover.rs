//! The id of a request that is too broken to be read, so that its sender can be told.

use serde_json::Value;

/// The id of a request that cannot be read as a whole: looked for among the outermost keys, as far
/// as the text goes. Nothing when it looks like an answer, whose id is one of ours.
pub(crate) fn recover_id(bytes: &[u8]) -> Option<Value> {
    let mut found = None;
    let mut depth = 0_usize;
    let mut at = 0;
    let mut key_expected = false;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                depth += 1;
                key_expected = depth == 1 && bytes[at] == b'{';
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b',' => {
                key_expected = depth == 1;
                at += 1;
            }
            b'"' => {
                let end = string_end(bytes, at);
                if key_expected {
                    key_expected = false;
                    match bytes.get(at + 1..end - 1).unwrap_or_default() {
                        b"id" => found = found.or_else(|| id_after(&bytes[end..])),
                        b"result" | b"error" => return None,
                        _ => {}
                    }
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// The position after the closing quote, or the end of what there is.
pub(super) fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    // An open string hides the rest; what was found before it counts.
    bytes.len().max(start + 2)
}

fn id_after(bytes: &[u8]) -> Option<Value> {
    let rest = bytes.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let end = if rest.first() == Some(&b'"') {
        string_end(rest, 0)
    } else {
        rest.iter().position(|byte| !matches!(byte, b'-' | b'0'..=b'9'))?
    };
    let id: Value = serde_json::from_slice(rest.get(..end)?).ok()?;
    (id.is_string() || id.is_number()).then_some(id)
}
