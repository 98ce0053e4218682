//! The commands in the shell: exit codes, what is checked, and what is recorded.

use std::process::Command;

use clap::ArgMatches;

use super::*;
use crate::cli::COMMANDS;
use crate::domain::baseline::Baseline;
use crate::store::analysis::{Analysis, Depth};
use mcp_core::work::Work;

fn matches(arguments: &[&str]) -> ArgMatches {
    let command = COMMANDS.iter().find(|it| (it.describe)().get_name() == arguments[0]).unwrap();
    (command.describe)().try_get_matches_from(arguments).unwrap()
}

/// The exit code of `diff`; 2 stands for a failure, as in the program.
fn diff(setting: &Setting, arguments: &[&str]) -> u8 {
    let arguments: Vec<&str> = ["diff"].into_iter().chain(arguments.iter().copied()).collect();
    match crate::cli::diff_in(setting, &matches(&arguments)) {
        Ok(code) if format!("{code:?}") == format!("{:?}", std::process::ExitCode::SUCCESS) => 0,
        Ok(code) if format!("{code:?}") == format!("{:?}", std::process::ExitCode::from(1)) => 1,
        Ok(_) | Err(_) => 2,
    }
}

fn specify(fixture: &Fixture, target: &str, path: &str) {
    let found = setting(fixture).places.target(target).unwrap();
    let analysis = Analysis::of(&found, Depth::default(), &Work::endless()).unwrap();
    let comment = Baseline::of(&analysis.skeletons).comment();
    let text = format!(
        "---\nversion: v1\nsourceTarget: {target}\nskeletonHash: x\n---\n# {target}\n\n{comment}\n"
    );
    fixture.write(path, &text);
}

fn git(fixture: &Fixture, args: &[&str]) {
    let done = Command::new("git")
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(args)
        .current_dir(fixture.path())
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn the_exit_code_says_whether_there_is_drift() {
    let fixture = repository("//- src/a.ts\nexport function f(a: string) { return 1 }\n");
    specify(&fixture, "src", "specs/src.spec.md");
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "src"]), 0);
    assert_eq!(diff(&setting, &["specs/src.spec.md"]), 0);
    fixture.write("src/a.ts", "export function f(a: string) { return 2 }\n");
    assert_eq!(diff(&setting, &["specs/src.spec.md"]), 0);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--fail-on", "low"]), 1);
    fixture.write("src/a.ts", "export function f(a: number) { return 1 }\n");
    assert_eq!(diff(&setting, &["specs/src.spec.md"]), 1);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--fail-on", "high"]), 0);
    fixture.write("src/a.ts", "export const other = 1;\n");
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--json"]), 1);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--fail-on", "never"]), 0);
    assert_eq!(diff(&setting, &["specs/none.spec.md"]), 2);
}

#[test]
fn without_arguments_every_specification_is_checked_and_none_is_a_failure() {
    let fixture = repository(
        "//- src/a/x.ts\nexport const a = 1;\n//- src/b/y.ts\nexport const b = 1;\n//- src/c/z.ts\nexport const c = 1;\n",
    );
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &[]), 2);
    fixture.write("specs/_index.spec.md", "# Index\n");
    assert_eq!(diff(&setting, &[]), 2);
    specify(&fixture, "src/a", "specs/a.spec.md");
    specify(&fixture, "src/b", "specs/deeper/b.spec.md");
    assert_eq!(diff(&setting, &[]), 0);
    let check_all = || {
        let (places, clock) = (&setting.places, &setting.clock);
        let narrowing = crate::store::drift::Narrowing::default();
        crate::store::drift::check_all(places, &narrowing, clock, &Work::endless()).unwrap()
    };
    let everything = check_all();
    assert_eq!(everything.specs.len(), 2);
    assert_eq!(everything.uncovered, ["src/c/z.ts"]);
    // A specification of code that is gone is not true any more.
    std::fs::remove_dir_all(fixture.path().join("src/b")).unwrap();
    assert_eq!(diff(&setting, &[]), 1);
    let gone = check_all().specs.pop().unwrap();
    assert!(gone.problem.is_none() && gone.report.unwrap().summary.removals > 0);
    fixture.write("specs/deeper/b.spec.md", "# no baseline\n");
    assert_eq!(diff(&setting, &[]), 1);
}

#[test]
fn a_check_of_broken_specifications_alone_does_not_pass() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    fixture.write("specs/a.spec.md", "# no baseline\n");
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &[]), 2);
    assert_eq!(diff(&setting, &["--fail-on", "never"]), 2);
    specify(&fixture, "src", "specs/b.spec.md");
    assert_eq!(diff(&setting, &[]), 1);
    assert_eq!(diff(&setting, &["--fail-on", "never"]), 0);
}

#[test]
fn the_specification_of_a_whole_project_is_checked_with_the_others() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    specify(&fixture, ".", "specs/_project.spec.md");
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &[]), 0);
    fixture.write("src/a.ts", "export const b = [1];\n");
    assert_eq!(diff(&setting, &[]), 1);
}

/// Nothing marks the root there, and the nearest directory of each path is another one.
#[test]
fn outside_of_a_repository_paths_begin_where_the_files_are() {
    let fixture =
        repository("//- src/a/x.ts\nexport const a = 1;\n//- src/b/y.ts\nexport const b = 1;\n");
    specify(&fixture, "src/a", "specs/a.spec.md");
    specify(&fixture, ".", "specs/_project.spec.md");
    std::fs::remove_dir_all(fixture.path().join(".git")).unwrap();
    let setting = setting(&fixture);
    let check = |expected: u8| {
        assert_eq!(diff(&setting, &[]), expected);
        assert_eq!(diff(&setting, &["specs/a.spec.md"]), expected);
        assert_eq!(diff(&setting, &["specs/a.spec.md", "src/a/x.ts"]), expected);
        assert_eq!(diff(&setting, &["specs/_project.spec.md", "."]), expected);
        assert_eq!(diff(&setting, &["specs/_project.spec.md"]), expected);
    };
    check(0);
    fixture.write("src/a/x.ts", "export const gone = [1];\n");
    check(1);
    assert_eq!(diff(&setting, &["specs/a.spec.md", "--accept"]), 0);
    assert_eq!(diff(&setting, &["specs/_project.spec.md", "--accept"]), 0);
    check(0);
}

#[test]
fn a_part_that_was_looked_at_is_not_taken_for_the_whole() {
    let fixture =
        repository("//- src/a.ts\nexport const a = 1;\n//- src/b.ts\nexport const b = 1;\n");
    specify(&fixture, "src", "specs/src.spec.md");
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "src/a.ts", "--accept"]), 0);
    fixture.write("src/b.ts", "export const other = [1];\n");
    assert_eq!(diff(&setting, &["specs/src.spec.md"]), 1);
}

#[test]
fn accepting_records_that_the_specification_stands() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    specify(&fixture, "src", "specs/src.spec.md");
    fixture.write("src/a.ts", "export const b = [1];\n");
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &["specs/src.spec.md"]), 1);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--accept"]), 0);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--fail-on", "low"]), 0);
    let text = fixture.read("specs/src.spec.md");
    assert!(text.contains("\nreviewed: 2026-02-14T09:30:00Z\n---\n# src\n"), "{text}");
    assert!(text.contains("\nversion: v1\n") && !text.contains("skeletonHash: x"), "{text}");
    let read_only = Setting { read_only: true, ..self::setting(&fixture) };
    assert_eq!(diff(&read_only, &["specs/src.spec.md", "--accept"]), 2);
    assert_eq!(diff(&setting, &["--accept"]), 2);
}

#[test]
fn since_a_branch_only_what_changed_there_counts() {
    let fixture =
        Fixture::new("//- src/a/x.ts\nexport const a = 1;\n//- src/b/y.ts\nexport const b = 1;\n");
    git(&fixture, &["init", "-q"]);
    specify(&fixture, "src/a", "specs/a.spec.md");
    specify(&fixture, "src/b", "specs/b.spec.md");
    // Drift that was there before.
    fixture.write("src/a/x.ts", "export const gone = [1];\n");
    git(&fixture, &["add", "."]);
    git(&fixture, &["commit", "-q", "-m", "all"]);
    git(&fixture, &["checkout", "-q", "-b", "work"]);
    let setting = setting(&fixture);
    assert_eq!(diff(&setting, &[]), 1);
    assert_eq!(diff(&setting, &["--since", "main"]), 0);
    fixture.write("src/b/y.ts", "export const gone = [2];\n");
    assert_eq!(diff(&setting, &["--since", "main"]), 1);
    git(&fixture, &["commit", "-q", "-a", "-m", "more"]);
    assert_eq!(diff(&setting, &["--since", "main"]), 1);
    assert_eq!(diff(&setting, &["--since", "work"]), 0);
    assert_eq!(diff(&setting, &["--since", "no-such-branch"]), 2);
    assert_eq!(diff(&setting, &["--since=--output=x"]), 2);
}

#[test]
fn a_report_is_written_where_it_is_asked_for_and_nowhere_else() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    specify(&fixture, "src", "specs/src.spec.md");
    fixture.write("src/a.ts", "export const b = [1];\n");
    let setting = setting(&fixture);
    let before = fixture.files().len();
    diff(&setting, &["specs/src.spec.md"]);
    assert_eq!(fixture.files().len(), before);
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--report", "out/drift.md"]), 1);
    insta::assert_snapshot!("report", fixture.read("out/drift.md"));
    assert_eq!(diff(&setting, &["specs/src.spec.md", "--report", "../drift.md"]), 2);
}

#[test]
fn doctor_names_what_is_read_and_what_is_broken() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n//- src/a.test.ts\nx\n");
    let told = |fixture: &Fixture| -> Vec<String> {
        let remarks = crate::store::doctor::look(&setting(fixture).places).into_iter();
        let text = remarks.map(|it| match it {
            crate::store::doctor::Remark::Fine(what) => format!("fine: {what}"),
            crate::store::doctor::Remark::Worth(what, _) => format!("worth: {what}"),
            crate::store::doctor::Remark::Wrong(what, _) => format!("wrong: {what}"),
        });
        text.collect()
    };
    let first = told(&fixture);
    assert!(first.contains(&"fine: 1 source files and 1 tests are read".to_owned()), "{first:?}");
    assert!(
        first.contains(&"worth: there are no specifications under specs/".to_owned()),
        "{first:?}"
    );
    fixture.write("specs/a.spec.md", "# nothing\n");
    let second = told(&fixture);
    assert!(
        second
            .iter()
            .any(|it| it == "wrong: 1 of 1 specifications cannot be compared: specs/a.spec.md"),
        "{second:?}"
    );
}

#[test]
fn nothing_is_written_from_the_shell_where_it_may_not_be() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    let setting = Setting { read_only: true, ..setting(&fixture) };
    let before = fixture.files();
    let page = fixture.path().join("page.html");
    for (arguments, run) in [
        (vec!["generate", "src"], crate::cli::generate_in as fn(&Setting, &ArgMatches) -> _),
        (vec!["batch", "--force"], crate::cli::batch_in),
        (vec!["report", "--html", page.to_str().unwrap()], crate::cli::report_in),
    ] {
        let failure = run(&setting, &matches(&arguments)).unwrap_err();
        assert_eq!(failure.code, "read_only", "{arguments:?}");
    }
    assert_eq!(fixture.files(), before);
    assert!(crate::cli::batch_in(&setting, &matches(&["batch", "--dry-run"])).is_ok());
}

#[test]
fn a_root_that_is_given_is_the_project_unless_a_directory_is() {
    let fixture = Fixture::new(
        "//- one/.git/HEAD\nx\n//- one/a.ts\nexport const a = 1;\n//- two/.git/HEAD\nx\n//- two/b.ts\nexport const b = 1;\n",
    );
    let mut setting = setting(&fixture);
    setting.places.working_directory = fixture.path().join("one");
    setting.places.roots = vec![fixture.path().join("two")];
    crate::cli::batch_in(&setting, &matches(&["batch"])).unwrap();
    assert!(fixture.has("two/specs/b.ts.spec.md") && !fixture.has("one/specs"));
    crate::cli::batch_in(&setting, &matches(&["batch", "."])).unwrap();
    assert!(fixture.has("one/specs/a.ts.spec.md"));
}

#[test]
fn a_page_in_no_directory_is_told_so() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    let page = fixture.path().join("no/such/page.html");
    let arguments = ["report", "--html", page.to_str().unwrap()];
    let failure = crate::cli::report_in(&setting(&fixture), &matches(&arguments)).unwrap_err();
    assert_eq!(failure.code, "no_directory");
    assert!(failure.hint.unwrap().starts_with("Create it"));
}

#[test]
fn a_batch_is_without_drift_where_there_is_no_repository_too() {
    let fixture = Fixture::new(
        "//- main.go\npackage x\nfunc A() {}\n//- doc/d.go\npackage doc\nfunc D() {}\n//- doc/more/m.go\npackage more\nfunc M() {}\n",
    );
    let setting = setting(&fixture);
    crate::cli::batch_in(&setting, &matches(&["batch"])).unwrap();
    assert_eq!(diff(&setting, &["--fail-on", "low"]), 0);
    assert_eq!(diff(&setting, &["specs/doc.spec.md", "doc/more", "--fail-on", "low"]), 0);
    fixture.write("doc/d.go", "package doc\n");
    assert_eq!(diff(&setting, &[]), 1);
    assert_eq!(diff(&setting, &["specs/doc.spec.md", "doc"]), 1);
}

#[test]
fn a_batch_is_without_drift_around_a_workspace_and_inside_of_a_repository() {
    // What is fuzzed in Rust has a workspace of its own.
    let fixture = repository(
        "//- Cargo.toml\n[workspace]\n//- src/lib.rs\npub fn a() {}\n\
         //- fuzz/Cargo.toml\n[workspace]\n//- fuzz/targets/x.rs\npub fn x() {}\n",
    );
    let outer = setting(&fixture);
    crate::cli::batch_in(&outer, &matches(&["batch"])).unwrap();
    assert_eq!(diff(&outer, &["--fail-on", "low"]), 0);
    assert_eq!(diff(&outer, &["specs/fuzz.spec.md", "fuzz/targets", "--fail-on", "low"]), 0);
    fixture.write("fuzz/targets/x.rs", "pub fn y() -> u8 { 1 }\n");
    assert_eq!(diff(&outer, &[]), 1);

    let fixture = repository(
        "//- sub/src/a.ts\nexport const a = 1;\n//- src/a.ts\nexport const quite = 'different';\n",
    );
    let mut inner = setting(&fixture);
    inner.places.working_directory = fixture.path().join("sub");
    crate::cli::batch_in(&inner, &matches(&["batch"])).unwrap();
    assert!(fixture.has("sub/specs/src__a.ts.spec.md"), "{:?}", fixture.files().keys());
    assert_eq!(diff(&inner, &["--fail-on", "low"]), 0);
    let outer = setting(&fixture);
    let both = ["sub/specs/src__a.ts.spec.md", "sub/src/a.ts", "--fail-on", "low"];
    assert_eq!(diff(&outer, &both), 0);
    fixture.write("sub/src/a.ts", "export const other = [1];\n");
    assert_eq!((diff(&inner, &[]), diff(&outer, &both)), (1, 1));
}

#[test]
fn prose_to_read_again_is_named_where_people_read_what_drifted() {
    let fixture = repository("//- src/a.ts\nexport function f(a: string) { return g(a); }\n");
    let setting = setting(&fixture);
    let arguments = matches(&["generate", "src"]);
    crate::cli::generate_in(&setting, &arguments).unwrap();
    let spec = fixture.read("specs/src.spec.md");
    let empty = "<!-- keep -->\n\n<!-- /keep -->";
    fixture.write("specs/src.spec.md", &spec.replace(empty, "<!-- keep -->\nWhy.\n<!-- /keep -->"));
    crate::cli::generate_in(&setting, &arguments).unwrap();
    fixture.write("src/a.ts", "export function f(a: string) { return h(a); }\n");
    let report = matches(&["diff", "specs/src.spec.md", "--report", "drift.md"]);
    crate::cli::diff_in(&setting, &report).unwrap();
    let text = fixture.read("drift.md");
    assert!(text.contains("> what was written by hand in section 3 stands on code"), "{text}");
}
