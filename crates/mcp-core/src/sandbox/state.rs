//! `State`: where lock and journal of a project lie, which is never the project itself.
//!
//! What a clone, a branch or an archive brings cannot reach the user's state directory, so what
//! is found there was written by one of us. A project is known by its real path together with
//! its device and inode: a copy, or another directory moved to the same path, is another project.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::doors;
use super::{Error, RelPath, Root};

/// Below this in the state directory there is one directory a project.
const PROJECTS: &str = "projects";
/// Says which project it is, for people.
const PATH_FILE: &str = "path";

/// The places to keep state in, the preferred one first.
#[derive(Debug, Clone)]
pub struct State {
    places: Vec<Place>,
}

#[derive(Debug, Clone)]
struct Place {
    path: PathBuf,
    /// In a directory that everybody can write to: taken only when it is ours alone.
    public: bool,
}

/// The record of a write that was interrupted in a project that is no longer where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Where the project was.
    pub project: String,
    /// The directory with what is left over.
    pub directory: PathBuf,
}

impl State {
    /// Kept in this directory of the user's own.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { places: vec![Place { path: path.into(), public: false }] }
    }

    /// Where there is no other place, or it cannot be written to, `path` is taken: a directory of
    /// the user's own among those of others.
    #[must_use]
    pub fn or_among_others(mut self, path: impl Into<PathBuf>) -> Self {
        self.places.push(Place { path: path.into(), public: true });
        self
    }

    /// Nowhere: everything can be read, and what needs a lock is refused.
    pub fn nowhere() -> Self {
        Self { places: Vec::new() }
    }

    /// The directory kept for a project, if anything was ever kept.
    pub(super) fn find(&self, key: &Key) -> Result<Option<Root>, Error> {
        for place in &self.places {
            let path = place.path.join(PROJECTS).join(&key.project).join(&key.server);
            match doors::state(&path) {
                Ok(root) if place.is_safe() => return Ok(Some(root)),
                Ok(_) | Err(Error::Root { problem: super::RootProblem::Missing, .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The directory kept for a project, made if it is not there.
    pub(super) fn create(&self, key: &Key, tree: &Root) -> Result<Root, Error> {
        if let Some(found) = self.find(key)? {
            return Ok(found);
        }
        let mut reason = "no home directory is known".to_owned();
        for place in &self.places {
            match place.create(key, tree) {
                Ok(root) => return Ok(root),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(Error::NoState { reason })
    }

    /// Interrupted writes whose project is not where it was. Nothing deletes them.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let mut leftovers = Vec::new();
        for place in self.places.iter().filter(|it| it.is_safe()) {
            let directory = place.path.join(PROJECTS);
            let Ok(projects) = doors::state(&directory) else { continue };
            for entry in projects.list(None).unwrap_or_default() {
                leftovers.extend(leftover(&projects, &entry.name, &directory));
            }
        }
        leftovers
    }
}

fn leftover(projects: &Root, name: &str, directory: &Path) -> Option<Leftover> {
    let kept = projects.below(&RelPath::parse(name).ok()?).ok()?;
    let is_interrupted = kept.list(None).unwrap_or_default().iter().any(|server| {
        let journal = RelPath::parse(&format!("{}/journal.json", server.name));
        journal.is_ok_and(|journal| kept.is_file(&journal))
    });
    if !is_interrupted {
        return None;
    }
    let project = kept.read_text(&RelPath::parse(PATH_FILE).ok()?).ok()?;
    let project = project.trim_end().to_owned();
    let still_there =
        doors::start(Path::new(&project)).is_ok_and(|tree| Key::of("", &tree).project == name);
    (!still_there).then(|| Leftover { project, directory: directory.join(name) })
}

impl Place {
    fn create(&self, key: &Key, tree: &Root) -> Result<Root, Error> {
        let project = self.path.join(PROJECTS).join(&key.project);
        doors::make_private(&project.join(&key.server))?;
        if !self.is_safe() {
            let reason = format!("{} belongs to somebody else", self.path.display());
            return Err(Error::NoState { reason });
        }
        let kept = doors::state(&project)?;
        let path_file = RelPath::parse(PATH_FILE)?;
        if !kept.has_entry(&path_file)? {
            let path = tree.real_path().unwrap_or_else(|| tree.path().to_owned());
            kept.write(&path_file, format!("{}\n", path.display()).as_bytes())?;
        }
        kept.below(&RelPath::parse(&key.server)?)
    }

    /// In a directory of everybody's, only what nobody else can write to is ours.
    fn is_safe(&self) -> bool {
        !self.public || doors::is_private(&self.path)
    }
}

/// What a project's directory is called.
#[derive(Debug, Clone)]
pub(super) struct Key {
    project: String,
    server: String,
}

impl Key {
    pub(super) fn of(server: &str, tree: &Root) -> Self {
        let path = tree.real_path().unwrap_or_else(|| tree.path().to_owned());
        let mut hash = Sha256::new();
        hash.update(path.as_os_str().as_encoded_bytes());
        if let Some(id) = tree.id() {
            hash.update(b"\0");
            hash.update(id.device.to_be_bytes());
            hash.update(id.inode.to_be_bytes());
        }
        let mut project = String::new();
        for byte in hash.finalize().iter().take(16) {
            // Writing to a string cannot fail.
            let _ = write!(project, "{byte:02x}");
        }
        Self { project, server: server.to_owned() }
    }
}
