//! How much one connection makes us hold: its unanswered requests, its listens, its calls that
//! wait for the client; and when to stop reading more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Listens for changes that one connection may have open.
pub(crate) const MAX_LISTENS: usize = 32;
/// Calls of one connection that may wait for its client at the same time.
pub(crate) const MAX_PARKED: usize = 64;

/// One connection's unanswered requests.
pub(crate) struct Gate {
    limit: usize,
    requests: Mutex<Requests>,
    changed: Notify,
    /// No more input will come: who waits for the client waits in vain.
    closing: CancellationToken,
}

#[derive(Default)]
struct Requests {
    /// The tickets of requests that can still be answered.
    open: HashMap<RequestId, Arc<Ticket>>,
    working: usize,
    parked: usize,
    listening: usize,
}

/// What a request makes us hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Working,
    /// It waits for the client, so others may be read meanwhile.
    Parked,
    Listening,
}

const KINDS: [Held; 3] = [Held::Working, Held::Parked, Held::Listening];

/// One request's place. It is given back when the last holder is gone: the answer is written, or
/// nobody waits for it and the work has come to its end too.
struct Ticket {
    gate: Arc<Gate>,
    kind: AtomicU8,
}

/// Why a request is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// A request with this id is still unanswered.
    SameId,
    Listens,
}

/// An answer on its way out; the request counts until it is dropped.
#[must_use]
pub(crate) struct Answering {
    _ticket: Option<Arc<Ticket>>,
}

/// A request's ticket, carried along in its extensions and by the work done for it.
#[derive(Clone)]
pub(crate) struct InFlight(Arc<Ticket>);

impl Requests {
    fn of(&mut self, kind: Held) -> &mut usize {
        match kind {
            Held::Working => &mut self.working,
            Held::Parked => &mut self.parked,
            Held::Listening => &mut self.listening,
        }
    }
}

impl Gate {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
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

    pub(crate) fn enter(self: &Arc<Self>, id: &RequestId, listens: bool) -> Result<InFlight, Full> {
        let mut requests = self.requests();
        if requests.open.contains_key(id) {
            return Err(Full::SameId);
        }
        let kind = if listens { Held::Listening } else { Held::Working };
        if listens && requests.listening >= MAX_LISTENS {
            return Err(Full::Listens);
        }
        *requests.of(kind) += 1;
        let ticket = Arc::new(Ticket { gate: self.clone(), kind: AtomicU8::new(kind as u8) });
        requests.open.insert(id.clone(), ticket.clone());
        Ok(InFlight(ticket))
    }

    /// Whether a request with this id can still be answered.
    pub(crate) fn is_open(&self, id: &RequestId) -> bool {
        self.requests().open.contains_key(id)
    }

    /// The request is cancelled and will not be answered. It counts until its work has ended.
    pub(crate) fn forget(&self, id: &RequestId) {
        let ticket = self.requests().open.remove(id);
        drop(ticket);
    }

    /// The answer is about to be written. A client may use the id again as soon as it has read it,
    /// which can be before we know that it was written; the request counts until then.
    pub(crate) fn answer(&self, id: &RequestId) -> Answering {
        Answering { _ticket: self.requests().open.remove(id) }
    }

    /// Waits until one more request may be read.
    pub(crate) async fn room(&self) {
        self.until(|working| working < self.limit).await;
    }

    /// Waits until everything that can be answered is.
    pub(crate) async fn drained(&self) {
        self.until(|working| working == 0).await;
    }

    async fn until(&self, fits: impl Fn(usize) -> bool) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            // Registered before the look, so that no change in between is missed.
            changed.as_mut().enable();
            if fits(self.requests().working) {
                return;
            }
            changed.await;
        }
    }

    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    #[cfg(test)]
    pub(crate) fn counts(&self) -> (usize, usize, usize, usize) {
        let requests = self.requests();
        (requests.open.len(), requests.working, requests.parked, requests.listening)
    }
}

impl Ticket {
    fn kind(&self) -> Held {
        KINDS[usize::from(self.kind.load(Ordering::Relaxed)).min(KINDS.len() - 1)]
    }

    /// Counts it as something else from now on, unless there is no room for that.
    fn become_kind(&self, kind: Held, most: usize) -> bool {
        {
            let mut requests = self.gate.requests();
            if *requests.of(kind) >= most {
                return false;
            }
            *requests.of(self.kind()) -= 1;
            *requests.of(kind) += 1;
            self.kind.store(kind as u8, Ordering::Relaxed);
        }
        self.gate.changed.notify_waiters();
        true
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        *self.gate.requests().of(self.kind()) -= 1;
        self.gate.changed.notify_waiters();
    }
}

impl InFlight {
    /// The call waits for its client: others may be read meanwhile. False where too many do.
    pub(crate) fn park(&self) -> bool {
        self.0.become_kind(Held::Parked, MAX_PARKED)
    }

    pub(crate) fn unpark(&self) {
        self.0.become_kind(Held::Working, usize::MAX);
    }

    pub(crate) async fn closing(&self) {
        self.0.gate.closing.cancelled().await;
    }
}

#[cfg(test)]
mod tests;
