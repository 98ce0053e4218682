//! The body of a request to `/mcp`: read within its limit, checked, and handed on.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::sessions::InUse;
use super::{Front, MAX_BODY_BYTES};
use crate::wire::{self, INVALID_REQUEST, PARSE_ERROR, Refusal};

/// A client has this long to send a body.
const BODY_TIME: Duration = Duration::from_secs(30);
/// What a body that is refused may still send, so that the refusal is read.
const MAX_DRAINED_BYTES: usize = 64 * 1024 * 1024;
const SMALL_BODY_BYTES: usize = 64 * 1024;
/// How many bodies of each kind may be read at once.
const SMALL_BODIES: usize = 128;
const LARGE_BODIES: usize = 6;

const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) async fn check(
    State(front): State<Front>,
    mut request: Request,
    next: Next,
) -> Response {
    accept_what_we_send(request.headers_mut());
    let session = session_of(request.headers());
    let in_use = session.as_deref().and_then(|id| front.sessions.begin(id));
    if request.method() != Method::POST {
        return kept_open(next.run(request).await, in_use);
    }
    let (mut parts, body) = request.into_parts();
    parts.headers.entry(header::CONTENT_TYPE).or_insert(JSON);
    let (bytes, room) = match front.bodies.read(&parts.headers, body).await {
        Ok(read) => read,
        Err(response) => return *response,
    };
    let opens_session = match wire::envelope(&bytes) {
        Ok(envelope) => envelope.opens_session,
        Err(refusal) => return answer(StatusCode::BAD_REQUEST, &refusal),
    };
    if opens_session && !front.sessions.make_room(&front.manager, front.max_sessions).await {
        let message = format!("{} sessions are in use, try again later", front.max_sessions);
        let refusal = Refusal::new(None, INVALID_REQUEST, message);
        let mut response = answer(StatusCode::SERVICE_UNAVAILABLE, &refusal);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("30"));
        return response;
    }
    let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    drop(room);
    if opens_session && let Some(id) = session_of(response.headers()) {
        front.sessions.opened(&id);
    }
    kept_open(response, in_use)
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    Some(headers.get("mcp-session-id")?.to_str().ok()?.to_owned())
}

/// A session is in use until the whole answer has been sent, which for a stream is its end.
fn kept_open(response: Response, in_use: Option<InUse>) -> Response {
    let Some(in_use) = in_use else { return response };
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _in_use = &in_use;
            frame
        }))
    })
}

/// The memory that all bodies being read share: small ones never wait for large ones.
#[derive(Clone)]
pub(super) struct Budget {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            small: Arc::new(Semaphore::new(SMALL_BODIES * SMALL_BODY_BYTES)),
            large: Arc::new(Semaphore::new(LARGE_BODIES * MAX_BODY_BYTES)),
        }
    }
}

impl Budget {
    /// Reads a body within its limit and its time, when there is room for it. The room is taken
    /// until what is returned beside the bytes is dropped.
    pub(super) async fn read(
        &self,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<(Bytes, OwnedSemaphorePermit), Box<Response>> {
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
        let announced = announced.and_then(|it| it.parse().ok()).unwrap_or(MAX_BODY_BYTES);
        if announced > MAX_BODY_BYTES {
            drain(body).await;
            return Err(Box::new(too_large()));
        }
        let room = if announced <= SMALL_BODY_BYTES { &self.small } else { &self.large };
        let needed = u32::try_from(announced.max(1)).unwrap_or(u32::MAX);
        let Ok(room) = room.clone().try_acquire_many_owned(needed) else {
            return Err(Box::new(no_room(body).await));
        };
        let reading = Limited::new(body, MAX_BODY_BYTES).collect();
        match tokio::time::timeout(BODY_TIME, reading).await {
            Ok(Ok(collected)) => Ok((collected.to_bytes(), room)),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Box::new(too_large())),
            Ok(Err(_)) => Err(Box::new(StatusCode::BAD_REQUEST.into_response())),
            Err(_) => {
                let message = format!("the body did not arrive within {} s", BODY_TIME.as_secs());
                let refusal = Refusal::new(None, INVALID_REQUEST, message);
                let mut response = answer(StatusCode::REQUEST_TIMEOUT, &refusal);
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
                Err(Box::new(response))
            }
        }
    }
}

/// Takes in what the client sends without keeping it, so that it can finish and read the answer.
/// Whoever goes on for longer than any honest client finds the connection closed.
async fn drain(body: Body) {
    let mut body = Limited::new(body, MAX_DRAINED_BYTES);
    let draining = async { while let Some(Ok(_)) = body.frame().await {} };
    drop(tokio::time::timeout(BODY_TIME, draining).await);
}

async fn no_room(body: Body) -> Response {
    drain(body).await;
    let message = "too many large bodies are being read, try again later";
    let refusal = Refusal::new(None, INVALID_REQUEST, message);
    let mut response = answer(StatusCode::SERVICE_UNAVAILABLE, &refusal);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

fn too_large() -> Response {
    let message = format!("a body has at most {MAX_BODY_BYTES} bytes");
    let refusal = Refusal::new(None, INVALID_REQUEST, message);
    answer(StatusCode::PAYLOAD_TOO_LARGE, &refusal)
}

/// `*/*` or nothing means "whatever you have"; rmcp wants both kinds spelled out. A client that takes
/// only one of them is refused, because it is the server's choice which it sends.
fn accept_what_we_send(headers: &mut HeaderMap) {
    let accepted = headers.get(header::ACCEPT).map(|it| it.to_str().unwrap_or_default());
    let takes = |kinds: [&str; 3]| {
        accepted.is_none_or(|it| it.trim().is_empty() || kinds.iter().any(|kind| it.contains(kind)))
    };
    if takes(["*/*", "application/*", "application/json"])
        && takes(["*/*", "text/*", "text/event-stream"])
    {
        headers.insert(header::ACCEPT, BOTH);
    }
}

/// What is wrong with a body that is no JSON at all.
pub(super) fn unreadable(bytes: &[u8]) -> Option<Refusal> {
    let values = wire::values(bytes);
    if values.is_empty() {
        return Some(Refusal::new(None, PARSE_ERROR, "the body is empty"));
    }
    values.into_iter().find_map(Result::err)
}

pub(super) fn answer(status: StatusCode, refusal: &Refusal) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON)];
    (status, headers, refusal.to_json().to_string()).into_response()
}
