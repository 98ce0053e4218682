//! Process knowledge: stages, artifacts, prompts, project checks, capabilities.
//!
//! The modules in reading order: what exists (`catalog`, `embedded`), where it lies
//! (`surroundings`, `tree`), what is made of it, and how it is offered (`tools`, `resources`).

mod arguments;
mod capability;
mod catalog;
mod check;
mod doctor;
mod document;
mod embedded;
mod error;
mod guidance;
mod heading;
mod init;
mod knowledge;
mod project;
mod resources;
mod search;
mod server;
mod surroundings;
mod table;
mod tools;
mod transition;
mod tree;

pub use server::product;

#[cfg(test)]
mod tests;
