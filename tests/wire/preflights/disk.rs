//! No room left: a small file system of its own, where mounting one is allowed.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use plumbline_tests::{Client, Fixture, bins};
use serde_json::json;

use super::{BINARY, TOOL};
use crate::start::NEWEST_HANDSHAKE;

/// A mounted file system of a few pages, gone when dropped.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(at: &'a Path) -> Option<Self> {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=160k,mode=755", "plumbline-test"]).arg(at);
        match command.output() {
            Ok(output) if output.status.success() => Some(Self(at)),
            _ => None,
        }
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        // Lazily, because the server may still stand in it.
        Command::new("umount").arg("--lazy").arg(self.0).status().ok();
    }
}

#[tokio::test]
async fn a_full_disk_leaves_everything_as_it_was_and_the_session_goes_on_when_there_is_room() {
    let fixture = Fixture::empty();
    let Some(_disk) = SmallDisk::mount(fixture.path()) else {
        eprintln!("notice: no file system may be mounted here; the full disk is not tried");
        return;
    };
    fixture.write(".git/HEAD", "ref: refs/heads/main\n");
    let mut client = Client::spawn(&bins::server(BINARY), &[], &[], fixture.path());
    client.initialize(NEWEST_HANDSHAKE).await;
    let asked = client.call_tool(TOOL, json!({ "user_intention": "Add authentication" })).await;
    let session = asked.structured()["session_id"].clone();
    fill(&fixture);
    let before = fixture.files();
    let answers = json!({ "auth_strategy": "OAuth", "auth_library": "custom" });
    let arguments = json!({ "user_intention": "", "session_id": session, "answers": answers });
    let refused = client.call_tool(TOOL, arguments).await;
    assert!(refused.is_tool_error(), "{}", refused.text());
    let envelope: serde_json::Value = serde_json::from_str(&refused.text()).expect("an envelope");
    assert_eq!(envelope["error"]["code"], "FILESYSTEM_ERROR", "{envelope}");
    assert!(envelope["error"]["recovery_hint"].as_str().is_some_and(|it| it.contains("room")));
    assert_eq!(fixture.files(), before);
    fs::remove_file(fixture.path().join("ballast")).expect("the ballast can go");
    let arguments = json!({ "user_intention": "", "session_id": session, "answers": {} });
    let done = client.call_tool(TOOL, arguments).await;
    assert_eq!(done.structured()["status"], "completed", "{}", done.text());
    assert!(fixture.has("docs/CURRENT_TASK.md") && fixture.has("docs/ARCHITECTURE_STATE.md"));
}

/// Writes until nothing more fits.
fn fill(fixture: &Fixture) {
    use std::io::Write as _;
    let mut file = fs::File::create(fixture.path().join("ballast")).expect("a file");
    while file.write_all(&[b'.'; 512]).is_ok() {}
}
