//! Text and bytes in letters that URIs and JSON can carry.

use std::fmt::Write as _;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What may stand for itself anywhere in a URI, besides letters and digits.
pub(crate) const UNRESERVED: &[u8] = b"-._~";

/// Text for a URI, in which `plain` and letters and digits stand for themselves.
pub(crate) fn percent(text: &str, plain: &[u8]) -> String {
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

/// Bytes as JSON carries them.
pub(crate) fn base64(bytes: &[u8]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_every_length_are_padded() {
        for (bytes, text) in
            [(&b""[..], ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes), text);
        }
    }

    #[test]
    fn what_a_uri_reserves_is_written_as_its_bytes() {
        assert_eq!(percent("a b/ü~", UNRESERVED), "a%20b%2F%C3%BC~");
    }
}
