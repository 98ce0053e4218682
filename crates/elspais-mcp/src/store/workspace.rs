//! The project being served: its graph, built once and kept, and every way to read or change it.
//!
//! Nothing is written on exit or on refresh; pending changes leave memory only by being saved,
//! taken back, or discarded by name.

mod bookkeeping;
mod change;
mod changes;
mod freshness;
mod report;
mod restore;
mod review;

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use mcp_core::clock::Clock;
use mcp_core::doors::{self, Spot};
use mcp_core::entropy::Entropy;
use mcp_core::git::{Git, GitError};
use mcp_core::sandbox::{Commit, Journal, RelPath, Root, State, View};
use mcp_core::work::Work;

use crate::domain::graph::TraceGraph;
use crate::domain::mutate::{Editor, MutationEntry, MutationLog, Occasion, Plan};
use crate::error::Error;
use crate::store::federation::Named;
use crate::store::snapshot::{self, Progress, RefreshReport, Snapshot};
pub(crate) use change::{SaveRequest, Saved};
pub(crate) use changes::ChangeCounts;
use freshness::{Freshness, Subscribe};

/// How often a caller that waits for the graph hears how far it is.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// Under this name lock and journal are kept.
const SERVER: &str = "elspais";
/// Where journals lay once. What is found there may come from anywhere and is never acted on.
const STRANGE_JOURNALS: [&str; 2] = [".elspais/journal.json", ".git/elspais/journal.json"];

pub(crate) struct Workspace {
    place: PathBuf,
    /// Nothing above the place is looked at.
    is_confined: bool,
    /// Other repositories, as the person who started us named them.
    named: Named,
    /// Where lock and journal lie.
    state: State,
    clock: Clock,
    entropy: Entropy,
    loaded: RwLock<UntilExit>,
    is_building: Mutex<bool>,
    built: Condvar,
    progress: Progress,
    freshness: Freshness,
}

/// The graph with what it was read from.
pub(crate) struct Loaded {
    pub(crate) graph: TraceGraph,
    /// What was changed in it and is not saved yet.
    pub(crate) log: MutationLog,
    pub(crate) snapshot: Snapshot,
    pub(crate) report: RefreshReport,
}

/// The graph lasts as long as the process. Taking it apart at the end, record by record, would take
/// a good part of the time it took to build it; the system takes memory back as a whole.
#[derive(Default)]
struct UntilExit(Option<Loaded>);

impl Deref for UntilExit {
    type Target = Option<Loaded>;

    fn deref(&self) -> &Option<Loaded> {
        &self.0
    }
}

impl DerefMut for UntilExit {
    fn deref_mut(&mut self) -> &mut Option<Loaded> {
        &mut self.0
    }
}

impl Drop for UntilExit {
    fn drop(&mut self) {
        std::mem::forget(self.0.take());
    }
}

impl Loaded {
    pub(super) fn editor(&mut self) -> Editor<'_> {
        Editor { graph: &mut self.graph, log: &mut self.log }
    }
}

/// What was done or taken back, the last one first, and how many changes are not saved now.
pub(crate) struct Mutated {
    pub(crate) entries: Vec<Arc<MutationEntry>>,
    pub(crate) pending: usize,
}

/// What was found, and whether files have changed meanwhile.
pub(crate) struct Seen<T> {
    pub(crate) value: T,
    pub(crate) is_stale: bool,
}

impl Workspace {
    pub(crate) fn new(place: PathBuf, state: State, clock: Clock, entropy: Entropy) -> Self {
        Self {
            place,
            is_confined: false,
            named: Named::default(),
            state,
            clock,
            entropy,
            loaded: RwLock::default(),
            is_building: Mutex::default(),
            built: Condvar::new(),
            progress: Progress::default(),
            freshness: Freshness::new(None),
        }
    }

    /// Looks at nothing above the place: over the network.
    pub(crate) fn confined(self) -> Self {
        Self { is_confined: true, ..self }
    }

    /// Reads other repositories from these directories.
    pub(crate) fn with_associates(self, named: Named) -> Self {
        Self { named, ..self }
    }

    /// Marks the graph as stale when files change, for as long as it is served.
    pub(crate) fn watching(self) -> Self {
        self.watching_by(freshness::system)
    }

    /// Like `watching`, with another way to hear of changes.
    pub(crate) fn watching_by(mut self, subscribe: Subscribe) -> Self {
        self.freshness = Freshness::new(Some(subscribe));
        self
    }

    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    pub(crate) fn root(&self) -> Result<Root, Error> {
        Ok(doors::start(&self.place)?)
    }

    fn journal(&self, root: &Root) -> Journal {
        Journal::of(&self.state, SERVER, root)
    }

    /// git at work in the repository around the project.
    pub(crate) fn git(&self, work: &Work) -> Result<Git, GitError> {
        Git::open(&Spot::start(&self.place, self.is_confined)?, work)
    }

    /// Reads the files as they are, a write that was interrupted taken into account; nothing is
    /// written.
    fn viewing<T>(
        &self,
        work: &Work,
        look: impl FnOnce(&View<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let root = self.root()?;
        look(&self.journal(&root).view(&root, work)?)
    }

    /// Writes while nobody else writes files of the project.
    fn locked<T, E: From<Error>>(
        &self,
        work: &Work,
        write: impl FnOnce(&Commit<'_>, &Root) -> Result<T, E>,
    ) -> Result<T, E> {
        let root = self.root()?;
        let journal = self.journal(&root);
        let commit = journal.lock(&root, work).map_err(Error::from)?;
        write(&commit, &root)
    }

    fn occasion(&self) -> Occasion {
        Occasion { id: self.entropy.id(), now: self.clock.now() }
    }

    /// Makes sure that there is a graph: builds it, or waits for whoever builds it.
    pub(crate) fn ensure(&self, work: &Work) -> Result<(), Error> {
        loop {
            if self.reading().is_some() {
                return Ok(());
            }
            let mut is_building = self.is_building.lock().unwrap_or_else(PoisonError::into_inner);
            if !*is_building {
                *is_building = true;
                drop(is_building);
                // The guard says "done" even if building panics.
                let _done = Done(self);
                return self.build(work);
            }
            let waited = self.built.wait_timeout(is_building, TELL_EVERY);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            self.tell(work);
            work.check()?;
        }
    }

    /// Makes what the first search would have to wait for.
    pub(crate) fn warm_up(&self) {
        if let Some(loaded) = self.reading().as_ref() {
            drop(loaded.graph.words());
        }
    }

    fn tell(&self, work: &Work) {
        let (done, total) = (&self.progress.done, &self.progress.total);
        let total = total.load(Ordering::Relaxed);
        let total = (total > 0).then_some(total);
        work.report(done.load(Ordering::Relaxed), total, "Reading the project's files");
    }

    fn build(&self, work: &Work) -> Result<(), Error> {
        self.warn_of_strange_journals();
        self.progress.done.store(0, Ordering::Relaxed);
        self.progress.total.store(0, Ordering::Relaxed);
        self.freshness.reset();
        let (graph, snapshot, report) = self.viewing(work, |view| {
            snapshot::load(view, &self.named, self.clock.now(), &self.progress, work)
        })?;
        self.tell(work);
        self.freshness.watch(&self.place, &snapshot.directories);
        let log = MutationLog::default();
        **self.writing() = Some(Loaded { graph, log, snapshot, report });
        Ok(())
    }

    /// What a clone or an archive brings is data, even where it looks like ours.
    fn warn_of_strange_journals(&self) {
        let Ok(root) = self.root() else { return };
        for name in STRANGE_JOURNALS {
            if RelPath::parse(name).and_then(|path| root.has_entry(&path)).unwrap_or_default() {
                tracing::warn!("{name} is ignored: journals are not kept in projects any more");
            }
        }
    }

    fn reading(&self) -> RwLockReadGuard<'_, UntilExit> {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, UntilExit> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the graph as it is; never reads files anew.
    pub(crate) fn read<T>(
        &self,
        work: &Work,
        look: impl FnOnce(&Loaded) -> Result<T, Error>,
    ) -> Result<Seen<T>, Error> {
        self.ensure(work)?;
        self.mark_if_stale();
        let guard = self.reading();
        let loaded = guard.as_ref().ok_or_else(gone)?;
        let value = look(loaded)?;
        Ok(Seen { value, is_stale: loaded.graph.metadata.is_stale })
    }

    /// Stores in the graph whether files have changed, when there is reason to look.
    fn mark_if_stale(&self) {
        if !self.freshness.wants_a_look(Instant::now()) {
            return;
        }
        let is_stale = {
            let guard = self.reading();
            let Some(loaded) = guard.as_ref() else { return };
            if loaded.graph.metadata.is_stale {
                return;
            }
            let look = self.viewing(&Work::endless(), |view| {
                Ok(loaded.snapshot.is_outdated(view, &loaded.graph.grammar))
            });
            look.unwrap_or(true)
        };
        if is_stale && let Some(loaded) = self.writing().as_mut() {
            loaded.graph.metadata.is_stale = true;
        }
    }

    /// Changes the graph in memory, as `plan` says. What callers are shown of it is made when
    /// nobody is kept waiting any more.
    pub(crate) fn mutate(
        &self,
        work: &Work,
        tip: Option<&str>,
        plan: impl FnOnce(&TraceGraph, &Snapshot) -> Result<Plan, Error>,
    ) -> Result<Mutated, Error> {
        self.change(work, tip, |loaded| {
            let plan = plan(&loaded.graph, &loaded.snapshot)?;
            Ok(vec![loaded.editor().carry_out(&self.occasion(), plan)?])
        })
    }

    /// Takes the last change back.
    pub(crate) fn undo_last(&self, work: &Work, tip: Option<&str>) -> Result<Mutated, Error> {
        self.change(work, tip, |loaded| Ok(vec![loaded.editor().undo_last()?]))
    }

    /// Takes back the named change and all later ones.
    pub(crate) fn undo_to(
        &self,
        work: &Work,
        tip: Option<&str>,
        id: &str,
    ) -> Result<Mutated, Error> {
        self.change(work, tip, |loaded| loaded.editor().undo_to(id))
    }

    pub(super) fn change(
        &self,
        work: &Work,
        tip: Option<&str>,
        change: impl FnOnce(&mut Loaded) -> Result<Vec<Arc<MutationEntry>>, Error>,
    ) -> Result<Mutated, Error> {
        self.ensure(work)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.log.check_tip(tip)?;
        let entries = change(loaded)?;
        Ok(Mutated { entries, pending: loaded.log.len() })
    }
}

struct Done<'a>(&'a Workspace);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.is_building.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.built.notify_all();
    }
}

fn gone() -> Error {
    Error::refused("the graph is not there", "Call refresh_graph.")
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    #[test]
    fn a_journal_that_comes_with_a_project_is_ignored() {
        let fixture = Fixture::new("//- spec/a.md\n# REQ-d00001: Old\nLevel: DEV\n");
        fixture.write("spec/.a.md.1.tmp", "# REQ-d00001: New\nLevel: DEV\n");
        let journal = r#"{"state":"committed","steps":[{"action":"put","target":"spec/a.md","staged":"spec/.a.md.1.tmp","backup":null}],"directories":[]}"#;
        fixture.write(".elspais/journal.json", journal);
        fixture.write(".git/elspais/journal.json", journal);
        let before = fixture.files();
        let place = crate::tests::workspace(&fixture);
        let title = |place: &Workspace| {
            let seen = place.read(&Work::endless(), |loaded| {
                Ok(loaded.graph.get_node("REQ-d00001").map(|it| it.title().to_owned()))
            });
            seen.unwrap().value.unwrap()
        };
        assert_eq!(title(&place), "Old");
        assert_eq!(fixture.files(), before);
        let plan = |graph: &TraceGraph, _: &Snapshot| graph.plan_update_title("REQ-d00001", "Mine");
        place.mutate(&Work::endless(), None, plan).unwrap();
        place.save(&Work::endless(), &SaveRequest::default()).unwrap();
        assert_eq!(fixture.read("spec/a.md"), "# REQ-d00001: Mine\nLevel: DEV\n");
        assert_eq!(fixture.read(".elspais/journal.json"), journal, "a writer leaves it, too");
    }
}
