//! A local service that speaks as the providers of language models do, and keeps what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the service does with one request.
#[derive(Debug, Clone)]
pub enum Reaction {
    Answer {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    },
    /// Promises more than it sends, then hangs up.
    BreakOff,
    /// Never answers.
    Hang,
}

impl Reaction {
    pub fn json(status: u16, body: &Value) -> Self {
        Self::Answer { status, headers: Vec::new(), body: body.to_string().into_bytes() }
    }

    pub fn bytes(status: u16, body: Vec<u8>) -> Self {
        Self::Answer { status, headers: Vec::new(), body }
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Self::Answer { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Anthropic's form of an answer in words.
    pub fn anthropic_text(text: &str, stop_reason: &str) -> Self {
        Self::anthropic(&json!([{ "type": "text", "text": text }]), stop_reason)
    }

    /// Anthropic's form of a structured answer.
    pub fn anthropic_tool(name: &str, input: &Value) -> Self {
        let block = json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": input });
        Self::anthropic(&json!([block]), "tool_use")
    }

    fn anthropic(content: &Value, stop_reason: &str) -> Self {
        let body = json!({
            "type": "message",
            "role": "assistant",
            "model": "stub-model",
            "content": content,
            "stop_reason": stop_reason,
            "usage": { "input_tokens": 11, "output_tokens": 7 },
        });
        Self::json(200, &body)
    }

    /// The form of chat completions, for words and for data alike.
    pub fn openai(content: &str, finish_reason: &str) -> Self {
        let body = json!({
            "object": "chat.completion",
            "model": "stub-model",
            "choices": [{
                "index": 0,
                "message": { "role": "assistant", "content": content },
                "finish_reason": finish_reason,
            }],
            "usage": { "prompt_tokens": 11, "completion_tokens": 7 },
        });
        Self::json(200, &body)
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// The first line and the headers, names in lower case.
    pub head: String,
    pub body: Value,
}

impl Received {
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(name).and_then(|it| it.strip_prefix(": ")))
    }
}

#[derive(Default)]
struct State {
    reactions: VecDeque<Reaction>,
    received: Vec<Received>,
}

/// Listens until it is dropped.
pub struct ModelStub {
    port: u16,
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
}

impl ModelStub {
    /// Reacts in this order; the last reaction is repeated.
    pub async fn start(reactions: impl IntoIterator<Item = Reaction>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let reactions = reactions.into_iter().collect();
        let state = Arc::new(Mutex::new(State { reactions, received: Vec::new() }));
        let shared = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Self { port, state, task }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).received.clone()
    }

    /// Everything that was sent, for a search after what must not be in it.
    pub fn received_text(&self) -> String {
        let texts: Vec<String> =
            self.received().iter().map(|it| format!("{}\n{}", it.head, it.body)).collect();
        texts.join("\n")
    }
}

impl Drop for ModelStub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let Some(received) = read(&mut stream).await else { return };
    let reaction = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.received.push(received);
        match state.reactions.len() {
            0 => Reaction::Hang,
            1 => state.reactions[0].clone(),
            _ => state.reactions.pop_front().unwrap_or(Reaction::Hang),
        }
    };
    let sent = match reaction {
        Reaction::Hang => std::future::pending().await,
        Reaction::BreakOff => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{\"content\":").await
        }
        Reaction::Answer { status, headers, body } => {
            let mut head = vec![
                format!("HTTP/1.1 {status} Stub"),
                "connection: close".to_owned(),
                format!("content-length: {}", body.len()),
            ];
            head.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
            let mut bytes = (head.join("\r\n") + "\r\n\r\n").into_bytes();
            bytes.extend(body);
            stream.write_all(&bytes).await
        }
    };
    // A client that has read enough may hang up first.
    sent.ok();
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let count = stream.read(&mut buffer).await.ok().filter(|it| *it > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
        let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok())
            .unwrap_or(0);
        let body = &bytes[end + 4..];
        if body.len() >= length {
            let body = serde_json::from_slice(body).unwrap_or_default();
            return Some(Received { head, body });
        }
    }
}
