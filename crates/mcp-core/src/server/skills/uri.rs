//! `skill://name/path`: names and paths in URIs.

use crate::encoding::percent;

const SCHEME: &str = "skill://";

pub(super) fn of(skill: &str, path: &str) -> String {
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{SCHEME}{}{slash}{}", percent(skill, b"-._~"), percent(path, b"-._~/"))
}

/// The skill and the path in it, which is empty for the skill's directory.
pub(super) fn parse(uri: &str) -> Option<(String, String)> {
    let rest = uri.strip_prefix(SCHEME)?;
    let (skill, path) = rest.split_once('/').unwrap_or((rest, ""));
    let skill = decoded(skill).filter(|it| !it.is_empty())?;
    Some((skill, decoded(path)?))
}

fn decoded(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (*byte, after) {
            (b'%', [high, low, after @ ..]) => {
                bytes.push(digit(*high)? * 16 + digit(*low)?);
                rest = after;
            }
            (b'%', _) => return None,
            (byte, _) => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
