//! Everything that knows files, the file system's reports, sessions in memory and language models.

pub(crate) mod changed;
pub(crate) mod check;
mod completion;
mod histories;
mod ledgers;
pub(crate) mod lint;
pub(crate) mod model;
mod others;
mod reader;
pub(crate) mod records;
pub(crate) mod repository;
pub(crate) mod service;
pub(crate) mod session;
mod survey;
