//! The structural checks of a project; what is required stands in `assets/checks.json`.

pub(crate) mod health;
pub(crate) mod structure;

use std::sync::LazyLock;

use serde::Deserialize;

pub(crate) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "part of the binary, and read by every test")]
    serde_json::from_str(include_str!("../../assets/checks.json")).expect("the rules are valid")
});

/// What an item of the structure has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    File,
    Directory,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Rules {
    /// What only a project that follows the process has; with none of it, it does not yet.
    pub(crate) marks: Vec<String>,
    pub(crate) structure: Structure,
    pub(crate) artifacts: Vec<Artifact>,
}

/// The specification a rule was taken from, in the version it had then.
#[derive(Debug, Deserialize)]
#[cfg_attr(not(test), expect(dead_code, reason = "for whoever changes a specification"))]
pub(crate) struct Follows {
    pub(crate) spec: String,
    pub(crate) version: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Structure {
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever changes a specification"))]
    pub(crate) follows: Follows,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) path: String,
    pub(crate) kind: Kind,
    /// Where projects keep something of the kind that is worth naming where this is missing.
    #[serde(default)]
    pub(crate) elsewhere: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Artifact {
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever changes a specification"))]
    pub(crate) follows: Follows,
    /// Where it is looked for, in this order.
    pub(crate) paths: Vec<String>,
    /// Whose sections are checked where it is in none of these.
    #[serde(default)]
    pub(crate) instead: Vec<String>,
    pub(crate) sections: Vec<RequiredSection>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RequiredSection {
    pub(crate) name: String,
    pub(crate) any_of: Vec<String>,
    #[serde(default)]
    pub(crate) none_of: Vec<String>,
}
