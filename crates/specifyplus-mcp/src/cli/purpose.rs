//! Whether this process serves clients, or answers somebody at a shell once.
//!
//! A server is put together the same way for every command, but at a shell there is nobody to be
//! told of changes, and the tools are there whether or not clients are to see them.

use std::ffi::OsString;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// For clients, until they leave.
    Serve,
    /// `tools` and `call`.
    Shell,
    /// `doctor`: what is wrong is a finding, not the end.
    Examine,
}

/// Flags that take no value; every other one takes the next word.
const SWITCHES: [&str; 7] =
    ["--read-only", "--sse", "--with-tools", "--builtin", "--json", "--help", "--version"];

pub(crate) fn purpose() -> Purpose {
    of(std::env::args_os().skip(1))
}

fn of(words: impl Iterator<Item = OsString>) -> Purpose {
    let mut is_value = false;
    for word in words {
        let word = word.to_string_lossy();
        if is_value {
            is_value = false;
        } else if word.starts_with('-') {
            is_value = !word.contains('=') && !SWITCHES.contains(&&*word);
        } else {
            return match &*word {
                "tools" | "call" => Purpose::Shell,
                "doctor" => Purpose::Examine,
                _ => Purpose::Serve,
            };
        }
    }
    Purpose::Serve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_that_is_no_flag_and_no_value_decides() {
        let cases = [
            ("", Purpose::Serve),
            ("serve --http 127.0.0.1:0", Purpose::Serve),
            ("--root tools", Purpose::Serve),
            ("--commands-dir call --builtin", Purpose::Serve),
            ("--builtin tools --json", Purpose::Shell),
            ("--root=. call get_command", Purpose::Shell),
            ("--root . doctor", Purpose::Examine),
        ];
        for (line, expected) in cases {
            let words = line.split_whitespace().map(OsString::from);
            assert_eq!(of(words), expected, "{line}");
        }
    }
}
