//! Randomness as a value that is passed in, so that tests can repeat it.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Clone)]
pub(crate) enum Entropy {
    System,
    #[cfg_attr(not(test), expect(dead_code, reason = "what is random must be repeatable in tests"))]
    Counting(Arc<AtomicU64>),
}

impl Entropy {
    /// The system's keys through a keyed hash: unguessable without a dependency.
    fn next(&self) -> u64 {
        match self {
            Self::System => RandomState::new().build_hasher().finish(),
            Self::Counting(count) => count.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Thirty-two hexadecimal digits.
    pub(crate) fn mutation_id(&self) -> String {
        format!("{:016x}{:016x}", self.next(), self.next())
    }
}
