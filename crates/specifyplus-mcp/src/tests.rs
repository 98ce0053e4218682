//! The server over an in-memory wire, on command files written inline.

mod builtin;
mod changes;
mod faults;
mod files;
mod prompts;
mod resources;
mod sources;
mod tools;

use std::sync::Arc;

use mcp_core::clock::Clock;
use mcp_core::server::{Changes, Server};
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};

use crate::server::{announce_changes, assemble};
use crate::store::folder::Folder;
use crate::store::library::Library;
use crate::store::project::Project;

const VERSION: &str = "2025-11-25";

/// Three commands: with input and handoffs, without input, without front matter.
const SAMPLE: &str = "\
//- plan.md
---
description: Plan a change
argument-hint: what should change
handoffs:
  - label: Review it
    agent: review
    prompt: Review the plan
    send: true
  - label: Ship it
    agent: ship
    prompt: ''
---

Plan this: $ARGUMENTS
Then ask: is `$ARGUMENTS` all?
//- review.md
---
description: Review the working tree.
---
Look at everything.
//- bare.md
# Just words

Do $ARGUMENTS.
";

fn folder(path: &std::path::Path) -> Folder {
    Folder { path: path.to_owned(), label: "commands".to_owned() }
}

fn library(project: &Fixture) -> Arc<Library> {
    Arc::new(Library::new(vec![folder(project.path())], Vec::new(), Clock::system()))
}

/// A library of a whole project: the command directory, and the folders of all agents.
fn whole(project: &Fixture) -> Arc<Library> {
    let path = project.path();
    let folder =
        Folder { path: path.join(".claude/commands"), label: ".claude/commands".to_owned() };
    let project = Project::new(path.to_owned(), String::new());
    let library = Library::new(vec![folder], Vec::new(), Clock::system());
    Arc::new(library.with_projects(vec![project]))
}

async fn connected_whole(files: &str) -> (Client, Fixture) {
    let project = Fixture::new(files);
    let server = assemble(whole(&project), Changes::default(), true);
    (connect(&server).await, project)
}

fn server(project: &Fixture) -> Server {
    assemble(library(project), Changes::default(), true)
}

/// A server that tells of changes.
fn live(library: &Arc<Library>) -> Server {
    let changes = Changes::default();
    announce_changes(library, &changes);
    assemble(library.clone(), changes, true)
}

fn wire(server: &Server) -> Client {
    Client::on(mcp_core::transport::in_memory(server.clone()))
}

async fn connect(server: &Server) -> Client {
    let mut client = wire(server);
    client.initialize(VERSION).await;
    client
}

async fn connected(files: &str) -> (Client, Fixture) {
    let project = Fixture::new(files);
    (connect(&server(&project)).await, project)
}

async fn names(client: &mut Client) -> Vec<String> {
    let listed = client.request("prompts/list", json!({})).await;
    let prompts = listed.result()["prompts"].as_array().unwrap().clone();
    prompts.iter().map(|prompt| prompt["name"].as_str().unwrap().to_owned()).collect()
}

async fn text(client: &mut Client, name: &str, arguments: Value) -> String {
    let params = json!({ "name": name, "arguments": arguments });
    let reply = client.request("prompts/get", params).await;
    let messages = reply.result()["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 1, "{reply:?}");
    assert_eq!(messages[0]["role"], "user");
    assert_eq!(messages[0]["content"]["type"], "text");
    messages[0]["content"]["text"].as_str().unwrap().to_owned()
}
