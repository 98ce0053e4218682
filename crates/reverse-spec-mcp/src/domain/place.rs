//! Where something is, and what is said about it. Both are text on the wire and nowhere else.

use std::fmt;

use serde::{Serialize, Serializer};

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Relative to the project root.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
}

impl Place {
    pub(crate) fn new(file: impl Into<String>, line: usize) -> Self {
        Self { file: file.into(), line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What was left out or replaced, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Warning {
    /// The file it is about, relative to the project root; none for what is about no file.
    pub(crate) file: Option<String>,
    line: Option<usize>,
    text: String,
}

impl Warning {
    /// About no file in particular.
    pub(crate) fn general(text: impl Into<String>) -> Self {
        Self { file: None, line: None, text: text.into() }
    }

    pub(crate) fn about(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self { file: Some(file.into()), line: None, text: text.into() }
    }

    pub(crate) fn at(place: Place, text: impl Into<String>) -> Self {
        Self { file: Some(place.file), line: Some(place.line), text: text.into() }
    }

    /// Whether it is about one of these files, which are in order.
    pub(crate) fn is_about(&self, files: &[String]) -> bool {
        self.file.as_ref().is_some_and(|file| files.binary_search(file).is_ok())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: {}", self.text),
            (Some(file), None) => write!(f, "{file}: {}", self.text),
            (None, _) => f.write_str(&self.text),
        }
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
