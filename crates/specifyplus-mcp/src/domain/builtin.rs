//! The thirteen commands that come with the server, as the files that `init` lays down.

use std::sync::Arc;

use crate::domain::Command;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../assets/commands/", $name, ".md")))),*]
    };
}

/// Name and text of each file, by name.
pub(crate) const FILES: &[(&str, &str)] = files![
    "sp.adr",
    "sp.analyze",
    "sp.checklist",
    "sp.clarify",
    "sp.constitution",
    "sp.git.commit_pr",
    "sp.implement",
    "sp.phr",
    "sp.plan",
    "sp.reverse-engineer",
    "sp.specify",
    "sp.tasks",
    "sp.taskstoissues",
];

/// The files as commands.
pub(crate) fn commands() -> Vec<Arc<Command>> {
    let parsed = FILES.iter().filter_map(|(name, text)| Command::parse(name, text).ok());
    parsed.map(|(command, _)| Arc::new(command)).collect()
}
