//! A template: the text of a command, and the places where the user's input goes.

use crate::error::Error;

/// What a user may put into a command, in bytes of UTF-8; this many are still accepted.
pub(crate) const MAX_INPUT_BYTES: usize = 102_400;

/// What a filled text may have, in bytes: a short file can name the input very often.
pub(crate) const MAX_FILLED_BYTES: usize = 4 * 1024 * 1024;

const PLACEHOLDER: &str = "$ARGUMENTS";

/// The placeholders are found once, when the file is read. Input is never looked at: whatever it
/// holds, nothing in it can become a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    /// Where each placeholder begins, in ascending order.
    places: Vec<usize>,
}

impl Template {
    pub(crate) fn new(text: &str) -> Self {
        let places = text.match_indices(PLACEHOLDER).map(|(at, _)| at);
        let places = places.filter(|at| ends_a_word(&text[at + PLACEHOLDER.len()..])).collect();
        Self { text: text.to_owned(), places }
    }

    pub(crate) fn takes_input(&self) -> bool {
        !self.places.is_empty()
    }

    /// The text with `input` in every place. The limit of the input holds also where no place takes
    /// it, and that of the whole is checked before anything is put together.
    pub(crate) fn fill(&self, input: &str) -> Result<String, Error> {
        if input.len() > MAX_INPUT_BYTES {
            return Err(Error::InputTooLarge);
        }
        let shrunk = self.text.len() - self.places.len() * PLACEHOLDER.len();
        let size = shrunk.saturating_add(self.places.len().saturating_mul(input.len()));
        if size > MAX_FILLED_BYTES {
            return Err(Error::AnswerTooLarge { size, n_places: self.places.len() });
        }
        let mut filled = String::with_capacity(size);
        let mut copied = 0;
        for &place in &self.places {
            filled.push_str(&self.text[copied..place]);
            filled.push_str(input);
            copied = place + PLACEHOLDER.len();
        }
        filled.push_str(&self.text[copied..]);
        Ok(filled)
    }
}

/// `$ARGUMENTS_DIR` is somebody's variable, not our placeholder.
fn ends_a_word(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
}
