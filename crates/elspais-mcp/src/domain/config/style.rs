//! The styles a configuration chooses from, each with the word it is chosen by.

/// What the last part of an id looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComponentStyle {
    Numeric,
    Named,
    Alphanumeric,
    CamelCase,
    PascalCase,
    SnakeCase,
    KebabCase,
    Regex,
    Uuid,
}

impl ComponentStyle {
    pub(super) const WORDS: [(&str, Self); 9] = [
        ("numeric", Self::Numeric),
        ("named", Self::Named),
        ("alphanumeric", Self::Alphanumeric),
        ("camelCase", Self::CamelCase),
        ("PascalCase", Self::PascalCase),
        ("snake_case", Self::SnakeCase),
        ("kebab-case", Self::KebabCase),
        ("regex", Self::Regex),
        ("uuid", Self::Uuid),
    ];
}

/// What the labels of assertions look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelStyle {
    Uppercase,
    /// From 0 on.
    Numeric,
    /// From 1 on.
    NumericFromOne,
    Alphanumeric,
}

impl LabelStyle {
    pub(super) const WORDS: [(&str, Self); 4] = [
        ("uppercase", Self::Uppercase),
        ("numeric", Self::Numeric),
        ("numeric_1based", Self::NumericFromOne),
        ("alphanumeric", Self::Alphanumeric),
    ];

    pub(crate) fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(_, style)| *style == self).map_or("", |(word, _)| word)
    }

    /// How many labels there are at most.
    pub(super) fn capacity(self) -> usize {
        match self {
            Self::Uppercase => 26,
            Self::Numeric => 100,
            Self::NumericFromOne => 99,
            Self::Alphanumeric => 36,
        }
    }
}

/// What a hash is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashMode {
    /// Everything between header and footer.
    FullText,
    /// The assertions, in their order.
    OrderedAssertions,
    /// The assertions, in any order.
    Assertions,
}

impl HashMode {
    pub(super) const WORDS: [(&str, Self); 3] = [
        ("full-text", Self::FullText),
        ("normalized-text", Self::Assertions),
        ("normalized-text-ordered", Self::OrderedAssertions),
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashAlgorithm {
    Sha256,
    Sha1,
    Md5,
}

impl HashAlgorithm {
    pub(super) const WORDS: [(&str, Self); 3] =
        [("sha256", Self::Sha256), ("sha1", Self::Sha1), ("md5", Self::Md5)];
}

/// Whether something fails a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    /// Worth knowing, and fails nothing.
    Note,
}

impl Severity {
    pub(super) const WORDS: [(&str, Self); 4] =
        [("ok", Self::Note), ("info", Self::Note), ("warning", Self::Note), ("error", Self::Error)];
}
