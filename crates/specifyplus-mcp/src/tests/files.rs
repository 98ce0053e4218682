//! Files of every kind that may lie in the directory.

use std::os::unix::fs::symlink;
use std::sync::Arc;

use mcp_core::clock::Clock;
use plumbline_tests::Fixture;

use super::{folder, library};
use crate::domain::Kind;
use crate::domain::builtin;
use crate::store::MAX_COMMAND_BYTES;
use crate::store::library::{Library, Snapshot};

fn listed(snapshot: &Snapshot) -> Vec<String> {
    snapshot.catalog.commands().map(|command| command.name.clone()).collect()
}

fn problems(snapshot: &Snapshot) -> Vec<(String, Kind, usize)> {
    let problems = snapshot.problems.iter();
    problems.map(|it| (it.file.clone(), it.problem.kind, it.problem.line)).collect()
}

fn problem(file: &str, kind: Kind, line: usize) -> (String, Kind, usize) {
    (format!("commands/{file}"), kind, line)
}

// Verifies: PLB-d04001-A
#[test]
fn only_markdown_files_directly_in_the_directory_are_commands() {
    let project = Fixture::empty();
    for path in
        ["b.md", "a.md", "sp.git.commit_pr.md", "x.md.md", "größe.md", "two words.md", "7.md"]
    {
        project.write(path, "Words.");
    }
    for path in ["deep/c.md", "d.MD", "e.txt", "f.md~", ".hidden.md", ".md", "md", "g.md.tmp"] {
        project.write(path, "Words.");
    }
    let names = ["7", "a", "b", "größe", "sp.git.commit_pr", "two words", "x.md"];
    assert_eq!(listed(&library(&project).refresh()), names);
}

#[test]
fn an_empty_directory_has_no_commands_and_no_problems() {
    let snapshot = library(&Fixture::empty()).refresh();
    assert_eq!(listed(&snapshot), [""; 0]);
    assert_eq!(problems(&snapshot), []);
}

// Verifies: PLB-d04002-C
#[test]
fn what_cannot_be_a_command_is_skipped_and_the_others_are_served() {
    let project = Fixture::new("//- good.md\n---\ndescription: d\n---\nbody\n");
    let path = project.path();
    project.write("malformed.md", "---\ndescription: d\nx: [\n---\nbody\n");
    project.write("unclosed.md", "---\ndescription: d\n\nbody\n");
    std::fs::write(path.join("latin.md"), b"line\nline \xe9\n").unwrap();
    std::fs::create_dir(path.join("directory.md")).unwrap();
    project.write("control\u{7}.md", "Words.");
    let status = std::process::Command::new("mkfifo").arg(path.join("pipe.md")).status();
    assert!(status.unwrap().success());
    let outside = Fixture::new("//- secret.md\nsecret\n");
    symlink(outside.path().join("secret.md"), path.join("absolute.md")).unwrap();
    symlink("../../../../../../../../etc/passwd", path.join("escape.md")).unwrap();
    symlink("nothing", path.join("dangling.md")).unwrap();
    symlink("loop.md", path.join("loop.md")).unwrap();
    symlink("good.md", path.join("inside.md")).unwrap();
    let snapshot = library(&project).refresh();
    assert_eq!(listed(&snapshot), ["good", "inside"]);
    assert_eq!(
        problems(&snapshot),
        [
            problem("absolute.md", Kind::Outside, 1),
            problem("control.md", Kind::FileName, 1),
            problem("dangling.md", Kind::Vanished, 1),
            problem("directory.md", Kind::NotAFile, 1),
            problem("escape.md", Kind::Outside, 1),
            problem("latin.md", Kind::Encoding, 2),
            problem("loop.md", Kind::Unreadable, 1),
            problem("malformed.md", Kind::FrontMatter, 3),
            problem("pipe.md", Kind::NotAFile, 1),
            problem("unclosed.md", Kind::FrontMatter, 1),
        ]
    );
}

// Verifies: PLB-d04001-G
#[test]
fn files_of_every_size_up_to_the_cap_are_served_whole() {
    let project = Fixture::empty();
    let head = "---\ndescription: d\n---\n";
    let cap = usize::try_from(MAX_COMMAND_BYTES).unwrap();
    let sizes = [head.len(), 100, 51_200, 500_000, cap];
    for size in sizes {
        let body = "0123456789abcde\n".repeat(size / 16 + 1);
        project.write(&format!("s{size}.md"), &format!("{head}{}", &body[..size - head.len()]));
    }
    project.write("over.md", &"x".repeat(cap + 1));
    let library = library(&project);
    for size in sizes {
        let text = library.find(&format!("s{size}")).unwrap().render("").unwrap();
        assert_eq!(format!("{head}{text}"), project.read(&format!("s{size}.md")));
    }
    assert_eq!(problems(&library.refresh()), [problem("over.md", Kind::TooLarge, 1)]);
}

#[test]
fn hostile_front_matter_costs_its_file_and_nothing_else() {
    let project = Fixture::new("//- good.md\n---\ndescription: d\n---\n");
    let bomb = "a: &a [x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e]\ng: [*f, *f, *f, *f, *f, *f, *f, *f]";
    project.write("bomb.md", &format!("---\n{bomb}\n---\n"));
    project.write("deep.md", &format!("---\na: {}\n---\n", "[".repeat(100_000)));
    project.write(
        "long.md",
        &format!("---\na: &a {}\nb: [{}]\n---\n", "x".repeat(100_000), "*a, ".repeat(10_000)),
    );
    project.write("code.md", "---js\nrequire('child_process').exec('touch ran')\n---\n");
    let snapshot = library(&project).refresh();
    assert_eq!(listed(&snapshot), ["good"]);
    assert_eq!(snapshot.problems.len(), 4, "{:?}", snapshot.problems);
}

#[test]
fn the_first_directory_with_a_file_of_the_name_counts_and_built_in_comes_last() {
    let (one, two) = (
        Fixture::new("//- sp.plan.md\nfirst\n//- broken.md\n---\na: [\n---\n"),
        Fixture::new("//- sp.plan.md\nsecond\n//- sp.tasks.md\nsecond\n//- broken.md\nwhole\n"),
    );
    let folders = vec![folder(one.path()), folder(two.path())];
    let library = Library::new(folders, builtin::commands(), Clock::system());
    let text = |name: &str| library.find(name).map(|command| command.render("").unwrap());
    assert_eq!(text("sp.plan").unwrap(), "first\n");
    assert_eq!(text("sp.tasks").unwrap(), "second\n");
    assert!(text("sp.specify").unwrap().contains("# Specify"));
    assert!(text("broken").is_err(), "another text than the one in the file would deceive");
    assert_eq!(library.refresh().catalog.commands().count(), 13);
    // Each glance at one file notices what another directory now holds before it.
    two.write("sp.specify.md", "mine\n");
    assert_eq!(text("sp.specify").unwrap(), "mine\n");
    one.write("sp.specify.md", "ours\n");
    assert_eq!(text("sp.specify").unwrap(), "ours\n");
    std::fs::remove_file(one.path().join("sp.plan.md")).unwrap();
    assert_eq!(text("sp.plan").unwrap(), "second\n");
}

#[test]
fn a_directory_that_is_a_link_is_followed() {
    let project = Fixture::new("//- real/a.md\nWords.\n");
    symlink("real", project.path().join("link")).unwrap();
    let library =
        Library::new(vec![folder(&project.path().join("link"))], Vec::new(), Clock::system());
    assert_eq!(listed(&library.refresh()), ["a"]);
}

#[test]
fn nothing_is_read_again_while_nothing_changes() {
    let project = Fixture::new(super::SAMPLE);
    let library = library(&project);
    // A clock far ahead makes every file look settled.
    let later = Clock::fixed("2100-01-01T00:00:00Z".parse().unwrap());
    let settled = Library::new(library.folders().to_vec(), Vec::new(), later);
    let first = settled.refresh();
    assert!(Arc::ptr_eq(&first, &settled.refresh()));
    assert!(settled.find_unchanged("plan").is_some());
    assert!(settled.find_unchanged("/plan").is_none(), "only the exact name needs one glance");
    // A clock that stands in the moment of the change trusts no stamp.
    let moment = Clock::fixed("1970-01-01T00:00:01Z".parse().unwrap());
    let unsettled = Library::new(library.folders().to_vec(), Vec::new(), moment);
    let first = unsettled.refresh();
    assert!(!Arc::ptr_eq(&first, &unsettled.refresh()));
    assert!(unsettled.find_unchanged("plan").is_none());
}
