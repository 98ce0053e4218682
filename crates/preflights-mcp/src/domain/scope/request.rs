//! What a request says about the place of the work: paths, symbols, and telling words.

use std::collections::BTreeSet;

use super::facts;
use crate::domain::words::{stem, tokens};

const MAX_SYMBOLS: usize = 12;

/// Paths as they stand in the words, without line numbers and marks around them.
pub(super) fn paths(words: &str) -> Vec<String> {
    let parts = words.split(|it: char| {
        it.is_whitespace() || matches!(it, ',' | '`' | '"' | '\'' | '<' | '>' | ';' | '=')
    });
    let mut found: Vec<String> = Vec::new();
    for part in parts {
        let part = unwrapped(part);
        let part = part.split(':').next().unwrap_or_default();
        let part = part.trim_end_matches(['.', '?', '!', '*']).trim_start_matches("./");
        let looks = part.contains('/')
            || part.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty() && facts().sources.iter().any(|it| it == &ending.to_lowercase())
            });
        let plain = part.trim_matches('/');
        if looks && plain.len() > 2 && !part.contains("://") && !found.iter().any(|it| it == plain)
        {
            found.push(plain.to_owned());
        }
    }
    found
}

/// Without brackets around it; those of a path of its own, as in `app/(group)/x`, stay.
fn unwrapped(part: &str) -> &str {
    let opens = part.matches('(').count();
    let closes = part.matches(')').count();
    let part =
        if part.starts_with('(') && closes <= opens { part.trim_start_matches('(') } else { part };
    if part.matches(')').count() > part.matches('(').count() {
        part.trim_end_matches(')')
    } else {
        part
    }
}

/// Names of code: with an underscore or a capital in the middle.
pub(crate) fn symbols(words: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in words.split(|it: char| !it.is_ascii_alphanumeric() && it != '_') {
        let part = part.trim_matches('_');
        let humps = part
            .as_bytes()
            .windows(2)
            .any(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase());
        let is_symbol = part.len() >= 5 && (humps || part.contains('_'));
        if is_symbol && part.chars().any(char::is_alphabetic) && !found.iter().any(|it| it == part)
        {
            found.push(part.to_owned());
        }
    }
    found.truncate(MAX_SYMBOLS);
    found
}

/// The part of the repository before a colon: "refactor(store): …", "store: …".
pub(super) fn scope_of(words: &str) -> Option<&str> {
    let line = words.trim_start().lines().next()?;
    let (before, behind) = line.split_once(':')?;
    let name = match before.split_once('(') {
        Some((_, inside)) => inside.trim_end_matches('!').strip_suffix(')')?,
        None => before,
    };
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '/');
    (behind.starts_with(' ') && name.len() > 2 && name.chars().all(is_name)).then_some(name)
}

/// Stems of the words that may name a file, each once.
pub(super) fn telling(words: &str, verbs: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
    let plain = &facts().plain;
    tokens(words)
        .into_iter()
        .filter(|it| it.word.len() > 2 && !it.ends_clause())
        .filter(|it| !plain.contains(&it.word) && !verbs(&it.word))
        .filter(|it| it.word.chars().any(char::is_alphabetic))
        .map(|it| it.stem)
        .collect()
}

/// The stems of a name's parts: `OwnerController`, `owner_controller` and `owner-controller` agree.
pub(super) fn parts(name: &str) -> Vec<String> {
    pieces(name).map(|it| stem(&it.to_lowercase())).collect()
}

/// The parts of a name, which marks and capitals set apart.
pub(super) fn pieces(name: &str) -> impl Iterator<Item = &str> {
    name.split(|it: char| !it.is_alphanumeric()).flat_map(humps).filter(|it| it.len() > 1)
}

fn humps(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let mut before = ' ';
        let cut = rest.char_indices().find(|(_, it)| {
            let breaks = before.is_lowercase() && it.is_uppercase();
            before = *it;
            breaks
        });
        let (piece, behind) = rest.split_at(cut.map_or(rest.len(), |it| it.0));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}
