//! Sessions of the old era: a limited number, and who goes when there is no room for one more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

/// What is known of the use of each session.
#[derive(Clone, Default)]
pub(super) struct Sessions {
    used: Arc<Mutex<HashMap<String, Use>>>,
}

#[derive(Debug, Clone, Copy)]
struct Use {
    last: Instant,
    /// Requests since the one that opened it.
    requests: u64,
    /// Requests and streams that are open now.
    open: usize,
}

/// Something of a session is open as long as this is held.
pub(super) struct InUse {
    sessions: Sessions,
    id: String,
}

impl Sessions {
    fn used(&self) -> MutexGuard<'_, HashMap<String, Use>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session was opened.
    pub(super) fn opened(&self, id: &str) {
        let fresh = Use { last: Instant::now(), requests: 0, open: 0 };
        self.used().insert(id.to_owned(), fresh);
    }

    /// A request of a session came in; it is in use until the guard is dropped.
    pub(super) fn begin(&self, id: &str) -> Option<InUse> {
        let mut used = self.used();
        let session = used.get_mut(id)?;
        session.last = Instant::now();
        session.requests += 1;
        session.open += 1;
        Some(InUse { sessions: self.clone(), id: id.to_owned() })
    }

    /// Makes room for one more. Those that were never used after they were opened go first, then
    /// those used the longest time ago; one that has something open stays. False where all do.
    pub(super) async fn make_room(&self, manager: &LocalSessionManager, most: usize) -> bool {
        loop {
            let existing: Vec<_> = manager.sessions.read().await.keys().cloned().collect();
            self.used().retain(|id, _| existing.iter().any(|it| it.as_ref() == id));
            if existing.len() < most {
                return true;
            }
            let victim = {
                let used = self.used();
                let idle = existing.iter().filter_map(|id| {
                    let session = used.get(id.as_ref()).copied()?;
                    (session.open == 0).then_some((session.requests > 1, session.last, id.clone()))
                });
                idle.min_by(|left, right| (left.0, left.1).cmp(&(right.0, right.1)))
            };
            let Some((_, _, id)) = victim else { return false };
            self.used().remove(id.as_ref());
            if let Err(error) = manager.close_session(&id).await {
                tracing::debug!("a session that had to go did not end well: {error}");
            }
        }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.used().get_mut(&self.id) {
            session.open = session.open.saturating_sub(1);
            session.last = Instant::now();
        }
    }
}
