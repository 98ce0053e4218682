//! The outbox under random interleavings: whole lines, each answer once, whatever is written when.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::*;
use crate::interleaving::{self, Seeded, Task, step_aside};

/// Takes a few bytes at a time, and sometimes none.
struct Slow {
    taken: Arc<Mutex<Vec<u8>>>,
    seeded: Seeded,
}

impl AsyncWrite for Slow {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.seeded.below(3) == 0 {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let count = 1 + self.seeded.below(bytes.len());
        lock(&self.taken).extend_from_slice(&bytes[..count]);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn id(n: i64) -> RequestId {
    RequestId::Number(n)
}

/// How often each answer went out, arrays taken apart; every line has to be whole.
fn answers(written: &[u8]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let value: serde_json::Value = serde_json::from_slice(line).unwrap();
        let items = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        for item in items {
            *counts.entry(item.to_string()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_answer_goes_out_once_in_whole_lines() {
    for seed in 0..300 {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let slow = Slow { taken: taken.clone(), seeded: Seeded::new(seed + 1000) };
        let outbox = Outbox::new(Box::new(slow));
        let cancelled = RefCell::new(Vec::new());
        // Requests 100 to 104 came in one array, the others alone.
        outbox.open_batch((100..105).map(id).collect(), vec![b"\"refused\"".to_vec()]);
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for n in (0..8).chain(100..105) {
            let (outbox, cancelled) = (&outbox, &cancelled);
            tasks.push(Box::pin(async move {
                step_aside().await;
                if n % 5 == 3 && n >= 100 {
                    outbox.forget(&id(n));
                    cancelled.borrow_mut().push(n);
                } else {
                    outbox.push_answer(Some(&id(n)), format!("{n}").into_bytes());
                }
                outbox.flush().await.unwrap();
            }));
        }
        interleaving::run(seed, tasks, || {
            // What is out is always the beginning of what will be out: no line is torn by another.
            let written = lock(&taken).clone();
            let whole = written.iter().rposition(|byte| *byte == b'\n').map_or(0, |it| it + 1);
            assert!(answers(&written[..whole]).values().all(|count| *count == 1), "seed {seed}");
        });
        let counts = answers(&lock(&taken));
        for n in (0..8).chain(100..105) {
            let expected = usize::from(!cancelled.borrow().contains(&n));
            let count = counts.get(&n.to_string()).copied().unwrap_or_default();
            assert_eq!(count, expected, "seed {seed}: {n}");
        }
        assert_eq!(counts["\"refused\""], 1, "seed {seed}");
        assert!(lock(&outbox.pending).is_empty() && lock(&outbox.batches).is_empty());
    }
}
