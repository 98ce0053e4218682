//! A path relative to the root, checked once when it is made.

use std::fmt;
use std::path::{Component, Path};

use super::Error;

/// Slash-separated, without `.`, `..`, empty parts or a leading slash; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(String);

impl RelPath {
    /// Checks a path and brings it into this form; absolute ones and those with `..` are refused.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |reason| {
            let path = crate::text::one_line(crate::text::cut(text, 200));
            Err(Error::Path { path, reason })
        };
        if text.contains('\0') {
            return refuse("it holds a NUL character");
        }
        let mut parts: Vec<&str> = Vec::new();
        for component in Path::new(text).components() {
            match component {
                Component::CurDir => {}
                Component::Normal(part) => match part.to_str() {
                    Some(part) => parts.push(part),
                    None => return refuse("it is not UTF-8"),
                },
                Component::ParentDir => return refuse("it contains `..`"),
                Component::RootDir | Component::Prefix(_) => return refuse("it is absolute"),
            }
        }
        if parts.is_empty() {
            return refuse("it names nothing");
        }
        Ok(Self(parts.join("/")))
    }

    /// Gives the path with slashes, on every system.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The directory it lies in, unless that is the root itself.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// Gives the last part, be it of a file or a directory.
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.0.as_str(), |(_, name)| name)
    }

    /// Appends a relative path, which is checked like the whole.
    pub fn join(&self, further: &str) -> Result<Self, Error> {
        Self::parse(&format!("{}/{further}", self.0))
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<Path> for RelPath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl AsRef<str> for RelPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
