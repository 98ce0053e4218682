//! `Secret`: a key that can be used but not shown.

use std::fmt;

use serde_json::Value;

/// What stands in a text where a key was.
const REMOVED: &str = "REDACTED_KEY";
/// Services of one's own take any word for a key. A short one is no secret, and to take it out of
/// an answer would take it out of the words it is part of.
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
        if self.is_in(text) { text.replace(&self.0, REMOVED) } else { text.to_owned() }
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
        self.0.len() >= SHORTEST_SECRET && text.contains(&self.0)
    }
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
}
