//! A server of a few tools, driven over an in-memory wire.

mod answers;
mod arguments;
mod calls;
mod pages;
mod selecting;

use plumbline_tests::Client;

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
    Client::on(crate::transport::in_memory(server))
}

#[tokio::test]
async fn what_makes_the_first_call_sooner_is_done_behind_the_handshake() {
    static READY: tokio::sync::Notify = tokio::sync::Notify::const_new();
    let server = probe().prepared_by(|| READY.notify_one());
    let _client = connect(server).await;
    let waited = tokio::time::timeout(std::time::Duration::from_secs(20), READY.notified()).await;
    assert!(waited.is_ok(), "nothing was prepared");
}
