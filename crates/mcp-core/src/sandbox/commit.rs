//! Several files changed together: all of them or none, also when the process is killed half way.
//!
//! New contents are staged beside their targets and old ones kept as backups. Then one journal
//! record, written atomically, says `committed`; from then on the change counts as done, and what
//! remains are renames that can be repeated any number of times. The promise:
//!
//! - killed before that record: the tree is as it was; the next writer removes the staged files;
//! - killed after it: the next writer finishes the renames;
//! - an error on the way: the backups are put back before the call returns;
//! - a `View` shows the one or the other, never a mixture, without writing anything.

use std::collections::BTreeSet;
use std::fs::File;

use cap_std::fs::OpenOptions;
use serde::{Deserialize, Serialize};

use super::write::{staged_name, sync_directory, write_durably};
use super::{Error, RelPath, Root};

#[cfg(test)]
mod tests;
mod view;

pub use view::View;

const JOURNAL: &str = "journal.json";
const LOCK: &str = "lock";

/// One file's part in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Replace the file, or create it.
    Put { path: RelPath, bytes: Vec<u8> },
    /// Create a file that must not exist.
    Create { path: RelPath, bytes: Vec<u8> },
    /// Remove a file that must exist.
    Remove { path: RelPath },
}

impl Change {
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Put { path, .. } | Self::Create { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// Where commits of one tree are recorded: a directory that holds the lock and the journal, in the
/// tree or elsewhere (a git directory, say).
#[derive(Debug)]
pub struct Journal {
    dir: Root,
}

/// The exclusive right to change the tree, between processes too. Dropping it gives it back, and so
/// does dying.
#[derive(Debug)]
pub struct Commit<'a> {
    journal: &'a Journal,
    tree: &'a Root,
    _lock: File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Staging,
    Committed,
    RollingBack,
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    state: State,
    steps: Vec<Step>,
    /// Directories made for the commit, outermost first.
    directories: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Step {
    action: Action,
    target: String,
    staged: Option<String>,
    backup: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Put,
    Create,
    Remove,
}

impl Journal {
    pub fn open(dir: Root) -> Self {
        Self { dir }
    }

    /// Waits for the lock, then brings an interrupted commit to its end.
    pub fn lock<'a>(&'a self, tree: &'a Root) -> Result<Commit<'a>, Error> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true);
        let failed = |error| Error::from_io("lock", LOCK, error);
        let lock = self.dir.dir.open_with(LOCK, &options).map_err(failed)?.into_std();
        lock.lock().map_err(failed)?;
        let commit = Commit { journal: self, tree, _lock: lock };
        commit.recover()?;
        Ok(commit)
    }

    /// The tree as it stands, an interrupted commit taken into account.
    pub fn view<'a>(&self, tree: &'a Root) -> Result<View<'a>, Error> {
        let lock = match self.dir.dir.open(LOCK) {
            Ok(lock) => Some(lock.into_std()),
            // Nobody has ever written here.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::from_io("lock", LOCK, error)),
        };
        if let Some(lock) = &lock {
            lock.lock_shared().map_err(|error| Error::from_io("lock", LOCK, error))?;
        }
        Ok(View::new(tree, self.load()?, lock))
    }

    fn load(&self) -> Result<Option<Record>, Error> {
        let Some(text) = self.dir.read_text_if_any(&RelPath::parse(JOURNAL)?)? else {
            return Ok(None);
        };
        serde_json::from_str(&text).map(Some).map_err(|error| Error::Journal {
            path: self.dir.path().display().to_string(),
            reason: error.to_string(),
        })
    }

    fn store(&self, record: &Record) -> Result<(), Error> {
        let bytes = serde_json::to_vec(record).map_err(|error| Error::Journal {
            path: JOURNAL.to_owned(),
            reason: error.to_string(),
        })?;
        self.dir.write(&RelPath::parse(JOURNAL)?, &bytes)
    }

    fn clear(&self) -> Result<(), Error> {
        self.dir.remove(&RelPath::parse(JOURNAL)?)
    }
}

impl Commit<'_> {
    /// Makes all `changes` or none of them.
    pub fn apply(&self, changes: &[Change]) -> Result<(), Error> {
        self.check(changes)?;
        let mut record = self.plan(changes)?;
        self.journal.store(&record)?;
        if let Err(error) = self.stage(&record, changes) {
            self.undo_staging(&record)?;
            return Err(error);
        }
        self.carry_out(&mut record)
    }

    /// The point of no return, and what lies behind it.
    fn carry_out(&self, record: &mut Record) -> Result<(), Error> {
        record.state = State::Committed;
        if let Err(error) = self.journal.store(record) {
            self.undo_staging(record)?;
            return Err(error);
        }
        if let Err(error) = self.roll_forward(record) {
            record.state = State::RollingBack;
            self.journal.store(record)?;
            self.roll_back(record)?;
            return Err(error);
        }
        self.finish(record)
    }

    fn recover(&self) -> Result<(), Error> {
        let Some(record) = self.journal.load()? else { return Ok(()) };
        match record.state {
            State::Staging => self.undo_staging(&record),
            State::Committed => {
                self.roll_forward(&record)?;
                self.finish(&record)
            }
            State::RollingBack => self.roll_back(&record),
        }
    }

    /// Finds what can be known to fail before anything is touched.
    fn check(&self, changes: &[Change]) -> Result<(), Error> {
        let mut seen = BTreeSet::new();
        for change in changes {
            let path = change.path();
            if !seen.insert(path) {
                let reason = "it is named twice in one commit";
                return Err(Error::Path { path: path.to_string(), reason });
            }
            self.tree.refuse_directory(path)?;
            let exists = self.tree.dir.symlink_metadata(path).is_ok();
            match change {
                Change::Create { .. } if exists => {
                    return Err(Error::Exists { path: path.to_string() });
                }
                Change::Remove { .. } if !exists => {
                    return Err(Error::Missing { path: path.to_string() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn plan(&self, changes: &[Change]) -> Result<Record, Error> {
        let mut directories = BTreeSet::new();
        let mut steps = Vec::new();
        for change in changes {
            let path = change.path();
            let mut above = path.parent();
            while let Some(parent) = above {
                if self.tree.kind(&parent)?.is_none() {
                    directories.insert(parent.to_string());
                }
                above = parent.parent();
            }
            let beside = |name: String| match path.parent() {
                Some(parent) => format!("{parent}/{name}"),
                None => name,
            };
            let existed = self.tree.dir.symlink_metadata(path).is_ok();
            let (action, stages) = match change {
                Change::Put { .. } => (Action::Put, true),
                Change::Create { .. } => (Action::Create, true),
                Change::Remove { .. } => (Action::Remove, false),
            };
            steps.push(Step {
                action,
                target: path.to_string(),
                staged: stages.then(|| beside(staged_name(path.file_name()))),
                backup: existed.then(|| beside(staged_name(path.file_name()))),
            });
        }
        Ok(Record { state: State::Staging, steps, directories: directories.into_iter().collect() })
    }

    fn stage(&self, record: &Record, changes: &[Change]) -> Result<(), Error> {
        for (step, change) in record.steps.iter().zip(changes) {
            let target = change.path();
            let failed = |error| Error::from_io("write", target.as_str(), error);
            let parent = self.tree.parent_for_writing(target)?;
            if let (Some(staged), Change::Put { bytes, .. } | Change::Create { bytes, .. }) =
                (&step.staged, change)
            {
                let name = RelPath::parse(staged)?;
                write_durably(&parent, name.file_name(), bytes).map_err(failed)?;
                if let Ok(metadata) = self.tree.dir.symlink_metadata(target)
                    && metadata.is_file()
                {
                    // A file system without permissions is no reason not to write.
                    drop(parent.set_permissions(name.file_name(), metadata.permissions()));
                }
            }
            if let Some(backup) = &step.backup {
                let name = RelPath::parse(backup)?;
                let linked = parent.hard_link(target.file_name(), &parent, name.file_name());
                if linked.is_err() {
                    // Some file systems know no hard links.
                    parent.copy(target.file_name(), &parent, name.file_name()).map_err(failed)?;
                }
            }
            sync_directory(&parent).map_err(failed)?;
        }
        Ok(())
    }

    /// Repeatable: a step whose staged file is gone has been done.
    fn roll_forward(&self, record: &Record) -> Result<(), Error> {
        for step in &record.steps {
            let target = RelPath::parse(&step.target)?;
            let failed = |error| Error::from_io("write", target.as_str(), error);
            match (&step.staged, step.action) {
                (Some(staged), action) => {
                    let staged = RelPath::parse(staged)?;
                    if self.tree.dir.symlink_metadata(&staged).is_err() {
                        continue;
                    }
                    if action == Action::Create {
                        self.create(&staged, &target)?;
                    } else {
                        self.tree.dir.rename(&staged, &self.tree.dir, &target).map_err(failed)?;
                    }
                }
                (None, _) => match self.tree.dir.remove_file(&target) {
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    outcome => outcome.map_err(failed)?,
                },
            }
            self.sync_parent(&target)?;
        }
        Ok(())
    }

    fn create(&self, staged: &RelPath, target: &RelPath) -> Result<(), Error> {
        let failed = |error| Error::from_io("create", target.as_str(), error);
        match self.tree.dir.hard_link(staged, &self.tree.dir, target) {
            Ok(()) => {}
            // Linked before we were killed: the same bytes are there already.
            Err(error)
                if error.kind() == std::io::ErrorKind::AlreadyExists
                    && self.tree.read(staged)? == self.tree.read(target)? => {}
            Err(error) => return Err(failed(error)),
        }
        self.tree.dir.remove_file(staged).map_err(failed)
    }

    /// Repeatable: a backup that is gone has been put back.
    fn roll_back(&self, record: &Record) -> Result<(), Error> {
        for step in &record.steps {
            let target = RelPath::parse(&step.target)?;
            let failed = |error| Error::from_io("restore", target.as_str(), error);
            if let Some(backup) = &step.backup {
                let backup = RelPath::parse(backup)?;
                if self.tree.dir.symlink_metadata(&backup).is_ok() {
                    self.tree.dir.rename(&backup, &self.tree.dir, &target).map_err(failed)?;
                    // Renaming one link of a file over another does nothing and keeps both names.
                    self.remove_quietly(backup.as_str())?;
                }
            } else if let Some(staged) = &step.staged {
                // Still staged: the target was never made, or is somebody else's.
                if self.tree.dir.symlink_metadata(staged).is_err() {
                    self.remove_quietly(target.as_str())?;
                }
            }
            self.sync_parent(&target)?;
        }
        self.undo_staging(record)
    }

    fn undo_staging(&self, record: &Record) -> Result<(), Error> {
        self.drop_leftovers(record)?;
        for directory in record.directories.iter().rev() {
            // It stays when somebody else has put something into it meanwhile.
            drop(self.tree.dir.remove_dir(directory));
        }
        self.journal.clear()
    }

    fn finish(&self, record: &Record) -> Result<(), Error> {
        self.drop_leftovers(record)?;
        self.journal.clear()
    }

    fn drop_leftovers(&self, record: &Record) -> Result<(), Error> {
        for step in &record.steps {
            for name in [&step.staged, &step.backup].into_iter().flatten() {
                self.remove_quietly(name)?;
            }
        }
        Ok(())
    }

    fn remove_quietly(&self, path: &str) -> Result<(), Error> {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        match self.tree.dir.remove_file(path) {
            // Never made, perhaps because what should be its directory is a file.
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(()),
            outcome => outcome.map_err(|error| Error::from_io("remove", path, error)),
        }
    }

    fn sync_parent(&self, target: &RelPath) -> Result<(), Error> {
        let synced = match target.parent() {
            None => sync_directory(&self.tree.dir),
            Some(parent) => match self.tree.dir.open_dir(&parent) {
                Ok(dir) => sync_directory(&dir),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Err(error) => Err(error),
            },
        };
        synced.map_err(|error| Error::from_io("write", target.as_str(), error))
    }
}
