//! The library: all commands there are, from folders and built in, as they are at this moment.
//!
//! Every request looks at the files again, so nothing here depends on being told of changes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mcp_core::clock::Clock;

use crate::domain::{Catalog, Command, Entry, Kind, Problem};
use crate::error::Error;
use crate::store::folder::{Contents, Folder};

pub(crate) struct Library {
    /// The first one that has a command of a name is the one that counts.
    folders: Vec<Folder>,
    /// What is served where no folder has a file of that name.
    builtin: Vec<Arc<Command>>,
    clock: Clock,
    snapshot: Mutex<Arc<Snapshot>>,
    /// What whoever came first has seen.
    first: OnceLock<Arc<Snapshot>>,
    /// Held while folders are looked at, so that no older look replaces a newer one.
    refreshing: Mutex<()>,
}

/// The commands of one moment.
#[derive(Default)]
pub(crate) struct Snapshot {
    pub(crate) catalog: Catalog,
    pub(crate) problems: Vec<Located>,
    contents: Vec<Contents>,
    /// False only before the first look.
    looked: bool,
}

/// A problem with the file it is in, under the name shown to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) file: String,
    pub(crate) problem: Problem,
}

impl Library {
    pub(crate) fn new(folders: Vec<Folder>, builtin: Vec<Arc<Command>>, clock: Clock) -> Self {
        Self {
            folders,
            builtin,
            clock,
            snapshot: Mutex::default(),
            first: OnceLock::new(),
            refreshing: Mutex::default(),
        }
    }

    pub(crate) fn folders(&self) -> &[Folder] {
        &self.folders
    }

    /// Finds a command as it is now.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<Command>, Error> {
        match self.find_unchanged(name) {
            Some(command) => Ok(command),
            None => self.refresh().catalog.find(name).cloned(),
        }
    }

    /// The command, if a glance at its one file is enough to know that it is the same as before.
    pub(crate) fn find_unchanged(&self, name: &str) -> Option<Arc<Command>> {
        let snapshot = self.last();
        let command = snapshot.catalog.exact(name)?;
        for (folder, contents) in self.folders.iter().zip(&snapshot.contents) {
            if !contents.is_current(folder, name) {
                return None;
            }
            if contents.holds(name) {
                break;
            }
        }
        Some(command.clone())
    }

    /// All commands as they are now; a problem that is new is logged.
    pub(crate) fn refresh(&self) -> Arc<Snapshot> {
        self.look(report)
    }

    /// Like [`Self::refresh`], without the log: for callers that report problems themselves.
    pub(crate) fn refresh_quietly(&self) -> Arc<Snapshot> {
        self.look(|_, _| {})
    }

    fn look(&self, report: fn(&Snapshot, &Snapshot)) -> Arc<Snapshot> {
        let _turn = self.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.last();
        let now = self.clock.now();
        let nothing = Contents::default();
        let scans: Vec<Option<Contents>> = self
            .folders
            .iter()
            .enumerate()
            .map(|(index, folder)| folder.scan(before.contents.get(index).unwrap_or(&nothing), now))
            .collect();
        if before.looked && scans.iter().all(Option::is_none) {
            return before;
        }
        let contents = scans
            .into_iter()
            .enumerate()
            .map(|(index, scan)| match (scan, before.contents.get(index)) {
                (Some(contents), _) => contents,
                (None, Some(same)) => same.clone(),
                (None, None) => Contents::default(),
            })
            .collect();
        let snapshot = Arc::new(self.compose(contents));
        report(&before, &snapshot);
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = snapshot.clone();
        self.first.get_or_init(|| snapshot.clone());
        snapshot
    }

    /// All commands as they were when somebody first asked.
    pub(crate) fn first_look(&self) -> Arc<Snapshot> {
        let now = self.refresh();
        // Somebody else may have been first while this look waited for its turn.
        self.first.get().cloned().unwrap_or(now)
    }

    fn last(&self) -> Arc<Snapshot> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn compose(&self, contents: Vec<Contents>) -> Snapshot {
        let mut catalog = Catalog::default();
        let mut problems = Vec::new();
        for (folder, contents) in self.folders.iter().zip(&contents) {
            if let Some(reason) = &contents.missing {
                let problem = Problem::new(Kind::NoDirectory, 1, reason.clone());
                problems.push(Located { file: folder.label.clone(), problem });
            }
            for (file_name, file) in contents.files() {
                let shown = folder.label_of(file_name);
                let entry = match &file.command {
                    Ok(command) => Entry::Command(command.clone()),
                    Err(problem) => {
                        Entry::Skipped { file: file_name.clone(), problem: problem.clone() }
                    }
                };
                catalog.add(&file.name, entry);
                let found = file.command.as_ref().err().into_iter().chain(&file.problems);
                problems.extend(
                    found.map(|problem| Located { file: shown.clone(), problem: problem.clone() }),
                );
            }
        }
        for command in &self.builtin {
            catalog.add(&command.name, Entry::Command(command.clone()));
        }
        Snapshot { catalog, problems, contents, looked: true }
    }
}

impl Snapshot {
    /// The handoffs that lead nowhere, with their places.
    pub(crate) fn dangling(&self, folders: &[Folder]) -> Vec<Located> {
        let mut found = Vec::new();
        for (folder, contents) in folders.iter().zip(&self.contents) {
            for (file_name, file) in contents.files() {
                let counts = self.catalog.exact(&file.name);
                let (Some(counts), Ok(command)) = (counts, &file.command) else { continue };
                if Arc::ptr_eq(counts, command) {
                    let file = folder.label_of(file_name);
                    let dangling = self.catalog.dangling(command).into_iter();
                    found.extend(dangling.map(|problem| Located { file: file.clone(), problem }));
                }
            }
        }
        found
    }
}

/// Says each problem once, when it appears.
fn report(before: &Snapshot, after: &Snapshot) {
    let known: BTreeSet<(&str, &str)> = before
        .problems
        .iter()
        .map(|located| (located.file.as_str(), located.problem.message.as_str()))
        .collect();
    for Located { file, problem } in &after.problems {
        if known.contains(&(file.as_str(), problem.message.as_str())) {
            continue;
        }
        let Problem { kind, line, message } = problem;
        match kind {
            Kind::NoDirectory => {
                tracing::warn!("no commands are served from {file}: {message}");
            }
            kind if kind.loses_command() => tracing::warn!("{file}:{line} is skipped: {message}"),
            _ => tracing::warn!("{file}:{line}: {message}"),
        }
    }
}
