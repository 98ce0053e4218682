//! Asks before an agent builds: clarification, decision records, the current task.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod adr;
mod architecture;
mod bank;
mod clarify;
mod cli;
mod compose;
mod error;
mod ledger;
mod lint;
mod markup;
mod model;
mod projection;
mod reading;
mod repository;
mod request;
mod resources;
mod scope;
mod server;
mod service;
mod session;
mod survey;
mod task;
mod tools;
mod uid;
mod watch;

pub use server::product;

#[cfg(test)]
mod tests;
