//! UIDs: the identity and the order of decisions and tasks, and the slugs that decorate them.

use std::fmt;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// `20250108T143512.237Z-A001`; compared as text, which is compared in time. Older files may lack
/// the last part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Uid(String);

const TIME_PATTERN: &[u8] = b"dddddddd-dddddd.dddZ";

impl Uid {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (time, suffix) = bytes.split_at_checked(TIME_PATTERN.len())?;
        let fits = time.iter().zip(TIME_PATTERN).all(|(byte, pattern)| match pattern {
            b'd' => byte.is_ascii_digit(),
            b'-' => *byte == b'T',
            other => byte == other,
        });
        let suffix_fits = match suffix {
            [] => true,
            [b'-', digits @ ..] => digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit),
            _ => false,
        };
        (fits && suffix_fits).then(|| Self(text.to_owned()))
    }

    /// The UID and the slug of a file name such as `<UID>_<slug>.md`.
    pub(crate) fn of_file(name: &str) -> Option<(Self, &str)> {
        let stem = name.strip_suffix(".md")?;
        let (uid, slug) = stem.split_once('_').unwrap_or((stem, ""));
        Some((Self::parse(uid)?, slug))
    }

    /// One for now, above `floor`; `None` only at the end of the calendar.
    pub(crate) fn mint(now: Timestamp, random: u16, floor: Option<&Self>) -> Option<Self> {
        let made = Self::at(now, random);
        match floor {
            Some(floor) if made <= *floor => {
                let next = floor.time()?.checked_add(SignedDuration::from_millis(1)).ok()?;
                Some(Self::at(next, random)).filter(|it| it > floor)
            }
            _ => Some(made),
        }
    }

    fn at(time: Timestamp, random: u16) -> Self {
        let time = time.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%S.%3fZ").to_string();
        Self(format!("{time}-{random:04X}"))
    }

    /// When it was made; `None` where the digits are no date.
    pub(crate) fn time(&self) -> Option<Timestamp> {
        let text = &self.0;
        let iso = format!(
            "{}-{}-{}T{}:{}:{}Z",
            text.get(0..4)?,
            text.get(4..6)?,
            text.get(6..8)?,
            text.get(9..11)?,
            text.get(11..13)?,
            text.get(13..19)?
        );
        iso.parse().ok()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a person sees in a file name: lower-case words joined by `_`, never empty.
pub(crate) fn slug(title: &str) -> String {
    let mut slug = String::new();
    for character in title.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
        if slug.len() >= 50 {
            break;
        }
    }
    let slug = slug.trim_end_matches('_');
    if slug.is_empty() { "untitled".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_format_is_the_documented_one() {
        let uid = Uid::mint(time("2025-01-08T14:35:12.237Z"), 0xA001, None).unwrap();
        assert_eq!(uid.as_str(), "20250108T143512.237Z-A001");
        assert_eq!(uid.time(), Some(time("2025-01-08T14:35:12.237Z")));
    }

    #[test]
    fn only_complete_uids_are_read_and_the_suffix_may_be_missing() {
        for text in
            ["20250108T143512.237Z-A001", "20250108T143512.237Z-a0f1", "20250108T143512.237Z"]
        {
            assert!(Uid::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "20250108",
            "20250108T143512.237Z-T001",
            "20250108T143512.237Z-A01",
            "20250108T143512.237Z-A0011",
            "20250108T143512Z-A001",
            "2025é108T143512.237Z",
        ] {
            assert!(Uid::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_new_uid_is_above_the_newest_even_when_that_lies_in_the_future() {
        let floor = Uid::parse("20990108T143512.999Z-FFFF").unwrap();
        let uid = Uid::mint(time("2025-01-08T14:35:12.237Z"), 7, Some(&floor)).unwrap();
        assert_eq!(uid.as_str(), "20990108T143513.000Z-0007");
    }

    #[test]
    fn two_in_one_millisecond_stay_in_order() {
        let now = time("2025-01-08T14:35:12.237Z");
        let first = Uid::mint(now, 9, None).unwrap();
        let second = Uid::mint(now, 3, Some(&first)).unwrap();
        assert!(second > first);
    }

    #[test]
    fn file_names_hold_uid_and_slug() {
        let (uid, slug) = Uid::of_file("20250108T143512.237Z-A001_a_b.md").unwrap();
        assert_eq!((uid.as_str(), slug), ("20250108T143512.237Z-A001", "a_b"));
        assert_eq!(Uid::of_file("0001-use-postgres.md"), None);
    }

    #[test]
    fn slugs_are_plain_and_never_empty() {
        assert_eq!(
            slug("Strategy = OAuth, Library = next-auth"),
            "strategy_oauth_library_next_auth"
        );
        assert_eq!(slug("日本語 auth"), "auth");
        assert_eq!(slug("!!"), "untitled");
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            if let Some(uid) = Uid::parse(&text) {
                let _ = uid.time();
            }
        }
    }
}
