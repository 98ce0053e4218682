//! `kill -9` in the middle of a batch: nothing torn, nothing stray, nothing done twice.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, SystemTime};

use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};

use super::{open, told};

const MODULES: usize = 60;

/// A workspace whose modules take a while to write.
fn workspace() -> Fixture {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- package.json\n{\"workspaces\":[\"p/*\"]}\n");
    for module in 0..MODULES {
        let mut text = String::new();
        for index in 0..80 {
            write!(
                text,
                "/** Number {index}. */\nexport function make{index}(first: string): Promise<void> {{\n  if (!first) throw new Error('none');\n  return go(first, {module});\n}}\n"
            )
            .expect("a string grows");
        }
        fixture.write(&format!("p/m{module:02}/package.json"), "{}");
        fixture.write(&format!("p/m{module:02}/src/index.ts"), &text);
    }
    fixture
}

/// Begins a batch and kills the server once some of its modules are written: how many it told of.
async fn killed(fixture: &Fixture, arguments: Value) -> usize {
    let mut client = open(fixture, &[]).await;
    let meta = json!({ "progressToken": "b" });
    let params = json!({ "name": "batch", "arguments": arguments, "_meta": meta });
    client.send_request("tools/call", params).await;
    let mut written = None;
    while written.is_none() {
        written = written_so_far(&client.next_notification("notifications/progress").await);
    }
    client.signal("KILL");
    // Reading to the end fails on any line that is not JSON.
    for message in client.drain().await {
        assert_eq!(message["method"], "notifications/progress", "killed too late: {message}");
        written = written_so_far(&message).max(written);
    }
    assert_eq!(client.wait_exit().await.code(), None);
    written.unwrap_or_default()
}

/// `7` of `7 of 60 modules written`.
fn written_so_far(progress: &Value) -> Option<usize> {
    let words = progress["params"]["message"].as_str()?;
    words.strip_suffix(" modules written")?.split(' ').next()?.parse().ok()
}

/// The specifications on the disk; each must be whole.
async fn whole_specifications(fixture: &Fixture, client: &mut Client) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in fixture.files() {
        let Some(name) = path.strip_prefix("specs/p__").and_then(|it| it.strip_suffix(".spec.md"))
        else {
            continue;
        };
        assert!(text.starts_with("---\n") && text.trim_end().ends_with("-->"), "{path} is torn");
        let arguments = json!({ "specPath": path, "sourcePath": format!("p/{name}") });
        let drift = told(client, "diff", arguments).await;
        assert_eq!(drift["summary"]["totalChanges"], 0, "{path}: {drift}");
        found.insert(format!("p/{name}"));
    }
    found
}

fn names(result: &Value, key: &str) -> BTreeSet<String> {
    let listed = result[key].as_array().expect("a list");
    listed.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

/// Makes what a kill between two steps of a write may leave old enough to be known as left.
fn age_what_was_staged(fixture: &Fixture) {
    for entry in fs::read_dir(fixture.path().join("specs")).expect("specifications").flatten() {
        if !entry.file_name().to_string_lossy().contains('.') {
            let file = fs::File::options().write(true).open(entry.path()).expect("a staged file");
            let old = SystemTime::now() - Duration::from_hours(1);
            file.set_modified(old).expect("a file can be dated");
        }
    }
}

/// Nothing lies there but one specification for each module and the two pages about all of them.
fn assert_nothing_stray(fixture: &Fixture) {
    let files = fixture.files();
    let others: Vec<&String> = files
        .keys()
        .filter(|it| !it.starts_with("p/") && !it.starts_with("specs/p__"))
        .filter(|it| !it.starts_with(".git/"))
        .collect();
    assert_eq!(others, ["package.json", "specs/_architecture.md", "specs/_index.spec.md"]);
    assert_eq!(files.keys().filter(|it| it.starts_with("specs/p__")).count(), MODULES);
    let index = &files["specs/_index.spec.md"];
    for module in 0..MODULES {
        assert!(index.contains(&format!("(p__m{module:02}.spec.md)")), "m{module:02}: {index}");
    }
}

#[tokio::test]
async fn a_batch_that_was_killed_goes_on_where_it_was() {
    let fixture = workspace();
    let told_of = killed(&fixture, json!({})).await;
    let mut client = open(&fixture, &[]).await;
    let before = whole_specifications(&fixture, &mut client).await;
    assert!(before.len() >= told_of && before.len() < MODULES, "{} of {told_of}", before.len());
    age_what_was_staged(&fixture);

    let result = told(&mut client, "batch", json!({})).await;
    assert_eq!(result["totalModules"], MODULES);
    assert_eq!(names(&result, "skipped"), before, "what was written is not written again");
    assert_eq!(names(&result, "successful").len(), MODULES - before.len());
    assert_nothing_stray(&fixture);
    whole_specifications(&fixture, &mut client).await;
}

#[tokio::test]
async fn a_forced_batch_that_was_killed_is_forced_only_for_the_rest() {
    let fixture = workspace();
    let mut client = open(&fixture, &[]).await;
    told(&mut client, "batch", json!({})).await;
    let told_of = killed(&fixture, json!({ "force": true })).await;
    assert_eq!(whole_specifications(&fixture, &mut client).await.len(), MODULES);
    let checkpoint = fixture.read("specs/.reverse-spec-checkpoint.jsonl");
    let steps = checkpoint.lines().skip(1).filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let done: BTreeSet<String> =
        steps.filter_map(|it| it["completed"]["path"].as_str().map(str::to_owned)).collect();
    assert!(done.len() >= told_of && done.len() < MODULES, "{} of {told_of}", done.len());
    age_what_was_staged(&fixture);

    let result = told(&mut client, "batch", json!({})).await;
    let again = names(&result, "successful");
    assert!(again.is_disjoint(&done), "done twice: {:?}", again.intersection(&done));
    assert_eq!(again.len() + done.len(), MODULES);
    assert_nothing_stray(&fixture);
}
