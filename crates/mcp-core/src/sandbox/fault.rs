//! The seam between the sandbox and the system, for tests: any operation can be made to fail, or
//! to be the last before the process dies.
//!
//! Only builds with the feature `faults` have it; in all others `pass` is nothing at all.

#[cfg(not(feature = "faults"))]
use std::io;

/// What an operation does to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Look,
    Write,
}

#[cfg(not(feature = "faults"))]
#[expect(clippy::unnecessary_wraps, reason = "with the seam, this is where operations fail")]
pub(super) fn pass(_operation: Operation) -> io::Result<()> {
    Ok(())
}

#[cfg(feature = "faults")]
pub(super) use with_seam::pass;
#[cfg(feature = "faults")]
pub use with_seam::{Counted, Plan, during, everywhere};

#[cfg(feature = "faults")]
mod with_seam {
    use std::cell::Cell;
    use std::io;

    use super::Operation;

    /// What to do to the operations of one piece of work.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Plan {
        /// Count them and let them pass.
        Count,
        /// The Nth, counted from 0, fails as on a full disk; the others pass.
        FailAt(u64),
        /// The Nth, counted from 0, and all behind it do nothing: the process died before it.
        DieBefore(u64),
    }

    /// How many operations there were.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Counted {
        /// Those that look and those that write.
        pub all: u64,
        /// Those that write alone.
        pub writing: u64,
    }

    thread_local! {
        static PLAN: Cell<Option<Plan>> = const { Cell::new(None) };
        static COUNTED: Cell<Counted> = const { Cell::new(Counted { all: 0, writing: 0 }) };
    }

    /// Does `work` on this thread under `plan`, and says how many operations it came to.
    pub fn during<T>(plan: Plan, work: impl FnOnce() -> T) -> (T, Counted) {
        PLAN.set(Some(plan));
        COUNTED.set(Counted::default());
        let outcome = work();
        PLAN.set(None);
        (outcome, COUNTED.get())
    }

    /// Does `work` once to count its operations, then on a fresh stage for every one of them that
    /// fails or is the last, and shows each outcome to `check`.
    pub fn everywhere<S, T>(
        set: impl Fn() -> S,
        work: impl Fn(&S) -> T,
        check: impl Fn(&S, Plan, T),
    ) {
        let stage = set();
        let (outcome, counted) = during(Plan::Count, || work(&stage));
        check(&stage, Plan::Count, outcome);
        assert!(counted.writing > 0, "nothing was written");
        for n in 0..counted.all {
            for plan in [Plan::FailAt(n), Plan::DieBefore(n)] {
                let stage = set();
                let (outcome, _) = during(plan, || work(&stage));
                check(&stage, plan, outcome);
            }
        }
    }

    pub(in crate::sandbox) fn pass(operation: Operation) -> io::Result<()> {
        let Some(plan) = PLAN.get() else { return Ok(()) };
        let mut counted = COUNTED.get();
        let at = counted.all;
        counted.all += 1;
        counted.writing += u64::from(operation == Operation::Write);
        COUNTED.set(counted);
        let fails = match plan {
            Plan::Count => false,
            Plan::FailAt(fatal) => at == fatal,
            Plan::DieBefore(fatal) => at >= fatal,
        };
        if fails { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(()) }
    }
}
