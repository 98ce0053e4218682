//! Whether there is reason to look at the files again.
//!
//! The system's notifications only say that something happened somewhere; whether it matters is
//! seen by looking. Where the system cannot notify, a look is due once a second.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// Hears of events.
pub(crate) type Listener = Box<dyn FnMut(notify::Result<Event>) + Send>;
/// Asks the system to notify a listener, where it can.
pub(crate) type Subscribe = fn(Listener) -> notify::Result<RecommendedWatcher>;

pub(super) struct Freshness {
    /// `None` while nobody wants to know.
    subscribe: Option<Subscribe>,
    /// Something was reported since the last look.
    happened: Arc<AtomicBool>,
    watch: Mutex<Watch>,
}

/// The system's own notifications.
pub(super) fn system(listener: Listener) -> notify::Result<RecommendedWatcher> {
    notify::recommended_watcher(listener)
}

#[derive(Default)]
struct Watch {
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    /// Not everything is watched: looking is all there is.
    is_partial: bool,
    last_look: Option<Instant>,
}

impl Freshness {
    pub(super) fn new(subscribe: Option<Subscribe>) -> Self {
        Self { subscribe, happened: Arc::default(), watch: Mutex::default() }
    }

    pub(super) fn reset(&self) {
        self.happened.store(false, Ordering::Relaxed);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wants_a_look(&self, now: Instant) -> bool {
        if self.happened.swap(false, Ordering::Relaxed) {
            return true;
        }
        let mut state = self.state();
        if !state.is_partial {
            return false;
        }
        let is_due =
            state.last_look.is_none_or(|last| now.saturating_duration_since(last) >= SWEEP_EVERY);
        if is_due {
            state.last_look = Some(now);
        }
        is_due
    }

    /// Watches these directories and the top one, and no others any more.
    pub(super) fn watch(&self, place: &Path, directories: &BTreeSet<String>) {
        let Some(subscribe) = self.subscribe else { return };
        let mut state = self.state();
        let mut wanted: BTreeSet<PathBuf> = directories.iter().map(|it| place.join(it)).collect();
        wanted.insert(place.to_owned());
        if state.watcher.is_none() {
            let happened = self.happened.clone();
            let note = move |event: notify::Result<Event>| {
                if event.map_or(true, |event| changes_something(event.kind)) {
                    happened.store(true, Ordering::Relaxed);
                }
            };
            match subscribe(Box::new(note)) {
                Ok(watcher) => state.watcher = Some(watcher),
                Err(error) => tracing::info!("files are looked at every second: {error}"),
            }
        }
        let Watch { watcher, watched, is_partial, .. } = &mut *state;
        *is_partial = watcher.is_none();
        let Some(watcher) = watcher else { return };
        for old in watched.difference(&wanted) {
            // A directory that is gone is no longer watched anyway.
            drop(watcher.unwatch(old));
        }
        for new in wanted.difference(watched) {
            // What changed there after it was read and before it is watched is found by looking.
            self.happened.store(true, Ordering::Relaxed);
            if let Err(error) = watcher.watch(new, RecursiveMode::NonRecursive) {
                tracing::info!("files are looked at every second: {error}");
                *is_partial = true;
            }
        }
        *watched = wanted;
    }
}

/// Our own reading is reported too.
fn changes_something(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    fn deaf(_: Listener) -> notify::Result<RecommendedWatcher> {
        Err(notify::Error::generic("no more watches"))
    }

    #[test]
    fn where_nothing_can_be_watched_a_look_is_due_once_a_second() {
        let fixture = Fixture::empty();
        let freshness = Freshness::new(Some(deaf));
        freshness.watch(fixture.path(), &BTreeSet::new());
        let start = Instant::now();
        let looks = [0, 1, 999, 1000, 1001, 1999, 2000].map(|after| {
            freshness.wants_a_look(start + Duration::from_millis(after)).then_some(after)
        });
        let looks: Vec<u64> = looks.into_iter().flatten().collect();
        assert_eq!(looks, [0, 1000, 2000]);
    }

    #[test]
    fn a_directory_that_cannot_be_watched_is_looked_at_too() {
        let fixture = Fixture::empty();
        let freshness = Freshness::new(Some(system));
        freshness.watch(fixture.path(), &BTreeSet::from(["missing".to_owned()]));
        let start = Instant::now();
        assert!(freshness.wants_a_look(start), "it was not watched while it was read");
        assert!(freshness.wants_a_look(start) && !freshness.wants_a_look(start));
        assert!(freshness.wants_a_look(start + SWEEP_EVERY));
    }

    #[test]
    fn where_everything_is_watched_no_look_is_wasted() {
        let fixture = Fixture::empty();
        let freshness = Freshness::new(Some(system));
        let start = Instant::now();
        for _ in 0..2 {
            freshness.watch(fixture.path(), &BTreeSet::new());
        }
        assert!(freshness.wants_a_look(start), "it was not watched while it was read");
        assert!(!freshness.wants_a_look(start + SWEEP_EVERY));
        let unasked = Freshness::new(None);
        unasked.watch(fixture.path(), &BTreeSet::new());
        assert!(!unasked.wants_a_look(start));
    }
}
