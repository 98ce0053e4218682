//! A server of a few tools, driven over an in-memory wire.

mod answers;
mod arguments;
mod calls;
mod pages;
mod selecting;

use plumbline_tests::Client;
use serde_json::json;

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
async fn what_makes_the_first_call_sooner_is_done_once_behind_the_handshake() {
    for modern in [false, true] {
        let (sender, mut done) = tokio::sync::mpsc::unbounded_channel();
        let server = probe().prepared_by(move || sender.send(()).unwrap());
        let _client = if modern {
            let mut client = wire(server);
            for _ in 0..2 {
                client.modern_request("server/discover", json!({})).await;
            }
            client
        } else {
            connect(server).await
        };
        let patience = std::time::Duration::from_secs(20);
        let prepared = tokio::time::timeout(patience, done.recv()).await;
        assert!(prepared.is_ok(), "nothing was prepared");
        assert!(done.try_recv().is_err(), "prepared twice");
    }
}
