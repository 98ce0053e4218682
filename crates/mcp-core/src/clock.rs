//! Time as a value that is passed in, so that files and tests are reproducible.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// Either the system's time or one that a test sets and moves.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Fixed(Arc<Mutex<Timestamp>>),
}

impl Clock {
    /// Follows the time of the machine.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Stands still at `now` until [`Self::advance`] moves it.
    pub fn fixed(now: Timestamp) -> Self {
        Self(Source::Fixed(Arc::new(Mutex::new(now))))
    }

    /// Asks for the time; a fixed clock answers the same until it is moved.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the system")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::now(),
            Source::Fixed(now) => *now.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Moves a fixed clock forward, in every clone of it; the system's time is left alone.
    pub fn advance(&self, by: SignedDuration) {
        if let Source::Fixed(now) = &self.0 {
            let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
            *now = now.saturating_add(by).unwrap_or(Timestamp::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_moves_only_when_told_and_in_all_its_clones() {
        let start: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
        let clock = Clock::fixed(start);
        let clone = clock.clone();
        assert_eq!(clock.now(), start);
        clone.advance(SignedDuration::from_secs(60));
        assert_eq!(clock.now(), start + SignedDuration::from_secs(60));
    }
}
