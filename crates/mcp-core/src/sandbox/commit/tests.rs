//! Commits of several files: refused whole, rolled back, killed half way.

#[cfg(feature = "faults")]
mod faults;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::*;
use crate::sandbox::doors;
use crate::sandbox::tests::{rel, temp_root};

/// Set for the child that the kill test starts: where it commits until it is killed.
const CHILD: &str = "PLUMBLINE_COMMIT_CHILD";

fn put(path: &str, text: &str) -> Change {
    Change::Put { path: rel(path), bytes: text.into() }
}

fn create(path: &str, text: &str) -> Change {
    Change::Create { path: rel(path), bytes: text.into() }
}

fn journal_in(directory: &Path) -> Journal {
    Journal::of(&State::at(directory.join(".journal")), "test", &doors::start(directory).unwrap())
}

/// Every file of the tree with its text, the journal's directory aside.
fn tree(directory: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with(".journal") {
                continue;
            }
            let name = path.strip_prefix(directory).unwrap().display().to_string();
            if path.is_dir() {
                files.push((name + "/", String::new()));
                open.push(path);
            } else {
                files.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_commit_puts_creates_and_removes_and_leaves_nothing_else() {
    let (directory, root) = temp_root();
    let journal = journal_in(directory.path());
    root.write(&rel("old"), b"old").unwrap();
    root.write(&rel("gone"), b"gone").unwrap();
    let changes =
        [put("old", "new"), create("deep/er/file", "made"), Change::Remove { path: rel("gone") }];
    journal.lock(&root, &Work::endless()).unwrap().apply(&changes).unwrap();
    insta::assert_debug_snapshot!("a_commit", tree(directory.path()));
    assert!(!journal.is_interrupted());
}

#[test]
fn a_refused_commit_changes_nothing() {
    let (directory, root) = temp_root();
    let journal = journal_in(directory.path());
    root.write(&rel("a"), b"a").unwrap();
    fs::create_dir(directory.path().join("dir")).unwrap();
    let before = tree(directory.path());
    for bad in [
        create("a", "again"),
        put("dir", "a directory"),
        Change::Remove { path: rel("none") },
        put("new/b", "twice"),
        put("a/below", "a file"),
    ] {
        let changes = [put("new/b", "b"), bad.clone()];
        journal.lock(&root, &Work::endless()).unwrap().apply(&changes).unwrap_err();
        assert_eq!(tree(directory.path()), before, "{bad:?}");
    }
}

#[test]
fn an_error_while_renaming_puts_everything_back() {
    let (directory, root) = temp_root();
    let journal = journal_in(directory.path());
    root.write(&rel("a"), b"a").unwrap();
    let commit = journal.lock(&root, &Work::endless()).unwrap();
    let changes = [put("a", "new"), create("made/b", "b"), create("c", "c")];
    // Somebody creates `c` after the check: the last step fails when two are done.
    let before = tree(directory.path());
    let mut record = commit.plan(&changes).unwrap();
    record::store(&commit.journal, &record).unwrap();
    commit.stage(&record, &changes).unwrap();
    fs::write(directory.path().join("c"), "theirs").unwrap();
    let error = commit.carry_out(&mut record).unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    let mut expected = before;
    expected.push(("c".to_owned(), "theirs".to_owned()));
    assert_eq!(tree(directory.path()), expected);
}

#[test]
fn two_processes_cannot_hold_the_lock_at_once() {
    let (directory, root) = temp_root();
    let journal = journal_in(directory.path());
    let held = journal.lock(&root, &Work::endless()).unwrap();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let journal = journal_in(directory.path());
            let commit = journal.lock(&root, &Work::endless()).unwrap();
            commit.apply(&[put("order", "second")]).unwrap();
        });
        std::thread::sleep(Duration::from_millis(50));
        assert!(!other.is_finished());
        held.apply(&[put("order", "first")]).unwrap();
        drop(held);
        other.join().unwrap();
    });
    assert_eq!(root.read_text(&rel("order")).unwrap(), "second");
}

#[test]
fn a_lock_that_is_held_is_waited_for_only_as_long_as_the_call_is_wanted() {
    let (directory, root) = temp_root();
    let journal = journal_in(directory.path());
    let _held = journal.lock(&root, &Work::endless()).unwrap();
    let (work, wanted) = Work::while_wanted();
    drop(wanted);
    let error = journal.lock(&root, &work).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
    assert!(matches!(journal.view(&root, &work).unwrap_err(), Error::Cancelled));
}

#[test]
fn what_lies_at_the_place_of_the_lock_is_never_waited_for() {
    let (directory, root) = temp_root();
    let journal = journal_in(directory.path());
    drop(journal.lock(&root, &Work::endless()).unwrap());
    let kept = journal.state.find(&journal.key).unwrap().unwrap();
    let lock = kept.path().join("lock");
    fs::remove_file(&lock).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &lock, rustix::fs::Mode::RUSR).unwrap();
    journal.lock(&root, &Work::endless()).unwrap_err();
    journal.view(&root, &Work::endless()).unwrap_err();
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    journal.lock(&root, &Work::endless()).unwrap_err();
    fs::remove_dir(&lock).unwrap();
    std::os::unix::fs::symlink(directory.path().join("x"), &lock).unwrap();
    journal.lock(&root, &Work::endless()).unwrap_err();
    assert!(!directory.path().join("x").exists());
}

#[test]
fn a_record_is_believed_only_where_its_steps_are_of_our_own_making() {
    let (directory, root) = temp_root();
    root.write(&rel("tool.sh"), b"#!/bin/sh").unwrap();
    fs::create_dir_all(directory.path().join(".git/hooks")).unwrap();
    let journal = journal_in(directory.path());
    drop(journal.lock(&root, &Work::endless()).unwrap());
    let kept = journal.state.find(&journal.key).unwrap().unwrap();
    let ours = ".x.0123456789abcdef0123456789abcdef.tmp";
    for (staged, target) in [
        ("tool.sh", ".git/hooks/post-checkout"),
        ("tool.sh", "other"),
        (ours, "sub/x"),
        ("sub/.x.1.0.tmp", "sub/x"),
        ("../x", "x"),
    ] {
        let record = format!(
            r#"{{"state":"committed","steps":[{{"action":"put","staged":"{staged}","target":"{target}"}}],"directories":[]}}"#
        );
        fs::write(kept.path().join("journal.json"), record).unwrap();
        let before = tree(directory.path());
        journal.lock(&root, &Work::endless()).unwrap_err();
        journal.view(&root, &Work::endless()).unwrap_err();
        assert_eq!(tree(directory.path()), before, "{staged} → {target}");
    }
    let hook = ".git/hooks/.post-checkout.0123456789abcdef0123456789abcdef.tmp";
    fs::write(directory.path().join(hook), "evil").unwrap();
    let record = format!(
        r#"{{"state":"committed","steps":[{{"action":"put","staged":"{hook}","target":".git/hooks/post-checkout"}}],"directories":[]}}"#
    );
    fs::write(kept.path().join("journal.json"), record).unwrap();
    let error = journal.lock(&root, &Work::endless()).unwrap_err();
    assert!(matches!(error, Error::Protected { .. }), "{error}");
}

#[test]
fn a_journal_in_the_tree_is_nothing_but_a_file() {
    let (directory, root) = temp_root();
    root.write(&rel("tool.sh"), b"#!/bin/sh").unwrap();
    let record = r#"{"state":"committed","steps":[{"action":"put","staged":"tool.sh","target":"x"}],"directories":[]}"#;
    for place in ["journal.json", ".elspais/journal.json", "projects/journal.json"] {
        root.write(&rel(place), record.as_bytes()).unwrap();
    }
    let journal = journal_in(directory.path());
    drop(journal.view(&root, &Work::endless()).unwrap());
    drop(journal.lock(&root, &Work::endless()).unwrap());
    assert!(!directory.path().join("x").exists());
}

/// Commits generation after generation; runs only as the child of the test below.
#[test]
fn child_that_commits_until_it_is_killed() {
    let Ok(directory) = std::env::var(CHILD) else { return };
    let directory = Path::new(&directory);
    let root = doors::start(directory).unwrap();
    let journal = journal_in(directory);
    for generation in 0.. {
        let commit = journal.lock(&root, &Work::endless()).unwrap();
        let text = format!("{generation} {}", "x".repeat(20_000));
        let mut changes = vec![put("a", &text), put("sub/b", &text), put("sub/deep/c", &text)];
        if generation > 0 {
            changes.push(Change::Remove { path: rel(&format!("only/{}", generation - 1)) });
        }
        changes.push(create(&format!("only/{generation}"), &text));
        commit.apply(&changes).unwrap();
    }
}

#[test]
fn a_commit_killed_half_way_is_seen_and_left_whole() {
    let mut interrupted = 0;
    for round in 0..25_u64 {
        let directory = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "sandbox::commit::tests::child_that_commits_until_it_is_killed"])
            .env(CHILD, directory.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let only = directory.path().join("only");
        while !only.exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(round * 791 % 9000));
        child.kill().unwrap();
        child.wait().unwrap();

        let root = doors::start(directory.path()).unwrap();
        let journal = journal_in(directory.path());
        interrupted += usize::from(journal.is_interrupted());
        let frozen = tree(directory.path());
        let seen = {
            let view = journal.view(&root, &Work::endless()).unwrap();
            let seen = view.read_text_if_any(&rel("a")).unwrap();
            assert_eq!(view.read_text_if_any(&rel("sub/b")).unwrap(), seen);
            assert_eq!(view.read_text_if_any(&rel("sub/deep/c")).unwrap(), seen);
            let only = view.list(Some(&rel("only"))).unwrap();
            let generation = seen.as_ref().map(|text| text.split(' ').next().unwrap().to_owned());
            assert_eq!(only.into_iter().next().map(|entry| entry.name), generation);
            seen
        };
        assert_eq!(tree(directory.path()), frozen, "a view writes nothing");

        drop(journal.lock(&root, &Work::endless()).unwrap());
        assert_eq!(root.read_text_if_any(&rel("a")).unwrap(), seen);
        assert_eq!(root.read_text_if_any(&rel("sub/b")).unwrap(), seen);
        let left = tree(directory.path());
        assert!(left.iter().all(|(name, _)| !name.contains(".tmp")), "{left:?}");
    }
    assert!(interrupted > 0, "no kill fell into a commit: the test proves nothing");
}
