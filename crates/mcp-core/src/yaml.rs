//! YAML from files nobody vouches for: bounded in size, depth and expansion, strict about
//! duplicate keys, and every error with its line and column.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_saphyr::{DuplicateKeyPolicy, UserMessageFormatter};

/// Larger documents are refused before they are parsed.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Why a YAML text was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong, without the position.
    pub message: String,
    /// Counted from 1; `None` where the whole text is meant.
    pub line: Option<usize>,
    /// Counted from 1; `None` where the whole line or text is meant.
    pub column: Option<usize>,
}

impl Error {
    /// Moves the error's place to a file in which the YAML starts `lines` further down.
    #[must_use]
    pub fn moved_down(mut self, lines: usize) -> Self {
        self.line = self.line.map(|line| line + lines);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => {
                write!(f, "line {line}, column {column}: {}", self.message)
            }
            (Some(line), None) => write!(f, "line {line}: {}", self.message),
            _ => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

/// Reads a text as `T`, within the bounds on size, depth and expansion.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    if text.len() > MAX_BYTES {
        let message = format!("{} bytes of YAML, {MAX_BYTES} are read at most", text.len());
        return Err(Error { message, line: None, column: None });
    }
    serde_saphyr::from_str_with_options(text, options()).map_err(|error| describe(&error))
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: 64,
            max_nodes: 100_000,
            max_total_scalar_bytes: 8 * 1024 * 1024,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        strict_booleans: true,
    }
}

fn describe(error: &serde_saphyr::Error) -> Error {
    let location = error.location();
    let number = |value: u64| usize::try_from(value).ok().filter(|value| *value > 0);
    // The user's rendering, whose position we carry as fields.
    let message = error.without_snippet().render_with_formatter(&UserMessageFormatter);
    let end = [" at line ", " (defined"].iter().filter_map(|mark| message.find(mark)).min();
    let message = &message[..end.unwrap_or(message.len())];
    Error {
        message: crate::text::one_line(crate::text::cut(message, 300)),
        line: location.and_then(|location| number(location.line())),
        column: location.and_then(|location| number(location.column())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn refused(text: &str) -> Error {
        parse::<Value>(text).expect_err("must be refused")
    }

    #[test]
    fn an_alias_bomb_is_refused() {
        let mut lines = vec!["a: &a [x, x, x, x, x, x, x, x, x]".to_owned()];
        for (name, previous) in "bcdefghi".chars().zip("abcdefgh".chars()) {
            let aliases = vec![format!("*{previous}"); 9].join(", ");
            lines.push(format!("{name}: &{name} [{aliases}]"));
        }
        refused(&lines.join("\n"));
    }

    #[test]
    fn a_long_scalar_aliased_many_times_is_refused() {
        let text =
            format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 10_000].join(","));
        refused(&text);
    }

    #[test]
    fn deep_nesting_is_refused() {
        refused(&"[".repeat(100_000));
    }

    #[test]
    fn a_duplicate_key_is_refused_with_its_position() {
        let error = refused("a: 1\nb: 2\na: 3\n");
        assert_eq!(error.line, Some(3), "{error}");
        assert_eq!(error.column, Some(1), "{error}");
        insta::assert_snapshot!("duplicate_key", error);
    }

    #[test]
    fn a_type_error_says_what_was_expected_and_where() {
        #[derive(Debug, serde::Deserialize)]
        struct Front {
            #[expect(dead_code, reason = "only its type matters here")]
            count: u32,
        }
        let error = parse::<Front>("count: many\n").unwrap_err();
        insta::assert_snapshot!("type_error", error);
    }

    #[test]
    fn an_over_long_document_is_refused_unread() {
        assert!(refused(&"#".repeat(MAX_BYTES + 1)).message.contains("are read at most"));
    }

    #[test]
    fn words_that_only_old_yaml_took_for_booleans_are_strings() {
        let value: Value = parse("a: no\nb: on\nc: true\n").unwrap();
        assert_eq!(value, serde_json::json!({"a": "no", "b": "on", "c": true}));
    }
}
