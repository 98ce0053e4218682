//! What git is asked, and what a hostile repository gets to execute: nothing.

use std::path::Path;
use std::process::Command;

use jiff::Timestamp;

use super::*;

mod hostile;

fn open(path: &Path) -> Result<Git, GitError> {
    Git::open(&Spot::start(path, false)?, &Work::endless())
}

const AUTHOR: Author<'_> = Author { name: "Plumbline", email: "plumbline@localhost" };

struct Repository {
    dir: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let repository = Self { dir: tempfile::tempdir().unwrap() };
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The user's own git, with nothing hardened.
    fn git(&self, args: &[&str]) -> String {
        let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@localhost"];
        let mut command = Command::new("git");
        command.args(identity).args(args).current_dir(self.path());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn commit_all(&self, message: &str) -> &Self {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
        self
    }

    fn open(&self) -> Git {
        open(self.path()).unwrap()
    }
}

fn names(changes: &[Changed]) -> Vec<(&str, ChangedHow)> {
    changes.iter().map(|change| (change.path.as_str(), change.how)).collect()
}

#[test]
fn changes_are_told_apart() {
    let repository = Repository::new();
    repository.write("kept.md", "kept\n").write("gone.md", "gone\n").write("old.md", "a\nb\nc\n");
    repository.commit_all("first");
    repository.write("kept.md", "changed\n").write("neu ü\n.md", "new\n");
    std::fs::remove_file(repository.path().join("gone.md")).unwrap();
    let git = repository.open();
    let changes = git.uncommitted().unwrap();
    assert_eq!(
        names(&changes),
        [
            ("gone.md", ChangedHow::Deleted),
            ("kept.md", ChangedHow::Modified),
            ("neu ü\n.md", ChangedHow::Untracked),
        ]
    );
    let first = git.resolve("HEAD").unwrap();
    repository.git(&["mv", "old.md", "new.md"]);
    repository.commit_all("second");
    let changes = git.changed_since(&first).unwrap();
    let renamed = changes.iter().find(|change| change.how == ChangedHow::Renamed).unwrap();
    assert_eq!((renamed.path.as_str(), renamed.from.as_deref()), ("new.md", Some("old.md")));
}

#[test]
fn a_directory_sees_what_lies_in_it() {
    let repository = Repository::new();
    repository.write("a.md", "a\n").write("part/b.md", "b\n").commit_all("first");
    repository.write("a.md", "aa\n").write("part/b.md", "bb\n");
    let git = open(&repository.path().join("part")).unwrap();
    assert_eq!(names(&git.uncommitted().unwrap()), [("b.md", ChangedHow::Modified)]);
    let head = git.resolve("main").unwrap();
    let files = git.files_at(&head).unwrap();
    assert_eq!(files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["b.md"]);
    assert_eq!(git.file_at(&head, "b.md").unwrap().unwrap(), b"b\n");
    assert_eq!(git.file_at(&head, "a.md").unwrap(), None);
}

#[test]
fn contents_of_many_files_come_from_one_process() {
    let repository = Repository::new();
    repository.write("a", "no newline").write("b", "").write("c", "x\n\ny\n").commit_all("first");
    let git = repository.open();
    let files = git.files_at(&git.resolve("HEAD").unwrap()).unwrap();
    let mut ids: Vec<ObjectId> = files.into_iter().map(|file| file.blob).collect();
    ids.push(ObjectId::parse(&"1".repeat(40)).unwrap());
    let blobs = git.blobs(&ids).unwrap();
    let texts: Vec<Option<&[u8]>> = blobs.iter().map(Option::as_deref).collect();
    assert_eq!(texts, [Some(&b"no newline"[..]), Some(b""), Some(b"x\n\ny\n"), None]);
}

#[test]
fn names_that_are_options_ranges_or_paths_are_refused() {
    let repository = Repository::new();
    repository.write("a", "a").commit_all("first");
    let git = repository.open();
    for name in ["--output=/x", "-x", "a..b", "HEAD:a", ":/first", "HEAD^{/first}", "", "a b", "^a"]
    {
        assert!(matches!(git.resolve(name), Err(GitError::Name { .. })), "{name}");
    }
    assert!(matches!(git.resolve("nowhere"), Err(GitError::Unknown { .. })));
    assert!(git.resolve("HEAD").is_ok());
    assert!(git.resolve("main@{0}").is_ok());
}

#[test]
fn outside_of_a_repository_it_says_so() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(open(dir.path()), Err(GitError::NoRepository)));
}

#[test]
fn a_working_tree_that_is_elsewhere_is_refused() {
    let (repository, other) = (Repository::new(), tempfile::tempdir().unwrap());
    repository.git(&["config", "core.worktree", other.path().to_str().unwrap()]);
    let refused = open(repository.path());
    assert!(matches!(refused, Err(GitError::Elsewhere | GitError::NoRepository)), "{refused:?}");
}

#[test]
fn a_snapshot_holds_the_working_tree_and_touches_nothing() {
    let repository = Repository::new();
    repository.write(".gitignore", "ignored\n").write("a.md", "a\n").commit_all("first");
    repository.write("a.md", "edited\n").write("untracked.md", "u\n").write("ignored", "i\n");
    repository.write("staged.md", "staged\n").git(&["add", "staged.md"]);
    let before =
        (repository.git(&["status", "--porcelain"]), repository.git(&["rev-parse", "HEAD"]));
    let index = std::fs::read(repository.path().join(".git/index")).unwrap();
    let git = repository.open();
    let exact = [FileAs { path: "a.md", bytes: Some(b"exactly\r\n") }];
    let tree = git.snapshot(&exact).unwrap();
    let commit = git
        .commit(&tree, &[&git.resolve("HEAD").unwrap()], "before", AUTHOR, Timestamp::UNIX_EPOCH)
        .unwrap();
    git.create_branch("safety/one", &commit).unwrap();
    assert!(matches!(git.create_branch("safety/one", &commit), Err(GitError::BranchExists { .. })));
    assert_eq!(git.file_at(&commit, "a.md").unwrap().unwrap(), b"exactly\r\n");
    assert_eq!(git.file_at(&commit, "untracked.md").unwrap().unwrap(), b"u\n");
    assert_eq!(git.file_at(&commit, "staged.md").unwrap().unwrap(), b"staged\n");
    assert_eq!(git.file_at(&commit, "ignored").unwrap(), None);
    assert_eq!(index, std::fs::read(repository.path().join(".git/index")).unwrap());
    let after =
        (repository.git(&["status", "--porcelain"]), repository.git(&["rev-parse", "HEAD"]));
    assert_eq!(before, after);
    let branches = git.branches("safety").unwrap();
    assert_eq!(branches.len(), 1);
    assert_eq!((branches[0].name.as_str(), branches[0].subject.as_str()), ("safety/one", "before"));
    let litter = std::fs::read_dir(repository.path().join(".git")).unwrap();
    let litter = litter.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(litter.filter(|name| name.starts_with("plumbline")).count(), 0);
}

#[test]
fn a_snapshot_needs_no_first_commit_and_no_branch() {
    let repository = Repository::new();
    repository.write("a.md", "a\n");
    let tree = repository.open().snapshot(&[]).unwrap();
    repository.commit_all("first");
    repository.git(&["checkout", "-q", "--detach"]);
    let git = repository.open();
    assert_eq!(git.snapshot(&[]).unwrap(), tree);
    assert_eq!(git.head().unwrap().branch, None);
}

#[test]
fn another_tree_differs_in_the_given_files_only() {
    let repository = Repository::new();
    repository.write("a.md", "a\n").write("b.md", "b\n").commit_all("first");
    let git = repository.open();
    let before = git.snapshot(&[]).unwrap();
    let changes = [
        FileAs { path: "a.md", bytes: Some(b"A\n") },
        FileAs { path: "b.md", bytes: None },
        FileAs { path: "new/c.md", bytes: Some(b"c\n") },
    ];
    let after = git.tree_with(&before, &changes).unwrap();
    let changed = git.tree_changes(&before, &after).unwrap();
    let facts: Vec<_> = changed
        .iter()
        .map(|change| (change.path.as_str(), change.before.is_some(), change.after.is_some()))
        .collect();
    assert_eq!(facts, [("a.md", true, true), ("b.md", true, false), ("new/c.md", false, true)]);
}

#[test]
fn texts_merge_where_they_do_not_contradict() {
    let git_repository = Repository::new();
    let git = git_repository.open();
    let base = b"one\ntwo\nthree\nfour\nfive\n";
    let ours = b"ONE\ntwo\nthree\nfour\nfive\n";
    let theirs = b"one\ntwo\nthree\nfour\nFIVE\n";
    let merged = git.merge_texts(ours, base, theirs).unwrap().unwrap();
    assert_eq!(merged, b"ONE\ntwo\nthree\nfour\nFIVE\n");
    assert_eq!(git.merge_texts(b"mine\n", b"base\n", b"yours\n").unwrap(), None);
    assert_eq!(git.merge_texts(b"a\0b", b"a\0c", b"a\0d").unwrap(), None);
}

#[test]
fn a_linked_working_tree_has_its_own_git_directory() {
    let repository = Repository::new();
    repository.write("a.md", "a\n").commit_all("first");
    let linked = tempfile::tempdir().unwrap();
    let place = linked.path().join("tree");
    repository.git(&["worktree", "add", "-q", "-b", "other", place.to_str().unwrap()]);
    let git = open(&place).unwrap();
    assert_eq!(git.head().unwrap().branch.as_deref(), Some("other"));
    std::fs::write(place.join("b.md"), "b\n").unwrap();
    let tree = git.snapshot(&[]).unwrap();
    assert_ne!(tree, repository.open().snapshot(&[]).unwrap());
}

#[test]
fn a_cancelled_call_asks_nothing_more() {
    let repository = Repository::new();
    let (work, wanted) = Work::while_wanted();
    let git = Git::open(&Spot::start(repository.path(), false).unwrap(), &work).unwrap();
    drop(wanted);
    let error = git.uncommitted().unwrap_err();
    assert!(error.to_string().contains("cancelled"), "{error}");
}

#[test]
fn the_history_tells_what_each_commit_changed() {
    let repository = Repository::new();
    assert_eq!(repository.open().history(10, &[]).unwrap(), []);
    repository.write("a.rs", "1").write("docs/one.md", "1").commit_all("first");
    repository.write("a.rs", "2").write("b.rs", "1").commit_all("second");
    repository.write("docs/one.md", "2").commit_all("third");
    let paths = |commits: &[Commit]| -> Vec<Vec<(String, bool)>> {
        let changed = |it: &Commit| {
            it.changes.iter().map(|it| (it.path.clone(), it.before.is_some())).collect()
        };
        commits.iter().map(changed).collect()
    };
    let named = |all: &[(&str, bool)]| -> Vec<(String, bool)> {
        all.iter().map(|(path, was_there)| ((*path).to_owned(), *was_there)).collect()
    };
    let git = repository.open();
    assert_eq!(
        paths(&git.history(10, &[]).unwrap()),
        [
            named(&[("docs/one.md", true)]),
            named(&[("a.rs", true), ("b.rs", false)]),
            named(&[("a.rs", false), ("docs/one.md", false)]),
        ]
    );
    assert_eq!(git.history(1, &[]).unwrap().len(), 1);
    assert_eq!(git.history(10, &["docs"]).unwrap().len(), 2);
    let head = git.head().unwrap().commit.unwrap();
    assert_eq!(git.history(1, &[]).unwrap()[0].id, head);
}
