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

#[derive(Default)]
pub(super) struct Freshness {
    is_on: AtomicBool,
    /// Something was reported since the last look.
    happened: Arc<AtomicBool>,
    watch: Mutex<Watch>,
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
    pub(super) fn switch_on(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }

    pub(super) fn reset(&self) {
        self.happened.store(false, Ordering::Relaxed);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wants_a_look(&self) -> bool {
        if !self.is_on.load(Ordering::Relaxed) {
            return false;
        }
        if self.happened.swap(false, Ordering::Relaxed) {
            return true;
        }
        let mut state = self.state();
        if !state.is_partial {
            return false;
        }
        let is_due = state.last_look.is_none_or(|last| last.elapsed() >= SWEEP_EVERY);
        if is_due {
            state.last_look = Some(Instant::now());
        }
        is_due
    }

    /// Watches these directories and the top one, and no others any more.
    pub(super) fn watch(&self, place: &Path, directories: &BTreeSet<String>) {
        if !self.is_on.load(Ordering::Relaxed) {
            return;
        }
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
            match notify::recommended_watcher(note) {
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
