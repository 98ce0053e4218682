//! How many requests of one connection are unanswered, and when to stop reading more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// One connection's unanswered requests.
pub(super) struct Gate {
    limit: usize,
    requests: Mutex<Requests>,
    changed: Notify,
    /// No more input will come: who waits for the client waits in vain.
    closing: CancellationToken,
}

#[derive(Default)]
struct Requests {
    /// Whether each counts: one that waits for the client, or listens for changes, does not.
    open: HashMap<RequestId, bool>,
    counted: usize,
}

/// An answer on its way out.
#[must_use]
pub(super) struct Answering {
    counted: bool,
}

/// One request's place in the gate, carried along in its extensions.
#[derive(Clone)]
pub(crate) struct InFlight {
    gate: Arc<Gate>,
    id: RequestId,
}

impl Gate {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            requests: Mutex::default(),
            changed: Notify::new(),
            closing: CancellationToken::new(),
        })
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` when a request with this id is still unanswered.
    pub(super) fn enter(self: &Arc<Self>, id: &RequestId, counts: bool) -> Option<InFlight> {
        let mut requests = self.requests();
        if requests.open.contains_key(id) {
            return None;
        }
        requests.open.insert(id.clone(), counts);
        requests.counted += usize::from(counts);
        Some(InFlight { gate: self.clone(), id: id.clone() })
    }

    /// The request is cancelled and will not be answered.
    pub(super) fn leave(&self, id: &RequestId) {
        let answering = self.answer(id);
        self.answered(answering);
    }

    /// The answer is about to be written. A client may use the id again as soon as it has read it,
    /// which can be before we know that it was written; the request counts until then.
    pub(super) fn answer(&self, id: &RequestId) -> Answering {
        Answering { counted: self.requests().open.remove(id).unwrap_or(false) }
    }

    /// The answer is written.
    pub(super) fn answered(&self, Answering { counted }: Answering) {
        if counted {
            self.requests().counted -= 1;
            self.changed.notify_waiters();
        }
    }

    fn count(&self, id: &RequestId, counts: bool) {
        let mut requests = self.requests();
        let Requests { open, counted } = &mut *requests;
        if let Some(counted_before) = open.get_mut(id) {
            *counted = *counted - usize::from(*counted_before) + usize::from(counts);
            *counted_before = counts;
            drop(requests);
            self.changed.notify_waiters();
        }
    }

    /// Waits until one more request may be read.
    pub(super) async fn room(&self) {
        self.until(|counted| counted < self.limit).await;
    }

    /// Waits until everything that can be answered is.
    pub(super) async fn drained(&self) {
        self.until(|counted| counted == 0).await;
    }

    async fn until(&self, fits: impl Fn(usize) -> bool) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            // Registered before the look, so that no change in between is missed.
            changed.as_mut().enable();
            if fits(self.requests().counted) {
                return;
            }
            changed.await;
        }
    }

    pub(super) fn close(&self) {
        self.closing.cancel();
    }
}

impl InFlight {
    /// The call waits for its client: others may be read meanwhile.
    pub(crate) fn park(&self) {
        self.gate.count(&self.id, false);
    }

    pub(crate) fn unpark(&self) {
        self.gate.count(&self.id, true);
    }

    pub(crate) async fn closing(&self) {
        self.gate.closing.cancelled().await;
    }
}
