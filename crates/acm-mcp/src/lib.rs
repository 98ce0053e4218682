//! Process knowledge: stages, artifacts, prompts, project checks, capabilities.

mod server;

pub use server::product;
