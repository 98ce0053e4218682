//! Whether there is reason to look at the files again.
//!
//! The system's notifications only say that something happened somewhere; whether it matters is
//! seen by looking. Where the system cannot notify, a look is due once a second.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mcp_core::watch::{Bell, Unheard};

const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// What is called when something happened.
pub(crate) type Ring = Box<dyn Fn() + Send>;
/// Asks the system to ring, where it can.
pub(crate) type Subscribe = fn(Ring) -> Result<Bell, Unheard>;

pub(super) struct Freshness {
    /// `None` while nobody wants to know.
    subscribe: Option<Subscribe>,
    /// Something was reported since the last look.
    happened: Arc<AtomicBool>,
    watched: Mutex<Watched>,
}

/// The system's own notifications.
pub(super) fn system(ring: Ring) -> Result<Bell, Unheard> {
    Bell::new(ring)
}

#[derive(Default)]
struct Watched {
    bell: Option<Bell>,
    directories: BTreeSet<PathBuf>,
    /// Not everything is watched: looking is all there is.
    is_partial: bool,
    last_look: Option<Instant>,
}

impl Freshness {
    pub(super) fn new(subscribe: Option<Subscribe>) -> Self {
        Self { subscribe, happened: Arc::default(), watched: Mutex::default() }
    }

    pub(super) fn reset(&self) {
        self.happened.store(false, Ordering::Relaxed);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
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
        if state.bell.is_none() {
            let happened = self.happened.clone();
            match subscribe(Box::new(move || happened.store(true, Ordering::Relaxed))) {
                Ok(bell) => state.bell = Some(bell),
                Err(error) => tracing::info!("files are looked at every second: {error}"),
            }
        }
        let Watched { bell, directories: watched, is_partial, .. } = &mut *state;
        *is_partial = bell.is_none();
        let Some(bell) = bell else { return };
        for old in watched.difference(&wanted) {
            bell.forget(old);
        }
        for new in wanted.difference(watched) {
            // What changed there after it was read and before it is watched is found by looking.
            self.happened.store(true, Ordering::Relaxed);
            if let Err(error) = bell.watch(new) {
                tracing::info!("files are looked at every second: {error}");
                *is_partial = true;
            }
        }
        *watched = wanted;
    }
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    fn deaf(_: Ring) -> Result<Bell, Unheard> {
        Err(Unheard::new("no more watches"))
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
