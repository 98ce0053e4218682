//! How far long work is: a bar on a terminal, nothing elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;

use crate::analysis::Watch;

const WIDTH: usize = 24;

/// Wiped away when it is dropped.
pub(crate) struct Bar {
    shown: bool,
    draw: Box<dyn Fn(usize, usize) + Sync>,
}

impl Bar {
    pub(crate) fn new(what: &'static str) -> Self {
        let shown = std::io::stderr().is_terminal();
        let last = Mutex::new(0);
        let draw = move |done: usize, of: usize| {
            let share = (done * 100).checked_div(of).unwrap_or(100);
            // Threads end in any order; the bar only grows, and only when there is more to see.
            let Ok(mut last) = last.lock() else { return };
            if shown && share > *last {
                *last = share;
                draw(what, done, of);
            }
        };
        Self { shown, draw: Box::new(draw) }
    }

    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { stop: Watch::UNWATCHED.stop, progress: &*self.draw }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.shown {
            drop(write!(std::io::stderr().lock(), "\r\u{1b}[2K"));
        }
    }
}

fn draw(what: &str, done: usize, of: usize) {
    let full = (done * WIDTH).checked_div(of).unwrap_or(WIDTH);
    let bar = format!("[{}{}]", "#".repeat(full), ".".repeat(WIDTH - full));
    let mut stderr = std::io::stderr().lock();
    // A terminal that is gone is no reason to stop.
    drop(write!(stderr, "\r\u{1b}[2K{bar} {done} of {of} {what}"));
    drop(stderr.flush());
}
