//! `skill://name/path`: names and paths in URIs, where only some characters stand for themselves,
//! and bytes in the letters in which JSON carries them.

use std::fmt::Write as _;

const SCHEME: &str = "skill://";

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn of(skill: &str, path: &str) -> String {
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{SCHEME}{}{slash}{}", encoded(skill, b"-._~"), encoded(path, b"-._~/"))
}

/// The skill and the path in it, which is empty for the skill's directory.
pub(super) fn parse(uri: &str) -> Option<(String, String)> {
    let rest = uri.strip_prefix(SCHEME)?;
    let (skill, path) = rest.split_once('/').unwrap_or((rest, ""));
    let skill = decoded(skill).filter(|it| !it.is_empty())?;
    Some((skill, decoded(path)?))
}

fn encoded(text: &str, plain: &[u8]) -> String {
    let mut uri = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _infallible = write!(uri, "%{byte:02X}");
        }
    }
    uri
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

pub(super) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let value = part.iter().fold(0_u32, |value, byte| (value << 8) | u32::from(*byte));
        let value = value << (8 * (3 - part.len()));
        for index in 0..4 {
            let digit = (value >> (18 - 6 * index)) & 63;
            let letter = LETTERS.get(digit as usize).filter(|_| index <= part.len());
            text.push(letter.map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}
