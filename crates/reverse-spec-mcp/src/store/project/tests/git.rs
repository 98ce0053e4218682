//! Whatever a repository looks like, the files that are read are those that git itself lists.

use std::path::Path;
use std::process::Command;

use plumbline_tests::Fixture;

use super::scanned;
use crate::domain::languages;
use mcp_core::work::Work;

/// Runs git in a directory of the fixture, without what this user has set.
fn git(fixture: &Fixture, directory: &str, args: &[&str]) -> String {
    let done = Command::new("git")
        .args(["-c", "core.excludesFile=/dev/null", "-c", "protocol.file.allow=always"])
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(args)
        .current_dir(fixture.path().join(directory))
        .output()
        .unwrap();
    assert!(done.status.success(), "{args:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// Source files that git lists beneath a directory, as seen from the top of the fixture.
fn listed(fixture: &Fixture, directory: &str) -> Vec<String> {
    let said = git(fixture, directory, &["ls-files", "-co", "--exclude-standard", "-z"]);
    let is_there = |path: &&str| fixture.path().join(directory).join(path).is_file();
    let mut listed: Vec<String> = said
        .split('\0')
        .filter(|path| languages::of_path(path).is_some())
        .filter(is_there)
        .map(str::to_owned)
        .collect();
    listed.sort();
    listed.dedup();
    listed
}

const TREE: &str = concat!(
    "//- .gitignore\n*.gen.ts\n/out/\nsecret/*\n!secret/open.ts\n",
    "//- a.ts\nx\n//- forced.gen.ts\nx\n//- ignored.gen.ts\nx\n//- gone.gen.ts\nx\n",
    "//- out/committed.ts\nx\n//- out/untracked.ts\nx\n//- out/deep/committed.ts\nx\n",
    "//- secret/open.ts\nx\n//- secret/closed.ts\nx\n//- src/.gitignore\n!kept.gen.ts\n",
    "//- src/kept.gen.ts\nx\n//- src/staged.gen.ts\nx\n//- src/left.gen.ts\nx\n",
    "//- node_modules/committed.js\nx\n",
);

/// Commits files that are ignored, and stages one more that is not in any commit.
fn tracked_though_ignored(fixture: &Fixture, init: &[&str]) {
    git(fixture, ".", init);
    let committed = ["out/committed.ts", "out/deep/committed.ts", "forced.gen.ts", "gone.gen.ts"];
    let more = ["a.ts", "node_modules/committed.js"];
    git(fixture, ".", &[&["add", "-f"][..], &committed, &more].concat());
    git(fixture, ".", &["commit", "-qm", "a"]);
    git(fixture, ".", &["add", "-f", "src/staged.gen.ts"]);
    std::fs::remove_file(fixture.path().join("gone.gen.ts")).unwrap();
}

fn assert_as_git(fixture: &Fixture) {
    let expected = listed(fixture, ".");
    for path in ["out/committed.ts", "out/deep/committed.ts", "forced.gen.ts", "src/staged.gen.ts"]
    {
        assert!(expected.iter().any(|it| it == path), "{path}: {expected:?}");
    }
    let made_by_tools = |path: &&String| path.starts_with("node_modules/");
    let expected: Vec<String> = expected.iter().filter(|it| !made_by_tools(it)).cloned().collect();
    assert_eq!(scanned(fixture, "."), expected);
    let beneath: Vec<&String> = expected.iter().filter(|it| it.starts_with("src/")).collect();
    assert_eq!(scanned(fixture, "src").iter().collect::<Vec<_>>(), beneath);
}

#[test]
fn a_tracked_file_is_read_although_a_rule_ignores_it() {
    let fixture = Fixture::new(TREE);
    tracked_though_ignored(&fixture, &["init", "-q"]);
    assert_as_git(&fixture);
}

#[test]
fn every_format_of_an_index_is_read() {
    for (init, then) in [
        (&["init", "-q", "--object-format=sha256"][..], &[][..]),
        (&["init", "-q"], &["update-index", "--index-version", "4"][..]),
        (&["init", "-q"], &["update-index", "--split-index"]),
        (&["init", "-q"], &["update-index", "--skip-worktree", "a.ts"]),
    ] {
        let fixture = Fixture::new(TREE);
        tracked_though_ignored(&fixture, init);
        if !then.is_empty() {
            git(&fixture, ".", then);
        }
        assert_as_git(&fixture);
    }
}

#[test]
fn an_index_that_is_none_says_nothing() {
    let fixture = Fixture::new(TREE);
    tracked_though_ignored(&fixture, &["init", "-q"]);
    let path = fixture.path().join(".git/index");
    let index = std::fs::read(&path).unwrap();
    let lengths = (0..index.len()).step_by(7);
    let mut damaged: Vec<Vec<u8>> = lengths.map(|length| index[..length].to_vec()).collect();
    damaged.extend((0..index.len()).step_by(11).map(|at| {
        let mut index = index.clone();
        index[at] ^= 0xff;
        index
    }));
    for index in damaged {
        std::fs::write(&path, index).unwrap();
        let found = scanned(&fixture, ".");
        assert!(found.contains(&"src/kept.gen.ts".to_owned()), "{found:?}");
        assert!(!found.contains(&"ignored.gen.ts".to_owned()), "{found:?}");
    }
}

#[test]
fn a_linked_working_tree_has_an_index_and_the_rules_of_its_repository() {
    let fixture = Fixture::new("");
    fixture.write("main/a.gen.ts", "x");
    fixture.write("main/.gitignore", "*.gen.ts\n");
    git(&fixture, "main", &["init", "-q"]);
    git(&fixture, "main", &["add", "-f", "a.gen.ts", ".gitignore"]);
    git(&fixture, "main", &["commit", "-qm", "a"]);
    git(&fixture, "main", &["worktree", "add", "-q", "../linked"]);
    fixture.write("main/.git/info/exclude", "excluded.ts\n");
    fixture.write("linked/excluded.ts", "x");
    fixture.write("linked/b.ts", "x");
    fixture.write("linked/c.gen.ts", "x");
    let expected = listed(&fixture, "linked");
    assert_eq!(expected, ["a.gen.ts", "b.ts"]);
    assert_eq!(scanned(&fixture, "linked"), expected);
}

#[test]
fn a_repository_inside_of_another_is_a_project_of_its_own() {
    let fixture = Fixture::new("//- lib/l.ts\nx\n//- top/a.ts\nx\n//- top/nested/n.ts\nx\n");
    for directory in ["lib", "top/nested", "top"] {
        git(&fixture, directory, &["init", "-q"]);
    }
    git(&fixture, "lib", &["add", "."]);
    git(&fixture, "lib", &["commit", "-qm", "a"]);
    let lib = fixture.path().join("lib").display().to_string();
    git(&fixture, "top", &["submodule", "--quiet", "add", &lib, "modules/lib"]);
    // Something of that name is no repository yet.
    fixture.write("top/plain/.git/nothing", "x");
    fixture.write("top/plain/p.ts", "x");
    let expected = listed(&fixture, "top");
    assert_eq!(expected, ["a.ts", "plain/p.ts"]);
    let target = super::places(&fixture).target("top").unwrap();
    let scan = target.scan(&Work::endless()).unwrap();
    let paths: Vec<&str> = scan.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, expected);
    assert_eq!(
        scan.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "modules/lib: left out, it is a repository of its own; name it to have it read",
            "nested: left out, it is a repository of its own; name it to have it read",
        ]
    );
    assert_eq!(scanned(&fixture, "top/modules/lib"), ["l.ts"]);
}

#[test]
fn rules_above_a_project_are_not_its_own() {
    let fixture = Fixture::new("//- .gitignore\n*\n//- repository/a.ts\nx\n//- plain/b.ts\nx\n");
    git(&fixture, "repository", &["init", "-q"]);
    assert_eq!(scanned(&fixture, "repository"), ["a.ts"]);
    assert_eq!(scanned(&fixture, "plain"), ["b.ts"]);
}

#[test]
fn where_there_is_no_repository_rules_hold_from_the_project_on() {
    let fixture = Fixture::new(
        "//- go.work\nuse ./a\n//- .gitignore\nignored.go\n//- a/ignored.go\nx\n//- a/b.go\nx\n",
    );
    assert_eq!(scanned(&fixture, "."), ["a/b.go"]);
    assert_eq!(scanned(&fixture, "a"), ["a/b.go"]);
    assert!(!Path::new(fixture.path()).join(".git").exists());
}
