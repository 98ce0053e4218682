//! How far long work is: a bar on a terminal, nothing elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};

use mcp_core::work::Work;

const WIDTH: f64 = 24.0;

/// Wiped away when it is dropped.
pub(crate) struct Bar {
    is_shown: bool,
    what: &'static str,
}

impl Bar {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { is_shown: std::io::stderr().is_terminal(), what }
    }

    /// Work whose progress the bar shows.
    pub(crate) fn work(&self) -> Work {
        if !self.is_shown {
            return Work::endless();
        }
        let what = self.what;
        let last = Mutex::new(0.0);
        Work::endless().telling(move |done, of, _| {
            let of = of.unwrap_or(done);
            let share = if of > 0.0 { (done / of).clamp(0.0, 1.0) } else { 1.0 };
            // Threads end in any order, and the bar only grows.
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if share > *last {
                *last = share;
                draw(what, done, of, share);
            }
        })
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.is_shown {
            drop(write!(std::io::stderr().lock(), "\r\u{1b}[2K"));
        }
    }
}

fn draw(what: &str, done: f64, of: f64, share: f64) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between nothing and the whole bar"
    )]
    let (full, all) = ((share * WIDTH) as usize, WIDTH as usize);
    let bar = format!("[{}{}]", "#".repeat(full), ".".repeat(all - full));
    let mut stderr = std::io::stderr().lock();
    // A terminal that is gone is no reason to stop.
    drop(write!(stderr, "\r\u{1b}[2K{bar} {done} of {of} {what}"));
    drop(stderr.flush());
}
