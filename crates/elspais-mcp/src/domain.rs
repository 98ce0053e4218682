//! Requirements and everything that cites them: values and rules, text in and text out.
//!
//! In the order to read them: each uses what stands above it.

/// The text of a file.
pub(crate) mod text;

/// Places in a text, and the labels of assertions.
pub(crate) mod span;

/// What is known about the languages of code.
pub(crate) mod language;

/// The ways in which agents write requirements.
pub(crate) mod dialect;

/// `.elspais.toml` in all its spellings.
pub(crate) mod config;

/// How ids and labels are spelled.
pub(crate) mod grammar;

/// What one file holds, as records with places in its text.
pub(crate) mod parse;

/// The short hashes in footers.
pub(crate) mod hash;

/// All files linked: who is defined where and who cites whom.
pub(crate) mod graph;

/// Figures over the whole graph.
pub(crate) mod annotate;

/// Words that requirements can be found by.
pub(crate) mod keyword;

/// What a language model is asked, and what of its answer is taken.
pub(crate) mod transform;

/// Changes of texts that the graph follows, with a log and the way back.
pub(crate) mod mutate;

/// What has to be written down beside a change: changelogs and the index.
pub(crate) mod bookkeeping;

/// What changed, what depends on it, and which links to look at again.
pub(crate) mod review;

/// What a project is checked for in CI.
pub(crate) mod check;

/// The project as one page to look at.
pub(crate) mod report;

/// The graph for other programs.
pub(crate) mod export;

/// What the fuzzer calls.
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
