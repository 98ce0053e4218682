//! What is read from the text because it alone says what it is: plain names with dots between them,
//! lists of them, closing brackets. One step in the tree costs hundreds of instructions, and a walk
//! through all of it would give the same tokens.

use tree_sitter::{Node, TreeCursor};

use super::{END_OF_TOKEN, Reader};
use crate::domain::syntax::table::Traits;

#[cfg(test)]
thread_local! {
    /// To see that nothing depends on them.
    pub(crate) static EVERY_STEP: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

fn are_taken() -> bool {
    #[cfg(test)]
    return !EVERY_STEP.get();
    #[cfg(not(test))]
    true
}

impl Reader<'_> {
    pub(super) fn push_dotted(&mut self, node: Node<'_>) -> bool {
        are_taken() && push_names(&mut self.bytes, self.unit.text(node))
    }

    /// Plain names between brackets, or nothing, need no walk: `f()`, `f(a, self.b)`.
    pub(super) fn push_list_of_names(&mut self, node: Node<'_>) -> bool {
        let text = self.unit.text(node);
        let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        let Some(inside) = inside.filter(|_| are_taken()) else { return false };
        let inside = inside.trim_ascii();
        let names = inside.strip_suffix(',').unwrap_or(inside);
        let before = self.bytes.len();
        self.bytes.extend_from_slice(b"(\0");
        let mut names = names.split_terminator(',').map(str::trim_ascii);
        // What begins or ends with a dot is something else: `(..end)`.
        let is_whole = |it: &str| !it.starts_with(['.', ':']) && !it.ends_with(['.', ':']);
        if !names.all(|it| is_whole(it) && push_names(&mut self.bytes, it)) {
            self.bytes.truncate(before);
            return false;
        }
        self.bytes.extend_from_slice(b")\0");
        true
    }

    /// Takes in the rest of the innermost open node where the text alone says what it is: a bracket
    /// that closes it, or names after a dot. To go there in the tree costs several times as much.
    pub(super) fn ends_plainly(&mut self, cursor: &TreeCursor<'_>) -> bool {
        let Some(frame) = self.frames.last().filter(|_| are_taken()) else { return false };
        let is_dotted = frame.traits.has(Traits::DOTTED);
        if frame.remaining > 1 && !is_dotted {
            return false;
        }
        let done = cursor.node().end_byte();
        let rest = self.unit.text.get(done..frame.end).unwrap_or_default();
        if is_dotted {
            return push_names(&mut self.bytes, rest);
        }
        let bracket = rest.trim_ascii_start();
        if !matches!(bracket, ")" | "]" | "}") {
            return false;
        }
        if !frame.bare || bracket == "]" {
            self.bytes.extend_from_slice(bracket.as_bytes());
            self.bytes.push(END_OF_TOKEN);
        }
        true
    }
}

/// Adds plain names with dots or colons between them as the tokens they are. False where there is
/// more to them.
fn push_names(tokens: &mut Vec<u8>, text: &str) -> bool {
    let is_mark = |it: &u8| matches!(it, b'.' | b':');
    let is_name = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$');
    let parts = || text.as_bytes().chunk_by(|one, next| is_mark(one) == is_mark(next));
    // What begins with a digit may be a number that goes on after the dot.
    let is_plain = |part: &[u8]| match part {
        b"." | b"::" => true,
        // Expressions of their own, which nest.
        [] | b"await" | b"yield" | b"return" | b"break" | b"continue" => false,
        [first, ..] => !first.is_ascii_digit() && part.iter().all(is_name),
    };
    if text.is_empty() || !parts().all(is_plain) {
        return false;
    }
    for part in parts() {
        tokens.extend_from_slice(part);
        tokens.push(END_OF_TOKEN);
    }
    true
}
