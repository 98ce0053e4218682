//! The labels of assertions: their series, and how they are written behind an id.

use super::{Grammar, JOURNEY, LONGEST_SERIES};
use crate::domain::config::LabelStyle;
use crate::domain::span::Label;

impl Grammar {
    pub(super) fn label_as_written(&self, text: &str) -> String {
        match self.labels.style {
            LabelStyle::Uppercase | LabelStyle::Alphanumeric => text.to_ascii_uppercase(),
            LabelStyle::Numeric | LabelStyle::NumericFromOne => text.to_owned(),
        }
    }

    /// The whole of `text` as a label.
    pub(crate) fn label(&self, text: &str) -> Option<Label> {
        if let [b'A'..=b'Z'] = text.as_bytes()
            && self.labels.style == LabelStyle::Uppercase
        {
            return Label::new(text);
        }
        let exact = !text.is_empty()
            && self.label_length(text) == text.len()
            && self.label_as_written(text) == text;
        exact.then(|| Label::new(text)).flatten()
    }

    /// How many bytes of a label a text begins with.
    pub(super) fn label_length(&self, text: &str) -> usize {
        let bytes = text.as_bytes();
        match self.labels.style {
            LabelStyle::Numeric | LabelStyle::NumericFromOne => {
                bytes.iter().take(4).take_while(|it| it.is_ascii_digit()).count()
            }
            LabelStyle::Alphanumeric => {
                usize::from(bytes.first().is_some_and(u8::is_ascii_alphanumeric))
            }
            LabelStyle::Uppercase => match bytes {
                // The series goes on behind Z: AA, AB.
                [b'A'..=b'Z', b'A'..=b'Z', ..] => 2,
                [first, ..] if first.is_ascii_alphabetic() => 1,
                _ => 0,
            },
        }
    }

    /// The label at a place of the series, if the series is that long.
    pub(crate) fn nth_label(&self, n: usize) -> Option<Label> {
        (n < self.labels.max_count).then(|| self.label_at(n)).flatten()
    }

    /// The label at a place, however long the series may get here.
    fn label_at(&self, n: usize) -> Option<Label> {
        let digits = |number: usize| {
            if self.labels.zero_pad { format!("{number:02}") } else { number.to_string() }
        };
        let text = match self.labels.style {
            LabelStyle::Numeric => digits(n),
            LabelStyle::NumericFromOne => digits(n + 1),
            LabelStyle::Alphanumeric => {
                char::from_digit(u32::try_from(n).ok()?, 36)?.to_ascii_uppercase().to_string()
            }
            LabelStyle::Uppercase => {
                let letter = |n: usize| u8::try_from(n).ok().map(|it| char::from(b'A' + it));
                match n.checked_sub(26) {
                    None => letter(n)?.to_string(),
                    Some(rest) if rest < 26 * 26 => {
                        [letter(rest / 26)?, letter(rest % 26)?].into_iter().collect()
                    }
                    Some(_) => return None,
                }
            }
        };
        Label::new(&text)
    }

    /// Where in the series a label stands.
    pub(crate) fn place_of(&self, label: Label) -> Option<usize> {
        // Files may hold more than the configuration lets anybody add.
        (0..self.labels.max_count.max(LONGEST_SERIES)).find(|n| self.label_at(*n) == Some(label))
    }

    /// How a reference to labels of a requirement is written.
    pub(crate) fn write_reference(
        &self,
        id: &str,
        labels: &[Label],
        joined_by: Option<char>,
    ) -> String {
        let mut text = id.to_owned();
        let is_scoped = self.is_scoped(id);
        for (position, label) in labels.iter().enumerate() {
            text.push(match position {
                0 => self.separator_of(id),
                _ if is_scoped => '+',
                _ => joined_by.unwrap_or(self.labels.multi_separator),
            });
            text.push_str(label.as_str());
        }
        text
    }

    pub(crate) fn assertion_id(&self, id: &str, label: Label) -> String {
        format!("{id}{}{label}", self.separator_of(id))
    }

    /// What parts an id from the first label behind it.
    fn separator_of(&self, id: &str) -> char {
        match id {
            id if self.is_scoped(id) => '.',
            id if id.starts_with(JOURNEY) => '/',
            _ => self.labels.separator,
        }
    }

    pub(crate) fn example_label(&self) -> String {
        self.nth_label(0).map(|it| it.to_string()).unwrap_or_default()
    }
}
