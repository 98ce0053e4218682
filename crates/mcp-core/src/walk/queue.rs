//! Directories waiting to be looked into, by one thread or, where there are many, by several.

use std::num::NonZero;
use std::sync::{Condvar, Mutex, PoisonError};

use super::{Step, Walked};

/// So many directories waiting are worth another thread.
const MANY: usize = 16;
const MAX_THREADS: usize = 8;

pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    waiting: Vec<Step>,
    /// Directories that wait or are being looked into.
    open: usize,
    threads: usize,
}

/// Looks into one directory and returns those below it.
type Look<'a> = &'a (dyn Fn(&Step, &mut Walked) -> Vec<Step> + Sync);

impl Queue {
    pub(super) fn new(first: Step) -> Self {
        let state = State { waiting: vec![first], open: 1, threads: 1 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Looks into everything that waits or comes to wait.
    pub(super) fn drain(&self, walked: &mut Walked, look: Look<'_>) {
        let most = std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
        let found = Mutex::new(std::mem::take(walked));
        std::thread::scope(|scope| {
            let spawn = || {
                scope.spawn(|| self.work(look, &found, &|| {}));
            };
            self.work(look, &found, &|| {
                if self.wants_help(most) {
                    spawn();
                }
            });
        });
        *walked = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    }

    fn work(&self, look: Look<'_>, found: &Mutex<Walked>, after_each: &dyn Fn()) {
        let mut mine = Walked::default();
        while let Some(step) = self.next() {
            let below = look(&step, &mut mine);
            self.finish(below);
            after_each();
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).append(mine);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wants_help(&self, most: usize) -> bool {
        let mut state = self.state();
        let wants = state.waiting.len() >= MANY && state.threads < most;
        state.threads += usize::from(wants);
        wants
    }

    /// The next directory; waits for the others as long as they may find more.
    fn next(&self) -> Option<Step> {
        let mut state = self.state();
        loop {
            if let Some(step) = state.waiting.pop() {
                return Some(step);
            }
            if state.open == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, below: Vec<Step>) {
        let mut state = self.state();
        state.open = state.open + below.len() - 1;
        state.waiting.extend(below);
        drop(state);
        self.changed.notify_all();
    }
}
