//! What was found in bodies.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// What a body does that a caller must know of. Most declarations have none of it, and there are
/// many of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct BodyFacts(Option<Box<FactLists>>);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FactLists {
    /// `throw new RangeError(...)`, `raise ValueError(...)`, `return Err(...)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) throws: Vec<Fact>,
    /// `panic!`, `unreachable!`, Go's `panic`, failed assertions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) panics: Vec<Fact>,
    /// `unwrap`, `expect`, the non-null assertion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unwraps: Vec<Fact>,
    /// Conditions under which it throws or returns early with an error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) validates: Vec<Fact>,
    /// Names of what it calls, each once, in the order of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) calls: Vec<String>,
}

impl BodyFacts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn lists_mut(&mut self) -> &mut FactLists {
        self.0.get_or_insert_default()
    }
}

impl From<FactLists> for BodyFacts {
    fn from(lists: FactLists) -> Self {
        Self((lists != NO_FACTS).then(|| Box::new(lists)))
    }
}

impl Deref for BodyFacts {
    type Target = FactLists;

    fn deref(&self) -> &FactLists {
        self.0.as_deref().unwrap_or(&NO_FACTS)
    }
}

static NO_FACTS: FactLists = FactLists {
    throws: Vec::new(),
    panics: Vec::new(),
    unwraps: Vec::new(),
    validates: Vec::new(),
    calls: Vec::new(),
};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fact {
    pub(crate) line: usize,
    pub(crate) text: String,
}
