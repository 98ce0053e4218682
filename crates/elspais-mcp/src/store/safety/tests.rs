//! A write can be taken back, and only the write.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use mcp_core::sandbox::Change;

use super::*;

struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap() };
        project.git(&["init", "-q", "-b", "main"]);
        project
    }

    fn with_commit() -> Self {
        let project = Self::new();
        project.write("spec/a.md", LONG).write("notes.txt", "notes\n");
        project.git(&["add", "-A"]);
        project.git(&[
            "-c",
            "user.name=S",
            "-c",
            "user.email=s@localhost",
            "commit",
            "-qm",
            "first",
        ]);
        project
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(args).current_dir(self.path());
        // A user who never told git a name.
        command.env("HOME", self.path().join(".git")).env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.path().join(path)).ok()
    }

    fn open(&self) -> Git {
        let spot = mcp_core::doors::Spot::start(self.path(), false).unwrap();
        Git::open(&spot, &mcp_core::work::Work::endless()).unwrap()
    }

    /// Keeps a safety branch and then writes, as the tools do.
    fn write_safely(&self, files: &[(&str, Option<&str>)]) -> String {
        let before: Vec<_> = files.iter().map(|(path, _)| self.read(path)).collect();
        let about: Vec<_> = files
            .iter()
            .zip(&before)
            .map(|((path, after), before)| FileWrite {
                path: (*path).to_owned(),
                before: before.clone().map(Into::into),
                after: after.map(Into::into),
            })
            .collect();
        let writing =
            Writing { subject: "REQ-p00001", purpose: "a write", files: &about, now: noon() };
        let name = keep(&self.open(), &writing).unwrap();
        for (path, after) in files {
            match after {
                Some(text) => _ = self.write(path, text),
                None => std::fs::remove_file(self.path().join(path)).unwrap(),
            }
        }
        name
    }

    fn restore(&self, branch: &str) -> Result<Restoration, SafetyError> {
        let restoration =
            plan_restore(&self.open(), &mcp_core::doors::start(self.path()).unwrap(), branch)?;
        for change in &restoration.changes {
            match change {
                Change::Put { path, bytes } | Change::Create { path, bytes } => {
                    std::fs::write(self.path().join(path.as_str()), bytes).unwrap();
                }
                Change::Remove { path } => {
                    std::fs::remove_file(self.path().join(path.as_str())).unwrap();
                }
            }
        }
        Ok(restoration)
    }
}

const LONG: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

fn noon() -> Timestamp {
    "2026-01-02T12:00:00Z".parse().unwrap()
}

#[test]
fn a_write_is_taken_back_with_uncommitted_work_intact() {
    let project = Project::with_commit();
    project.write("spec/a.md", "one\ntwo\nthree\nfour\nfive\nsix\nSEVEN, not committed\n");
    project.write("notes.txt", "edited, not committed\n");
    let uncommitted = project.read("spec/a.md").unwrap();
    let changed = uncommitted.replace("one", "ONE");
    let branch =
        project.write_safely(&[("spec/a.md", Some(&changed)), ("spec/new.md", Some("n\n"))]);
    assert_eq!(branch, "safety/REQ-p00001-20260102-120000");
    let done = project.restore(&branch).unwrap();
    assert_eq!(project.read("spec/a.md").unwrap(), uncommitted);
    assert_eq!(project.read("spec/new.md"), None);
    assert_eq!(project.read("notes.txt").unwrap(), "edited, not committed\n");
    assert_eq!(
        (done.restored, done.removed),
        (vec!["spec/a.md".into()], vec!["spec/new.md".into()])
    );
}

#[test]
fn later_edits_elsewhere_in_the_file_stay() {
    let project = Project::with_commit();
    let branch = project.write_safely(&[("spec/a.md", Some(&LONG.replace("one", "ONE")))]);
    project.write("spec/a.md", &LONG.replace("one", "ONE").replace("seven", "SEVEN"));
    let done = project.restore(&branch).unwrap();
    assert_eq!(project.read("spec/a.md").unwrap(), LONG.replace("seven", "SEVEN"));
    assert_eq!(done.merged, ["spec/a.md"]);
}

#[test]
fn a_conflict_touches_nothing_and_names_the_files() {
    let project = Project::with_commit();
    let files = [("spec/a.md", Some("ONE\n")), ("notes.txt", Some("other notes\n"))];
    let branch = project.write_safely(&files);
    project.write("spec/a.md", "something else\n");
    let error = project.restore(&branch).unwrap_err();
    assert!(
        matches!(&error, SafetyError::Conflict { files } if files == &["spec/a.md"]),
        "{error}"
    );
    assert_eq!(project.read("spec/a.md").unwrap(), "something else\n");
    assert_eq!(project.read("notes.txt").unwrap(), "other notes\n");
}

#[test]
fn a_created_file_that_was_edited_since_is_a_conflict() {
    let project = Project::with_commit();
    let branch = project.write_safely(&[("spec/new.md", Some("n\n"))]);
    project.write("spec/new.md", "n\nmore\n");
    assert!(matches!(project.restore(&branch), Err(SafetyError::Conflict { .. })));
}

#[test]
fn a_removed_file_comes_back_and_restoring_twice_changes_nothing() {
    let project = Project::with_commit();
    let branch = project.write_safely(&[("spec/a.md", None)]);
    project.restore(&branch).unwrap();
    assert_eq!(project.read("spec/a.md").unwrap(), LONG);
    let again = project.restore(&branch).unwrap();
    assert_eq!((again.changes.len(), again.unchanged.len()), (0, 1));
}

#[test]
fn bytes_are_kept_exactly_even_where_git_would_convert_them() {
    let project = Project::with_commit();
    project.write(".gitattributes", "* text=auto eol=lf\n").git(&[
        "config",
        "core.autocrlf",
        "true",
    ]);
    project.write("spec/crlf.md", "a\r\nb\n\u{feff}c\r\n");
    let branch = project.write_safely(&[("spec/crlf.md", Some("A\r\n"))]);
    project.restore(&branch).unwrap();
    assert_eq!(project.read("spec/crlf.md").unwrap(), "a\r\nb\n\u{feff}c\r\n");
}

#[test]
fn an_ignored_file_is_kept_too() {
    let project = Project::with_commit();
    project.write(".gitignore", "spec/private.md\n").write("spec/private.md", "p\n");
    let branch = project.write_safely(&[("spec/private.md", Some("q\n"))]);
    project.restore(&branch).unwrap();
    assert_eq!(project.read("spec/private.md").unwrap(), "p\n");
}

#[test]
fn names_are_unique_within_a_second() {
    let project = Project::with_commit();
    let first = project.write_safely(&[("spec/a.md", Some("1\n"))]);
    let second = project.write_safely(&[("spec/a.md", Some("2\n"))]);
    let third = project.write_safely(&[("spec/a.md", Some("3\n"))]);
    assert_eq!(second, format!("{first}-2"));
    assert_eq!(third, format!("{first}-3"));
    assert_eq!(list(&project.open()).unwrap().len(), 3);
    project.restore(&third).unwrap();
    assert_eq!(project.read("spec/a.md").unwrap(), "2\n");
}

#[test]
fn head_index_and_working_tree_stay_as_they_are() {
    let project = Project::with_commit();
    project.write("staged.txt", "staged\n").git(&["add", "staged.txt"]);
    let look = |project: &Project| {
        (project.git(&["status", "--porcelain=v2", "--branch"]), project.git(&["stash", "list"]))
    };
    let before = look(&project);
    let about =
        [FileWrite { path: "spec/a.md".to_owned(), before: Some(LONG.into()), after: None }];
    let writing = Writing { subject: "REQ-p00001", purpose: "a write", files: &about, now: noon() };
    keep(&project.open(), &writing).unwrap();
    assert_eq!(look(&project), before);
    assert_eq!(project.read("spec/a.md").unwrap(), LONG);
}

#[test]
fn it_works_before_the_first_commit_and_without_a_branch() {
    let unborn = Project::new();
    unborn.write("spec/a.md", LONG);
    let branch = unborn.write_safely(&[("spec/a.md", Some("x\n"))]);
    unborn.restore(&branch).unwrap();
    assert_eq!(unborn.read("spec/a.md").unwrap(), LONG);

    let detached = Project::with_commit();
    detached.git(&["checkout", "-q", "--detach"]);
    let branch = detached.write_safely(&[("spec/a.md", Some("x\n"))]);
    detached.restore(&branch).unwrap();
    assert_eq!(detached.read("spec/a.md").unwrap(), LONG);
}

#[test]
fn hooks_and_signing_are_left_alone() {
    let project = Project::with_commit();
    let mark = project.path().join("executed");
    for hook in ["pre-commit", "commit-msg", "post-commit", "reference-transaction"] {
        let path = project.path().join(".git/hooks").join(hook);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    project.git(&["config", "commit.gpgSign", "true"]);
    project.git(&["config", "gpg.program", "/bin/false"]);
    project.write_safely(&[("spec/a.md", Some("x\n"))]);
    assert!(!mark.exists());
}

#[test]
fn every_other_ref_is_refused() {
    let project = Project::with_commit();
    let branch = project.write_safely(&[("spec/a.md", Some("x\n"))]);
    for other in ["main", "HEAD", "--all", "safety/../main", "safety/none", "", "refs/heads/main"] {
        let refused = project.restore(other);
        assert!(matches!(refused, Err(SafetyError::Unknown { .. })), "{other}: {refused:?}");
    }
    project.git(&["branch", "safety/of-somebody", "main"]);
    assert!(matches!(project.restore("safety/of-somebody"), Err(SafetyError::NotOurs { .. })));
    assert_eq!(list(&project.open()).unwrap().len(), 1);
    assert!(project.restore(&format!("refs/heads/{branch}")).is_ok());
}
