//! Places in a text, and the short labels of assertions.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

/// A range of bytes. Files larger than four gigabytes are never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end) }
    }

    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.from()..self.to()
    }

    pub(crate) fn from(self) -> usize {
        self.start as usize
    }

    pub(crate) fn to(self) -> usize {
        self.end as usize
    }

    /// The place of `part`, which must be a slice of `whole`.
    pub(crate) fn within(whole: &str, part: &str) -> Self {
        let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        Self::new(start, start + part.len())
    }
}

/// The label of an assertion: one to four characters, kept in place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Label([u8; 4]);

impl Label {
    pub(crate) fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > 4 || !bytes.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let mut label = [0; 4];
        label[..bytes.len()].copy_from_slice(bytes);
        Some(Self(label))
    }

    /// Stands for a requirement that is its own only assertion.
    pub(crate) const WHOLE: Self = Self([0; 4]);

    pub(crate) fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(4);
        // Only ASCII letters and digits were let in.
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The labels of a citation. Nearly all name one or none, which take no room of their own.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Labels {
    /// How many, and which.
    Few(u8, Label),
    Many(Box<[Label]>),
}

impl Default for Labels {
    fn default() -> Self {
        Self::Few(0, Label::WHOLE)
    }
}

impl From<Vec<Label>> for Labels {
    fn from(labels: Vec<Label>) -> Self {
        match labels[..] {
            [] => Self::default(),
            [label] => Self::Few(1, label),
            _ => Self::Many(labels.into()),
        }
    }
}

impl Deref for Labels {
    type Target = [Label];

    fn deref(&self) -> &[Label] {
        match self {
            Self::Few(0, _) => &[],
            Self::Few(_, label) => std::slice::from_ref(label),
            Self::Many(labels) => labels,
        }
    }
}

impl PartialOrd for Labels {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Labels {
    fn cmp(&self, other: &Self) -> Ordering {
        self[..].cmp(&other[..])
    }
}

impl fmt::Debug for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}
