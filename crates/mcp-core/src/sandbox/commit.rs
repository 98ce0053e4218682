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

mod lock;
mod record;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeSet;
use std::fs::File;

use super::state::{Key, State};
use super::write::staged_name;
use super::{Error, RelPath, Root, audit};
use crate::work::Work;
use record::{Action, Record, Stage, Step};

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use record::read_any_journal;
pub use view::View;

/// One file's part in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Replace the file, or create it.
    Put {
        /// Directories on the way are made.
        path: RelPath,
        /// The whole new contents.
        bytes: Vec<u8>,
    },
    /// Create a file that must not exist.
    Create {
        /// Directories on the way are made.
        path: RelPath,
        /// The whole contents.
        bytes: Vec<u8>,
    },
    /// Remove a file that must exist.
    Remove {
        /// Names a file; directories are not removed.
        path: RelPath,
    },
}

impl Change {
    /// Names the file that it is about.
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Put { path, .. } | Self::Create { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// Where the commits of one tree are recorded: a directory outside it that holds the lock and
/// the journal. No byte of the tree itself is ever taken for either.
#[derive(Debug)]
pub struct Journal {
    state: State,
    key: Key,
}

/// The exclusive right to change the tree, between processes too. Dropping it gives it back, and so
/// does dying.
#[derive(Debug)]
pub struct Commit<'a> {
    journal: Root,
    tree: &'a Root,
    _lock: File,
}

impl Journal {
    /// The journal that `server` keeps of `tree`. Nothing is created before something is written.
    pub fn of(state: &State, server: &str, tree: &Root) -> Self {
        Self { state: state.clone(), key: Key::of(server, tree) }
    }

    /// Waits for the lock, then brings an interrupted commit to its end.
    pub fn lock<'a>(&'a self, tree: &'a Root, work: &Work) -> Result<Commit<'a>, Error> {
        let dir = self.state.create(&self.key, tree)?;
        let lock = lock::exclusive(&dir, work)?;
        let commit = Commit { journal: dir, tree, _lock: lock };
        commit.recover()?;
        Ok(commit)
    }

    /// The tree as it stands, an interrupted commit taken into account. Nothing is written.
    pub fn view<'a>(&self, tree: &'a Root, work: &Work) -> Result<View<'a>, Error> {
        // Nobody has ever written here.
        let Some(dir) = self.state.find(&self.key)? else { return View::new(tree, None, None) };
        let lock = lock::shared(&dir, work)?;
        View::new(tree, record::load(&dir)?, lock)
    }

    /// Whether a write was interrupted, so that the next one has something to bring to its end.
    pub fn is_interrupted(&self) -> bool {
        let dir = self.state.find(&self.key).ok().flatten();
        dir.is_some_and(|dir| record::load(&dir).is_ok_and(|record| record.is_some()))
    }
}

impl Commit<'_> {
    /// Makes all `changes` or none of them.
    pub fn apply(&self, changes: &[Change]) -> Result<(), Error> {
        self.check(changes)?;
        let noted: Vec<_> = changes.iter().filter_map(|change| self.noted(change)).collect();
        let mut record = self.plan(changes)?;
        record::store(&self.journal, &record)?;
        if let Err(error) = self.stage(&record, changes) {
            self.undo_staging(&record)?;
            return Err(error);
        }
        self.carry_out(&mut record)?;
        noted.into_iter().for_each(audit::Noted::done);
        Ok(())
    }

    fn noted<'c>(&'c self, change: &'c Change) -> Option<audit::Noted<'c>> {
        let action = match change {
            Change::Put { .. } | Change::Create { .. } => audit::Action::Write,
            Change::Remove { .. } => audit::Action::Remove,
        };
        audit::before(self.tree, change.path(), action)
    }

    /// The point of no return, and what lies behind it.
    fn carry_out(&self, record: &mut Record) -> Result<(), Error> {
        record.state = Stage::Committed;
        if let Err(error) = record::store(&self.journal, record) {
            self.undo_staging(record)?;
            return Err(error);
        }
        if let Err(error) = self.roll_forward(record) {
            record.state = Stage::RollingBack;
            record::store(&self.journal, record)?;
            self.roll_back(record)?;
            return Err(error);
        }
        self.finish(record)
    }

    fn recover(&self) -> Result<(), Error> {
        let Some(record) = record::load(&self.journal)? else { return Ok(()) };
        for step in &record.steps {
            self.tree.refuse_target(&RelPath::parse(&step.target)?)?;
        }
        match record.state {
            Stage::Staging => self.undo_staging(&record),
            Stage::Committed => {
                self.roll_forward(&record)?;
                self.finish(&record)
            }
            Stage::RollingBack => self.roll_back(&record),
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
            let exists = self.is_there(path.as_str())?;
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
            let existed = self.is_there(path.as_str())?;
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
        Ok(Record { state: Stage::Staging, steps, directories: directories.into_iter().collect() })
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
                drop(parent.create_durably(name.file_name(), bytes).map_err(failed)?);
                if let Ok(metadata) = self.tree.dir.symlink_metadata(target)
                    && metadata.is_file()
                {
                    parent.try_set_permissions(name.file_name(), metadata.permissions());
                }
            }
            if let Some(backup) = &step.backup {
                let name = RelPath::parse(backup)?;
                let linked = parent.hard_link(target.file_name(), name.file_name());
                if linked.is_err() {
                    // Some file systems know no hard links.
                    let bytes = self.tree.read_up_to(target, u64::MAX - 1)?;
                    drop(parent.create_durably(name.file_name(), &bytes).map_err(failed)?);
                }
            }
            parent.sync().map_err(failed)?;
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
                    if !self.is_there(staged.as_str())? {
                        continue;
                    }
                    if action == Action::Create {
                        self.create(&staged, &target)?;
                    } else {
                        self.tree.dir.rename(&staged, &target).map_err(failed)?;
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
        match self.tree.dir.hard_link(staged, target) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                // Linked before we were killed: the same bytes are there already.
                if self.tree.read(staged)? != self.tree.read(target)? {
                    return Err(failed(error));
                }
            }
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
                if self.is_there(backup.as_str())? {
                    self.tree.dir.rename(&backup, &target).map_err(failed)?;
                    // Renaming one link of a file over another does nothing and keeps both names.
                    self.remove_quietly(backup.as_str())?;
                }
            } else if let Some(staged) = &step.staged {
                // Still staged and another file than the target: that was never made, or is
                // somebody else's.
                if !self.is_there(staged)? || self.is_one_file(staged, target.as_str())? {
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
        record::clear(&self.journal)
    }

    fn finish(&self, record: &Record) -> Result<(), Error> {
        self.drop_leftovers(record)?;
        record::clear(&self.journal)
    }

    fn drop_leftovers(&self, record: &Record) -> Result<(), Error> {
        for step in &record.steps {
            for name in [&step.staged, &step.backup].into_iter().flatten() {
                self.remove_quietly(name)?;
            }
        }
        Ok(())
    }

    /// Whether there is anything by that name. A look that fails says nothing of the kind.
    fn is_there(&self, path: &str) -> Result<bool, Error> {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        match self.tree.dir.symlink_metadata(path) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(false),
            Err(error) => Err(Error::from_io("look at", path, error)),
        }
    }

    /// Whether two names that are there lead to one file, as they do between a link and the removal
    /// of the old name.
    fn is_one_file(&self, one: &str, other: &str) -> Result<bool, Error> {
        if !self.is_there(other)? {
            return Ok(false);
        }
        #[cfg(unix)]
        {
            use cap_std::fs::MetadataExt as _;
            let id = |path| match self.tree.dir.symlink_metadata(path) {
                Ok(metadata) => Ok((metadata.dev(), metadata.ino())),
                Err(error) => Err(Error::from_io("look at", path, error)),
            };
            Ok(id(one)? == id(other)?)
        }
        // Without such numbers the bytes have to tell.
        #[cfg(not(unix))]
        Ok(self.tree.read(&RelPath::parse(one)?)? == self.tree.read(&RelPath::parse(other)?)?)
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
            None => self.tree.dir.sync(),
            Some(parent) => match self.tree.dir.open_dir(&parent) {
                Ok(dir) => dir.sync(),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Err(error) => Err(error),
            },
        };
        synced.map_err(|error| Error::from_io("write", target.as_str(), error))
    }
}
