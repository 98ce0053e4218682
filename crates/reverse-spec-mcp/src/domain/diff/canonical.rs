//! Text of signatures and types without what layout tools decide: spaces, quotes, trailing commas,
//! separators in type bodies, a leading `|`.

use crate::domain::syntax::CUT;

#[cfg(test)]
thread_local! {
    /// How often a text was put into this form, to see that the number grows with the code alone.
    pub(super) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Two texts that mean the same are equal in this form.
pub(super) fn canonical(text: &str) -> String {
    #[cfg(test)]
    READ.set(READ.get() + 1);
    if let Some((_, mark)) = text.rsplit_once(CUT).filter(|(_, it)| is_mark(it)) {
        return mark.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut quote: Option<char> = None;
    let mut spaced = false;
    while let Some(character) = characters.next() {
        if let Some(open) = quote {
            if character == '\\' {
                let escaped = characters.next();
                // Which quotes need a mark before them depends on those around the text.
                if !matches!(escaped, Some('\'' | '"')) {
                    out.push(character);
                }
                out.extend(escaped);
            } else if character == open {
                quote = None;
                out.push('"');
            } else {
                out.push(character);
            }
            continue;
        }
        match character {
            '"' | '`' => {
                push_after(&mut out, &mut spaced, '"');
                quote = Some(character);
            }
            '\'' if opens_string(&characters) => {
                push_after(&mut out, &mut spaced, '"');
                quote = Some('\'');
            }
            ';' => push_after(&mut out, &mut spaced, ','),
            it if it.is_whitespace() => spaced = true,
            ')' | ']' | '}' | '>' => {
                if out.ends_with(',') {
                    out.pop();
                }
                spaced = false;
                out.push(character);
            }
            // A type may begin with the separator of its parts.
            '|' if opens(&out) => {}
            it if in_number(&out) && !spaced => out.push(it.to_ascii_lowercase()),
            it => push_after(&mut out, &mut spaced, it),
        }
    }
    if out.ends_with(',') {
        out.pop();
    }
    ungrouped(out)
}

/// Whether this tells a text that was cut from others.
fn is_mark(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_hexdigit())
}

/// Without brackets that only group, as layout tools put them around a type that does not fit on a
/// line: what is around them ends on both sides anyway, and inside is neither a list nor a name.
fn ungrouped(text: String) -> String {
    if !text.contains('(') {
        return text;
    }
    let mut open = Vec::new();
    let mut dropped = vec![false; text.len()];
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' | b'<' => open.push((at, byte, false)),
            b')' | b']' | b'}' => {
                // A bracket of comparison never closed anything.
                while open.last().is_some_and(|it| it.1 == b'<') {
                    open.pop();
                }
                let Some((start, b'(', lists)) = open.pop() else { continue };
                let chooses = lists && is_choice(&text[start + 1..at]);
                if lists && !chooses {
                    continue;
                }
                let before = &text[..start];
                let begins = before.ends_with(['=', ':', ',', '[', '<', '(', '>'])
                    || chooses && before.ends_with('?')
                    || start == 0;
                let after = &text[at + 1..];
                let ends = after.is_empty()
                    || after.starts_with([',', ']', '>', ')', '}'])
                    || chooses && after.starts_with(':')
                    || after.starts_with('=') && !after.starts_with("=>");
                if byte == b')' && begins && ends && start + 1 < at {
                    (dropped[start], dropped[at]) = (true, true);
                }
            }
            b'>' if open.last().is_some_and(|it| it.1 == b'<') => {
                open.pop();
            }
            b',' | b':' => {
                if let Some(last) = open.last_mut() {
                    last.2 = true;
                }
            }
            _ => {}
        }
    }
    let kept = text.char_indices().filter(|(at, _)| !dropped[*at]);
    kept.map(|(_, it)| it).collect()
}

/// Whether a text is one type or another, `A extends B ? C : D`, rather than a list of parameters,
/// which has a name before the first word.
fn is_choice(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b':' | b',' if depth == 0 => return false,
            b'e' if depth == 0 && text[at..].starts_with("extends") => {
                return text[at..].contains('?');
            }
            _ => {}
        }
    }
    false
}

/// A quote opens a string unless it begins a lifetime: a name that no quote ends.
fn opens_string(rest: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let is_name = |it: &char| it.is_alphanumeric() || *it == '_';
    let named = rest.clone().next().is_some_and(|it| is_name(&it) && !it.is_numeric());
    let mut after = rest.clone().skip_while(is_name);
    let end = after.next();
    // A bound of a lifetime is written with a space, an address in a string is not.
    let is_bound = end != Some(':') || after.next().is_none_or(char::is_whitespace);
    // Between two lifetimes there is more than words.
    let sentence = rest.clone().find(|it| !is_name(it) && *it != ' ') == Some('\'');
    !named || !is_bound || sentence || end.is_some_and(|it| !",>+ ):&;".contains(it))
}

/// Whether the last word is a number so far.
fn in_number(out: &str) -> bool {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '.';
    let start = out
        .rfind(|it| !is_word(it))
        .map_or(0, |at| at + out[at..].chars().next().map_or(1, char::len_utf8));
    out[start..].starts_with(|it: char| it.is_ascii_digit())
}

/// Whether a `|` here would have nothing before it.
fn opens(out: &str) -> bool {
    out.is_empty()
        || out.ends_with(['=', '(', '<', ':', ',', '?'])
        || out.ends_with("=>")
        || out.strip_suffix("extends").is_some_and(|it| !it.ends_with(char::is_alphanumeric))
}

/// A space counts only where it keeps two words apart.
fn push_after(out: &mut String, spaced: &mut bool, next: char) {
    let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    if std::mem::take(spaced) && out.chars().next_back().is_some_and(is_word) && is_word(next) {
        out.push(' ');
    }
    out.push(next);
}

/// Whether two optional texts mean the same.
pub(super) fn same(old: Option<&String>, new: Option<&String>) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => old == new || canonical(old) == canonical(new),
        _ => false,
    }
}

/// Whether two lists mean the same, whatever their order.
pub(super) fn missing(from: &[String], others: &[String]) -> Vec<String> {
    let others: std::collections::HashSet<String> = others.iter().map(|it| canonical(it)).collect();
    from.iter().filter(|it| !others.contains(&canonical(it))).cloned().collect()
}
