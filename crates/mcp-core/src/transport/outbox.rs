//! What goes out: whole lines, many at a time when many are ready, and batches put together.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// With this much unwritten, no more input is read.
const MAX_PENDING_BYTES: usize = 1024 * 1024;

pub(super) struct Outbox {
    pending: Mutex<Vec<u8>>,
    /// `None` once closed.
    output: tokio::sync::Mutex<Option<Output>>,
    written: Notify,
    /// The reader is gone, and so is everything that would be written.
    broken: CancellationToken,
    batches: Mutex<HashMap<RequestId, Arc<Batch>>>,
    /// A task that will write has been started.
    flushing_soon: AtomicBool,
}

/// Answers that go out together, in one array.
pub(super) struct Batch {
    state: Mutex<BatchState>,
}

struct BatchState {
    missing: usize,
    answers: Vec<Vec<u8>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outbox {
    pub(super) fn new(output: Output) -> Arc<Self> {
        Arc::new(Self {
            pending: Mutex::default(),
            output: tokio::sync::Mutex::new(Some(output)),
            written: Notify::new(),
            broken: CancellationToken::new(),
            batches: Mutex::default(),
            flushing_soon: AtomicBool::new(false),
        })
    }

    fn push(&self, message: &[u8]) {
        let mut pending = lock(&self.pending);
        pending.extend_from_slice(message);
        pending.push(b'\n');
    }

    /// Queues an answer; one that belongs to a batch waits for the others.
    pub(super) fn push_answer(&self, id: Option<&RequestId>, answer: Vec<u8>) {
        let batch = id.and_then(|id| lock(&self.batches).remove(id));
        match batch {
            None => self.push(&answer),
            Some(batch) => {
                if let Some(whole) = batch.add(Some(answer)) {
                    self.push(&whole);
                }
            }
        }
    }

    /// Registers the requests of a batch; `answers` are those already known.
    pub(super) fn open_batch(&self, ids: Vec<RequestId>, answers: Vec<Vec<u8>>) {
        let state = BatchState { missing: ids.len(), answers };
        if state.missing == 0 {
            if !state.answers.is_empty() {
                self.push(&join(&state.answers));
            }
            return;
        }
        let batch = Arc::new(Batch { state: Mutex::new(state) });
        let mut batches = lock(&self.batches);
        for id in ids {
            batches.insert(id, batch.clone());
        }
    }

    /// A cancelled request is not answered, so its batch no longer waits for it.
    pub(super) fn forget(&self, id: &RequestId) {
        let batch = lock(&self.batches).remove(id);
        if let Some(whole) = batch.and_then(|batch| batch.add(None)) {
            self.push(&whole);
        }
    }

    /// Writes what is queued on a task of its own: where it is called, writing would be cut off
    /// whenever rmcp stops waiting for input to do something else.
    pub(super) fn flush_soon(self: &Arc<Self>) {
        if self.flushing_soon.swap(true, Ordering::AcqRel) {
            return;
        }
        let outbox = self.clone();
        tokio::spawn(async move {
            outbox.flushing_soon.store(false, Ordering::Release);
            // A broken output ends the connection by itself.
            drop(outbox.flush().await);
        });
    }

    /// Writes what is queued. While one task writes, others queue up, and the next one to get its
    /// turn writes for all of them.
    pub(super) async fn flush(&self) -> std::io::Result<()> {
        let mut output = self.output.lock().await;
        let bytes = std::mem::take(&mut *lock(&self.pending));
        if bytes.is_empty() {
            return Ok(());
        }
        let Some(output) = output.as_mut() else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        let outcome = async {
            output.write_all(&bytes).await?;
            output.flush().await
        };
        let outcome = outcome.await;
        if outcome.is_err() {
            self.broken.cancel();
        }
        self.written.notify_waiters();
        outcome
    }

    /// Waits until the other side has taken most of what was queued.
    pub(super) async fn room(&self) {
        loop {
            let written = self.written.notified();
            let mut written = std::pin::pin!(written);
            written.as_mut().enable();
            if lock(&self.pending).len() <= MAX_PENDING_BYTES {
                return;
            }
            written.await;
        }
    }

    pub(super) async fn broken(&self) {
        self.broken.cancelled().await;
    }

    pub(super) async fn close(&self) -> std::io::Result<()> {
        let flushed = self.flush().await;
        drop(self.output.lock().await.take());
        flushed
    }
}

impl Batch {
    /// Takes one answer, or the news that there will be none; returns the whole when complete.
    fn add(&self, answer: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let mut state = lock(&self.state);
        state.answers.extend(answer);
        state.missing -= 1;
        (state.missing == 0 && !state.answers.is_empty()).then(|| join(&state.answers))
    }
}

fn join(answers: &[Vec<u8>]) -> Vec<u8> {
    let mut whole = vec![b'['];
    whole.extend(answers.join(&b','));
    whole.push(b']');
    whole
}

#[cfg(test)]
mod tests;
