//! Everything that knows files: the two trees the server reads, and the project.

// The two trees: which they are, where they lie, and their files.
pub(crate) mod embedded;
pub(crate) mod place;
pub(crate) mod surroundings;
pub(crate) mod tree;

// What is read out of them.
pub(crate) mod articles;
pub(crate) mod registry;

pub(crate) mod project;
