//! From flags to the library: which directories, and what if there is none.

use std::path::{Path, PathBuf};

use mcp_core::cli::note;
use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::settings::Settings;

use super::flags::{BUILTIN, COMMANDS_DIR};
use crate::domain::builtin;
use crate::store::folder;
use crate::store::folder::Folder;
use crate::store::library::Library;

const DEFAULT: &str = ".claude/commands";

/// Word for word what users are promised when there is no directory.
const NOT_FOUND: &str =
    "Command directory .claude/commands/ not found. Please create it and add command files.";

/// How to go on without one.
const REMEDY: &str = "Run `specifyplus-mcp init` to create it with 13 commands, name another one with --commands-dir, or serve the built-in commands with --builtin.";

pub(crate) fn folders(settings: &Settings) -> Vec<Folder> {
    let given = settings.values(COMMANDS_DIR);
    let paths: Vec<PathBuf> = if given.is_empty() {
        settings.roots().iter().map(|root| root.join(DEFAULT)).collect()
    } else {
        given.iter().map(|path| settings.root().join(path)).collect()
    };
    let mut folders: Vec<Folder> = Vec::new();
    for path in paths {
        if folders.iter().all(|folder| folder.path != path) {
            folders.push(Folder { label: label(&path, settings.root()), path });
        }
    }
    folders
}

fn label(path: &Path, root: &Path) -> String {
    let shown = path.strip_prefix(root).ok().filter(|rest| !rest.as_os_str().is_empty());
    shown.unwrap_or(path).display().to_string()
}

pub(crate) fn library(settings: &Settings) -> Library {
    let builtin = if settings.flag(BUILTIN) { builtin::commands() } else { Vec::new() };
    Library::new(folders(settings), builtin, Clock::system())
}

/// Refuses to start where no directory can be opened and nothing is built in. With several, one is
/// enough: the others may come later.
pub(crate) fn require_folder(settings: &Settings, library: &Library) -> Result<(), Failure> {
    let opened: Vec<_> = library.folders().iter().map(Folder::open).collect();
    if settings.flag(BUILTIN) || opened.iter().any(Result::is_ok) {
        return Ok(());
    }
    let reasons: Vec<String> = library
        .folders()
        .iter()
        .zip(opened)
        .filter_map(|(folder, opened)| Some(unopened(folder, &opened.err()?)))
        .collect();
    if settings.is_serving() {
        // On a line of its own, as it was promised.
        note(NOT_FOUND);
    }
    Err(Failure::new("command_directory_missing", reasons.join("\n")).hint(REMEDY))
}

pub(super) fn unopened(folder: &Folder, error: &mcp_core::sandbox::Error) -> String {
    let path = folder.path.display();
    format!("the command directory {path} cannot be opened: {}", folder::why_unopened(error))
}
