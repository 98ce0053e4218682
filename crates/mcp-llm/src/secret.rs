//! `Secret`: a key that can be used but not shown.

use std::fmt;

use serde_json::Value;

/// What stands in a text where a key was.
const REMOVED: &str = "REDACTED_KEY";
/// Services of one's own take any word for a key. A short one is taken out only where it stands as a
/// value, behind a name or in quotes, because elsewhere it may be a word of the answer.
const SHORTEST_SECRET: usize = 16;

#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The key itself, for the one header it belongs in.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text without the key, should it hold it.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let mut kept = String::with_capacity(text.len());
        let mut done = 0;
        for (at, _) in self.places(text) {
            kept.push_str(&text[done..at]);
            kept.push_str(REMOVED);
            done = at + self.0.len();
        }
        kept.push_str(&text[done..]);
        kept
    }

    /// Where the key stands in a text.
    fn places<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
        let found = (!self.0.is_empty()).then(|| text.match_indices(self.0.as_str()));
        found.into_iter().flatten().filter(|(at, key)| {
            key.len() >= SHORTEST_SECRET || is_value(&text[..*at], &text[at + key.len()..])
        })
    }

    pub(crate) fn scrub_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.is_in(text) => *text = self.scrub(text),
            Value::Array(items) => items.iter_mut().for_each(|it| self.scrub_value(it)),
            Value::Object(fields) => {
                if fields.keys().any(|it| self.is_in(it)) {
                    *fields = std::mem::take(fields)
                        .into_iter()
                        .map(|(name, value)| (self.scrub(&name), value))
                        .collect();
                }
                fields.values_mut().for_each(|it| self.scrub_value(it));
            }
            _ => {}
        }
    }

    fn is_in(&self, text: &str) -> bool {
        self.places(text).next().is_some()
    }
}

/// Whether what stands between these is a value: the whole text, behind a name, or in quotes.
fn is_value(before: &str, after: &str) -> bool {
    let quotes = ['"', '\'', '`'];
    let ends = |it: char| it.is_whitespace() || ",;)}]&".contains(it) || quotes.contains(&it);
    if !after.is_empty() && !after.starts_with(ends) {
        return false;
    }
    let name = before.trim_end_matches(quotes).trim_end().to_ascii_lowercase();
    let stands_alone = name.is_empty() && after.trim_matches(quotes).trim().is_empty();
    let named = ["=", ":", "bearer", "key", "token"].iter().any(|it| name.ends_with(it));
    stands_alone || named
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Secret;

    #[test]
    fn a_key_is_taken_out_and_a_word_that_stands_for_one_is_not() {
        let key = Secret::new("made-up-of-words-1234");
        let mut value = json!({ "text": "made-up-of-words-1234 was asked for" });
        key.scrub_value(&mut value);
        assert_eq!(value, json!({ "text": "REDACTED_KEY was asked for" }));
        for word in ["k", "ollama", "lm-studio"] {
            let text = format!("{word} is asked for");
            assert_eq!(Secret::new(word).scrub(&text), text);
        }
    }

    #[test]
    fn a_short_key_is_taken_out_where_it_stands_as_a_value() {
        let key = Secret::new("s3cret");
        for (text, scrubbed) in [
            ("s3cret", "REDACTED_KEY"),
            ("api_key=s3cret", "api_key=REDACTED_KEY"),
            ("key: \"s3cret\", next", "key: \"REDACTED_KEY\", next"),
            ("Authorization: Bearer s3cret", "Authorization: Bearer REDACTED_KEY"),
            ("invalid key `s3cret`", "invalid key `REDACTED_KEY`"),
            ("?key=s3cret&x=1", "?key=REDACTED_KEY&x=1"),
            ("the s3cret sauce", "the s3cret sauce"),
            ("key=s3cretary", "key=s3cretary"),
        ] {
            assert_eq!(key.scrub(text), scrubbed);
        }
    }
}
