//! Everything that knows files: folders of command files, the library made of them, and the watch.

pub(crate) mod folder;
pub(crate) mod library;
pub(crate) mod watch;
