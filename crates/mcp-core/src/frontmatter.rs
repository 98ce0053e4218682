//! Front matter: where it ends, what it says, and the body after it, byte for byte.

use serde::de::DeserializeOwned;

use crate::yaml;

/// A document cut in two. Both parts borrow from the text as it was on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// The lines between the fences, without the fences.
    pub front: Option<&'a str>,
    /// Everything after the line break of the closing fence, or the whole text without its
    /// byte-order mark.
    pub body: &'a str,
    /// The line of the file on which the body starts, counted from 1.
    pub body_line: usize,
}

/// Why front matter cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text opens with `---` and no later line closes it.
    #[error("front matter opened on line 1 is never closed by a line `---`")]
    Unclosed,
    /// The opening fence names a language, as in `---js`.
    #[error("front matter in the language `{language}` is not read: only YAML between `---` lines")]
    Language {
        /// What stands after the dashes, at most 40 characters of it.
        language: String,
    },
    /// What stands between the fences is not valid YAML or does not fit the type asked for.
    #[error("front matter: {0}")]
    Yaml(#[from] yaml::Error),
}

/// Splits `text`; a text that does not open with `---` has no front matter.
pub fn split(text: &str) -> Result<Document<'_>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (first, mut rest) = split_line(text);
    let Some(after_fence) = first.strip_prefix("---") else {
        return Ok(Document { front: None, body: text, body_line: 1 });
    };
    let tag = after_fence.trim();
    if !tag.is_empty() {
        // `----` and longer is a thematic break; `---js` asks a reader to run the block.
        if tag.starts_with('-') {
            return Ok(Document { front: None, body: text, body_line: 1 });
        }
        return Err(Error::Language { language: crate::text::one_line(crate::text::cut(tag, 40)) });
    }
    let front_start = text.len() - rest.len();
    let mut line_number = 2;
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        line_number += 1;
        if line.trim_end() == "---" || line.trim_end() == "..." {
            let front = &text[front_start..text.len() - rest.len()];
            return Ok(Document { front: Some(front), body: after, body_line: line_number });
        }
        rest = after;
    }
    Err(Error::Unclosed)
}

/// Splits and reads the front matter as `T`; positions in errors are lines of the whole file.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<(Option<T>, Document<'_>), Error> {
    let document = split(text)?;
    let front = match document.front {
        Some(front) => Some(yaml::parse(front).map_err(|error| error.moved_down(1))?),
        None => None,
    };
    Ok((front, document))
}

/// The first line without its line break, and everything after the break.
fn split_line(text: &str) -> (&str, &str) {
    match text.find('\n') {
        Some(end) => (text[..end].strip_suffix('\r').unwrap_or(&text[..end]), &text[end + 1..]),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Front {
        title: String,
    }

    #[test]
    fn the_body_starts_right_after_the_closing_line() {
        let document = split("---\ntitle: x\n---\n\n body \n").unwrap();
        assert_eq!(document.front, Some("title: x\n"));
        assert_eq!(document.body, "\n body \n");
        assert_eq!(document.body_line, 4);
    }

    #[test]
    fn windows_line_ends_and_a_byte_order_mark_are_understood() {
        let (front, document) =
            parse::<Front>("\u{feff}---\r\ntitle: x\r\n---\r\nbody\r\n").unwrap();
        assert_eq!(front, Some(Front { title: "x".into() }));
        assert_eq!(document.body, "body\r\n");
    }

    #[test]
    fn a_text_without_front_matter_is_all_body() {
        for text in ["", "# Title\n", "----\n", "--\n", "a\n---\nb"] {
            assert_eq!(split(text).unwrap().front, None, "{text:?}");
            assert_eq!(split(text).unwrap().body, text);
        }
    }

    #[test]
    fn another_language_is_refused_not_run() {
        let error = split("---js\nprocess.exit()\n---\n").unwrap_err();
        assert_eq!(error, Error::Language { language: "js".into() });
    }

    #[test]
    fn an_unclosed_block_is_an_error() {
        assert_eq!(split("---\ntitle: x\n").unwrap_err(), Error::Unclosed);
        assert_eq!(split("---").unwrap_err(), Error::Unclosed);
    }

    #[test]
    fn an_error_names_the_line_of_the_file() {
        let Err(Error::Yaml(error)) = parse::<Front>("---\ntitle: x\ntitle: y\n---\n") else {
            panic!("a duplicate key must be refused");
        };
        assert_eq!(error.line, Some(3), "{error}");
    }

    proptest! {
        #[test]
        fn splitting_never_panics_and_loses_no_byte(text in "(---|a|\n|\r\n| |-|\u{feff}|:){0,24}") {
            if let Ok(document) = split(&text) {
                prop_assert!(text.ends_with(document.body));
                if let Some(front) = document.front {
                    prop_assert!(text.contains(front));
                }
            }
        }
    }
}
