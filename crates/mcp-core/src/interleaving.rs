//! For tests: futures polled in a random order that a seed repeats, with a look after every step.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

/// A source of numbers; the same seed gives the same ones (xorshift).
#[derive(Debug)]
pub(crate) struct Seeded(u64);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

pub(crate) type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// More polls than any of these tests needs: past them, the tasks wait for each other.
const MAX_STEPS: usize = 100_000;

/// Polls one task at a time, chosen by the seed, until all have ended. A task may be polled though
/// nothing has happened, as a runtime may do too.
pub(crate) fn run(seed: u64, tasks: Vec<Task<'_>>, mut look: impl FnMut()) {
    let mut seeded = Seeded::new(seed);
    let mut tasks = tasks;
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..MAX_STEPS {
        if tasks.is_empty() {
            return;
        }
        let at = seeded.below(tasks.len());
        if tasks[at].as_mut().poll(&mut context).is_ready() {
            drop(tasks.swap_remove(at));
        }
        look();
    }
    panic!("seed {seed}: {} tasks wait for each other", tasks.len());
}

/// Lets others go first.
pub(crate) async fn step_aside() {
    let mut waited = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut waited, true) {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}
