//! A project with the folders of all agents: what lies in them, and whether it is still there.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use mcp_core::doors;
use mcp_core::sandbox::{self, EntryKind, RelPath, Root, Stamp};
use mcp_core::text;
use mcp_core::walk::Walk;
use mcp_core::work::Work;

use super::file::{Candidate, CommandFile, Looked, Seen, look_again};
use super::reading::look_at_all;
use super::walk::{self, Spotted};
use crate::domain::{Integration, Source, Sources};

/// Larger files say something else than which agent is active.
const MAX_INTEGRATION_BYTES: u64 = 256 * 1024;

/// A skill's own files beyond this many are not listed.
const MAX_SKILL_FILES: usize = 2_000;

/// A project whose folders are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    pub(crate) path: PathBuf,
    /// What stands before the paths of its files where they are shown; often nothing.
    label: String,
}

/// What was found in a project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// In the order in which one goes before another of the same name.
    files: Vec<FoundFile>,
    by_path: HashMap<RelPath, usize>,
    /// The directories in which something new would show, as they were.
    directories: Vec<(Option<RelPath>, Seen)>,
    n_folders: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct FoundFile {
    spotted: Spotted,
    file: Arc<CommandFile>,
}

impl Project {
    pub(crate) fn new(path: PathBuf, label: String) -> Self {
        Self { path, label }
    }

    fn open(&self) -> Result<Root, sandbox::Error> {
        doors::configured(&self.path)
    }

    /// The name shown to people for one of its files.
    pub(crate) fn label_of(&self, path: &RelPath) -> String {
        format!("{}{}", self.label, text::one_line(path.as_str()))
    }

    /// Whether one of the folders is there; no file is read for it but the one that may name a
    /// folder.
    pub(crate) fn has_folder(&self) -> bool {
        let Ok(root) = self.open() else { return false };
        let (_, sources) = Self::possible(&root);
        walk::has_any(&root, &sources)
    }

    /// The hidden directories, and the folders that may be in them.
    fn possible(root: &Root) -> (Vec<String>, Vec<Source>) {
        let entries = root.list(None).unwrap_or_default();
        let is_place = |kind| matches!(kind, EntryKind::Directory | EntryKind::Symlink);
        let hidden = entries.into_iter().filter(|it| it.name.starts_with('.') && is_place(it.kind));
        let hidden: Vec<String> = hidden.map(|it| it.name).collect();
        let integration = RelPath::parse(Integration::FILE)
            .and_then(|path| root.read_up_to(&path, MAX_INTEGRATION_BYTES))
            .map(|bytes| Integration::read(&String::from_utf8_lossy(&bytes)))
            .unwrap_or_default();
        let sources = Sources::known().in_project(&hidden, &integration);
        (hidden, sources)
    }

    /// Looks at all folders. What has not changed since `before` is taken from there; `None` when
    /// nothing has.
    pub(crate) fn scan(&self, before: &Found, now: Timestamp) -> Option<Found> {
        let Ok(root) = self.open() else {
            return (!before.is_empty()).then(Found::default);
        };
        let (hidden, sources) = Self::possible(&root);
        // Before the walk: what changes during it is then seen as a change.
        let watched = hidden.iter().filter_map(|it| RelPath::parse(it).ok()).map(Some);
        let mut directories = self.seen(std::iter::once(None).chain(watched), now);
        let walk::Walked { spotted, directories: walked, n_folders } = walk::walk(&root, &sources);
        directories.extend(self.seen(walked.into_iter().map(Some), now));
        let look =
            |spotted: &Spotted| look_again(&root, &spotted.candidate(), before.file(spotted), now);
        let mut changed = spotted.len() != before.files.len() || n_folders != before.n_folders;
        let looked = look_at_all(&spotted, look);
        let mut files = Vec::with_capacity(spotted.len());
        for (index, (spotted, looked)) in spotted.into_iter().zip(looked).enumerate() {
            changed |= before.files.get(index).is_none_or(|it| it.spotted != spotted);
            let file = match looked {
                Looked::Same(file) => file,
                Looked::New(file) => {
                    changed = true;
                    file
                }
            };
            files.push(FoundFile { spotted, file });
        }
        // A directory that has not settled, or whose stamp is another, costs a look at all next
        // time, so that counts as a change of its own.
        changed |= !before.is_seen_like(&directories);
        if !changed {
            return None;
        }
        let by_path =
            files.iter().enumerate().map(|(index, it)| (it.spotted.path.clone(), index)).collect();
        Some(Found { files, by_path, directories, n_folders })
    }

    fn seen(
        &self,
        directories: impl Iterator<Item = Option<RelPath>>,
        now: Timestamp,
    ) -> Vec<(Option<RelPath>, Seen)> {
        directories.map(|path| (path.clone(), Seen::new(self.glance(path.as_ref()), now))).collect()
    }

    /// The stamp of a directory; of the project itself without a path.
    fn glance(&self, path: Option<&RelPath>) -> Option<Stamp> {
        if let Some(path) = path {
            return Stamp::glance(&self.path, path);
        }
        let name = RelPath::parse(self.path.file_name()?.to_str()?).ok()?;
        Stamp::glance(self.path.parent()?, &name)
    }

    /// Whether the project still holds for this file what it held when it was scanned, and nothing
    /// can have come to go before it.
    pub(crate) fn is_current(&self, found: &Found, file: &FoundFile) -> bool {
        file.file.is_still_in(&self.path, &file.spotted.path) && self.has_nothing_new(found)
    }

    /// Whether nothing came or went in any directory that was looked at.
    pub(crate) fn has_nothing_new(&self, found: &Found) -> bool {
        let mut directories = found.directories.iter();
        directories.all(|(path, seen)| seen.is_still(self.glance(path.as_ref())))
    }

    /// The files of a skill besides `SKILL.md`, from its directory on.
    pub(crate) fn skill_files(&self, skill: &RelPath) -> Vec<RelPath> {
        let Ok(root) = self.open().and_then(|root| root.below(skill)) else { return Vec::new() };
        let files = std::sync::Mutex::new(Vec::new());
        let visit = |path: &RelPath| {
            if path.as_str() != "SKILL.md"
                && let Ok(mut files) = files.lock()
            {
                files.push(path.clone());
            }
        };
        let walk = Walk::new(&root).heeding_no_rules().at_most(MAX_SKILL_FILES);
        // Nobody cancels an endless piece of work.
        drop(walk.run(&Work::endless(), &visit));
        files.into_inner().unwrap_or_default()
    }

    /// One file of a skill, `SKILL.md` included.
    pub(crate) fn read_skill_file(
        &self,
        skill: &RelPath,
        path: &RelPath,
    ) -> Result<Vec<u8>, sandbox::Error> {
        self.open()?.below(skill)?.read(path)
    }
}

impl Found {
    pub(crate) fn files(&self) -> &[FoundFile] {
        &self.files
    }

    /// Whether no folder was there at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.n_folders == 0 && self.files.is_empty()
    }

    /// The directories worth watching, from the project on.
    pub(crate) fn directories(&self) -> impl Iterator<Item = Option<&RelPath>> {
        self.directories.iter().map(|(path, _)| path.as_ref())
    }

    fn file(&self, spotted: &Spotted) -> Option<&Arc<CommandFile>> {
        let known = self.files.get(*self.by_path.get(&spotted.path)?)?;
        // The same bytes are another command under another name or in another dialect.
        let alike = known.spotted.name == spotted.name && known.spotted.format == spotted.format;
        alike.then_some(&known.file)
    }

    fn is_seen_like(&self, directories: &[(Option<RelPath>, Seen)]) -> bool {
        self.directories.len() == directories.len()
            && self
                .directories
                .iter()
                .zip(directories)
                .all(|((path, seen), (other, now))| path == other && seen.is_like(now))
    }
}

impl FoundFile {
    pub(crate) fn file(&self) -> &CommandFile {
        &self.file
    }

    pub(crate) fn path(&self) -> &RelPath {
        &self.spotted.path
    }

    pub(crate) fn alias(&self) -> Option<&str> {
        self.spotted.alias.as_deref()
    }

    /// The directory that holds it beside others of its kind.
    pub(crate) fn shelf(&self) -> &str {
        &self.spotted.shelf
    }

    /// The directory of a skill.
    pub(crate) fn skill(&self) -> Option<&RelPath> {
        self.spotted.skill.as_ref()
    }
}

impl Spotted {
    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            path: &self.path,
            name: &self.name,
            kind: self.kind,
            format: &self.format,
            points_to: self.points_to.as_deref(),
        }
    }
}
