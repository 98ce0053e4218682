//! Randomness as a value that is passed in, so that tests can repeat it.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Clone)]
pub struct Entropy(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Counting(Arc<AtomicU64>),
}

impl Entropy {
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Numbers that count up from the one given, the same in every run.
    pub fn counting(from: u64) -> Self {
        Self(Source::Counting(Arc::new(AtomicU64::new(from))))
    }

    /// The system's keys through a keyed hash: unguessable without a dependency.
    pub fn number(&self) -> u64 {
        match &self.0 {
            Source::System => RandomState::new().build_hasher().finish(),
            Source::Counting(count) => count.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Thirty-two hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}{:016x}", self.number(), self.number())
    }
}
