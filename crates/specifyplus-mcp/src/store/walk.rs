//! The walk through a project's folders of commands: which files may be commands, and what each
//! would be called.
//!
//! Everything is resolved below the project's handle, so a link may lead to another place in the
//! project and nowhere else.

use std::collections::BTreeSet;

use mcp_core::sandbox::{DirectoryId, Entry, EntryKind, RelPath, Root};

use crate::domain::{Form, Format, Source};

/// Directories in directories beyond this are not looked into.
const MAX_DEPTH: usize = 8;

/// More than any project has; what lies beyond is left out.
const MAX_FILES: usize = 50_000;

const SKILL: &str = "SKILL.md";

/// The command directory, whose own files are read by the contract and not here.
pub(super) const FLAT: &str = ".claude/commands";

/// A file that may be a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spotted {
    pub(super) path: RelPath,
    pub(super) kind: EntryKind,
    pub(super) name: String,
    /// Another name that leads to it.
    pub(super) alias: Option<String>,
    pub(super) format: Format,
    /// The directory that holds it beside others of its kind.
    pub(super) shelf: String,
    /// Where the files lie that it may leave its text to.
    pub(super) points_to: Option<String>,
    /// The directory of a skill.
    pub(super) skill: Option<RelPath>,
}

/// What a walk has come across.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// In the order in which one goes before another of the same name.
    pub(super) spotted: Vec<Spotted>,
    /// The folders there are, and the directories of names in them.
    pub(super) directories: Vec<RelPath>,
    /// How many folders there are.
    pub(super) n_folders: usize,
}

/// Whether any of the folders is there.
pub(super) fn has_any(root: &Root, sources: &[Source]) -> bool {
    sources.iter().any(|it| RelPath::parse(&it.folder).is_ok_and(|path| root.is_dir(&path)))
}

pub(super) fn walk(root: &Root, sources: &[Source]) -> Walked {
    let mut walked = Walked::default();
    let mut seen = BTreeSet::new();
    for source in sources {
        let Ok(path) = RelPath::parse(&source.folder) else { continue };
        if !root.is_dir(&path) {
            continue;
        }
        walked.n_folders += 1;
        // Two names for one directory, such as a link to another agent's, are one folder.
        let id = root.below(&path).ok().and_then(|it| it.id()).map(key);
        if id.is_some_and(|id| !seen.insert((id, source.form == Form::Skills))) {
            continue;
        }
        let mut tour =
            Tour { root, source, walked: &mut walked, above: Vec::new(), skills: BTreeSet::new() };
        tour.enter(&path, &[]);
    }
    walked
}

fn key(id: DirectoryId) -> (u64, u64) {
    (id.device, id.inode)
}

/// The walk through one folder.
struct Tour<'a> {
    root: &'a Root,
    source: &'a Source,
    walked: &'a mut Walked,
    /// The directories that are being looked into, one inside the other: a link may lead back.
    above: Vec<(u64, u64)>,
    /// The names of the skills so far.
    skills: BTreeSet<String>,
}

impl Tour<'_> {
    fn enter(&mut self, directory: &RelPath, names: &[String]) {
        if names.len() > MAX_DEPTH || self.walked.spotted.len() >= MAX_FILES {
            return;
        }
        if let Some(id) = self.root.below(directory).ok().and_then(|it| it.id()).map(key) {
            if self.above.contains(&id) {
                return;
            }
            self.above.push(id);
        }
        self.look(directory, names);
        self.above.pop();
    }

    fn look(&mut self, directory: &RelPath, names: &[String]) {
        let Ok(entries) = self.root.list(Some(directory)) else { return };
        self.walked.directories.push(directory.clone());
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let Ok(path) = directory.join(&entry.name) else { continue };
            match self.source.form {
                Form::Skills => self.skill(directory, &path, entry, names),
                Form::Commands | Form::Recipes => self.command(directory, &path, entry, names),
            }
        }
    }

    fn is_directory(&self, path: &RelPath, kind: EntryKind) -> bool {
        match kind {
            EntryKind::Directory => true,
            EntryKind::Symlink => self.root.is_dir(path),
            EntryKind::File | EntryKind::Other => false,
        }
    }

    fn command(&mut self, directory: &RelPath, path: &RelPath, entry: &Entry, names: &[String]) {
        if self.is_directory(path, entry.kind) {
            let below: Vec<String> = names.iter().cloned().chain([entry.name.clone()]).collect();
            return self.enter(path, &below);
        }
        if directory.as_str() == FLAT {
            return;
        }
        let Some((stem, format)) = self.source.command(&entry.name) else { return };
        let name = names.iter().map(String::as_str).chain([stem]).collect::<Vec<_>>().join(":");
        self.walked.spotted.push(Spotted {
            path: path.clone(),
            kind: entry.kind,
            name,
            alias: None,
            format,
            shelf: directory.to_string(),
            points_to: self.source.points_to.clone(),
            skill: None,
        });
    }

    /// A directory with `SKILL.md` is a skill, and what else it holds is part of it; any other
    /// one sorts skills.
    fn skill(&mut self, directory: &RelPath, path: &RelPath, entry: &Entry, names: &[String]) {
        if !self.is_directory(path, entry.kind) {
            return;
        }
        let below: Vec<String> = names.iter().cloned().chain([entry.name.clone()]).collect();
        let Ok(file) = path.join(SKILL) else { return };
        if !self.root.has_entry(&file).unwrap_or_default() {
            return self.enter(path, &below);
        }
        let whole = below.join(":");
        let bare = entry.name.clone();
        // In two directories the same name needs the directory to tell them apart.
        let name = if self.skills.insert(bare.clone()) { bare } else { whole.clone() };
        self.walked.spotted.push(Spotted {
            path: file,
            kind: EntryKind::File,
            alias: (whole != name).then_some(whole),
            name,
            format: self.source.skill(),
            shelf: directory.to_string(),
            points_to: None,
            skill: Some(path.clone()),
        });
    }
}
