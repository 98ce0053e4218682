//! MCP over a pair of byte streams, one message a line: stdio, and whatever else looks like it.
//!
//! Every request gets an answer, however broken it is, and reading stops while too much is
//! unanswered.

mod batch;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetExtensions as _, GetMeta as _,
    JsonRpcMessage, ProtocolVersion, RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::service::{RoleServer, ServerInitializeError, ServiceExt as _};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::lines::{Input, Line, Lines, MAX_LINE_BYTES};
use super::outbox::{Outbox, Output};
use crate::gate::{Full, Gate, MAX_LISTENS};
use crate::server::{Limits, Server};
use crate::wire::{self, INVALID_REQUEST, METHOD_NOT_FOUND, Refusal, UNSUPPORTED_VERSION};

/// After a signal, answers under way get this long.
const GRACE: Duration = Duration::from_millis(1500);

/// Which requests are understood: those after a handshake, or also those that stand alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Eras {
    Both,
    HandshakeOnly,
}

/// Serves one client until its input ends or `stop` is cancelled.
pub async fn serve_over(server: Server, input: Input, output: Output, stop: CancellationToken) {
    serve_eras(server, input, output, stop, Eras::Both).await;
}

/// Serves one client inside this process; what is returned is the client's end. Dropping it ends
/// the connection.
///
/// Needs a runtime to run on.
pub fn in_memory(server: Server) -> tokio::io::DuplexStream {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    let stop = CancellationToken::new();
    tokio::spawn(serve_over(server, Box::new(input), Box::new(output), stop));
    ours
}

pub(super) async fn serve_eras(
    server: Server,
    input: Input,
    output: Output,
    stop: CancellationToken,
    eras: Eras,
) {
    let stream = Stream { eras, ..Stream::new(input, output, server.call_limits(), stop) };
    match server.for_new_connection().serve(stream).await {
        // The reason is a closed stream in all cases, and the end of a client's input is no error.
        Ok(service) => drop(service.waiting().await),
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => tracing::warn!("the connection was not opened: {error}"),
    }
}

struct Stream {
    lines: Lines,
    queue: VecDeque<Result<Value, Refusal>>,
    /// Messages of a batch, registered and ready to be handled.
    admitted: VecDeque<ClientJsonRpcMessage>,
    outbox: Arc<Outbox>,
    gate: Arc<Gate>,
    opening: Opening,
    eras: Eras,
    batches_allowed: Arc<AtomicBool>,
    stop: CancellationToken,
    is_initialized: bool,
    ended: bool,
}

/// Until rmcp knows which era it speaks, anything but a request makes it give up.
#[derive(PartialEq)]
enum Opening {
    Pending,
    Done,
}

impl Stream {
    fn new(input: Input, output: Output, limits: Limits, stop: CancellationToken) -> Self {
        Self {
            lines: Lines::new(input),
            queue: VecDeque::new(),
            admitted: VecDeque::new(),
            outbox: Outbox::new(output),
            gate: Gate::new(limits.running + limits.waiting),
            opening: Opening::Pending,
            eras: Eras::Both,
            batches_allowed: Arc::default(),
            stop,
            is_initialized: false,
            ended: false,
        }
    }

    fn refuse(&self, refusal: &Refusal) {
        self.outbox.push_answer(None, refusal.to_json().to_string().into_bytes());
        self.outbox.flush_soon();
    }

    /// What to pass on of one JSON value.
    fn accept(&mut self, value: Result<Value, Refusal>) -> Option<ClientJsonRpcMessage> {
        let read = match value {
            Ok(Value::Array(batch)) => {
                self.accept_batch(batch);
                return None;
            }
            Ok(value) => match self.refuse_modern(&value) {
                Some(refusal) => Err(refusal),
                None => wire::message(value),
            },
            Err(refusal) => Err(refusal),
        };
        match read.and_then(|message| message.map(|it| self.admit(it)).transpose()) {
            Ok(message) => message.flatten(),
            Err(refusal) => {
                self.refuse(&refusal);
                None
            }
        }
    }

    /// Requests of the modern era that have no place here.
    fn refuse_modern(&self, value: &Value) -> Option<Refusal> {
        let id = value.get("id").filter(|id| id.is_string() || id.is_number())?;
        if !wire::claims_modern(value.get("params")) {
            return None;
        }
        if self.eras == Eras::HandshakeOnly {
            let message = "this endpoint speaks only the revisions that begin with `initialize`";
            return Some(Refusal::new(Some(id.clone()), UNSUPPORTED_VERSION, message));
        }
        // Before an era is settled rmcp answers any ping, and after it misses the metadata that it
        // does not read of a ping.
        let ping = value.get("method").and_then(Value::as_str) == Some("ping");
        let message = "`ping` is not part of this protocol version";
        ping.then(|| Refusal::new(Some(id.clone()), METHOD_NOT_FOUND, message))
    }

    /// Registers a request; drops what must not reach rmcp.
    fn admit(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
        match message {
            JsonRpcMessage::Request(mut request) => {
                let listens =
                    matches!(request.request, ClientRequest::SubscriptionsListenRequest(_));
                let in_flight = self.gate.enter(&request.id, listens).map_err(|full| {
                    let message = match full {
                        Full::SameId => "a request with this `id` is still unanswered".to_owned(),
                        Full::Listens => format!(
                            "a connection has at most {MAX_LISTENS} listens open; cancel one first"
                        ),
                    };
                    let id = Some(request.id.clone().into_json_value());
                    Refusal::new(id, INVALID_REQUEST, message)
                })?;
                if opens(&request.request) {
                    self.opening = Opening::Done;
                }
                request.request.extensions_mut().insert(in_flight);
                Ok(Some(JsonRpcMessage::Request(request)))
            }
            _ if self.opening == Opening::Pending => Ok(None),
            JsonRpcMessage::Notification(notification) => {
                let wanted = self.takes_note_of(&notification.notification);
                Ok(wanted.then_some(JsonRpcMessage::Notification(notification)))
            }
            other => Ok(Some(other)),
        }
    }

    /// Whether a notification changes anything. rmcp starts a task for each, so those that a
    /// client can send without end are passed on once, or where they belong to something open.
    fn takes_note_of(&mut self, notification: &ClientNotification) -> bool {
        match notification {
            ClientNotification::InitializedNotification(_) => {
                !std::mem::replace(&mut self.is_initialized, true)
            }
            ClientNotification::CancelledNotification(cancelled) => {
                let Some(id) = &cancelled.params.request_id else { return false };
                let open = self.gate.is_open(id);
                // rmcp suppresses the answer of a cancelled request.
                self.outbox.forget(id);
                self.gate.forget(id);
                open
            }
            _ => false,
        }
    }

    /// No more input: calls that wait for the client are told so, the rest are answered.
    async fn finish(&mut self) {
        self.gate.close();
        if self.stop.is_cancelled() {
            // Whatever is not done by then is lost with the process.
            drop(tokio::time::timeout(GRACE, self.gate.drained()).await);
            return;
        }
        tokio::select! {
            () = self.gate.drained() => {}
            () = self.outbox.broken() => {}
            () = self.stop.cancelled() => {
                drop(tokio::time::timeout(GRACE, self.gate.drained()).await);
            }
        }
    }
}

/// Whether rmcp settles on an era with this request.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            let version = meta.protocol_version();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && version.is_some_and(|it| ProtocolVersion::KNOWN_VERSIONS.contains(&it))
        }
    }
}

impl Transport<RoleServer> for Stream {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (outbox, gate) = (self.outbox.clone(), self.gate.clone());
        if let JsonRpcMessage::Response(response) = &message
            && let ServerResult::InitializeResult(result) = &response.result
        {
            let allowed = result.protocol_version.as_str() == batch::VERSION;
            self.batches_allowed.store(allowed, Ordering::Relaxed);
        }
        async move {
            let answered: Option<RequestId> = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let bytes = serde_json::to_vec(&message)?;
            drop(message);
            let answering = answered.as_ref().map(|id| gate.answer(id));
            outbox.push_answer(answered.as_ref(), bytes);
            let written = outbox.flush().await;
            drop(answering);
            written
        }
    }

    /// rmcp drops this future whenever it has something else to do: what has been read is kept in
    /// `self` at every await.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(message) = self.admitted.pop_front() {
                return Some(message);
            }
            if self.ended {
                self.finish().await;
                return None;
            }
            let wait_for_room = async {
                self.gate.room().await;
                self.outbox.room().await;
            };
            tokio::select! {
                () = wait_for_room => {}
                () = self.stop.cancelled() => { self.ended = true; continue }
                () = self.outbox.broken() => { self.ended = true; continue }
            }
            if let Some(value) = self.queue.pop_front() {
                if let Some(message) = self.accept(value) {
                    return Some(message);
                }
                continue;
            }
            let line = tokio::select! {
                line = self.lines.next() => line,
                () = self.stop.cancelled() => { self.ended = true; continue }
                () = self.outbox.broken() => { self.ended = true; continue }
            };
            match line {
                Ok(Line::Whole(line)) => self.queue.extend(wire::values(line)),
                Ok(Line::TooLong(start)) => {
                    let limit = MAX_LINE_BYTES / (1024 * 1024);
                    let message = format!("the message is longer than {limit} MiB and was skipped");
                    let id = wire::recover_id(start);
                    self.refuse(&Refusal::new(id, INVALID_REQUEST, message));
                }
                Ok(Line::End) => self.ended = true,
                Err(error) => {
                    tracing::warn!("reading failed: {error}");
                    self.ended = true;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outbox.close().await
    }
}
