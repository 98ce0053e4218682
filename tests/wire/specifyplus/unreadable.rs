//! Files that the server's user may not read. Root may read everything, so the server is run as
//! somebody else where the tests are run by root.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Stdio;

use plumbline_tests::{Client, Fixture};
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use super::{PROJECT, VERSION, executable, list, names};

/// Nobody, on every system we know.
const SOMEBODY_ELSE: u32 = 65_534;

fn allow(path: &Path, mode: u32) {
    set_permissions(path, Permissions::from_mode(mode)).expect("permissions can be set");
}

#[tokio::test]
async fn a_file_that_may_not_be_read_is_skipped_until_it_may() {
    let project = Fixture::new(PROJECT);
    project.write(".claude/commands/secret.md", "Secret.\n");
    let secret = project.path().join(".claude/commands/secret.md");
    // The one who serves needs a way to the project and to the executable.
    allow(project.path(), 0o755);
    let program = project.path().join("server");
    // Not by this process: another test may start a program meanwhile, which would inherit the
    // open copy, and a program that is open for writing cannot be run.
    let copied = std::process::Command::new("cp").arg(executable()).arg(&program).status();
    assert!(copied.expect("cp can be started").success());
    allow(&program, 0o755);
    allow(&secret, 0o000);
    let mut command = tokio::process::Command::new(&program);
    command.current_dir(project.path()).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let owner = project.path().metadata().expect("the project is there").uid();
    if owner == 0 {
        command.uid(SOMEBODY_ELSE).gid(SOMEBODY_ELSE);
    }
    let mut child = command.spawn().expect("the server can be started");
    let (read, write) = (child.stdout.take().expect("piped"), child.stdin.take().expect("piped"));
    let mut client = Client::over(read, write);
    client.initialize(VERSION).await;
    for _ in 0..3 {
        assert_eq!(names(&list(&mut client).await), ["sp.plan", "sp.tasks"]);
    }
    let refused = client.request("prompts/get", json!({ "name": "secret" })).await;
    assert_eq!(refused.code(), -32602);
    assert!(refused.error_text().contains("cannot be read"), "{}", refused.error_text());
    allow(&secret, 0o644);
    assert_eq!(names(&list(&mut client).await), ["secret", "sp.plan", "sp.tasks"]);
    allow(&secret, 0o000);
    assert_eq!(names(&list(&mut client).await), ["sp.plan", "sp.tasks"]);
    // The directory itself.
    let directory = project.path().join(".claude/commands");
    allow(&directory, 0o000);
    assert_eq!(list(&mut client).await["prompts"], json!([]));
    allow(&directory, 0o755);
    assert_eq!(names(&list(&mut client).await), ["sp.plan", "sp.tasks"]);
    client.close_stdin().await;
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("piped");
    stderr.read_to_string(&mut said).await.expect("stderr is text");
    assert!(child.wait().await.expect("it ends").success());
    let skipped = said.matches("secret.md:1 is skipped: it cannot be read").count();
    assert!((2..=3).contains(&skipped), "once each time it became unreadable:\n{said}");
    assert_eq!(said.matches("no commands are served from .claude/commands").count(), 1, "{said}");
}
