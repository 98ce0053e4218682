//! Which project a path is in and which files of it are read.

mod git;

use std::process::Command;

use plumbline_tests::Fixture;

use mcp_core::work::Work;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::domain::languages;
use crate::error::Error;

fn places(fixture: &Fixture) -> Places {
    Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false }
}

fn scanned(fixture: &Fixture, target: &str) -> Vec<String> {
    let scan = places(fixture).target(target).unwrap().scan(&Work::endless()).unwrap();
    scan.files.iter().map(|it| it.path.to_string()).collect()
}

#[test]
fn the_project_is_the_nearest_repository_or_workspace_above() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- a/b/c.ts\nx\n//- ws/Cargo.toml\n[workspace]\nmembers = []\n//- ws/x/src/lib.rs\nx\n//- npm/package.json\n{\n  \"workspaces\": [\"x\"]\n}\n//- npm/x/i.js\nx\n//- py/pyproject.toml\n[project]\nname = \"x\"\n//- py/m.py\nx\n",
    );
    for (given, root, inside) in [
        ("a/b/c.ts", "", "a/b/c.ts"),
        ("a/b", "", "a/b"),
        (".", "", "."),
        ("", "", "."),
        ("./a/../a/b/", "", "a/b"),
        ("ws/x/src", "ws", "x/src"),
        ("ws", "ws", "."),
        ("npm/x", "npm", "x"),
        ("py/m.py", "", "py/m.py"),
    ] {
        let target = places(&fixture).target(given).unwrap();
        assert_eq!(target.shown(), inside, "{given}");
        assert_eq!(target.project_root(), fixture.path().join(root), "{given}");
    }
    let absolute = fixture.path().join("a/b");
    assert_eq!(places(&fixture).target(absolute.to_str().unwrap()).unwrap().shown(), "a/b");
}

#[test]
fn a_workspace_is_known_however_its_manifest_is_written() {
    for (manifest, text, is_workspace) in [
        ("package.json", r#"{"name":"x","workspaces":["a"]}"#, true),
        ("package.json", r#"{ "private": true, "workspaces": { "packages": [] } }"#, true),
        ("package.json", "\u{feff}{\"workspaces\":[]}", true),
        ("package.json", r#"{"workspaces": null}"#, false),
        ("package.json", "{\n\"config\": {\n\"workspaces\": [\"a\"] } }", false),
        ("package.json", "{ broken \n\"workspaces\": [\"a\"]", false),
        ("Cargo.toml", "workspace.members = ['a']\n", true),
        ("Cargo.toml", "[ workspace ]\n", true),
        ("Cargo.toml", "[workspace-like]\n", false),
        ("pyproject.toml", "[tool.uv]\nworkspace = { members = ['a'] }\n", true),
        ("pyproject.toml", "[tool.uv]\n", false),
    ] {
        let fixture = Fixture::new("//- .git/HEAD\nx\n//- in/a/b.ts\nx\n");
        fixture.write(&format!("in/{manifest}"), text);
        let root = places(&fixture).target("in/a").unwrap().project_root().to_owned();
        let expected = fixture.path().join(if is_workspace { "in" } else { "" });
        assert_eq!(root, expected, "{manifest}: {text}");
    }
}

#[test]
fn what_does_not_exist_is_said_as_it_was_given() {
    let fixture = Fixture::empty();
    let error = places(&fixture).target("src/nonexistent/").unwrap_err();
    assert_eq!(error.to_string(), "目标路径不存在: src/nonexistent/");
}

#[test]
fn a_relative_path_is_tried_beneath_the_roots_that_were_given_too() {
    let fixture =
        Fixture::new("//- project/.git/HEAD\nx\n//- project/src/a.ts\nx\n//- elsewhere/x\nx\n");
    let places = Places {
        working_directory: fixture.path().join("elsewhere"),
        roots: vec![fixture.path().join("project")],
        confined: false,
    };
    assert_eq!(places.target("src").unwrap().shown(), "src");
}

#[test]
fn over_the_network_nothing_outside_of_the_roots_is_found() {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- root/src/a.ts\nx\n//- secret/b.ts\nx\n");
    std::os::unix::fs::symlink(fixture.path().join("secret"), fixture.path().join("root/link"))
        .unwrap();
    let root = fixture.path().join("root");
    let places =
        Places { working_directory: root.clone(), roots: vec![root.clone()], confined: true };
    let target = places.target("src").unwrap();
    assert_eq!((target.shown(), target.project_root()), ("src", root.as_path()));
    for given in ["..", "../secret", "/etc", fixture.path_text(), "link"] {
        let error = places.target(given).unwrap_err();
        assert!(matches!(error, Error::OutsideRoots { .. }), "{given}: {error}");
    }
}

#[test]
fn over_the_network_a_link_to_another_repository_leads_nowhere() {
    let fixture = Fixture::new(
        "//- root/.git/HEAD\nx\n//- root/src/a.ts\nx\n//- private/.git/HEAD\nx\n//- private/lib/b.ts\nx\n",
    );
    std::os::unix::fs::symlink("../private", fixture.path().join("root/vendored")).unwrap();
    std::os::unix::fs::symlink("../../private/lib", fixture.path().join("root/src/lib")).unwrap();
    let root = fixture.path().join("root");
    let places =
        Places { working_directory: root.clone(), roots: vec![root.clone()], confined: true };
    let inside = root.join("vendored/lib");
    for given in ["vendored", "vendored/lib", "vendored/lib/b.ts", "src/lib", "src/lib/b.ts"] {
        let error = places.target(given).unwrap_err();
        assert!(matches!(error, Error::OutsideRoots { .. }), "{given}: {error}");
    }
    let error = places.project(inside.to_str().unwrap()).unwrap_err();
    assert!(matches!(error, Error::OutsideRoots { .. }), "{error}");
    assert_eq!(places.target(".").unwrap().scan(&Work::endless()).unwrap().files.len(), 1);
}

#[test]
fn a_link_that_was_named_is_followed_and_those_inside_are_not() {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- real/a.ts\nx\n//- out/b.ts\nx\n");
    std::os::unix::fs::symlink("real", fixture.path().join("named")).unwrap();
    std::os::unix::fs::symlink(fixture.path().join("out/b.ts"), fixture.path().join("real/c.ts"))
        .unwrap();
    std::os::unix::fs::symlink("..", fixture.path().join("real/loop")).unwrap();
    assert_eq!(scanned(&fixture, "real"), ["real/a.ts"]);
    assert_eq!(scanned(&fixture, "named"), ["real/a.ts"], "known by where it really is");
    let error = places(&fixture).target("real/c.ts").unwrap_err();
    assert!(matches!(error, Error::TargetMissing { .. }), "{error}");
}

#[test]
fn files_are_those_that_git_does_not_ignore() {
    let fixture = Fixture::new(concat!(
        "//- .gitignore\n/rooted.ts\nsrc/gen/\n*.gen.ts\n!keep.gen.ts\na+b.ts\nbad(regex.ts\nbuild/\n",
        "//- rooted.ts\nx\n//- src/rooted.ts\nx\n//- src/gen/a.ts\nx\n//- src/x.gen.ts\nx\n//- src/keep.gen.ts\nx\n",
        "//- src/a+b.ts\nx\n//- src/bad(regex.ts\nx\n//- src/sub/.gitignore\nlocal.ts\n//- src/sub/local.ts\nx\n",
        "//- src/sub/kept.ts\nx\n//- local.ts\nx\n//- build/a.ts\nx\n//- lib/build/b.ts\nx\n//- .hidden/h.ts\nx\n",
        "//- excluded.ts\nx\n//- src/ok.ts\nx\n//- notes.txt\nx\n",
    ));
    let git = |args: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "core.excludesFile=/dev/null"])
            .args(args)
            .current_dir(fixture.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    git(&["init", "-q"]);
    fixture.write(".git/info/exclude", "excluded.ts\n");
    let listed = git(&["ls-files", "-co", "--exclude-standard", "-z"]);
    let mut expected: Vec<&str> =
        listed.split('\0').filter(|it| languages::of_path(it).is_some()).collect();
    expected.sort_unstable();
    assert!(
        expected.contains(&"src/keep.gen.ts") && expected.contains(&".hidden/h.ts"),
        "{expected:?}"
    );
    assert_eq!(scanned(&fixture, "."), expected);
    // The rules of the repository hold for a part of it as well.
    let inside: Vec<&str> = expected.iter().copied().filter(|it| it.starts_with("src/")).collect();
    assert_eq!(scanned(&fixture, "src"), inside);
}

#[test]
fn what_tools_made_is_left_out_even_where_git_knows_nothing() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- node_modules/x/index.js\nx\n//- target/CACHEDIR.TAG\nx\n//- target/a.rs\nx\n//- env/pyvenv.cfg\nx\n//- env/lib/b.py\nx\n//- __pycache__/c.py\nx\n//- examples/d.ts\nx\n//- dist/e.js\nx\n",
    );
    assert_eq!(scanned(&fixture, "."), ["dist/e.js", "examples/d.ts"]);
    assert_eq!(scanned(&fixture, "target"), ["target/a.rs"]);
}

#[test]
fn a_directory_without_sources_and_a_file_that_is_none_have_texts_of_their_own() {
    let fixture = Fixture::new("//- docs/a.md\nx\n");
    let scan =
        |path: &str| places(&fixture).target(path).unwrap().scan(&Work::endless()).unwrap_err();
    assert_eq!(scan("docs").to_string(), "目标路径中未找到源代码文件: docs");
    assert_eq!(scan("docs/a.md").to_string(), "不支持的文件类型: docs/a.md");
}

#[test]
fn languages_go_by_extension_and_tests_by_name_and_place() {
    for (path, language, test) in [
        ("a.ts", "typescript", false),
        ("a.d.ts", "typescript", false),
        ("a.d.mts", "typescript", false),
        ("a.d.cts", "typescript", false),
        ("a.tsx", "typescript", false),
        ("a.mts", "typescript", false),
        ("a.jsx", "javascript", false),
        ("a.cjs", "javascript", false),
        ("a.mjs", "javascript", false),
        ("a.pyi", "python", false),
        ("src/a.test.ts", "typescript", true),
        ("src/__tests__/a.ts", "typescript", true),
        ("tests/a.rs", "rust", true),
        ("src/tests.rs", "rust", true),
        ("src/contest.rs", "rust", false),
        ("pkg/test_a.py", "python", true),
        ("pkg/latest.py", "python", false),
        ("a_test.go", "go", true),
        ("src/test/java/A.java", "java", true),
        ("src/ATest.java", "java", true),
    ] {
        assert_eq!(languages::id_of_path(path), Some(languages::id_of(language)), "{path}");
        assert_eq!(languages::is_test(path), test, "{path}");
    }
    for path in ["a.md", "ts", ".ts", "a.TS", "Makefile"] {
        assert_eq!(languages::id_of_path(path), None, "{path}");
    }
}

#[test]
fn a_scan_that_is_stopped_says_so() {
    let fixture = Fixture::new("//- a.ts\nx\n");
    let target = places(&fixture).target(".").unwrap();
    let token = CancellationToken::new();
    token.cancel();
    assert!(matches!(target.scan(&Work::until(token)), Err(Error::Cancelled)));
}

#[test]
fn a_rust_directory_has_the_file_that_begins_its_module() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/lib.rs\nmod a;\n//- src/a.rs\nmod b;\n//- src/a/b.rs\nx\n\
         //- src/web.rs\nx\n//- src/web/page.ts\nx\n//- src/main.rs\nx\n//- src/main/c.rs\nx\n\
         //- src/link/d.rs\nx\n",
    );
    std::os::unix::fs::symlink("a.rs", fixture.path().join("src/link.rs")).unwrap();
    assert_eq!(scanned(&fixture, "src/a"), ["src/a.rs", "src/a/b.rs"]);
    // Only where there is Rust, not for what has its modules beside it, and no links.
    assert_eq!(scanned(&fixture, "src/web"), ["src/web/page.ts"]);
    assert_eq!(scanned(&fixture, "src/main"), ["src/main/c.rs"]);
    assert_eq!(scanned(&fixture, "src/link"), ["src/link/d.rs"]);
    assert_eq!(scanned(&fixture, "src/a.rs"), ["src/a.rs"]);
}
