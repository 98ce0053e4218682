//! Files change while clients are connected: the next request sees it, and every client hears of it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mcp_core::clock::Clock;
use plumbline_tests::{Client, Fixture};
use serde_json::json;

use super::{connect, folder, library, live, names, server, text, wire};
use crate::store::library::Library;

const LIST_CHANGED: &str = "notifications/prompts/list_changed";

type Change = fn(&Path);

/// What editors do: a new file takes the place of the old one.
fn save_atomically(directory: &Path, name: &str, content: &str) {
    let staged = directory.join(format!(".{name}.swp"));
    fs::write(&staged, content).unwrap();
    fs::rename(staged, directory.join(name)).unwrap();
}

// Verifies: PLB-d04002-D
#[tokio::test]
async fn the_next_request_sees_every_kind_of_change() {
    let project = Fixture::new("//- a.md\none\n//- b.md\nb\n");
    let directory = project.path();
    // No watcher here: what a request sees never depends on one.
    let mut client = connect(&server(&project)).await;
    assert_eq!(text(&mut client, "a", json!({})).await, "one\n");
    // Same length, right away: neither size nor a coarse clock would show it.
    for round in ["two\n", "six\n", "ten\n"] {
        project.write("a.md", round);
        assert_eq!(text(&mut client, "a", json!({})).await, round);
    }
    save_atomically(directory, "a.md", "new\n");
    assert_eq!(text(&mut client, "a", json!({})).await, "new\n");
    project.write("c.md", "c\n");
    assert_eq!(text(&mut client, "c", json!({})).await, "c\n");
    assert_eq!(names(&mut client).await, ["a", "b", "c"]);
    fs::rename(directory.join("b.md"), directory.join("d.md")).unwrap();
    assert_eq!(names(&mut client).await, ["a", "c", "d"]);
    let gone = client.request("prompts/get", json!({ "name": "b" })).await;
    assert_eq!(gone.code(), -32602);
    project.write("c.md", "---\nbroken: [\n---\n");
    assert_eq!(names(&mut client).await, ["a", "d"]);
    let broken = client.request("prompts/get", json!({ "name": "c" })).await;
    assert!(broken.error_text().contains("c.md:"), "{}", broken.error_text());
    project.write("c.md", "repaired\n");
    assert_eq!(text(&mut client, "c", json!({})).await, "repaired\n");
    fs::remove_file(directory.join("a.md")).unwrap();
    assert_eq!(names(&mut client).await, ["c", "d"]);
}

#[tokio::test]
async fn a_directory_that_goes_away_serves_nothing_until_it_is_back() {
    let project = Fixture::new("//- commands/a.md\nold\n");
    let path = project.path().join("commands");
    let library = Arc::new(Library::new(vec![folder(&path)], Vec::new(), Clock::system()));
    let mut client = connect(&crate::server::assemble(
        library.clone(),
        mcp_core::server::Changes::default(),
        false,
    ))
    .await;
    assert_eq!(text(&mut client, "a", json!({})).await, "old\n");
    fs::rename(&path, project.path().join("aside")).unwrap();
    assert_eq!(client.request("prompts/get", json!({ "name": "a" })).await.code(), -32602);
    assert_eq!(names(&mut client).await, [""; 0]);
    assert_eq!(library.refresh().problems.len(), 1, "one warning for the directory");
    fs::write(&path, "a file in its place").unwrap();
    assert_eq!(names(&mut client).await, [""; 0]);
    fs::remove_file(&path).unwrap();
    project.write("commands/a.md", "new\n");
    assert_eq!(text(&mut client, "a", json!({})).await, "new\n");
    assert_eq!(names(&mut client).await, ["a"]);
    assert_eq!(library.refresh().problems.len(), 1, "the missing description alone");
}

#[tokio::test]
async fn each_change_of_the_list_is_announced() {
    let project =
        Fixture::new("//- commands/a.md\n---\ndescription: one\n---\n//- commands/z.md\nz\n");
    let path = project.path().join("commands");
    let library = Arc::new(Library::new(vec![folder(&path)], Vec::new(), Clock::system()));
    let mut client = connect(&live(&library)).await;
    assert_eq!(names(&mut client).await, ["a", "z"]);
    // No step takes back what another did: two that are seen as one are still a change.
    let steps: [(&str, Change); 8] = [
        ("an edit in place", |it| {
            fs::write(it.join("a.md"), "---\ndescription: two\n---\n").unwrap();
        }),
        ("an atomic save", |it| save_atomically(it, "a.md", "---\ndescription: three\n---\n")),
        ("a new file", |it| fs::write(it.join("b.md"), "b").unwrap()),
        ("a new name", |it| fs::rename(it.join("b.md"), it.join("c.md")).unwrap()),
        ("a deleted file", |it| fs::remove_file(it.join("z.md")).unwrap()),
        ("a deleted directory", |it| fs::remove_dir_all(it).unwrap()),
        ("the directory made again", |it| {
            fs::create_dir(it).unwrap();
            fs::write(it.join("d.md"), "d").unwrap();
        }),
        ("a change in the new directory", |it| fs::write(it.join("e.md"), "e").unwrap()),
    ];
    for (what, change) in steps {
        change(&path);
        client.next_notification(LIST_CHANGED).await;
        client.next_notification("notifications/resources/list_changed").await;
        assert!(library.refresh().catalog.commands().count() < 4, "{what}");
    }
    assert_eq!(names(&mut client).await, ["d", "e"]);
}

#[tokio::test]
async fn another_branch_is_another_list() {
    let project = Fixture::new("//- a.md\n---\ndescription: one\n---\nfirst\n//- b.md\nb\n");
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@localhost"]).args(args);
        let output = git.current_dir(project.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message=one"]);
    git(&["checkout", "--quiet", "-b", "other"]);
    project.write("a.md", "---\ndescription: two\n---\nsecond\n");
    fs::rename(project.path().join("b.md"), project.path().join("c.md")).unwrap();
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=two"]);
    let mut client = connect(&live(&library(&project))).await;
    assert_eq!(names(&mut client).await, ["a", "c"]);
    for (branch, body, expected) in
        [("main", "first\n", ["a", "b"]), ("other", "second\n", ["a", "c"])]
    {
        git(&["checkout", "--quiet", branch]);
        assert_eq!(text(&mut client, "a", json!({})).await, body);
        assert_eq!(names(&mut client).await, expected);
        client.next_notification(LIST_CHANGED).await;
    }
}

#[tokio::test]
async fn every_connected_client_is_told_in_its_own_era() {
    let project = Fixture::new("//- a.md\na\n");
    let library = library(&project);
    let server = live(&library);
    let (mut one, mut two) = (connect(&server).await, connect(&server).await);
    let mut modern = wire(&server);
    let filter = json!({ "notifications": { "promptsListChanged": true } });
    let id = modern.send_modern_request("subscriptions/listen", filter).await;
    modern.next_notification("notifications/subscriptions/acknowledged").await;
    assert_eq!(names(&mut one).await, ["a"]);
    assert_eq!(names(&mut two).await, ["a"]);
    project.write("b.md", "b\n");
    one.next_notification(LIST_CHANGED).await;
    two.next_notification(LIST_CHANGED).await;
    let told = modern.next_notification(LIST_CHANGED).await;
    assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    assert_eq!(names(&mut one).await, ["a", "b"]);
}

#[tokio::test]
async fn a_burst_of_changes_is_announced_as_one() {
    let project = Fixture::new("//- a.md\na\n");
    let library = library(&project);
    let mut client = connect(&live(&library)).await;
    assert_eq!(names(&mut client).await, ["a"]);
    let started = Instant::now();
    for index in 0..200 {
        project.write(&format!("c{index}.md"), "words\n");
    }
    let burst = started.elapsed();
    client.next_notification(LIST_CHANGED).await;
    while names(&mut client).await.len() < 201 {}
    project.write("z.md", "the end\n");
    client.next_notification(LIST_CHANGED).await;
    client.close_stdin().await;
    let more = client.drain().await;
    let more = more.iter().filter(|message| message["method"] == LIST_CHANGED).count();
    // On a busy machine the writing itself has pauses, each of which ends a burst.
    let pauses = usize::try_from(burst.as_millis() / 100).unwrap();
    assert!(more <= 3 + pauses, "201 files in {burst:?} were announced {} times", more + 2);
}

#[tokio::test]
async fn a_change_that_no_list_shows_is_not_announced() {
    let project = Fixture::new("//- a.md\n---\ndescription: d\n---\none\n");
    let library = library(&project);
    let mut client = connect(&live(&library)).await;
    assert_eq!(names(&mut client).await, ["a"]);
    project.write("a.md", "---\ndescription: d\n---\nanother text\n");
    assert_eq!(text(&mut client, "a", json!({})).await, "another text\n");
    project.write("b.md", "b\n");
    client.next_notification(LIST_CHANGED).await;
    assert_eq!(names(&mut client).await, ["a", "b"]);
    assert_eq!(list_changes_left(client).await, 0);
}

async fn list_changes_left(mut client: Client) -> usize {
    client.close_stdin().await;
    let left = client.drain().await;
    left.iter().filter(|message| message["method"] == LIST_CHANGED).count()
}

#[tokio::test]
async fn requests_in_a_storm_of_changes_are_all_answered() {
    let project = Fixture::new("//- stays.md\n<$ARGUMENTS>\n");
    let library = library(&project);
    let mut client = connect(&live(&library)).await;
    let directory = project.path().to_owned();
    let storm = std::thread::spawn(move || {
        for round in 0..300 {
            let path = directory.join(format!("storm{}.md", round % 7));
            match round % 4 {
                0 => fs::write(&path, "---\nbroken: [\n---\n").unwrap(),
                1 => drop(fs::remove_file(&path)),
                2 => fs::write(&path, "# Words\n").unwrap(),
                _ => drop(fs::rename(&path, directory.join("moved.md"))),
            }
        }
    });
    let mut rounds = 0;
    while !storm.is_finished() || rounds < 20 {
        assert_eq!(text(&mut client, "stays", json!({ "arguments": "x" })).await, "<x>\n");
        assert!(names(&mut client).await.contains(&"stays".to_owned()));
        rounds += 1;
    }
    storm.join().unwrap();
}
