//! What is walked, what is left out, and that it does not matter how many threads do it.

use std::collections::BTreeSet;
use std::sync::Mutex;

use plumbline_tests::Fixture;
use tokio_util::sync::CancellationToken;

use super::*;

fn walked(fixture: &Fixture, prepare: impl Fn(Walk<'_>) -> Walk<'_>) -> (Vec<String>, Walked) {
    let root = crate::doors::start(fixture.path()).unwrap();
    let files = Mutex::new(Vec::new());
    let note = |path: &RelPath| files.lock().unwrap().push(path.to_string());
    let walked = prepare(Walk::new(&root)).run(&Work::endless(), &note).unwrap();
    let mut files = files.into_inner().unwrap();
    files.sort();
    (files, walked)
}

fn sample() -> Fixture {
    Fixture::new(
        "//- .gitignore\n*.log\n/build/\n//- a.rs\nx\n//- a.log\nx\n//- build/x.rs\nx\n//- src/.gitignore\n!keep.log\nlocal/\n//- src/keep.log\nx\n//- src/other.log\nx\n//- src/local/x.rs\nx\n//- src/deep/b.rs\nx\n//- .git/config\nx\n//- vendor/lib/.git/HEAD\nx\n//- vendor/lib/c.rs\nx\n",
    )
}

#[test]
fn the_deepest_rule_decides_and_git_directories_are_left_alone() {
    let (files, walked) = walked(&sample(), |walk| walk);
    let wanted = [
        ".gitignore",
        "a.rs",
        "src/.gitignore",
        "src/deep/b.rs",
        "src/keep.log",
        "vendor/lib/c.rs",
    ];
    assert_eq!(files, wanted);
    assert_eq!(walked.directories, ["", "src", "src/deep", "vendor", "vendor/lib"]);
    assert_eq!(walked.repositories.iter().map(RelPath::as_str).collect::<Vec<_>>(), ["vendor/lib"]);
}

#[test]
fn rules_above_the_start_count_and_can_be_set_aside() {
    let fixture = sample();
    let base = RelPath::parse("src").unwrap();
    let (files, _) = walked(&fixture, |walk| walk.beneath(Some(&base)));
    assert_eq!(files, ["src/.gitignore", "src/deep/b.rs", "src/keep.log"]);
    let (all, _) = walked(&fixture, |walk| walk.beneath(Some(&base)).heeding_no_rules());
    assert_eq!(all.len(), 5, "{all:?}");
}

#[test]
fn excludes_of_the_working_copy_count_below_those_of_its_directories() {
    let fixture = sample();
    fixture.write(".git/info/exclude", "*.rs\n!a.rs\nkeep.log\n");
    let root = crate::doors::start(&fixture.path().join(".git")).unwrap();
    let (files, _) = walked(&fixture, |walk| walk.with_excludes_of(&root));
    assert_eq!(files, [".gitignore", "a.rs", "src/.gitignore", "src/keep.log"]);
}

#[test]
fn depth_and_number_are_bounded() {
    let fixture = sample();
    let (files, _) = walked(&fixture, |walk| walk.max_depth(0));
    assert_eq!(files, [".gitignore", "a.rs"]);
    let (files, cut) = walked(&fixture, |walk| walk.at_most(3));
    assert_eq!(files, [".gitignore", "a.rs", "src/.gitignore"]);
    assert!(cut.is_cut);
    assert!(!walked(&fixture, |walk| walk.at_most(6)).1.is_cut);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_odd_names_are_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let fixture = sample();
    let at = |name: &str| fixture.path().join(name);
    std::os::unix::fs::symlink("/etc", at("out")).unwrap();
    std::os::unix::fs::symlink("a.rs", at("link.rs")).unwrap();
    std::fs::write(fixture.path().join(std::ffi::OsStr::from_bytes(b"\xff.rs")), "x").unwrap();
    let (files, walked) = walked(&fixture, |walk| walk);
    assert!(files.iter().all(|it| it != "link.rs" && !it.starts_with("out")), "{files:?}");
    assert_eq!(walked.unnamed, ["\u{fffd}.rs"]);
}

#[test]
fn many_directories_on_several_threads_are_all_looked_into_once() {
    let fixture = Fixture::empty();
    let names: BTreeSet<String> =
        (0..400).map(|n| format!("d{}/e{}/f{}/x{n}", n % 7, n % 40, n)).collect();
    for name in &names {
        fixture.write(name, "x");
    }
    let (files, walked) = walked(&fixture, |walk| walk);
    assert_eq!(files, names.into_iter().collect::<Vec<_>>());
    assert_eq!(walked.directories.len(), walked.directories.iter().collect::<BTreeSet<_>>().len());
}

#[test]
fn a_walk_that_nobody_waits_for_ends() {
    let fixture = sample();
    let root = crate::doors::start(fixture.path()).unwrap();
    let token = CancellationToken::new();
    token.cancel();
    let outcome = Walk::new(&root).run(&Work::until(token), &|path| panic!("{path}"));
    assert_eq!(outcome, Err(Cancelled));
}
