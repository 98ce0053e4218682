//! A client that closes its side after the request: it may still wait for the answer, or be gone.
//!
//! Both look the same from here until something is written. So the end of input is held back for a
//! while as long as an answer is under way; a client that has gone costs that much work and no more.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// How long a client that has closed its side is taken to wait for its answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many answers are under way on a connection.
#[derive(Debug, Clone, Default)]
pub(super) struct Busy(Arc<AtomicUsize>);

/// One answer under way, until this is dropped.
struct Answering(Busy);

impl Busy {
    fn begin(&self) -> Answering {
        self.0.fetch_add(1, Ordering::Relaxed);
        Answering(self.clone())
    }

    fn is_answering(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Keeps the connection busy until the whole answer has been sent.
pub(super) async fn while_answering(
    State(busy): State<Busy>,
    request: Request,
    next: Next,
) -> Response {
    let answering = busy.begin();
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _answering = &answering;
            frame
        }))
    })
}

/// A stream whose end of input arrives late while an answer is under way.
pub(super) struct LateEnd {
    stream: TcpStream,
    busy: Busy,
    /// Whether bytes came in and none went out since: a request that nobody has begun to answer.
    is_asked: bool,
    ended: Option<Pin<Box<Sleep>>>,
}

impl LateEnd {
    pub(super) fn new(stream: TcpStream, busy: Busy) -> Self {
        Self { stream, busy, is_asked: false, ended: None }
    }

    fn is_awaited(&self) -> bool {
        self.is_asked || self.busy.is_answering()
    }
}

impl AsyncRead for LateEnd {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ended.is_none() {
            let before = buffer.filled().len();
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
            let is_end = read.is_ok() && buffer.filled().len() == before;
            self.is_asked |= buffer.filled().len() > before;
            if !is_end || !self.is_awaited() {
                return Poll::Ready(read);
            }
            self.ended = Some(Box::pin(tokio::time::sleep(PATIENCE)));
        }
        let is_awaited = self.is_awaited();
        match &mut self.ended {
            Some(patience) if is_awaited => patience.as_mut().poll(context).map(Ok),
            _ => Poll::Ready(Ok(())),
        }
    }
}

impl AsyncWrite for LateEnd {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_asked = false;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_asked = false;
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
