//! A repository whose configuration and attributes name programs at every place git runs one.

use std::fmt::Write as _;

use super::*;

/// A repository in which every program leaves a mark.
fn booby_trapped() -> (Repository, PathBuf) {
    let repository = Repository::new();
    repository.write("a.md", "a\n").write("b.md", "b\n").commit_all("first");
    let mark = repository.path().join(".git/executed");
    let trap = repository.path().join(".git/trap");
    let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat 2>/dev/null\n", mark.display());
    std::fs::write(&trap, script).unwrap();
    executable(&trap);
    let trap = trap.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.e=v.il.clean",
        "merge.evil.driver",
        "gpg.program",
    ] {
        repository.git(&["-c", "core.fsmonitor=false", "config", key, trap]);
    }
    repository.git(&["-c", "core.fsmonitor=false", "config", "commit.gpgSign", "true"]);
    repository.git(&["-c", "core.fsmonitor=false", "config", "filter.evil.required", "true"]);
    let included = repository.path().join(".git/more");
    std::fs::write(
        &included,
        format!("[filter \"hidden\"]\n\tclean = {trap}\n\tprocess = {trap}\n"),
    )
    .unwrap();
    repository.git(&["-c", "core.fsmonitor=false", "config", "include.path", "more"]);
    let hooks = repository.path().join(".git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    for hook in ["pre-commit", "post-commit", "reference-transaction", "post-index-change"] {
        std::fs::copy(trap, hooks.join(hook)).unwrap();
        executable(&hooks.join(hook));
    }
    std::fs::remove_file(&mark).ok();
    (repository, mark)
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Everything the wrapper can do.
fn do_everything(repository: &Repository) {
    repository.write("a.md", "edited\n").write("c.md", "new\n");
    let git = repository.open();
    let head = git.resolve("HEAD").unwrap();
    git.head().unwrap();
    git.merge_base(&head, &head).unwrap();
    git.uncommitted().unwrap();
    git.changed_since(&head).unwrap();
    git.files_at(&head).unwrap();
    git.file_at(&head, "a.md").unwrap();
    let before = git.snapshot(&[]).unwrap();
    let after = git.tree_with(&before, &[FileAs { path: "b.md", bytes: Some(b"B\n") }]).unwrap();
    git.tree_changes(&before, &after).unwrap();
    let commit = git.commit(&after, &[&head], "kept", AUTHOR, Timestamp::UNIX_EPOCH).unwrap();
    git.create_branch("safety/kept", &commit).unwrap();
    git.branches("safety").unwrap();
    git.parent_of(&commit).unwrap();
    git.merge_texts(b"a\n", b"b\n", b"b\n").unwrap();
}

fn executed(mark: &Path) -> String {
    std::fs::read_to_string(mark).unwrap_or_default()
}

const ATTRIBUTES: &str =
    "a.md filter=evil diff=evil merge=evil\nb.md filter=e=v.il\nc.md filter=hidden\n";

#[test]
fn attributes_in_the_tree_execute_nothing() {
    let (repository, mark) = booby_trapped();
    repository.write(".gitattributes", ATTRIBUTES);
    do_everything(&repository);
    assert_eq!(executed(&mark), "");
}

#[test]
fn attributes_in_the_git_directory_execute_nothing() {
    let (repository, mark) = booby_trapped();
    repository.write(".git/info/attributes", ATTRIBUTES);
    do_everything(&repository);
    assert_eq!(executed(&mark), "");
}

#[test]
fn the_traps_do_work_for_a_git_that_is_not_hardened() {
    let (repository, mark) = booby_trapped();
    repository.write(".git/info/attributes", ATTRIBUTES).write("a.md", "edited\n");
    Command::new("git").args(["diff", "HEAD"]).current_dir(repository.path()).output().unwrap();
    assert_ne!(executed(&mark), "", "the tests beside this one would prove nothing");
}

#[test]
fn a_submodule_executes_nothing_either() {
    let inner = Repository::new();
    inner.write("i.md", "i\n").commit_all("inner");
    let (repository, mark) = booby_trapped();
    let quiet = [
        "-c",
        "core.fsmonitor=false",
        "-c",
        "protocol.file.allow=always",
        "-c",
        "core.hooksPath=/dev/null",
    ];
    let add = ["submodule", "--quiet", "add", inner.path().to_str().unwrap(), "inner"];
    repository.git(&[&quiet[..], &add].concat());
    let trap = repository.path().join(".git/trap");
    let config = repository.path().join(".git/modules/inner/config");
    let mut settings = std::fs::read_to_string(&config).unwrap();
    writeln!(settings, "[core]\n\tfsmonitor = {}", trap.display()).unwrap();
    std::fs::write(&config, settings).unwrap();
    repository.write("inner/i.md", "changed in the submodule\n");
    std::fs::remove_file(&mark).ok();
    do_everything(&repository);
    assert_eq!(executed(&mark), "");
    let status = ["-c", "core.fsmonitor=false", "status"];
    Command::new("git").args(status).current_dir(repository.path()).output().unwrap();
    assert_ne!(executed(&mark), "", "the trap in the submodule is dead");
}
