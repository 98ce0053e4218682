//! Values and rules: text in, text out. Nothing here knows files, programs, clocks or models.
//!
//! In the order to read them: what is kept of code, how it is read, what is made of it.

// Where something is, and what is said about it.
pub(crate) mod place;
// What is kept of source code.
pub(crate) mod skeleton;
// Fingerprints as text.
pub(crate) mod hash;
// Signatures and types as text: words, lists, type parameters by position.
pub(crate) mod signature;
// What decorators and annotations mean to somebody outside.
pub(crate) mod marks;
// Where a program is reached and what it takes from its surroundings.
pub(crate) mod facts;
// Trees of the parser: nodes by their role, bodies as tokens.
pub(crate) mod syntax;
// One folder per language, and the trait they all have.
pub(crate) mod languages;
// Which files are left alone, whatever their language.
pub(crate) mod reading;
// From the text of a file to its skeleton.
pub(crate) mod extract;
// Which file of the project an import leads to.
pub(crate) mod resolve;
// By which names a library offers what it declares.
pub(crate) mod reach;
// What a specification was written from, as it lies in it.
pub(crate) mod baseline;
// Specifications that are there: their front matter and baseline.
pub(crate) mod specification;
// The document that is written.
pub(crate) mod spec;
// What a language model is given to read, within its budget.
pub(crate) mod context;
// What a language model is asked to write, and what is taken of its answer.
pub(crate) mod prose;
// Two states of code compared.
pub(crate) mod diff;
// What changes make of the next release.
pub(crate) mod release;
// A project as modules in order, and the pages about all of them.
pub(crate) mod batch;
// What the fuzzer calls.
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
// The page to look at.
pub(crate) mod report;
