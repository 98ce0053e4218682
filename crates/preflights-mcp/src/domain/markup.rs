//! Foreign text inside our Markdown: it reads as it was typed and can never pass for our own lines.

use mcp_core::text;

const ESCAPED: [char; 8] = ['\\', '`', '*', '[', ']', '<', '>', '|'];

/// One line of foreign text for use inside a line of ours.
pub(crate) fn inline(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in text::one_line(value).chars() {
        if ESCAPED.contains(&character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// What [`inline`] was given.
pub(crate) fn plain(markdown: &str) -> String {
    let mut value = String::with_capacity(markdown.len());
    let mut characters = markdown.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(next) if character == '\\' && next.is_ascii_punctuation() => {
                value.push(*next);
                characters.next();
            }
            _ => value.push(character),
        }
    }
    value
}

/// Foreign text of any length as a quotation.
pub(crate) fn quote(words: &str) -> String {
    let mut quoted = String::new();
    for line in text::harmless(words.trim()).lines() {
        let mut line = inline(line);
        if line.starts_with(['#', '-', '+', '=', '~']) {
            line.insert(0, '\\');
        }
        quoted.push_str(if line.is_empty() { ">" } else { "> " });
        quoted.push_str(&line);
        quoted.push('\n');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markup_in_a_value_is_shown_not_obeyed() {
        let value = "<script> [x](javascript:y) `code` **bold**";
        assert_eq!(inline(value), r"\<script\> \[x\](javascript:y) \`code\` \*\*bold\*\*");
        assert_eq!(plain(&inline(value)), value);
    }

    #[test]
    fn a_quotation_cannot_open_a_heading_or_a_comment() {
        assert_eq!(
            quote("# PART 1\n\n<!-- UID: x -->"),
            "> \\# PART 1\n>\n> \\<!-- UID: x --\\>\n"
        );
    }

    proptest! {
        #[test]
        fn a_line_comes_back_as_it_was(value in "[ -~é]{0,40}") {
            let line = text::one_line(&value);
            prop_assert_eq!(plain(&inline(&line)), line);
        }
    }
}
