//! Clarifications in progress: in memory, each for half an hour after it was last used.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use crate::domain::clarify::{Asked, Clarification};
use crate::error::Error;

const LIFETIME: SignedDuration = SignedDuration::from_mins(30);
/// More than so many at once: the one idle longest goes.
const MAX_SESSIONS: usize = 1_000;

#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// What it was found by, and is found by again.
    pub(crate) repo_path: Option<String>,
    pub(crate) state: Clarification,
    /// The user did not want to be asked by form.
    pub(crate) declined: bool,
}

impl Session {
    /// Takes in what a further call brings besides answers.
    pub(crate) fn take_up(&mut self, force_adr: bool, shown: &[Asked]) {
        self.state.force_adr |= force_adr;
        self.state.note_shown(shown);
    }
}

#[derive(Debug, Default)]
pub(crate) struct Sessions {
    open: HashMap<String, (Timestamp, Session)>,
}

impl Sessions {
    /// A copy to work on: the session stays as it is until the work has succeeded.
    pub(crate) fn get(&mut self, id: &str, now: Timestamp) -> Result<Session, Error> {
        let Some((used, session)) = self.open.get_mut(id) else {
            let id = mcp_core::text::one_line(mcp_core::text::cut(id, 80));
            return Err(Error::SessionNotFound { id });
        };
        if now.duration_since(*used) >= LIFETIME {
            self.open.remove(id);
            return Err(Error::SessionExpired { id: id.to_owned() });
        }
        *used = now;
        Ok(session.clone())
    }

    pub(crate) fn put(&mut self, id: &str, session: Session, now: Timestamp) {
        if !self.open.contains_key(id) && self.open.len() >= MAX_SESSIONS {
            let idle = self.open.iter().min_by_key(|(id, (used, _))| (*used, (*id).clone()));
            if let Some(idle) = idle.map(|(id, _)| id.clone()) {
                self.open.remove(&idle);
            }
        }
        self.open.insert(id.to_owned(), (now, session));
    }

    pub(crate) fn remove(&mut self, id: &str) {
        self.open.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        let state = Clarification::new("x", None, false);
        Session { repo_path: None, state, declined: false }
    }

    fn at(minutes: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes)
    }

    #[test]
    fn a_session_lives_for_thirty_minutes_after_each_use() {
        let mut sessions = Sessions::default();
        sessions.put("a", session(), at(0));
        assert!(sessions.get("a", at(29)).is_ok());
        assert!(sessions.get("a", at(58)).is_ok());
        assert!(matches!(sessions.get("a", at(88)), Err(Error::SessionExpired { .. })));
        assert!(matches!(sessions.get("a", at(88)), Err(Error::SessionNotFound { .. })));
    }

    #[test]
    fn past_the_limit_the_one_idle_longest_goes() {
        let mut sessions = Sessions::default();
        for index in 0..MAX_SESSIONS {
            sessions.put(&index.to_string(), session(), at(i64::try_from(index % 7).unwrap() + 1));
        }
        sessions.put("old", session(), at(0));
        sessions.put("new", session(), at(9));
        assert!(sessions.get("new", at(9)).is_ok());
        assert!(sessions.get("old", at(9)).is_err());
        assert_eq!(sessions.open.len(), MAX_SESSIONS);
    }
}
