//! Names of commands in URIs, where only some characters may stand for themselves.

use std::fmt::Write as _;

const PREFIX: &str = "specifyplus://commands/";

pub(super) fn of_command(name: &str) -> String {
    format!("{PREFIX}{}", encoded(name))
}

fn encoded(text: &str) -> String {
    let mut uri = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _infallible = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// The name in a URI of ours; `None` for anything else.
pub(super) fn command_of(uri: &str) -> Option<String> {
    let encoded = uri.strip_prefix(PREFIX)?;
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (*byte, after) {
            (b'%', [high, low, after @ ..]) => {
                let digits = [digit(*high)?, digit(*low)?];
                bytes.push(digits[0] * 16 + digits[1]);
                rest = after;
            }
            (b'%', _) => return None,
            (byte, _) => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok().filter(|name| !name.is_empty())
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_survives_the_way_through_a_uri() {
        for name in ["sp.git.commit_pr", "a b", "größe/..", "100%", "%41"] {
            let uri = of_command(name);
            assert!(uri.is_ascii() && !uri.contains(' '), "{uri}");
            assert_eq!(command_of(&uri).as_deref(), Some(name));
        }
    }

    #[test]
    fn half_an_escape_and_foreign_uris_name_nothing() {
        for uri in [
            "specifyplus://commands/%4",
            "specifyplus://commands/%zz",
            "specifyplus://commands/%ff",
            "specifyplus://commands/",
            "specifyplus://other/x",
            "file:///etc/passwd",
        ] {
            assert_eq!(command_of(uri), None, "{uri}");
        }
    }
}
