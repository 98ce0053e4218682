//! When an equal stamp can be relied on: once the file has been quiet for longer than a tick of the
//! file system's clock.

use std::time::UNIX_EPOCH;

use jiff::Timestamp;

use super::Stamp;

/// The clock of a file system is coarse: two changes this close may leave the same stamp.
const TICK_NANOSECONDS: i128 = 50_000_000;

impl Stamp {
    /// Whether the file had been quiet for a while at `now`, so that an equal stamp later means
    /// equal bytes. A file from the future is never settled.
    pub fn is_settled(&self, now: Timestamp) -> bool {
        self.last_change().is_some_and(|it| now.as_nanosecond() - it > TICK_NANOSECONDS)
    }

    /// In nanoseconds. A program may set `modified` to what it likes, so the time that only the
    /// system sets goes first.
    fn last_change(&self) -> Option<i128> {
        if self.changed != 0 {
            return Some(self.changed);
        }
        let modified = self.modified?.duration_since(UNIX_EPOCH).ok()?;
        i128::try_from(modified.as_nanos()).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::super::EntryKind;
    use super::*;

    fn stamp(changed_ms: i128, modified_ms: Option<u64>) -> Stamp {
        let modified = modified_ms.map(|it| SystemTime::UNIX_EPOCH + Duration::from_millis(it));
        Stamp {
            kind: EntryKind::File,
            size: 1,
            modified,
            changed: changed_ms * 1_000_000,
            inode: 7,
        }
    }

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_millisecond(milliseconds).unwrap()
    }

    #[test]
    fn a_stamp_settles_after_a_tick_by_the_time_that_only_the_system_sets() {
        assert!(!stamp(1_000, Some(0)).is_settled(at(1_040)));
        assert!(stamp(1_000, Some(5_000)).is_settled(at(1_060)));
        assert!(!stamp(9_000, Some(0)).is_settled(at(1_000)), "it comes from the future");
    }

    #[test]
    fn without_that_time_the_one_of_the_last_write_counts_and_without_any_nothing_is_settled() {
        assert!(stamp(0, Some(1_000)).is_settled(at(1_060)));
        assert!(!stamp(0, Some(1_000)).is_settled(at(1_010)));
        assert!(!stamp(0, None).is_settled(at(1_000_000)));
    }
}
