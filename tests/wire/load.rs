//! A thousand HTTP clients at once: no error, no lost answer, and memory that comes back.

use std::time::Duration;

use plumbline_tests::http::{HttpServer, Session, modern_post};
use serde_json::json;
use tokio::task::JoinSet;

use crate::start;

const CLIENTS: usize = 1_000;
const CALLS: usize = 20;
const PATIENCE: Duration = Duration::from_mins(2);

/// Every client makes its calls; half of them speak each era.
async fn thousand_clients(server: &HttpServer) {
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let connection = server.connect().await.with_patience(PATIENCE);
        clients.spawn(async move {
            if client % 2 == 0 {
                let mut session = Session::open(connection, "2025-11-25", json!({})).await;
                for call in 0..CALLS {
                    let text = format!("{client}/{call}");
                    let reply = session.call_tool("echo", json!({ "text": text })).await;
                    assert_eq!(reply.structured(), &json!({ "text": text }));
                }
                let deleted = session.delete().await;
                assert!((200..300).contains(&deleted.status), "status {}", deleted.status);
            } else {
                let mut connection = connection;
                for call in 0..CALLS {
                    let text = format!("{client}/{call}");
                    let params = json!({ "name": "echo", "arguments": { "text": text } });
                    let none = json!({});
                    let response = modern_post(&mut connection, "tools/call", params, &none).await;
                    assert_eq!(response.status, 200);
                    assert_eq!(response.reply().await.structured(), &json!({ "text": text }));
                }
            }
        });
    }
    let mut finished = 0;
    while let Some(client) = clients.join_next().await {
        client.expect("a client got all its answers");
        finished += 1;
    }
    assert_eq!(finished, CLIENTS);
}

/// How often a run may follow another before memory has to have settled.
const ROUNDS: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_clients_get_every_answer_and_memory_comes_back() {
    let _machine = start::alone().await;
    let server = start::http(&[]).await;
    thousand_clients(&server).await;
    let mut seen = vec![server.process().rss_bytes()];
    // How many clients are served at the same moment differs from run to run, and the peak with
    // it. What leaks grows with every run; what does not has settled after a few.
    for _ in 0..ROUNDS {
        thousand_clients(&server).await;
        let (before, after) = (seen[seen.len() - 1], server.process().rss_bytes());
        seen.push(after);
        if after * 100 <= before * 110 {
            return;
        }
    }
    panic!("memory grew by more than a tenth with every run: {seen:?}");
}
