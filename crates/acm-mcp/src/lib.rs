//! Process knowledge: stages, artifacts, prompts, project checks, capabilities.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod server;

pub use server::product;
