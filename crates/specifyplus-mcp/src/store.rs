//! Everything that knows files: folders of command files, projects with the folders of all agents,
//! the library made of them, and the watch.

mod file;
pub(crate) mod folder;
pub(crate) mod library;
pub(crate) mod project;
mod reading;
mod walk;
pub(crate) mod watch;

#[cfg(test)]
pub(crate) use reading::MAX_COMMAND_BYTES;
