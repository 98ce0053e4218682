//! Untrusted text made harmless, names matched, long text cut: pure functions over strings.

use std::borrow::Cow;

/// Drops what can deceive a reader or drive a terminal: control characters other than newline and
/// tab, escape sequences, bidirectional overrides, Unicode tag characters and zero-width
/// characters. A zero-width joiner or a variation selector inside an emoji sequence stays.
///
/// For composed answers and logs; a document is passed on verbatim.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte == b'\n' || byte == b'\t' || (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => kept.push(character),
            // A carriage return overwrites the line on a terminal unless a newline follows it.
            '\r' if characters.peek() == Some(&'\n') => {}
            '\u{1b}' => skip_escape_sequence(&mut characters),
            '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => {
                if kept.chars().next_back().is_some_and(joins_emoji) {
                    kept.push(character);
                }
            }
            _ if deceives(character) => {}
            _ => kept.push(character),
        }
    }
    if kept == text { Cow::Borrowed(text) } else { Cow::Owned(kept) }
}

fn skip_escape_sequence(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            for character in characters.by_ref() {
                if ('\u{40}'..='\u{7e}').contains(&character) {
                    break;
                }
            }
        }
        // An operating system command ends with BEL or with ESC and a backslash.
        Some(']' | 'P' | '^' | '_') => {
            characters.next();
            while let Some(character) = characters.next() {
                if character == '\u{7}' || character == '\n' {
                    break;
                }
                if character == '\u{1b}' {
                    characters.next_if_eq(&'\\');
                    break;
                }
            }
        }
        _ => {}
    }
}

fn deceives(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

fn joins_emoji(character: char) -> bool {
    matches!(character,
        '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{3299}' | '\u{fe0f}'
        | '\u{1f000}'..='\u{1faff}')
}

/// Like [`harmless`], on one line: for log lines and table cells.
pub fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most `max_chars` characters of `text`, cut at a character boundary.
pub fn cut(text: &str, max_chars: usize) -> &str {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The candidate a caller most likely meant, if any is close enough to suggest.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name from a model can be of any length, and the comparison is quadratic in it.
    if wanted.len() > 200 {
        return None;
    }
    let wanted = fold(wanted);
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&wanted, &fold(candidate)), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}

fn fold(name: &str) -> String {
    name.to_lowercase().replace(['-', '.', ' ', '/'], "_")
}

/// `a, b and c`, each in backticks: how a sentence names the values it accepts.
pub fn list_of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests;
