//! Sessions of the old era: a limited number, and none that nobody uses.

use std::time::Duration;

use plumbline_tests::http::{Connection, Session};
use serde_json::{Value, json};

use super::*;
use crate::server::Identity;

const IDENTITY: Identity =
    Identity { name: "probe", title: "Probe", version: "0.0.1", instructions: "For tests." };

/// A server with other limits than the real one; returns where it listens.
async fn start(idle: Duration, most: usize) -> String {
    let settings = HttpSettings {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        sse: false,
        token: None,
        allow_hosts: Vec::new(),
        allow_origins: Vec::new(),
    };
    let listener = TcpListener::bind(settings.address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let front = Front::new(&settings, address, idle, most);
    let stop = CancellationToken::new();
    let router = router(Server::new(IDENTITY), &settings, front, &stop, stop.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    address.to_string()
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }})
}

#[tokio::test]
async fn one_session_too_many_is_told_to_come_back_later() {
    let address = start(SESSION_IDLE, 2).await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let connection = Connection::open(&address).await;
        sessions.push(Session::open(connection, "2025-11-25", json!({})).await);
    }
    let mut connection = Connection::open(&address).await;
    let refused = connection.post("/mcp", &[], &initialize()).await;
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), "30");
    assert_eq!(refused.json().await["error"]["code"], -32600);

    // Those that are open go on, and a closed one makes room.
    let mut first = sessions.remove(0);
    assert_eq!(first.request("tools/list", json!({})).await.result()["tools"], json!([]));
    first.delete().await;
    let mut connection = Connection::open(&address).await;
    assert_eq!(connection.post("/mcp", &[], &initialize()).await.status, 200);
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends() {
    let address = start(Duration::from_millis(100), 8).await;
    let connection = Connection::open(&address).await;
    let mut session = Session::open(connection, "2025-11-25", json!({})).await;
    session.request("tools/list", json!({})).await.result();
    let mut status = 0;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(250)).await;
        let ask = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
        status = session.post(&ask).await.status;
        if status == 404 {
            break;
        }
    }
    assert_eq!(status, 404, "the client is told to begin anew");
}
