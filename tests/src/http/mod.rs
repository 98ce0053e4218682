//! A raw HTTP/1.1 client: one connection, requests as given, answers as they came.

mod events;
mod server;
mod session;

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST};
use hyper::{HeaderMap, Method, Request};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::Reply;
pub use events::{Event, Events};
pub use server::HttpServer;
pub use session::{Session, modern_headers, modern_post};

/// How long anything may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a client that follows the specification accepts.
pub const BOTH_TYPES: &str = "application/json, text/event-stream";

/// One connection that is kept open between requests.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
    authority: String,
    patience: Duration,
}

/// The head of an answer, with its body still to be read.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    body: hyper::body::Incoming,
    patience: Duration,
}

impl Connection {
    /// Connects to `host:port`.
    pub async fn open(authority: &str) -> Self {
        let stream = TcpStream::connect(authority)
            .await
            .unwrap_or_else(|error| panic!("could not connect to {authority}: {error}"));
        stream.set_nodelay(true).expect("a fresh connection can be configured");
        let (sender, connection) =
            handshake(TokioIo::new(stream)).await.expect("an HTTP connection can be opened");
        // How the connection ended shows in the request that it ended.
        tokio::spawn(async move { drop(connection.await) });
        Self { sender, authority: authority.to_owned(), patience: PATIENCE }
    }

    /// Replaces the 20 seconds that every wait has.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sends one request. A `Host` header is added unless one is given.
    pub async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Response {
        let method = Method::from_bytes(method.as_bytes()).expect("a method name");
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(HOST.as_str())) {
            request = request.header(HOST, &self.authority);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body.into())).expect("a well-formed request");
        let sending = async {
            self.sender.ready().await?;
            self.sender.send_request(request).await
        };
        let response = tokio::time::timeout(self.patience, sending)
            .await
            .unwrap_or_else(|_| panic!("waited {:?} for an answer from {path}", self.patience))
            .unwrap_or_else(|error| panic!("no answer from {path}: {error}"));
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        Response { status, headers: head.headers, body, patience: self.patience }
    }

    /// Posts JSON as a client that follows the specification does, with further headers.
    pub async fn post(&mut self, path: &str, headers: &[(&str, &str)], body: &Value) -> Response {
        let mut all =
            vec![(ACCEPT.as_str(), BOTH_TYPES), (CONTENT_TYPE.as_str(), "application/json")];
        all.extend_from_slice(headers);
        self.send("POST", path, &all, body.to_string()).await
    }
}

impl Response {
    /// A header as text, empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The whole body.
    pub async fn text(self) -> String {
        let body = tokio::time::timeout(self.patience, self.body.collect())
            .await
            .unwrap_or_else(|_| panic!("waited {:?} for the end of a body", self.patience))
            .expect("the body arrives whole");
        String::from_utf8(body.to_bytes().to_vec()).expect("the body is text")
    }

    /// The whole body as JSON.
    pub async fn json(self) -> Value {
        let text = self.text().await;
        serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("the body is not JSON ({error}): {text}"))
    }

    /// The body as a stream of server-sent events.
    pub fn events(self) -> Events {
        assert!(
            self.header("content-type").starts_with("text/event-stream"),
            "expected an event stream, got status {} and {:?}",
            self.status,
            self.headers
        );
        Events::new(self.body, self.patience)
    }

    /// The answer to a request, whether it came as plain JSON or in an event stream, which
    /// has to end with the answer: only then is the connection free for the next request.
    pub async fn reply(self) -> Reply {
        if !self.header("content-type").starts_with("text/event-stream") {
            return Reply::new(self.json().await);
        }
        let mut events = self.events();
        let mut message = events.next_message().await;
        while message.get("method").is_some() {
            message = events.next_message().await;
        }
        while events.next().await.is_some() {}
        Reply::new(message)
    }
}
