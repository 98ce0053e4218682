//! Values and rules: text in, values out. Nothing here opens a file or knows MCP.

// What the process consists of.
pub(crate) mod catalog;

// Reading Markdown: headings, sections, tables.
pub(crate) mod document;
pub(crate) mod heading;
pub(crate) mod table;

// What is made of the process tree and the registry.
pub(crate) mod capability;
pub(crate) mod guidance;
pub(crate) mod knowledge;
pub(crate) mod search;

// What is found out about a project.
pub(crate) mod check;
pub(crate) mod transition;
