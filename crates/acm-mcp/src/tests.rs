//! The server as a client sees it: files in, answers over an in-memory wire out.

mod arguments;
mod assets;
mod capability;
mod document;
mod faults;
mod guidance;
mod install;
mod knowledge;
mod project;
mod resource;
mod roots;
mod skill;
mod surface;
mod transition;

use mcp_core::sandbox::State;
use mcp_core::transport::in_memory;
use plumbline_tests::{Client, Fixture, Reply};
use serde_json::Value;

use crate::server::assemble;
use crate::store::surroundings::Surroundings;

/// A machine without ACM, on which the fixture is the project and the working directory.
fn bare(fixture: &Fixture) -> Surroundings {
    Surroundings {
        process_root: None,
        registry_root: None,
        home: Some(fixture.path().join("home")),
        working_directory: fixture.path().to_owned(),
        project_roots: vec![fixture.path().to_owned()],
        confined: false,
        state: State::at(fixture.path().join("home/state")),
    }
}

/// The fixture is the process tree, the registry and the project.
fn everything(fixture: &Fixture) -> Surroundings {
    let root = Some(fixture.path_text().to_owned());
    Surroundings { process_root: root.clone(), registry_root: root, ..bare(fixture) }
}

async fn connect(surroundings: Surroundings) -> Client {
    let mut client = Client::on(in_memory(assemble(surroundings)));
    client.initialize("2025-11-25").await;
    client
}

async fn ask(surroundings: Surroundings, tool: &str, arguments: Value) -> Reply {
    connect(surroundings).await.call_tool(tool, arguments).await
}

/// The answer of a call that must succeed.
async fn told(surroundings: Surroundings, tool: &str, arguments: Value) -> String {
    let reply = ask(surroundings, tool, arguments).await;
    assert!(!reply.is_tool_error(), "{}", reply.text());
    reply.text()
}

/// The answer of a call that must fail, and may not show what is inside.
async fn refused(surroundings: Surroundings, tool: &str, arguments: Value) -> String {
    let reply = ask(surroundings, tool, arguments).await;
    let text = reply.text();
    assert!(reply.is_tool_error(), "{text}");
    for leak in ["os error", "panicked", "RUST_BACKTRACE", "expected value", "Os {", "invalid type"]
    {
        assert!(!text.contains(leak), "{leak} in {text}");
    }
    text
}

#[cfg(unix)]
fn link(fixture: &Fixture, target: &str, name: &str) {
    #[expect(clippy::disallowed_methods, reason = "the test lays a trap for the sandbox")]
    std::os::unix::fs::symlink(target, fixture.path().join(name)).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the fixture only writes text")]
fn write_bytes(fixture: &Fixture, name: &str, bytes: &[u8]) {
    std::fs::write(fixture.path().join(name), bytes).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the fixture only writes files")]
fn make_directory(fixture: &Fixture, name: &str) {
    std::fs::create_dir_all(fixture.path().join(name)).unwrap();
}
