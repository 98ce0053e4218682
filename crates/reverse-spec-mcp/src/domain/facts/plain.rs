//! What requests go through, and whether it turns anybody away.

use super::rows;

/// What it means to whoever calls that something is gone which requests went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// A log or a measurement: nobody outside notices.
    Unseen,
    /// A parser, static files, headers: something is understood or answered in another way.
    Served,
    /// It may have turned somebody away.
    Guard,
}

/// By the name of what is called, whatever it is given and wherever it stands.
pub(crate) fn weight(name: &str) -> Weight {
    // `/api cors()` is about an address.
    let called =
        if name.starts_with('/') { name.split_once(' ').map_or("", |it| it.1) } else { name };
    let called = called.split(['(', '{', '[']).next().unwrap_or(called);
    let plain: String = called
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|it| it.to_ascii_lowercase())
        .collect();
    let has = |list: &[String]| list.iter().any(|it| plain.contains(it.as_str()));
    let words = rows::plain();
    if has(&words.guards) {
        Weight::Guard
    } else if has(&words.unseen) {
        Weight::Unseen
    } else if has(&words.served) {
        Weight::Served
    } else {
        Weight::Guard
    }
}
