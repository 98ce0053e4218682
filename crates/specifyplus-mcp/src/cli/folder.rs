//! From flags to the library: which directories, and what if there is none.

use std::path::{Path, PathBuf};

use mcp_core::cli::note;
use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::settings::Settings;

use super::flags::{BUILTIN, COMMANDS_DIR, SOURCES};
use crate::domain::builtin;
use crate::store::folder;
use crate::store::folder::Folder;
use crate::store::library::Library;
use crate::store::project::Project;

const DEFAULT: &str = ".claude/commands";

/// Word for word what users are promised when there is no directory.
const NOT_FOUND: &str =
    "Command directory .claude/commands/ not found. Please create it and add command files.";

/// How to go on without one.
const REMEDY: &str = "Run `specifyplus-mcp init` to create it with 13 commands, name another one with --commands-dir, or serve the built-in commands with --builtin.";

/// The command directories, by the roots as they were given.
pub(crate) fn folders(settings: &Settings) -> Vec<Folder> {
    folders_in(settings, settings.roots())
}

fn folders_in(settings: &Settings, roots: &[PathBuf]) -> Vec<Folder> {
    let given = settings.values(COMMANDS_DIR);
    let paths: Vec<PathBuf> = if given.is_empty() {
        roots.iter().map(|root| root.join(DEFAULT)).collect()
    } else {
        given.iter().map(|path| settings.root().join(path)).collect()
    };
    let main = roots.first().map_or_else(|| settings.root(), PathBuf::as_path);
    let mut folders: Vec<Folder> = Vec::new();
    for path in paths {
        if folders.iter().all(|folder| folder.path != path) {
            folders.push(Folder { label: label(&path, main), path });
        }
    }
    folders
}

fn label(path: &Path, root: &Path) -> String {
    let shown = path.strip_prefix(root).ok().filter(|rest| !rest.as_os_str().is_empty());
    shown.unwrap_or(path).display().to_string()
}

/// Whether the folders of all agents are looked for, rather than one directory alone.
pub(crate) fn takes_all(settings: &Settings) -> bool {
    let only_claude = settings.values(SOURCES).iter().any(|it| it == "claude");
    settings.values(COMMANDS_DIR).is_empty() && !only_claude
}

/// Whether commands of any agent lie in a directory.
pub(crate) fn has_folder(path: &Path) -> bool {
    Folder { path: path.join(DEFAULT), label: String::new() }.open().is_ok()
        || Project::new(path.to_owned(), String::new()).has_folder()
}

pub(crate) fn library(settings: &Settings) -> Library {
    let builtin = if settings.flag(BUILTIN) { builtin::commands() } else { Vec::new() };
    if !takes_all(settings) {
        return Library::new(folders(settings), builtin, Clock::system());
    }
    let at = |path: &PathBuf, label: String| Project::new(path.clone(), label);
    let roots = settings.roots();
    let projects = roots.iter().enumerate().map(|(index, path)| match index {
        0 => at(path, String::new()),
        _ => at(path, format!("{}/", path.display())),
    });
    let projects = projects.collect();
    Library::new(folders_in(settings, roots), builtin, Clock::system()).with_projects(projects)
}

/// Refuses to start where no directory can be opened and nothing is built in. One is enough: the
/// others may come later.
pub(crate) fn require_folder(settings: &Settings, library: &Library) -> Result<(), Failure> {
    let opened: Vec<_> = library.folders().iter().map(Folder::open).collect();
    let some =
        opened.iter().any(Result::is_ok) || library.projects().iter().any(Project::has_folder);
    // Where there is no project at all, each call says so.
    if settings.flag(BUILTIN) || some || settings.astray().is_some() {
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
    let reasons = reasons.join("\n");
    let message = if library.projects().is_empty() {
        reasons
    } else {
        format!("{reasons}, and no other agent has a folder of commands or skills here")
    };
    Err(Failure::new("command_directory_missing", message).hint(REMEDY))
}

pub(super) fn unopened(folder: &Folder, error: &mcp_core::sandbox::Error) -> String {
    let path = folder.path.display();
    format!("the command directory {path} cannot be opened: {}", folder::why_unopened(error))
}
