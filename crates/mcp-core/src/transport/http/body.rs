//! The body of a request to `/mcp`: read within its limit, checked, and handed on.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde_json::Value;

use super::{Front, MAX_BODY_BYTES};
use crate::transport::wire::{self, INVALID_REQUEST, PARSE_ERROR, Refusal};

const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) async fn check(
    State(front): State<Front>,
    mut request: Request,
    next: Next,
) -> Response {
    accept_what_we_send(request.headers_mut());
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    parts.headers.entry(header::CONTENT_TYPE).or_insert(JSON);
    let bytes = match read(body).await {
        Ok(bytes) => bytes,
        Err(response) => return *response,
    };
    let value = match single_message(&bytes) {
        Ok(value) => value,
        Err(refusal) => return answer(StatusCode::BAD_REQUEST, &refusal),
    };
    let opens_session = value.get("method").and_then(Value::as_str) == Some("initialize");
    if let Err(refusal) = wire::message(value) {
        return answer(StatusCode::BAD_REQUEST, &refusal);
    }
    if opens_session && front.sessions.sessions.read().await.len() >= front.max_sessions {
        let message = format!("{} sessions are open, try again later", front.max_sessions);
        let refusal = Refusal::new(None, INVALID_REQUEST, message);
        let mut response = answer(StatusCode::SERVICE_UNAVAILABLE, &refusal);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("30"));
        return response;
    }
    next.run(Request::from_parts(parts, Body::from(bytes))).await
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

async fn read(body: Body) -> Result<Bytes, Box<Response>> {
    match Limited::new(body, MAX_BODY_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let message = format!("a body has at most {MAX_BODY_BYTES} bytes");
            let refusal = Refusal::new(None, INVALID_REQUEST, message);
            Err(Box::new(answer(StatusCode::PAYLOAD_TOO_LARGE, &refusal)))
        }
        Err(_) => Err(Box::new(StatusCode::BAD_REQUEST.into_response())),
    }
}

/// What is wrong with a body that is no JSON at all.
pub(crate) fn unreadable(bytes: &[u8]) -> Option<Refusal> {
    let values = wire::values(bytes);
    if values.is_empty() {
        return Some(Refusal::new(None, PARSE_ERROR, "the body is empty"));
    }
    values.into_iter().find_map(Result::err)
}

fn single_message(bytes: &[u8]) -> Result<Value, Refusal> {
    let mut values = wire::values(bytes);
    let value = match (values.pop(), values.is_empty()) {
        (Some(value), true) => value?,
        (None, _) => return Err(Refusal::new(None, PARSE_ERROR, "the body is empty")),
        (Some(_), false) => {
            return Err(Refusal::new(None, INVALID_REQUEST, "a body holds one message"));
        }
    };
    if value.is_array() {
        let message = "several messages in one array are not taken over HTTP";
        return Err(Refusal::new(None, INVALID_REQUEST, message));
    }
    Ok(value)
}

pub(crate) fn answer(status: StatusCode, refusal: &Refusal) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON)];
    (status, headers, refusal.to_json().to_string()).into_response()
}
