//! `Secret`: a key that can be used but not shown.

use std::fmt;

use serde_json::Value;

/// What stands in a text where a key was.
const REMOVED: &str = "REDACTED_KEY";

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
        text.replace(&self.0, REMOVED)
    }

    pub(crate) fn scrub_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if text.contains(&self.0) => *text = self.scrub(text),
            Value::Array(items) => items.iter_mut().for_each(|it| self.scrub_value(it)),
            Value::Object(fields) => {
                if fields.keys().any(|it| it.contains(&self.0)) {
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
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(not shown)")
    }
}
