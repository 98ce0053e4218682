//! The project being served: its graph, built once and kept, and every way to read or change it.
//!
//! Nothing is written on exit or on refresh; pending changes leave memory only by being saved,
//! taken back, or discarded by name.

mod change;
mod freshness;
mod report;
mod restore;
mod review;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::sandbox::{RelPath, Root};

use crate::config::CONFIG_FILE;
use crate::error::Error;
use crate::graph::TraceGraph;
use crate::mutate::Occasion;
use crate::save::{self, SafetyNet};
use crate::store::{self, Progress, RefreshReport, Snapshot};
pub(crate) use change::{SaveRequest, Saved};
use freshness::{Freshness, Subscribe};
use mcp_core::entropy::Entropy;

/// How often a caller that waits for the graph is told how far it is.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// Deeper trees are not climbed out of.
const MAX_CLIMB: usize = 64;

pub(crate) struct Workspace {
    place: PathBuf,
    clock: Clock,
    entropy: Entropy,
    loaded: RwLock<Option<Loaded>>,
    is_building: Mutex<bool>,
    built: Condvar,
    progress: Progress,
    freshness: Freshness,
    net: Option<Box<dyn SafetyNet>>,
}

/// The graph with what it was read from.
pub(crate) struct Loaded {
    pub(crate) graph: TraceGraph,
    pub(crate) snapshot: Snapshot,
    pub(crate) report: RefreshReport,
}

/// A caller that may have to wait.
pub(crate) struct Patience<'a> {
    /// Files read, of how many.
    pub(crate) report: &'a dyn Fn(usize, usize),
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl Patience<'_> {
    /// Waits in silence for as long as it takes.
    pub(crate) const ENDLESS: Patience<'static> =
        Patience { report: &|_, _| {}, is_cancelled: &|| false };
}

/// What was found, and whether files have changed meanwhile.
pub(crate) struct Seen<T> {
    pub(crate) value: T,
    pub(crate) is_stale: bool,
}

impl Workspace {
    pub(crate) fn new(place: PathBuf, clock: Clock, entropy: Entropy) -> Self {
        Self {
            place,
            clock,
            entropy,
            loaded: RwLock::default(),
            is_building: Mutex::default(),
            built: Condvar::new(),
            progress: Progress::default(),
            freshness: Freshness::new(None),
            net: None,
        }
    }

    /// Lets files be kept on a branch before they are written.
    pub(crate) fn with_safety_net(mut self, net: impl SafetyNet + 'static) -> Self {
        self.net = Some(Box::new(net));
        self
    }

    /// Marks the graph as stale when files change, for as long as it is served.
    pub(crate) fn watching(self) -> Self {
        self.watching_by(freshness::system)
    }

    /// The same with another way to hear of changes.
    pub(crate) fn watching_by(mut self, subscribe: Subscribe) -> Self {
        self.freshness = Freshness::new(Some(subscribe));
        self
    }

    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    pub(crate) fn root(&self) -> Result<Root, Error> {
        Ok(Root::open(&self.place)?)
    }

    fn occasion(&self) -> Occasion {
        Occasion { id: self.entropy.id(), now: self.clock.now() }
    }

    /// Makes sure that there is a graph: builds it, or waits for whoever builds it.
    pub(crate) fn ensure(&self, patience: &Patience<'_>) -> Result<(), Error> {
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
                return self.build(patience);
            }
            let waited = self.built.wait_timeout(is_building, TELL_EVERY);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            self.tell(patience);
            if (patience.is_cancelled)() {
                return Err(Error::refused(
                    "the call was cancelled while the graph was built",
                    "Call again.",
                ));
            }
        }
    }

    fn tell(&self, patience: &Patience<'_>) {
        let (done, total) = (&self.progress.done, &self.progress.total);
        (patience.report)(done.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
    }

    fn build(&self, patience: &Patience<'_>) -> Result<(), Error> {
        let root = self.root()?;
        self.progress.done.store(0, Ordering::Relaxed);
        self.progress.total.store(0, Ordering::Relaxed);
        save::recover(&root)?;
        self.freshness.reset();
        let (graph, snapshot, report) = store::load(&root, self.clock.now(), &self.progress)?;
        self.tell(patience);
        self.freshness.watch(&self.place, &snapshot.directories);
        *self.writing() = Some(Loaded { graph, snapshot, report });
        Ok(())
    }

    fn reading(&self) -> RwLockReadGuard<'_, Option<Loaded>> {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, Option<Loaded>> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the graph as it is; never reads files anew.
    pub(crate) fn read<T>(
        &self,
        patience: &Patience<'_>,
        look: impl FnOnce(&Loaded) -> Result<T, Error>,
    ) -> Result<Seen<T>, Error> {
        self.ensure(patience)?;
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
            match self.root() {
                Ok(root) => loaded.snapshot.is_outdated(&root, &loaded.graph.grammar),
                Err(_) => true,
            }
        };
        if is_stale && let Some(loaded) = self.writing().as_mut() {
            loaded.graph.metadata.is_stale = true;
        }
    }

    /// Changes the graph in memory.
    pub(crate) fn mutate<T>(
        &self,
        patience: &Patience<'_>,
        tip: Option<&str>,
        change: impl FnOnce(&mut TraceGraph, &Snapshot, &Occasion) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.ensure(patience)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.graph.log.check_tip(tip)?;
        change(&mut loaded.graph, &loaded.snapshot, &self.occasion())
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

/// The directory the configuration lies in, from `start` up to the top of the repository; `start`
/// itself where there is none.
pub(crate) fn locate(start: &Path) -> PathBuf {
    let has =
        |root: &Root, name: &str| RelPath::parse(name).is_ok_and(|path| root.has_entry(&path));
    let mut place = start.to_owned();
    for _ in 0..MAX_CLIMB {
        let Ok(root) = Root::open(&place) else { break };
        if has(&root, CONFIG_FILE) {
            return place;
        }
        let Some(above) = place.parent().filter(|_| !has(&root, ".git")) else { break };
        place = above.to_path_buf();
    }
    start.to_owned()
}

/// Answers for callers who asked for a branch where none can be made.
fn no_net() -> Failure {
    Failure::new("no_safety_branch", "safety branches cannot be made here")
        .hint("Call again without save_branch, and commit your work to git first.")
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    #[test]
    fn the_configuration_is_looked_for_up_to_the_top_of_the_repository() {
        let fixture = Fixture::new(
            "//- .elspais.toml\n\n//- a/b/x\nx\n//- repo/.git/HEAD\nx\n//- repo/c/x\nx\n",
        );
        let at = |path: &str| fixture.path().join(path);
        assert_eq!(locate(&at("a/b")), fixture.path());
        assert_eq!(locate(&at("repo/c")), at("repo/c"), "not beyond a repository");
        assert_eq!(locate(&at("missing")), at("missing"));
    }

    #[test]
    fn a_write_that_was_interrupted_is_brought_to_its_end_before_files_are_read() {
        let fixture = Fixture::new("//- spec/a.md\n# REQ-d00001: Old\nLevel: DEV\n");
        fixture.write("spec/.a.md.1.tmp", "# REQ-d00001: New\nLevel: DEV\n");
        fixture.write(
            ".elspais/journal.json",
            r#"{"state":"committed","steps":[{"action":"put","target":"spec/a.md","staged":"spec/.a.md.1.tmp","backup":null}],"directories":[]}"#,
        );
        let place = crate::tests::workspace(&fixture);
        let title = place.read(&Patience::ENDLESS, |loaded| {
            let node = loaded.graph.get_node("REQ-d00001");
            Ok(node.and_then(|it| it.get_field("title").map(std::borrow::Cow::into_owned)))
        });
        assert_eq!(title.unwrap().value.as_deref(), Some("New"));
        assert!(!fixture.has("spec/.a.md.1.tmp") && !fixture.has(".elspais/journal.json"));
    }

    #[test]
    fn so_it_is_in_a_worktree_whose_git_directory_lies_elsewhere() {
        let fixture = Fixture::new("//- tree/spec/a.md\n# REQ-d00001: Old\nLevel: DEV\n");
        fixture.write("tree/.git", "gitdir: ../repo/worktrees/tree\n");
        fixture.write("tree/spec/.a.md.1.tmp", "# REQ-d00001: New\nLevel: DEV\n");
        let journal = r#"{"state":"committed","steps":[{"action":"put","target":"spec/a.md","staged":"spec/.a.md.1.tmp","backup":null}],"directories":[]}"#;
        fixture.write("repo/worktrees/tree/elspais/journal.json", journal);
        let clock = crate::tests::clock();
        let place = Workspace::new(fixture.path().join("tree"), clock, crate::tests::counting());
        place.ensure(&Patience::ENDLESS).unwrap();
        assert_eq!(fixture.read("tree/spec/a.md"), "# REQ-d00001: New\nLevel: DEV\n");
    }
}
