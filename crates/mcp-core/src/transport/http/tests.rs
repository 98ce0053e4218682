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
    let settings = HttpSettings::default();
    let listener = TcpListener::bind(settings.address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let front = Front::new(&settings, address, idle, most);
    let stop = CancellationToken::new();
    let router = router(Server::new(IDENTITY), &settings, front, &stop, stop.clone());
    tokio::spawn(listen::run(listener, router, 64, stop));
    address.to_string()
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }})
}

async fn open(address: &str) -> Session {
    let connection = Connection::open(address).await;
    Session::open(connection, "2025-11-25", json!({})).await
}

async fn is_alive(session: &mut Session) -> bool {
    let ask = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    let response = session.post(&ask).await;
    let status = response.status;
    // A connection can be used again once the answer is read.
    response.text().await;
    status == 200
}

#[tokio::test]
async fn one_session_too_many_takes_the_place_of_the_one_least_used() {
    let address = start(SESSION_IDLE, 3).await;
    let mut used = open(&address).await;
    assert!(is_alive(&mut used).await);
    let mut unused = open(&address).await;
    let mut recent = open(&address).await;
    assert!(is_alive(&mut recent).await);
    let mut newest = open(&address).await;
    assert!(is_alive(&mut newest).await);
    assert!(!is_alive(&mut unused).await, "never used since it was opened");
    assert!(is_alive(&mut recent).await && is_alive(&mut used).await);
    let _another = open(&address).await;
    assert!(!is_alive(&mut newest).await, "used the longest time ago");
    assert!(is_alive(&mut recent).await && is_alive(&mut used).await);
}

#[tokio::test]
async fn a_session_with_a_stream_open_is_never_the_one_to_go() {
    let address = start(SESSION_IDLE, 1).await;
    let mut busy = open(&address).await;
    let _stream = busy.listen().await;
    let mut connection = Connection::open(&address).await;
    let refused = connection.post("/mcp", &[], &initialize()).await;
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), "30");
    assert_eq!(refused.json().await["error"]["code"], -32600);
}

#[tokio::test]
async fn one_connection_too_many_is_refused_and_those_before_it_are_served() {
    use tokio::io::AsyncReadExt as _;
    let settings = HttpSettings::default();
    let listener = TcpListener::bind(settings.address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let front = Front::new(&settings, address, SESSION_IDLE, 8);
    let stop = CancellationToken::new();
    let router = router(Server::new(IDENTITY), &settings, front, &stop, stop.clone());
    tokio::spawn(listen::run(listener, router, 2, stop));
    let address = address.to_string();
    let mut first = Connection::open(&address).await;
    assert_eq!(first.send("GET", "/healthz", &[], "").await.status, 200);
    let _second = tokio::net::TcpStream::connect(&address).await.unwrap();
    let mut answer = String::new();
    for _ in 0..100 {
        let mut third = tokio::net::TcpStream::connect(&address).await.unwrap();
        answer.clear();
        drop(
            tokio::time::timeout(Duration::from_millis(200), third.read_to_string(&mut answer))
                .await,
        );
        if !answer.is_empty() {
            break;
        }
    }
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.ends_with("as many clients are connected as can be served\n"), "{answer}");
    assert_eq!(first.send("GET", "/healthz", &[], "").await.status, 200);
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
