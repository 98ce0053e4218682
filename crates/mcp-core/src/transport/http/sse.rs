//! The older pair of endpoints: `GET /sse` streams to the client, `POST /messages` takes from it.
//!
//! Each connection is served as a pair of byte streams, so it behaves in every respect like stdio.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, WriteHalf};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::body::{Budget, answer, unreadable};
use crate::server::Server;
use crate::transport::stream::{Eras, serve_eras};

const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What is on its way between the two sides before one waits for the other.
const PIPE_BYTES: usize = 64 * 1024;

#[derive(Clone)]
struct Connections {
    server: Server,
    stop: CancellationToken,
    bodies: Budget,
    inputs: Arc<Mutex<HashMap<String, Arc<Input>>>>,
}

type Input = tokio::sync::Mutex<WriteHalf<DuplexStream>>;

/// Removes the connection and ends its service when the client goes away.
struct Leave {
    id: String,
    connections: Connections,
    _stop_serving: DropGuard,
}

impl Drop for Leave {
    fn drop(&mut self) {
        self.connections.inputs().remove(&self.id);
    }
}

impl Connections {
    fn inputs(&self) -> MutexGuard<'_, HashMap<String, Arc<Input>>> {
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn router(server: Server, stop: CancellationToken, bodies: Budget) -> Router {
    let connections = Connections { server, stop, bodies, inputs: Arc::default() };
    Router::new().route("/sse", get(open)).route("/messages", post(take)).with_state(connections)
}

async fn open(State(connections): State<Connections>) -> Response {
    let id = rmcp::transport::common::server_side_http::session_id().to_string();
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let (from_server, to_server) = tokio::io::split(ours);
    let (input, output) = tokio::io::split(theirs);
    connections.inputs().insert(id.clone(), Arc::new(Input::new(to_server)));
    let stop = connections.stop.child_token();
    let server = connections.server.clone();
    let (input, output) = (Box::new(input), Box::new(output));
    // This pair of endpoints ended with the handshake.
    tokio::spawn(serve_eras(server, input, output, stop.clone(), Eras::HandshakeOnly));

    let first = format!("event: endpoint\ndata: /messages?sessionId={id}\n\n");
    let leave = Leave { id, connections, _stop_serving: stop.drop_guard() };
    let events = stream::once(async { Bytes::from(first) }).chain(events(from_server, leave));
    let mut response = Body::from_stream(events.map(Ok::<_, Infallible>)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Each line of the server as an event, and a comment now and then to keep the way open.
fn events(
    from_server: tokio::io::ReadHalf<DuplexStream>,
    leave: Leave,
) -> impl Stream<Item = Bytes> {
    let lines = BufReader::new(from_server).lines();
    stream::unfold((lines, leave), async |(mut lines, leave)| {
        let event = tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => format!("event: message\ndata: {line}\n\n"),
                _ => return None,
            },
            () = tokio::time::sleep(KEEP_ALIVE) => ": keep-alive\n\n".to_owned(),
        };
        Some((Bytes::from(event), (lines, leave)))
    })
}

async fn take(
    State(connections): State<Connections>,
    Query(query): Query<HashMap<String, String>>,
    request: Request,
) -> Response {
    let id = query.get("sessionId").map(String::as_str).unwrap_or_default();
    let input = connections.inputs().get(id).cloned();
    let Some(input) = input else {
        return (StatusCode::NOT_FOUND, "no such session: open one with GET /sse\n")
            .into_response();
    };
    let (parts, body) = request.into_parts();
    let (body, _room) = match connections.bodies.read(&parts.headers, body).await {
        Ok(read) => read,
        Err(response) => return *response,
    };
    if let Some(refusal) = unreadable(&body) {
        return answer(StatusCode::BAD_REQUEST, &refusal);
    }
    // JSON holds no line break inside a string, so those between its parts can go.
    let mut line: Vec<u8> = body.to_vec();
    for byte in &mut line {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line.push(b'\n');
    // Waits while too much is unanswered: the client is held, not refused.
    match input.lock().await.write_all(&line).await {
        Ok(()) => (StatusCode::ACCEPTED, "Accepted").into_response(),
        Err(_) => (StatusCode::NOT_FOUND, "the session has ended\n").into_response(),
    }
}
