//! Randomness as a value that is passed in, so that tests can repeat it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Either the system's randomness or a sequence that a test can repeat; clones share the sequence.
#[derive(Debug, Clone)]
pub struct Entropy(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Counting(Arc<AtomicU64>),
}

impl Entropy {
    /// Draws from the operating system.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Numbers that count up from the one given, the same in every run.
    pub fn counting(from: u64) -> Self {
        Self(Source::Counting(Arc::new(AtomicU64::new(from))))
    }

    /// Draws the next number; panics when the system has no randomness to give.
    #[expect(clippy::expect_used, reason = "ids that can be guessed are worse than no answer")]
    pub fn number(&self) -> u64 {
        match &self.0 {
            Source::System => getrandom::u64().expect("the system has randomness"),
            Source::Counting(count) => count.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Thirty-two hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}{:016x}", self.number(), self.number())
    }
}
