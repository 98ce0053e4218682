//! The harness itself: a test that waits forever or loses a message would prove nothing.

use std::path::Path;
use std::time::Duration;

use plumbline_tests::http::{Connection, Event};
use plumbline_tests::{Client, Fixture, normalise};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::net::TcpListener;

use crate::runtimes;

/// A client, and the other end of its pipe for the test to play the server on.
fn pair() -> (Client, BufReader<DuplexStream>, DuplexStream) {
    let (client_reads, server_writes) = tokio::io::duplex(1024);
    let (server_reads, client_writes) = tokio::io::duplex(1024);
    (Client::over(client_reads, client_writes), BufReader::new(server_reads), server_writes)
}

async fn received(server: &mut BufReader<DuplexStream>) -> Value {
    let mut line = String::new();
    server.read_line(&mut line).await.expect("the pipe is open");
    serde_json::from_str(&line).expect("the client sends JSON")
}

async fn say(server: &mut DuplexStream, message: Value) {
    server.write_all(format!("{message}\n").as_bytes()).await.expect("the pipe is open");
}

/// The message of the panic that a future ends in.
async fn failure(work: impl Future<Output = ()> + Send + 'static) -> String {
    let error = tokio::spawn(work).await.expect_err("the harness should have failed");
    let panic = error.into_panic();
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[tokio::test]
async fn messages_out_of_order_are_kept() {
    let (mut client, _reads, mut writes) = pair();
    let first = client.send_request("a", Value::Null).await;
    let second = client.send_request("b", Value::Null).await;
    say(&mut writes, json!({ "jsonrpc": "2.0", "method": "notifications/x" })).await;
    say(&mut writes, json!({ "jsonrpc": "2.0", "id": "s1", "method": "elicitation/create" })).await;
    say(&mut writes, json!({ "jsonrpc": "2.0", "id": second, "result": "two" })).await;
    say(&mut writes, json!({ "jsonrpc": "2.0", "id": first, "result": "one" })).await;
    assert_eq!(client.wait_for(first).await.result(), "one");
    assert_eq!(client.next_server_request().await["id"], "s1");
    assert_eq!(client.wait_for(second).await.result(), "two");
    assert_eq!(client.next_notification("notifications/x").await["method"], "notifications/x");
}

#[tokio::test]
async fn a_wait_that_takes_too_long_fails_and_names_what_it_waited_for() {
    let said = failure(async {
        let (client, _reads, _writes) = pair();
        let mut client = client.with_patience(Duration::from_millis(20));
        client.request("tools/list", json!({})).await;
    })
    .await;
    assert!(said.contains("the answer to request 1"), "{said}");
}

#[tokio::test]
async fn a_line_that_is_not_json_fails_and_shows_the_log() {
    let said = failure(async {
        let project = Fixture::empty();
        let script = "echo 'a log line' >&2; sleep 0.2; echo 'Listening...'; sleep 5";
        let mut client = Client::spawn(Path::new("sh"), &["-c", script], &[], project.path());
        client.next_message().await;
    })
    .await;
    assert!(said.contains("Listening...") && said.contains("a log line"), "{said}");
}

#[tokio::test]
async fn a_server_that_ends_fails_the_wait() {
    let said = failure(async {
        let (mut client, _reads, writes) = pair();
        drop(writes);
        client.next_message().await;
    })
    .await;
    assert!(said.contains("closed its output"), "{said}");
}

#[tokio::test]
async fn a_server_that_does_not_read_is_noticed() {
    let (mut client, _reads, _writes) = pair();
    let bytes = vec![b'x'; 5000];
    assert_eq!(client.offer(&bytes, Duration::from_millis(50)).await, 1024);
}

#[tokio::test]
async fn the_stateless_request_carries_what_the_era_requires() {
    let (client, mut reads, mut writes) = pair();
    let mut client = client.declaring(json!({ "elicitation": {} }));
    let asking = tokio::spawn(async move { client.call_tool_modern("echo", json!({})).await });
    let request = received(&mut reads).await;
    let meta = &request["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({ "elicitation": {} }));
    assert!(meta["io.modelcontextprotocol/clientInfo"]["name"].is_string());
    assert_eq!(request["params"]["name"], "echo");
    say(&mut writes, json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": [] } })).await;
    assert_eq!(asking.await.expect("the call is answered").text(), "");
}

#[tokio::test]
async fn a_process_is_watched_signalled_and_waited_for() {
    let project = Fixture::empty();
    let script = "trap 'exit 7' TERM; echo '{\"jsonrpc\":\"2.0\",\"method\":\"up\"}'; while :; do sleep 0.05; done";
    let mut client = Client::spawn(Path::new("sh"), &["-c", script], &[], project.path());
    client.next_notification("up").await;
    assert!(
        client.rss_bytes() > 100_000 && client.process().peak_rss_bytes() >= client.rss_bytes()
    );
    client.signal("TERM");
    assert_eq!(client.wait_exit().await.code(), Some(7));
}

#[tokio::test]
async fn an_event_stream_is_read_event_by_event() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let authority = listener.local_addr().expect("the port is known").to_string();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client comes");
        let mut request = vec![0; 4096];
        let length = stream.read(&mut request).await.expect("the client asks");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        let stream_text = "event: endpoint\ndata: /messages?a=1\n\n: keep-alive\r\n\r\n\
                           id: 7\ndata: {\"jsonrpc\":\ndata: \"2.0\"}\n\n";
        // Events are cut where the network likes to cut them.
        for piece in [head, &stream_text[..20], &stream_text[20..50], &stream_text[50..]] {
            stream.write_all(piece.as_bytes()).await.expect("the client reads");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let mut connection = Connection::open(&authority).await;
    let response = connection.send("GET", "/sse", &[("x-test", "1")], "").await;
    let mut events = response.events();
    let endpoint =
        Event { id: None, name: "endpoint".to_owned(), data: "/messages?a=1".to_owned() };
    assert_eq!(events.next().await, Some(endpoint));
    assert_eq!(events.next_message().await, json!({ "jsonrpc": "2.0" }));
    assert_eq!(events.next().await, None);
    let request = serving.await.expect("the server served");
    assert!(request.contains(&format!("host: {authority}")), "{request}");
    assert!(request.contains("x-test: 1"), "{request}");
}

#[test]
fn a_fixture_holds_the_files_of_its_text() {
    let fixture = Fixture::new("//- a.md\n# A\n\n//- deep/er/b.txt\nno line break");
    let files: Vec<(String, String)> = fixture.files().into_iter().collect();
    let expected = [("a.md", "# A\n\n"), ("deep/er/b.txt", "no line break")];
    assert_eq!(files, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    assert_eq!(fixture.read("a.md"), "# A\n\n");
    assert!(fixture.has("deep/er") && !fixture.has("b.txt"));
}

#[test]
fn what_differs_between_runs_is_replaced() {
    let text = "/tmp/x/a.md 01J9ZK3V7Q4W8R2T5Y6M1N0BCD 2026-11-16T09:00:00.123Z \
                123e4567-e89b-12d3-a456-426614174000 01J9ZK3V7Q4W8R2T5Y6M1N0BCD \
                2026-11-16T09:00:00+02:00 2026-11-16 v1.2.3";
    let expected = "<root>/a.md <id-1> <time> <id-2> <id-1> <time> 2026-11-16 v1.2.3";
    assert_eq!(normalise(text, Path::new("/tmp/x")), expected);
}

#[tokio::test]
async fn a_broken_diagram_is_refused() {
    let Some(mermaid) = runtimes::mermaid() else { return };
    let verdicts = mermaid
        .verdicts(&json!({ "good": "graph TD\n  a --> b", "broken": "graph TD\n  a -->" }))
        .await;
    assert_eq!(verdicts["good"], Value::Null);
    assert!(verdicts["broken"].as_str().unwrap().contains("Parse error"), "{verdicts}");
}

#[tokio::test]
async fn a_page_is_seen_as_its_script_makes_it() {
    let Some(browser) = runtimes::browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(
        &page,
        "<p>before</p><script>document.querySelector('p').textContent = 'after'</script>",
    )
    .unwrap();
    let seen = browser.look(&page, "return page.textContent('p');").await;
    assert_eq!(seen, "after");
}

#[tokio::test]
async fn a_page_that_asks_the_network_is_found_out() {
    let Some(browser) = runtimes::browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, "<img src='http://127.0.0.1:9/x.png'>").unwrap();
    let look = async move { drop(browser.look(&page, "return null;").await) };
    assert!(failure(look).await.contains("127.0.0.1:9/x.png"));
}
