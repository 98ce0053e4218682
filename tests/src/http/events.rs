//! Reads server-sent events from the body of an answer.

use std::time::Duration;

use http_body_util::BodyExt;
use serde_json::Value;
use tokio::time::Instant;

/// One event; comments such as keep-alives are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    pub id: Option<String>,
    /// The event's type, `message` when the server named none.
    pub name: String,
    pub data: String,
}

/// A body that is read as events.
pub struct Events {
    body: hyper::body::Incoming,
    unread: Vec<u8>,
    patience: Duration,
}

impl Events {
    pub(super) fn new(body: hyper::body::Incoming, patience: Duration) -> Self {
        Self { body, unread: Vec::new(), patience }
    }

    /// The next event, or `None` when the server ended the stream.
    pub async fn next(&mut self) -> Option<Event> {
        self.next_before(Instant::now() + self.patience).await
    }

    /// Keep-alives go on for as long as the server does, so they must not extend a wait.
    async fn next_before(&mut self, deadline: Instant) -> Option<Event> {
        loop {
            if let Some(event) = self.take_event() {
                return Some(event);
            }
            let frame = tokio::time::timeout_at(deadline, self.body.frame())
                .await
                .unwrap_or_else(|_| panic!("waited {:?} for an event", self.patience))?;
            let frame = frame.expect("the event stream is not cut off");
            if let Ok(data) = frame.into_data() {
                // Lines may end in either way; a message never holds a bare carriage return.
                self.unread.extend(data.iter().filter(|byte| **byte != b'\r'));
            }
        }
    }

    /// The next event that carries a JSON-RPC message.
    pub async fn next_message(&mut self) -> Value {
        let deadline = Instant::now() + self.patience;
        loop {
            let event = self.next_before(deadline).await;
            let event = event.expect("the stream goes on until the message came");
            // A server may open a stream with an event that carries only an id.
            if event.name == "message" && !event.data.is_empty() {
                return serde_json::from_str(&event.data)
                    .unwrap_or_else(|error| panic!("an event without JSON ({error}): {event:?}"));
            }
        }
    }

    /// Takes the first complete event off the unread bytes; blocks without fields are skipped.
    fn take_event(&mut self) -> Option<Event> {
        loop {
            let end = self.unread.windows(2).position(|pair| pair == b"\n\n")? + 2;
            let block: Vec<u8> = self.unread.drain(..end).collect();
            let text = String::from_utf8(block).expect("events are text");
            if let Some(event) = parse(&text) {
                return Some(event);
            }
        }
    }
}

/// Parses one block, which ends in a blank line; `None` when it holds only comments.
fn parse(block: &str) -> Option<Event> {
    let mut event = Event { name: "message".to_owned(), ..Event::default() };
    let mut data: Vec<&str> = Vec::new();
    let mut has_field = false;
    for line in block.lines() {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => event.id = Some(value.to_owned()),
            "event" => value.clone_into(&mut event.name),
            "data" => data.push(value),
            _ => continue,
        }
        has_field = true;
    }
    event.data = data.join("\n");
    has_field.then_some(event)
}
