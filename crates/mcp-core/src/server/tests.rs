//! A server of a few tools, driven over an in-memory wire.

mod answers;
mod calls;
mod selecting;

use plumbline_tests::Client;
use tokio_util::sync::CancellationToken;

use super::{Identity, Server};

const IDENTITY: Identity =
    Identity { name: "probe", title: "Probe", version: "0.0.1", instructions: "For tests." };

fn probe() -> Server {
    Server::new(IDENTITY)
}

/// Serves `server` and opens the connection as a client of the old era.
async fn connect(server: Server) -> Client {
    let mut client = wire(server);
    client.initialize("2025-11-25").await;
    client
}

fn wire(server: Server) -> Client {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    let stop = CancellationToken::new();
    tokio::spawn(crate::transport::serve_over(server, Box::new(input), Box::new(output), stop));
    let (read, write) = tokio::io::split(ours);
    Client::over(read, write)
}
