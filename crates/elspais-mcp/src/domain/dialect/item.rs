//! What stands behind the slash of an id: `FR-003`, `US2.3`, `1.4`, `session-expiry.2`.

use super::{Dialect, Scoped};
use crate::domain::span::Label;

/// More criteria than anybody lists by a range.
const LONGEST_RANGE: u32 = 200;

/// An item at the beginning of a text; its id is the item alone.
pub(crate) fn read(dialect: Dialect, text: &str) -> Option<Scoped> {
    let (id, id_length) = match dialect {
        Dialect::SpecKit => spec_kit(text)?,
        Dialect::Kiro => {
            let digits = digits(text);
            (digits > 0).then(|| (text[..digits].to_owned(), digits))?
        }
        Dialect::OpenSpec => open_spec(text)?,
    };
    let has_labels = dialect != Dialect::SpecKit || id.starts_with("US");
    let (labels, length) =
        if has_labels { labels(&id, text, id_length) } else { (Vec::new(), id_length) };
    let goes_on = text[length..].starts_with(|it: char| it.is_alphanumeric() || it == '_');
    (!goes_on).then_some(Scoped { id, id_length, labels, length })
}

/// `FR-003`, `NFR-001a`, `SC-1`, `US2`; the last also as `US-2`.
fn spec_kit(text: &str) -> Option<(String, usize)> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let kind = text[..letters].to_ascii_uppercase();
    let dash = usize::from(text[letters..].starts_with('-'));
    let number = digits(&text[letters + dash..]);
    let end = letters + dash + number;
    if number == 0 {
        return None;
    }
    let value = &text[letters + dash..end];
    match kind.as_str() {
        "US" => Some((format!("US{}", value.trim_start_matches('0')), end)),
        "FR" | "NFR" | "SC" if dash == 1 => {
            let suffix = text[end..].bytes().take_while(u8::is_ascii_lowercase).count();
            let suffix = if suffix == 1 { &text[end..=end] } else { "" };
            Some((format!("{kind}-{value}{suffix}"), end + suffix.len()))
        }
        _ => None,
    }
}

/// The slug of a title, and the change it is proposed in.
fn open_spec(text: &str) -> Option<(String, usize)> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_');
    let end = |text: &str| text.find(|it| !is_part(it)).unwrap_or(text.len());
    let slug = end(text);
    let change = match text[slug..].strip_prefix('@') {
        Some(change) => slug + 1 + end(change),
        None => slug,
    };
    let id = text[..change].trim_end_matches(['-', '@']);
    (!id.is_empty()).then(|| (id.to_owned(), id.len()))
}

/// `.4`, `.1+3`, and the ranges `.1-5` and `1.1-1.5`.
fn labels(id: &str, text: &str, from: usize) -> (Vec<Label>, usize) {
    let mut labels: Vec<Label> = Vec::new();
    let mut at = from;
    let mut last = 0;
    loop {
        let rest = &text[at..];
        let mark = match rest.chars().next() {
            Some('.') if labels.is_empty() => 1,
            Some('+' | '-' | '–') if !labels.is_empty() => {
                rest.chars().next().map_or(1, char::len_utf8)
            }
            _ => break,
        };
        let is_range = rest.starts_with(['-', '–']);
        // The end of a range may say once more which requirement is meant.
        let again = rest[mark..].strip_prefix(id).and_then(|it| it.strip_prefix('.'));
        let skipped = again.filter(|_| is_range).map_or(mark, |it| rest.len() - it.len());
        let length = digits(&rest[skipped..]);
        let Some(number) = rest[skipped..skipped + length].parse::<u32>().ok() else { break };
        let ends = !rest[skipped + length..].starts_with(|it: char| it.is_alphanumeric());
        let first = if is_range { last + 1 } else { number };
        if !ends
            || number == 0
            || number > 9999
            || (is_range && (number <= last || number - last > LONGEST_RANGE))
        {
            break;
        }
        labels.extend((first..=number).filter_map(|it| Label::new(&it.to_string())));
        last = number;
        at += skipped + length;
    }
    (labels, at)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
