//! The door to the network: takes connections up to a limit, gives each only so long, and lets go
//! of all of them in the end.

use std::sync::Arc;
use std::time::Duration;

use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::half_closed::{Busy, LateEnd, while_answering};

/// A client has this long to send its headers, and the next ones on a connection it keeps.
const HEADERS: Duration = Duration::from_secs(30);
/// Connections at once, where the system has files enough.
const MOST_CONNECTIONS: usize = 2048;
/// Files that the server itself needs.
const FILES_FOR_OURSELVES: usize = 64;
/// After running out of files, the system gets a moment.
const PAUSE: Duration = Duration::from_millis(100);
/// A log line says it once in so long, however many are refused.
const SAY_EVERY: Duration = Duration::from_secs(10);

const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\n\
    Content-Type: text/plain\r\nContent-Length: 47\r\n\r\nas many clients are connected as can be served\n";

/// How many connections the limit of open files leaves room for.
pub(super) fn most_connections() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        if let Some(files) = getrlimit(Resource::Nofile).current {
            let files = usize::try_from(files).unwrap_or(usize::MAX);
            // Each call may open a few files of its own.
            return (files.saturating_sub(FILES_FOR_OURSELVES) / 2).clamp(4, MOST_CONNECTIONS);
        }
    }
    MOST_CONNECTIONS
}

/// Takes connections until `stop`, then waits for those that are open to end.
pub(super) async fn run(
    listener: TcpListener,
    router: Router,
    most: usize,
    stop: CancellationToken,
) {
    let room = Arc::new(Semaphore::new(most));
    let open = TaskTracker::new();
    let mut last_said: Option<tokio::time::Instant> = None;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                if last_said.is_none_or(|it| it.elapsed() >= SAY_EVERY) {
                    tracing::warn!("a connection could not be taken: {error}");
                    last_said = Some(tokio::time::Instant::now());
                }
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        if let Ok(place) = room.clone().try_acquire_owned() {
            open.spawn(serve(stream, router.clone(), place, stop.clone()));
            continue;
        }
        if last_said.is_none_or(|it| it.elapsed() >= SAY_EVERY) {
            tracing::warn!("{most} clients are connected, and one more was refused");
            last_said = Some(tokio::time::Instant::now());
        }
        open.spawn(refuse(stream));
    }
    open.close();
    open.wait().await;
}

async fn refuse(mut stream: TcpStream) {
    // A client that does not listen is let go.
    let said = tokio::time::timeout(Duration::from_secs(1), async {
        stream.write_all(FULL).await?;
        stream.shutdown().await
    });
    drop(said.await);
}

async fn serve(
    stream: TcpStream,
    router: Router,
    _place: OwnedSemaphorePermit,
    stop: CancellationToken,
) {
    // Without this, small answers wait for the client's acknowledgement of the one before.
    drop(stream.set_nodelay(true));
    let busy = Busy::default();
    let stream = TokioIo::new(LateEnd::new(stream, busy.clone()));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    let router = router.layer(middleware::from_fn_with_state(busy, while_answering));
    let connection = builder.serve_connection(stream, TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => log(ended),
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            log(connection.await);
        }
    }
}

fn log(ended: hyper::Result<()>) {
    if let Err(error) = ended {
        tracing::debug!("a connection ended early: {error}");
    }
}
