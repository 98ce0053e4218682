//! From a server to a running process: the runtime, the signals, the exit.
//!
//! Nothing here is generic, so the service loop is compiled once for all binaries.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::http::{self, HttpSettings};
use super::stdio;
use super::stream::serve_over;
use crate::console::note;
use crate::failure::Failure;
use crate::server::Server;

/// From a signal to the end of the process, whatever is still running.
const SHUTDOWN: Duration = Duration::from_millis(1800);

/// A call blocks one thread at most, and as many calls run as there are slots. These are for what
/// the system's own look-ups need, and for threads that have not noticed yet that they are idle.
const SPARE_THREADS: usize = 8;

/// Where clients connect.
pub enum Endpoint {
    /// One client, which started us, on standard input and output.
    Stdio,
    /// Any number of clients, over the network.
    Http(HttpSettings),
}

/// Serves until the client or a signal ends it.
pub fn serve(server: Server, endpoint: Endpoint) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers(&endpoint))
        .max_blocking_threads(server.call_limits().running + SPARE_THREADS)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Failure::INTERNAL, format!("no runtime: {error}")))?;
    let outcome = runtime.block_on(run(server, endpoint));
    // Nothing that was started for a call goes on without us.
    crate::program::end_all();
    // Work that is stuck, or a thread waiting for input, must not keep the process.
    runtime.shutdown_background();
    outcome
}

/// Calls that block get threads of their own, so few workers are enough: for one client one that
/// reads and one that answers.
fn workers(endpoint: &Endpoint) -> usize {
    match endpoint {
        Endpoint::Stdio => 2,
        Endpoint::Http(_) => {
            std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4))
        }
    }
}

async fn run(server: Server, endpoint: Endpoint) -> Result<(), Failure> {
    let stop = CancellationToken::new();
    let _signals = tokio::spawn(cancel_on_signal(stop.clone()));
    let serving = async {
        match endpoint {
            Endpoint::Stdio => {
                let (input, output) = stdio::open();
                serve_over(server, input, output, stop.clone()).await;
                Ok(())
            }
            Endpoint::Http(settings) => {
                let sse = settings.sse;
                let ready = |address| {
                    // Said whatever the log level is: with port 0 there is no other way to know.
                    note(&format!("serving on http://{address}/mcp"));
                    if sse {
                        note(&format!("serving on http://{address}/sse"));
                    }
                };
                // Nobody waits yet, and clients may come together.
                server.use_the_quiet();
                http::serve(server, settings, stop.clone(), ready).await
            }
        }
    };
    let out_of_time = async {
        stop.cancelled().await;
        tokio::time::sleep(SHUTDOWN).await;
    };
    tokio::select! {
        outcome = serving => outcome,
        () = out_of_time => Ok(()),
    }
}

async fn cancel_on_signal(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] = kinds.map(signal) else {
            return;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    stop.cancel();
}
