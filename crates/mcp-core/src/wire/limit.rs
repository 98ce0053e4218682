//! How much one message may hold, counted before it is read.

use super::recover::{recover_id, string_end};
use super::{INVALID_REQUEST, Refusal};

/// Values in one line, however they are nested.
const MAX_VALUES: usize = 100_000;

/// A value in memory takes up to a hundred times the room of its letters, so what is to be read is
/// counted before it is.
pub(super) fn too_many_values(line: &[u8]) -> Option<Refusal> {
    let mut count = 1_usize;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b'"' => {
                at = string_end(line, at);
                continue;
            }
            b',' | b':' | b'[' | b'{' => count += 1,
            // Values side by side, without a mark between them.
            b' ' | b'\t' | b'\r' | b'\n' if next_begins_value(line, at) => count += 1,
            _ => {}
        }
        at += 1;
    }
    (count > MAX_VALUES).then(|| {
        let message =
            format!("a message holds at most {MAX_VALUES} values, and this one was skipped");
        Refusal::new(recover_id(line), INVALID_REQUEST, message)
    })
}

/// Whether a blank separates two values that stand next to each other.
fn next_begins_value(line: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|it| line[it]);
    before.is_some_and(|it| it.is_ascii_alphanumeric() || matches!(it, b'"' | b']' | b'}'))
        && line.get(at + 1).is_some_and(|it| !matches!(it, b',' | b':' | b']' | b'}'))
}
