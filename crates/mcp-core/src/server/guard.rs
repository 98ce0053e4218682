//! One call, one answer: a panic, a deadline or a cancellation ends a call, never the connection.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use rmcp::model::ProgressNotificationParam;
use tokio::time::Instant;

use super::call::{Call, Halt, Watch};
use crate::failure::Failure;

/// Runs `work` to its end, or to the end of its time.
///
/// The future is polled here and not on a task of its own: rmcp finds the stream that a question to
/// the client belongs to through the task. When it is dropped, so is everything it awaits.
pub(super) async fn run<T>(
    watch: Watch,
    timeout: Duration,
    what: &str,
    work: impl Future<Output = Result<T, Halt>>,
) -> Result<T, Halt> {
    let Watch { call, mut progress } = watch;
    let mut work = std::pin::pin!(AssertUnwindSafe(work).catch_unwind());
    let mut deadline = Instant::now() + timeout;
    let mut accounted = Duration::ZERO;
    let outcome = loop {
        tokio::select! {
            biased;
            outcome = &mut work => break outcome,
            Some(update) = progress.recv() => notify(&call, update).await,
            () = call.cancelled() => {
                return Err(Failure::new(Failure::CANCELLED, format!("{what} was cancelled")).into());
            }
            () = tokio::time::sleep_until(deadline) => {
                let waited = call.time_waited();
                if call.is_waiting_for_client() {
                    deadline = Instant::now() + timeout;
                } else if waited > accounted {
                    deadline += waited.saturating_sub(accounted);
                    accounted = waited;
                } else {
                    // Blocking work looks at this and stops.
                    call.cancel();
                    return Err(timed_out(what, timeout).into());
                }
            }
        }
    };
    while let Ok(update) = progress.try_recv() {
        notify(&call, update).await;
    }
    outcome.unwrap_or_else(|panic| Err(panicked(what, panic.as_ref()).into()))
}

async fn notify(call: &Call, update: ProgressNotificationParam) {
    if let Some(request) = call.request() {
        // A client that is gone needs no progress.
        drop(request.peer.notify_progress(update).await);
    }
}

fn timed_out(what: &str, timeout: Duration) -> Failure {
    let message = format!("{what} was stopped after {} s", timeout.as_secs_f32());
    Failure::new(Failure::TIMED_OUT, message)
        .hint("Ask for less at a time, or start the server with a larger --call-timeout.")
}

fn panicked(what: &str, panic: &(dyn std::any::Any + Send)) -> Failure {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let words = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let incident = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    tracing::error!(incident, panic = %crate::text::one_line(words), "{what} failed by a bug");
    Failure::new(Failure::INTERNAL, format!("{what} failed by a bug of ours (incident {incident})"))
        .hint("The server goes on. Its log on stderr has the details under that incident number.")
}
