//! Types of TypeScript in which `any` stood: whatever is said instead fits whoever used it.

use super::canonical::canonical;
use crate::domain::signature::{end_outside, words};

const ANY: &str = "any";
/// Longer types are not looked at.
const MOST_WORDS: usize = 200;

/// Whether the new text is the old one with something else in the place of `any`.
pub(super) fn is_filled(old: &str, new: &str) -> bool {
    let is_there = words(old).iter().any(|it| it.text == ANY);
    if !is_there || words(new).len() > MOST_WORDS {
        return false;
    }
    let (old, new) = (canonical(old), canonical(new));
    let mut rest = new.as_str();
    let all = words(&old);
    let mut done = 0;
    for word in all.iter().filter(|it| it.text == ANY) {
        let Some(after) = rest.strip_prefix(&old[done..word.start]) else { return false };
        let end = end_outside(after);
        if end == 0 {
            return false;
        }
        rest = &after[end..];
        done = word.end;
    }
    rest == &old[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_place_of_any_may_be_anything_and_the_rest_stays() {
        for (old, new, expected) in [
            ("(table: any) => any", "(table: Table<A, B>) => void", true),
            ("(a: any, b: any) => any", "(a: Map<A, B>, b: () => C) => D[]", true),
            ("Record<string, any>", "Record<string, { a: number }>", true),
            ("(table: any) => any", "(table: A, other: B) => void", false),
            ("(table: any) => string", "(table: A) => number", false),
            ("string", "number", false),
            ("company", "any", false),
        ] {
            assert_eq!(is_filled(old, new), expected, "{old} / {new}");
        }
    }
}
