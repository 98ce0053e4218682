//! Serving: every transport, many clients, one list.

use plumbline_tests::http::{Connection, Events, HttpServer, Session, modern_post};
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{PROJECT, VERSION, executable, list, names, spawn};

const LIST_CHANGED: &str = "notifications/prompts/list_changed";

async fn serve(project: &Fixture) -> HttpServer {
    HttpServer::start_in(&executable(), &["--sse"], &[], project.path()).await
}

fn get(arguments: &Value) -> Value {
    json!({ "name": "sp.plan", "arguments": arguments })
}

fn text(result: &Value) -> &str {
    result["messages"][0]["content"]["text"].as_str().expect("a message with text")
}

/// A client of the older transport.
struct Old {
    events: Events,
    path: String,
    posting: Connection,
}

impl Old {
    async fn open(server: &HttpServer) -> Self {
        let response = server.connect().await.send("GET", "/sse", &[], "").await;
        let mut events = response.events();
        let first = events.next().await.expect("the stream begins with an event");
        let mut old = Self { events, path: first.data, posting: server.connect().await };
        let client = json!({ "name": "old", "version": "1" });
        let params =
            json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client });
        old.request(1, "initialize", &params).await;
        old.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        old
    }

    async fn post(&mut self, message: &Value) {
        let response = self.posting.post(&self.path, &[], message).await;
        assert_eq!(response.status, 202);
        response.text().await;
    }

    async fn request(&mut self, id: i64, method: &str, params: &Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.post(&request).await;
        loop {
            let message = self.events.next_message().await;
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }
}

// Verifies: PLB-d04002-E
#[tokio::test]
async fn every_transport_and_era_gives_the_same_prompts() {
    let project = Fixture::new(PROJECT);
    let mut stdio = spawn(&project, &[], &[]);
    stdio.initialize(VERSION).await;
    let expected = list(&mut stdio).await["prompts"].clone();
    assert_eq!(expected.as_array().expect("a list").len(), 2);

    let server = serve(&project).await;
    let mut session = Session::open(server.connect().await, VERSION, json!({})).await;
    let listed = session.request("prompts/list", json!({})).await;
    assert_eq!(listed.result()["prompts"], expected);
    let got = session.request("prompts/get", get(&json!({ "arguments": "é\n$ARGUMENTS" }))).await;
    assert_eq!(text(got.result()), "Plan <é\n$ARGUMENTS>.\n");

    let mut connection = server.connect().await;
    let listed = modern_post(&mut connection, "prompts/list", json!({}), &json!({})).await;
    assert_eq!(listed.reply().await.result()["prompts"], expected);
    let got = modern_post(&mut connection, "prompts/get", get(&json!({})), &json!({})).await;
    assert_eq!(text(got.reply().await.result()), "Plan <>.\n");

    let mut old = Old::open(&server).await;
    let listed = old.request(2, "prompts/list", &json!({})).await;
    assert_eq!(listed["prompts"], expected);
    let got = old.request(3, "prompts/get", &get(&json!({ "arguments": "x" }))).await;
    assert_eq!(text(&got), "Plan <x>.\n");
}

#[tokio::test]
async fn clients_that_drop_and_come_back_find_the_same_list() {
    let project = Fixture::new(PROJECT);
    let server = serve(&project).await;
    let mut lists = Vec::new();
    for _ in 0..2 {
        let mut stdio = spawn(&project, &[], &[]);
        stdio.initialize(VERSION).await;
        lists.push(list(&mut stdio).await["prompts"].clone());
        drop(stdio);
        let mut session = Session::open(server.connect().await, VERSION, json!({})).await;
        lists.push(session.request("prompts/list", json!({})).await.result()["prompts"].clone());
        drop(session);
        let mut old = Old::open(&server).await;
        lists.push(old.request(2, "prompts/list", &json!({})).await["prompts"].clone());
    }
    assert!(lists.iter().all(|it| *it == lists[0]), "{lists:?}");
}

#[tokio::test]
async fn a_change_reaches_the_clients_of_every_transport() {
    let project = Fixture::new(PROJECT);
    let server = serve(&project).await;
    let mut session = Session::open(server.connect().await, VERSION, json!({})).await;
    session.request("prompts/list", json!({})).await;
    let mut stream = session.listen().await.events();
    let mut old = Old::open(&server).await;
    let filter = json!({ "notifications": { "promptsListChanged": true } });
    let mut connection = server.connect().await;
    let mut modern =
        modern_post(&mut connection, "subscriptions/listen", filter, &json!({})).await.events();
    assert_eq!(modern.next_message().await["method"], "notifications/subscriptions/acknowledged");
    project.write(".claude/commands/new.md", "New.\n");
    for events in [&mut stream, &mut old.events, &mut modern] {
        while events.next_message().await["method"] != LIST_CHANGED {}
    }
}

// Verifies: PLB-d04002-F
#[tokio::test]
async fn many_clients_at_once_get_their_own_answers() {
    let project = Fixture::new(PROJECT);
    let server = serve(&project).await;
    let mut clients = JoinSet::new();
    for client in 0..50 {
        let mut connection = server.connect().await;
        clients.spawn(async move {
            for round in 0..20 {
                let input = format!("client {client} round {round}");
                let params = get(&json!({ "arguments": input }));
                let reply = modern_post(&mut connection, "prompts/get", params, &json!({}))
                    .await
                    .reply()
                    .await;
                assert_eq!(text(reply.result()), format!("Plan <{input}>.\n"));
            }
        });
    }
    clients.join_all().await;
}

#[tokio::test]
async fn a_thousand_gets_in_a_row_are_answered_whole_and_the_server_ends_cleanly() {
    let project = Fixture::new(PROJECT);
    let mut client: Client = spawn(&project, &[], &[]);
    client.initialize(VERSION).await;
    let mut lines = Vec::new();
    for id in 1000..2000 {
        let params = get(&json!({ "arguments": "x".repeat(id) }));
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": params });
        lines.extend(format!("{request}\n").into_bytes());
    }
    for answer in client.pipeline(&lines, 1000).await {
        let length = usize::try_from(answer["id"].as_i64().expect("an id")).expect("a length");
        assert_eq!(text(&answer["result"]).len(), length + "Plan <>.\n".len());
    }
    let listed = list(&mut client).await;
    assert_eq!(names(&listed), ["sp.plan", "sp.tasks"]);
    client.close_stdin().await;
    assert_eq!(client.wait_exit().await.code(), Some(0));
}
