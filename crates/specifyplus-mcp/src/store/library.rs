//! The library: all commands there are, from folders and built in, as they are at this moment.
//!
//! Every request looks at the files again, so nothing here depends on being told of changes.

mod report;
mod shelves;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::sandbox::RelPath;

use crate::domain::{Catalog, Command, Problem};
use crate::error::Error;
use crate::store::folder::{Contents, Folder};
use crate::store::project::{Found, Project};
use shelves::Shelves;

pub(crate) struct Library {
    /// The first one that has a command of a name is the one that counts.
    folders: Vec<Folder>,
    /// What lies in the folders of agents there, behind the folders above.
    projects: Vec<Project>,
    /// What is served where no folder has a file of that name.
    builtin: Vec<Arc<Command>>,
    clock: Clock,
    /// Whether problems are left to whoever asks for them.
    is_quiet: bool,
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
    origins: BTreeMap<String, Origin>,
    contents: Vec<Contents>,
    found: Vec<Found>,
    /// False only before the first look.
    looked: bool,
}

/// Where a command that is served comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Folder(usize),
    /// By the number of the project, and of the file in it.
    Project(usize, usize),
    BuiltIn,
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
            projects: Vec::new(),
            builtin,
            clock,
            is_quiet: false,
            snapshot: Mutex::default(),
            first: OnceLock::new(),
            refreshing: Mutex::default(),
        }
    }

    /// Also serves what lies in the folders of agents in these projects.
    #[must_use]
    pub(crate) fn with_projects(self, projects: Vec<Project>) -> Self {
        Self { projects, ..self }
    }

    /// Logs no problems: somebody asks for one command, and has not asked for all others.
    #[must_use]
    pub(crate) fn quiet(self) -> Self {
        Self { is_quiet: true, ..self }
    }

    pub(crate) fn folders(&self) -> &[Folder] {
        &self.folders
    }

    pub(crate) fn projects(&self) -> &[Project] {
        &self.projects
    }

    /// Every directory in which a change may show.
    pub(crate) fn places(&self, snapshot: &Snapshot) -> Vec<PathBuf> {
        let mut places: Vec<PathBuf> = self.folders.iter().map(|it| it.path.clone()).collect();
        for (project, found) in self.projects.iter().zip(&snapshot.found) {
            let below = found.directories().map(|it| match it {
                Some(path) => project.path.join(path.as_str()),
                None => project.path.clone(),
            });
            places.extend(below);
        }
        places.dedup();
        places
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
        let origin = *snapshot.origins.get(name)?;
        for (folder, contents) in self.folders.iter().zip(&snapshot.contents) {
            if !contents.is_current(folder, name) {
                return None;
            }
            if contents.holds(name) {
                return Some(command.clone());
            }
        }
        let last = match origin {
            Origin::Project(project, _) => project + 1,
            Origin::Folder(_) | Origin::BuiltIn => self.projects.len(),
        };
        let mut projects = self.projects.iter().zip(&snapshot.found).enumerate().take(last);
        let is_current = projects.all(|(index, (project, found))| match origin {
            Origin::Project(holder, file) if holder == index => {
                found.files().get(file).is_some_and(|file| project.is_current(found, file))
            }
            _ => project.has_nothing_new(found),
        });
        is_current.then(|| command.clone())
    }

    /// The files of a skill besides `SKILL.md`, from its directory on; none for other commands.
    pub(crate) fn skill_files(&self, snapshot: &Snapshot, name: &str) -> Vec<RelPath> {
        let skill = self.skill(snapshot, name);
        skill.map(|(project, skill)| project.skill_files(skill)).unwrap_or_default()
    }

    /// One file of a skill; `None` where there is none, or it is not to be read.
    pub(crate) fn read_skill_file(
        &self,
        snapshot: &Snapshot,
        name: &str,
        path: &str,
    ) -> Option<Vec<u8>> {
        let (project, skill) = self.skill(snapshot, name)?;
        project.read_skill_file(skill, &RelPath::parse(path).ok()?).ok()
    }

    fn skill<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        name: &str,
    ) -> Option<(&'a Project, &'a RelPath)> {
        let Some(Origin::Project(project, file)) = snapshot.origins.get(name).copied() else {
            return None;
        };
        let skill = snapshot.found.get(project)?.files().get(file)?.skill()?;
        Some((self.projects.get(project)?, skill))
    }

    /// All commands as they are now; a problem that is new is logged.
    pub(crate) fn refresh(&self) -> Arc<Snapshot> {
        self.look(if self.is_quiet { |_, _| {} } else { report::new_problems })
    }

    /// Like [`Self::refresh`], without the log: for callers that report problems themselves.
    pub(crate) fn refresh_quietly(&self) -> Arc<Snapshot> {
        self.look(|_, _| {})
    }

    fn look(&self, report: fn(&Snapshot, &Snapshot)) -> Arc<Snapshot> {
        let _turn = self.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.last();
        let now = self.clock.now();
        let (contents, found) = self.scan(&before, now);
        if before.looked
            && contents.iter().all(Option::is_none)
            && found.iter().all(Option::is_none)
        {
            return before;
        }
        let contents = or_same(contents, &before.contents);
        let found = or_same(found, &before.found);
        let snapshot = Arc::new(self.compose(contents, found));
        report(&before, &snapshot);
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = snapshot.clone();
        self.first.get_or_init(|| snapshot.clone());
        snapshot
    }

    /// What is new in each folder and each project.
    fn scan(
        &self,
        before: &Snapshot,
        now: Timestamp,
    ) -> (Vec<Option<Contents>>, Vec<Option<Found>>) {
        let (no_contents, nothing_found) = (Contents::default(), Found::default());
        let folders = self.folders.iter().enumerate();
        let contents = folders.map(|(index, folder)| {
            folder.scan(before.contents.get(index).unwrap_or(&no_contents), now)
        });
        let projects = self.projects.iter().enumerate();
        let found = projects.map(|(index, project)| {
            project.scan(before.found.get(index).unwrap_or(&nothing_found), now)
        });
        (contents.collect(), found.collect())
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

    fn compose(&self, contents: Vec<Contents>, found: Vec<Found>) -> Snapshot {
        let mut shelves = Shelves::default();
        let somewhere = found.iter().any(|found| !found.is_empty());
        for (index, (folder, contents)) in self.folders.iter().zip(&contents).enumerate() {
            // One that is not there is missed only where nothing else is.
            if !(somewhere && contents.is_absent) {
                shelves.missing(folder, contents);
            }
            shelves.folder(index, folder, contents);
        }
        for (index, (project, found)) in self.projects.iter().zip(&found).enumerate() {
            shelves.project(index, project, found);
        }
        shelves.builtin(&self.builtin);
        let Shelves { catalog, problems, origins, .. } = shelves;
        Snapshot { catalog, problems, origins, contents, found, looked: true }
    }
}

/// What was found now, and where nothing changed what was found before.
fn or_same<T: Clone + Default>(now: Vec<Option<T>>, before: &[T]) -> Vec<T> {
    let with_before = now.into_iter().enumerate();
    with_before
        .map(|(index, now)| now.or_else(|| before.get(index).cloned()).unwrap_or_default())
        .collect()
}

impl Snapshot {
    /// The handoffs that lead nowhere, with their places.
    pub(crate) fn dangling(&self, library: &Library) -> Vec<Located> {
        let in_folders =
            library.folders.iter().zip(&self.contents).flat_map(|(folder, contents)| {
                contents.files().map(|(name, file)| (folder.label_of(name), &**file))
            });
        let in_projects = library.projects.iter().zip(&self.found).flat_map(|(project, found)| {
            found.files().iter().map(|it| (project.label_of(it.path()), it.file()))
        });
        let mut dangling = Vec::new();
        for (label, file) in in_folders.chain(in_projects) {
            let counts = self.catalog.exact(&file.name);
            let (Some(counts), Ok(command)) = (counts, &file.command) else { continue };
            if Arc::ptr_eq(counts, command) {
                let problems = self.catalog.dangling(command).into_iter();
                dangling.extend(problems.map(|problem| Located { file: label.clone(), problem }));
            }
        }
        dangling
    }

    /// What is wrong, as opposed to worth knowing.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Located> {
        self.problems.iter().filter(|located| !located.problem.kind.is_remark())
    }
}
