//! Everything that knows files, git and language models. It reads and writes, and leaves what is
//! read to the domain.
//!
//! In the order to read them: where things lie, how a target is read, what each tool does with it.

// The project around a path, and which of its files are read.
pub(crate) mod project;
// Secrets out of text.
pub(crate) mod redact;
// A target, read on all cores.
pub(crate) mod analysis;
// The language model that may write or judge.
pub(crate) mod model;
// prepare: everything about a target, and a context that fits.
pub(crate) mod prepare;
// generate: the specification of a target.
pub(crate) mod generate;
// batch: the specifications of a whole project.
pub(crate) mod batch;
// diff: specifications held against their code.
pub(crate) mod drift;
// The report on a project as one page.
pub(crate) mod page;
// Two states of a project compared, without a specification.
pub(crate) mod between;
// Files that changed since a commit.
pub(crate) mod since;
// What `doctor` says about a project.
pub(crate) mod doctor;
