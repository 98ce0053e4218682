//! Types of functions as text: whether one is the other with more that may be left out.

use super::canonical::canonical;
use crate::domain::signature::{closing, split};

/// Whether whoever calls what had the old type may call what has the new one in the same way:
/// `(a: A) => R` and `(a: A, b?: B) => R`.
pub(super) fn only_takes_more(old: Option<&String>, new: Option<&String>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => takes_more(&canonical(old), &canonical(new)),
        _ => false,
    }
}

fn takes_more(old: &str, new: &str) -> bool {
    let (Some(before), Some(after)) = (parts(old), parts(new)) else { return false };
    if before.0.len() > after.0.len() {
        return false;
    }
    let same_returned = before.1 == after.1 || takes_more(before.1, after.1);
    let is_same = |(left, right): (&String, &String)| {
        of_parameter(left) == of_parameter(right) && may_be_left_out(left) == may_be_left_out(right)
    };
    same_returned
        && before.0.iter().zip(&after.0).all(is_same)
        && after.0[before.0.len()..].iter().all(|it| may_be_left_out(it))
}

/// The parameters of `(…) => R`, and what it returns.
fn parts(text: &str) -> Option<(Vec<String>, &str)> {
    let inside = text.strip_prefix('(')?;
    let end = closing(inside)?;
    let returned = inside[end..].strip_prefix(")=>")?;
    Some((split(&inside[..end], b','), returned))
}

fn of_parameter(text: &str) -> &str {
    text.split_once(':').map_or("", |it| it.1)
}

fn may_be_left_out(text: &str) -> bool {
    text.starts_with("...") || text.split(':').next().is_some_and(|it| it.ends_with('?'))
}
