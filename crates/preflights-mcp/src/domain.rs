//! Values and rules: text in, values out. Nothing here opens a file, asks a clock or knows MCP.

// What everything else is said in: words and their stems, foreign text in our Markdown, identities.
pub(crate) mod markup;
pub(crate) mod uid;
pub(crate) mod words;

// What was decided, and the files that say it.
pub(crate) mod adr;
pub(crate) mod architecture;
pub(crate) mod ledger;
pub(crate) mod projection;
pub(crate) mod task;

// What can be asked, what the repository shows, and what a request says.
pub(crate) mod bank;
pub(crate) mod claims;
pub(crate) mod reading;
pub(crate) mod request;
pub(crate) mod scope;
pub(crate) mod survey;
pub(crate) mod ticket;

// A clarification from the request to the files it ends in.
pub(crate) mod clarify;
pub(crate) mod compose;

pub(crate) mod check;
pub(crate) mod lint;

// What the fuzzer calls.
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;

/// Reads the embedded facts, which every call needs.
pub(crate) fn prepare() {
    request::prepare();
    scope::prepare();
}
