//! Several messages in one array, which a single revision of the protocol allows.

use std::sync::atomic::Ordering;

use rmcp::model::JsonRpcMessage;
use serde_json::Value;

use super::Stream;
use crate::wire::{self, INVALID_REQUEST, Refusal};

/// The revision that allows it.
pub(super) const VERSION: &str = "2025-03-26";

/// Messages in one array.
const MAX_BATCH: usize = 256;

impl Stream {
    pub(super) fn accept_batch(&mut self, batch: Vec<Value>) {
        if batch.len() > MAX_BATCH {
            let message =
                format!("an array holds at most {MAX_BATCH} messages, and this one was skipped");
            self.refuse(&Refusal::new(None, INVALID_REQUEST, message));
            return;
        }
        if !self.batches_allowed.load(Ordering::Relaxed) || batch.is_empty() {
            self.refuse_batch(&batch);
            return;
        }
        let mut requests = Vec::new();
        let mut refused = Vec::new();
        for value in batch {
            let read = wire::message(value);
            match read.and_then(|message| message.map(|it| self.admit(it)).transpose()) {
                Ok(message) => requests.extend(message.flatten()),
                Err(refusal) => refused.push(refusal.to_json().to_string().into_bytes()),
            }
        }
        let ids = requests.iter().filter_map(|message| match message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        });
        self.outbox.open_batch(ids.collect(), refused);
        self.outbox.flush_soon();
        self.admitted.extend(requests);
    }

    fn refuse_batch(&self, batch: &[Value]) {
        let message = "several messages in one array are not part of this protocol version";
        let ids: Vec<&Value> = batch
            .iter()
            .filter_map(|value| value.get("id"))
            .filter(|id| id.is_string() || id.is_number())
            .collect();
        if ids.is_empty() {
            self.refuse(&Refusal::new(None, INVALID_REQUEST, message));
        }
        for id in ids {
            self.refuse(&Refusal::new(Some(id.clone()), INVALID_REQUEST, message));
        }
    }
}
