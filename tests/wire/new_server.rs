//! Servers for newcomers: the smallest one, and the one that docs/new-server.md makes.

use std::fs;

use plumbline_tests::{Client, Fixture, bins};
use serde_json::json;

use crate::start::NEWEST_HANDSHAKE;

#[tokio::test]
async fn the_smallest_server_introduces_itself_and_greets() {
    let project = Fixture::empty();
    let mut client = Client::spawn(&bins::example("hello"), &[], &[], project.path());
    let hello = client.initialize(NEWEST_HANDSHAKE).await;
    assert_eq!(hello["serverInfo"]["name"], "hello");
    let listed = client.request("tools/list", json!({})).await;
    let tools = listed.result()["tools"].as_array().expect("a list of tools");
    let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["greet"]);
    let reply = client.call_tool("greet", json!({ "name": "Ada" })).await;
    assert_eq!(reply.text(), "Hello, Ada!");
    client.close_stdin().await;
    assert!(client.wait_exit().await.success());
}

#[tokio::test]
async fn the_page_about_a_new_server_makes_one_that_works() {
    let elsewhere = workspace_of_one();
    let page = fs::read_to_string(bins::workspace().join("docs/new-server.md")).expect("the page");
    for (path, text) in files_of(&page) {
        elsewhere.write(path, &text);
    }
    let executable = bins::build_elsewhere(elsewhere.path(), "glossary-mcp");

    let project = Fixture::new("//- GLOSSARY.md\n# Terms\n\nDoor: the way into a directory\n");
    let mut client = Client::spawn(&executable, &[], &[], project.path());
    let hello = client.initialize(NEWEST_HANDSHAKE).await;
    assert_eq!(hello["serverInfo"]["name"], "glossary");
    let reply = client.call_tool("explain", json!({ "term": "door" })).await;
    assert_eq!(reply.text(), "the way into a directory");
    let reply = client.call_tool("explain", json!({ "term": "doors" })).await;
    assert!(reply.is_tool_error(), "{reply:?}");
    assert!(reply.text().contains("Did you mean `Door`?"), "{reply:?}");
    client.close_stdin().await;
    assert!(client.wait_exit().await.success());
}

/// A workspace with our settings, versions and core, in which the new crate is the only one.
///
/// The core is used where it lies and not copied, so that what is built of it stays valid from one
/// run to the next.
fn workspace_of_one() -> Fixture {
    let elsewhere = Fixture::empty();
    let ours = |file: &str| {
        let path = bins::workspace().join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let core = bins::workspace().join("crates/mcp-core");
    let mut manifest = ours("Cargo.toml");
    for (from, to) in [
        (r#"members = ["crates/*", "tests", "xtask"]"#, r#"members = ["crates/*"]"#.to_owned()),
        (r#"path = "crates/mcp-core""#, format!("path = {:?}", core.display().to_string())),
    ] {
        assert!(manifest.contains(from), "the workspace's manifest has no `{from}`");
        manifest = manifest.replace(from, &to);
    }
    elsewhere.write("Cargo.toml", &manifest);
    for file in ["Cargo.lock", "rust-toolchain.toml"] {
        elsewhere.write(file, &ours(file));
    }
    elsewhere
}

/// The files of the page: a line with nothing but a path in backticks, and the block of code that
/// follows it.
fn files_of(page: &str) -> Vec<(&str, String)> {
    let mut files = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let path = line.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
        let Some(path) = path.filter(|it| it.starts_with("crates/")) else { continue };
        assert_eq!(lines.next(), Some(""), "a blank line follows {path}");
        let opening = lines.next().unwrap_or_default();
        assert!(opening.starts_with("```"), "{path} is followed by its code");
        let code = lines.by_ref().take_while(|line| *line != "```");
        files.push((path, code.flat_map(|line| [line, "\n"]).collect()));
    }
    assert!(!files.is_empty(), "the page has no files");
    files
}
