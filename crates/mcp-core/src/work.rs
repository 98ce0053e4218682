//! `Work`: how work that blocks learns that nobody waits for it any more, and says how far it is.
//!
//! It stands below the server, so that what reads files and asks programs can use it without
//! knowing what a call is. The shell and tests pass [`Work::endless`].

use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};

use crate::failure::Failure;

/// Takes how much is done, of how much, and what is being done.
type Tell = dyn Fn(f64, Option<f64>, &str) + Send + Sync;

/// Passed down to everything that may take long. Cheap to clone; all clones are the same work.
///
/// ```
/// use mcp_core::work::Work;
///
/// fn add_up(numbers: &[u64], work: &Work) -> Result<u64, mcp_core::work::Cancelled> {
///     let mut sum = 0;
///     for (done, number) in numbers.iter().enumerate() {
///         work.check()?;
///         work.report(done, Some(numbers.len()), "Adding up");
///         sum += number;
///     }
///     Ok(sum)
/// }
///
/// assert_eq!(add_up(&[1, 2, 3], &Work::endless()).ok(), Some(6));
/// ```
#[derive(Clone, Default)]
pub struct Work {
    cancelled: CancellationToken,
    tell: Option<Arc<Tell>>,
}

/// Somebody waits for the outcome; dropping it cancels the work.
#[derive(Debug)]
pub struct Wanted {
    _guard: DropGuard,
}

/// The caller has given up, or its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the call was cancelled")]
pub struct Cancelled;

impl From<Cancelled> for Failure {
    fn from(cancelled: Cancelled) -> Self {
        Self::new(Self::CANCELLED, cancelled.to_string())
    }
}

impl Work {
    /// Work that is never cancelled and reports to nobody.
    pub fn endless() -> Self {
        Self::default()
    }

    /// Work that ends when `cancelled` is.
    pub fn until(cancelled: CancellationToken) -> Self {
        Self { cancelled, tell: None }
    }

    /// Work that is cancelled when the guard is dropped.
    pub fn while_wanted() -> (Self, Wanted) {
        let cancelled = CancellationToken::new();
        let wanted = Wanted { _guard: cancelled.clone().drop_guard() };
        (Self::until(cancelled), wanted)
    }

    /// Lets the work report to `tell`.
    #[must_use]
    pub fn telling(self, tell: impl Fn(f64, Option<f64>, &str) + Send + Sync + 'static) -> Self {
        Self { tell: Some(Arc::new(tell)), ..self }
    }

    /// Tells whether nobody waits for the outcome any more: time to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }

    /// [`Self::is_cancelled`] as an error, for use with `?` in a loop.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Waits until it is cancelled.
    pub async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }

    /// Says how far the work is. Of many steps every hundredth part is passed on, so a loop may
    /// report each of its rounds.
    pub fn report(&self, done: usize, total: Option<usize>, what: &str) {
        let Some(tell) = &self.tell else { return };
        let part = total.map_or(1, |total| (total / 100).max(1));
        if done.is_multiple_of(part) || Some(done) == total {
            tell(number(done), total.map(number), what);
        }
    }

    pub(crate) fn token(&self) -> &CancellationToken {
        &self.cancelled
    }
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work").field("cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

fn number(it: usize) -> f64 {
    f64::from(u32::try_from(it).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn of_many_steps_a_hundredth_part_and_the_last_are_reported() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = told.clone();
        let work = Work::endless().telling(move |done, _, _| sink.lock().unwrap().push(done));
        (0..=1001).for_each(|done| work.report(done, Some(1001), "Counting"));
        let told = told.lock().unwrap();
        assert_eq!(told.len(), 102);
        assert_eq!(told.last(), Some(&1001.0));
    }

    #[test]
    fn cancelled_work_says_so_in_all_its_clones() {
        let token = CancellationToken::new();
        let work = Work::until(token.clone());
        let clone = work.clone();
        assert_eq!(clone.check(), Ok(()));
        token.cancel();
        assert_eq!(clone.check(), Err(Cancelled));
        assert!(work.is_cancelled());
    }
}
