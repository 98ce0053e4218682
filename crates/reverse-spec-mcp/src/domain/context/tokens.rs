//! How many tokens a model makes of a text, estimated without its vocabulary.
//!
//! Words are split where their case changes and count one token for every seven letters begun,
//! digits one for three, other ASCII characters a little less than one, everything else one. On
//! source code and prose that is up to a fifth more than the byte-pair encodings in use, on lists
//! of paths up to three tenths, and it errs to that side on purpose: what is said to fit does fit.

/// What answers say about their numbers.
pub(crate) const ESTIMATOR: &str = "runs of characters, up to three tenths above cl100k and o200k";

const LETTERS_PER_TOKEN: u64 = 7;
const DIGITS_PER_TOKEN: u64 = 3;
/// In tenths of a token.
const WHOLE: u64 = 10;
const FIRST_MARK: u64 = 8;
const FURTHER_MARK: u64 = 5;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    None,
    Lower,
    Upper,
    Digits,
    Marks,
    Space,
}

pub(crate) fn estimate(text: &str) -> usize {
    let mut tenths = 0_u64;
    let mut run = Run::None;
    let mut length = 0_u64;
    let mut breaks_line = false;
    for character in text.chars() {
        let next = match character {
            'a'..='z' => Run::Lower,
            'A'..='Z' => Run::Upper,
            '0'..='9' => Run::Digits,
            ' ' | '\t' | '\r' | '\n' => Run::Space,
            '!'..='~' => Run::Marks,
            _ => Run::None,
        };
        // A capital letter begins the word that follows it.
        let goes_on = next == run && next != Run::None
            || run == Run::Upper && next == Run::Lower && length == 1;
        if !goes_on {
            tenths += cost(run, length, breaks_line);
            length = 0;
            breaks_line = false;
        }
        run = next;
        length += 1;
        breaks_line |= character == '\n';
    }
    tenths += cost(run, length, breaks_line);
    usize::try_from(tenths.div_ceil(WHOLE)).unwrap_or(usize::MAX)
}

fn cost(run: Run, length: u64, breaks_line: bool) -> u64 {
    match run {
        Run::None => length * WHOLE,
        Run::Lower | Run::Upper => length.div_ceil(LETTERS_PER_TOKEN) * WHOLE,
        Run::Digits => length.div_ceil(DIGITS_PER_TOKEN) * WHOLE,
        Run::Marks => FIRST_MARK + (length - 1) * FURTHER_MARK,
        // One space belongs to the word after it.
        Run::Space => u64::from(breaks_line || length > 1) * WHOLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted with the published vocabularies cl100k and o200k, which agree on these.
    #[test]
    fn the_estimate_lies_a_little_above_what_real_vocabularies_count() {
        let samples = [
            ("export function add(first: number, second?: string): Promise<void>;", 14),
            ("The parser keeps everything it can read, and says where it could not.", 15),
            ("    return self.items.iter().map(|it| it.len()).sum()", 15),
        ];
        for (text, counted) in samples {
            let estimated = estimate(text);
            assert!(estimated >= counted, "{text}: {estimated} for {counted}");
            assert!(estimated <= counted + counted / 2, "{text}: {estimated} for {counted}");
        }
    }

    #[test]
    fn a_chinese_character_counts_as_one() {
        assert_eq!(estimate("目标路径不存在"), 7);
    }

    #[test]
    fn nothing_is_nothing_and_more_text_never_counts_less() {
        assert_eq!(estimate(""), 0);
        let text = "fn a_Name42(x: &str) -> Vec<u8> {\n    x.into()\n}\n";
        let ends = text.char_indices().map(|(at, _)| estimate(&text[..at]));
        assert!(ends.is_sorted());
    }
}
