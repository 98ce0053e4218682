//! A template: the text of a command, and the places where the user's input goes.

use std::borrow::Cow;
use std::ops::Range;

use super::dialect::Dialect;
use super::words;
use crate::error::Error;

/// What a user may put into a command, in bytes of UTF-8; this many are still accepted.
pub(crate) const MAX_INPUT_BYTES: usize = 102_400;

/// What a filled text may have, in bytes: a short file can name the input very often.
pub(crate) const MAX_FILLED_BYTES: usize = 4 * 1024 * 1024;

/// What stands before input that no placeholder takes.
const APPENDED: &str = "ARGUMENTS: ";

/// The placeholders are found once, when the file is read. Input is never looked at: whatever it
/// holds, nothing in it can become a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    /// In ascending order, without overlap.
    places: Vec<Place>,
    /// The names of `${input:name}`, in the order of their first place.
    names: Vec<String>,
    appends: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    span: Range<usize>,
    slot: Slot,
}

/// What goes into a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Whole,
    /// Counted from 0.
    Word(usize),
    /// By its position among the names.
    Named(usize),
}

/// What the user gave.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Input<'a> {
    pub(crate) whole: &'a str,
    /// Values for the names that the command declares.
    pub(crate) named: &'a [(String, String)],
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(whole: &'a str) -> Self {
        Self { whole, named: &[] }
    }
}

impl Template {
    pub(crate) fn new(text: &str, dialect: &Dialect) -> Self {
        let mut template = Self {
            text: text.to_owned(),
            places: Vec::new(),
            names: Vec::new(),
            appends: dialect.appends,
        };
        let mut at = 0;
        while let Some(found) = text[at..].find(['$', '{']) {
            let start = at + found;
            match template.placeholder(&text[start..], dialect) {
                Some((length, slot)) => {
                    at = start + length;
                    template.places.push(Place { span: start..at, slot });
                }
                // Both marks are one byte long.
                None => at = start + 1,
            }
        }
        template
    }

    /// The placeholder that `rest` begins with: its length, and what goes there.
    fn placeholder(&mut self, rest: &str, dialect: &Dialect) -> Option<(usize, Slot)> {
        if dialect.indexed
            && let Some((index, length)) = index_of(rest)
        {
            return Some((length, Slot::Word(index)));
        }
        for word in &dialect.whole {
            let Some(after) = rest.strip_prefix(word.as_str()) else { continue };
            if word.ends_with(['}', '@']) || ends_a_word(after) {
                return Some((word.len(), Slot::Whole));
            }
        }
        if let Some(first) = dialect.first_word
            && let Some((number, length)) = number_of(rest)
            && let Some(index) = number.checked_sub(first)
        {
            return Some((length, Slot::Word(index)));
        }
        if dialect.named
            && let Some((name, length)) = name_of(rest)
        {
            let known = self.names.iter().position(|it| it == name);
            let index = known.unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            });
            return Some((length, Slot::Named(index)));
        }
        None
    }

    /// Whether the command declares that it takes input.
    pub(crate) fn takes_input(&self) -> bool {
        self.appends || self.takes_whole()
    }

    /// The inputs it declares under names of their own.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether input that no place takes stands at the end.
    pub(crate) fn appends(&self) -> bool {
        self.appends
    }

    /// Whether some place takes the input as it was typed.
    pub(crate) fn takes_whole(&self) -> bool {
        self.places.iter().any(|place| place.slot == Slot::Whole)
    }

    /// The text with the input in every place. The limit of the input holds also where no place
    /// takes it, and that of the whole is checked before anything is put together.
    pub(crate) fn fill(&self, input: Input<'_>) -> Result<String, Error> {
        self.fill_or_append(input, self.appends)
    }

    /// Like [`Self::fill`], and what no place takes stands at the end, whatever the dialect says.
    pub(crate) fn fill_losing_nothing(&self, input: Input<'_>) -> Result<String, Error> {
        self.fill_or_append(input, true)
    }

    fn fill_or_append(&self, input: Input<'_>, appends: bool) -> Result<String, Error> {
        let given = input.named.iter().map(|(_, value)| value.len()).sum::<usize>();
        if input.whole.len().saturating_add(given) > MAX_INPUT_BYTES {
            return Err(Error::InputTooLarge);
        }
        let filling = Filling::new(self, input);
        let appended = appends && filling.is_left_over();
        let values: Vec<Cow<'_, str>> =
            self.places.iter().map(|place| filling.value(place)).collect();
        let taken: usize = self.places.iter().map(|place| place.span.len()).sum();
        let put = values.iter().fold(0, |size: usize, value| size.saturating_add(value.len()));
        let size = (self.text.len() - taken).saturating_add(put);
        if size > MAX_FILLED_BYTES {
            return Err(Error::AnswerTooLarge { size, n_places: self.places.len() });
        }
        let mut filled = String::with_capacity(size);
        let mut copied = 0;
        for (place, value) in self.places.iter().zip(values) {
            filled.push_str(&self.text[copied..place.span.start]);
            filled.push_str(&value);
            copied = place.span.end;
        }
        filled.push_str(&self.text[copied..]);
        if appended {
            append(&mut filled, input.whole);
        }
        Ok(filled)
    }
}

/// One input on its way into a template.
struct Filling<'a> {
    template: &'a Template,
    input: Input<'a>,
    /// Cut only where a place asks for a word.
    words: Vec<String>,
}

impl<'a> Filling<'a> {
    fn new(template: &'a Template, input: Input<'a>) -> Self {
        let wants_words = template.places.iter().any(|it| matches!(it.slot, Slot::Word(_)));
        let words = if wants_words { words::split(input.whole) } else { Vec::new() };
        Self { template, input, words }
    }

    /// What goes into a place. A word or name that was not given leaves the placeholder: what
    /// looks like one may be a line of shell script.
    fn value(&self, place: &Place) -> Cow<'_, str> {
        let literal = || Cow::Borrowed(&self.template.text[place.span.clone()]);
        match place.slot {
            Slot::Whole => Cow::Borrowed(self.input.whole),
            Slot::Word(index) => {
                self.words.get(index).map_or_else(literal, |word| Cow::Borrowed(word.as_str()))
            }
            Slot::Named(index) => self.named(index).map_or_else(literal, Cow::Borrowed),
        }
    }

    fn named(&self, index: usize) -> Option<&str> {
        let name = self.template.names.get(index)?;
        let given = self.input.named.iter().find(|(it, _)| it == name);
        match given {
            Some((_, value)) => Some(value),
            // Whoever knows one input only means the one there is.
            None if self.only_named() && !self.input.whole.is_empty() => Some(self.input.whole),
            None => None,
        }
    }

    fn only_named(&self) -> bool {
        self.template.names.len() == 1 && self.input.named.is_empty()
    }

    /// Whether a part of the input has reached no place.
    fn is_left_over(&self) -> bool {
        if self.input.whole.trim().is_empty() || self.template.takes_whole() {
            return false;
        }
        let named = self.template.places.iter().any(|it| matches!(it.slot, Slot::Named(_)));
        if named && self.only_named() {
            return false;
        }
        let is_used = |index| self.template.places.iter().any(|it| it.slot == Slot::Word(index));
        self.words.is_empty() || !(0..self.words.len()).all(is_used)
    }
}

/// Puts the input at the end, a blank line before it.
fn append(text: &mut String, input: &str) {
    if !text.is_empty() {
        let breaks = if text.ends_with('\n') { "\n" } else { "\n\n" };
        text.push_str(breaks);
    }
    text.push_str(APPENDED);
    text.push_str(input);
}

/// `$ARGUMENTS_DIR` is somebody's variable, not our placeholder.
fn ends_a_word(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
}

/// `$ARGUMENTS[2]`: the index, and the length of it all.
fn index_of(rest: &str) -> Option<(usize, usize)> {
    let inside = rest.strip_prefix("$ARGUMENTS[")?;
    let end = inside.find(']').filter(|end| (1..=3).contains(end))?;
    let digits = &inside[..end];
    let index = digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse().ok())??;
    Some((index, "$ARGUMENTS[".len() + end + 1))
}

/// `$1`: one digit that no further word character follows.
fn number_of(rest: &str) -> Option<(usize, usize)> {
    let inside = rest.strip_prefix('$')?;
    let digit = inside.chars().next()?.to_digit(10)?;
    let number = usize::try_from(digit).ok()?;
    ends_a_word(&inside[1..]).then_some((number, 2))
}

/// `${input:name}` or `${input:name:what to type}`: the name, and the length of it all.
fn name_of(rest: &str) -> Option<(&str, usize)> {
    let inside = rest.strip_prefix("${input:")?;
    let end = inside.find(['}', '\n']).filter(|end| inside.as_bytes()[*end] == b'}')?;
    let name = inside[..end].split(':').next()?;
    let is_word = |it: char| it.is_alphanumeric() || "_-.".contains(it);
    let begins = name.starts_with(|it: char| it.is_alphabetic() || it == '_');
    (begins && name.chars().all(is_word)).then_some((name, "${input:".len() + end + 1))
}
