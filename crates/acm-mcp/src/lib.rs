//! Process knowledge: stages, artifacts, prompts, project checks, capabilities.
//!
//! The rooms in reading order.

/// What it is called and what it offers.
mod server;

/// The 13 tools and the resources: MCP in and out.
mod tools;

/// The process, its documents, checks and capabilities: values and rules.
mod domain;

/// The process tree, the registry and the project on disk.
mod store;

/// What can go wrong.
mod error;

/// `init` and `doctor`.
mod cli;

/// Server and shell put together.
mod product;

pub use product::product;

#[cfg(test)]
mod tests;
