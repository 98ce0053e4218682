//! The structure and health checks, on projects good, bad and hostile.

use plumbline_tests::Fixture;
use serde_json::json;

use super::{ask, bare, make_directory, refused, told, write_bytes};
use crate::store::embedded;
use crate::store::surroundings::Surroundings;

fn stub(name: &str) -> &'static str {
    let path = format!("stubs/{name}.md");
    embedded::PROCESS.iter().find(|(it, _)| *it == path).map(|(_, text)| *text).unwrap()
}

/// A project made of the stubs, each at its place.
pub(super) fn from_stubs(kind: &str) -> Fixture {
    let fixture = Fixture::empty();
    fixture.write("README.md", stub("readme"));
    fixture.write("status.md", stub("status"));
    fixture.write("docs/intent.md", stub("intent"));
    fixture.write("docs/brief.md", stub("brief"));
    fixture.write(".claude/CLAUDE.md", stub(&format!("claude-md/{kind}")));
    fixture.write(".claude/rules/constraints.md", stub("rules-constraints"));
    make_directory(&fixture, "docs/inbox");
    make_directory(&fixture, "_archive");
    fixture
}

async fn structure(fixture: &Fixture) -> String {
    told(bare(fixture), "check_project_structure", json!({})).await
}

async fn health(fixture: &Fixture) -> String {
    told(bare(fixture), "check_project_health", json!({})).await
}

// Verifies: PLB-d06002-A
#[tokio::test]
async fn the_answer_has_the_form_of_the_contract() {
    let fixture = from_stubs("app");
    fixture.write("docs/inbox/.gitkeep", "");
    remove(&fixture, "docs/brief.md");
    let expected = "Project Structure Check: <root>\n\
        ✓ .claude/CLAUDE.md\n✓ .claude/rules/\n✓ docs/\n✓ docs/intent.md\n\
        ✗ docs/brief.md — missing\n✓ docs/inbox/\n✓ _archive/\n✓ README.md\n\n\
        Result: 7/8 passed. Missing: docs/brief.md";
    assert_eq!(fixture.normalise(&structure(&fixture).await), expected);
}

#[expect(clippy::disallowed_methods, reason = "the fixture only writes files")]
fn remove(fixture: &Fixture, name: &str) {
    std::fs::remove_file(fixture.path().join(name)).unwrap();
}

#[tokio::test]
async fn the_data_says_the_same_as_the_text() {
    let fixture = Fixture::new("//- docs\nfile\n//- README.md/x\n");
    let reply = ask(bare(&fixture), "check_project_structure", json!({})).await;
    let data = reply.structured();
    assert_eq!(data["passed"], 0);
    assert_eq!(data["total"], 8);
    assert_eq!(data["missing"].as_array().unwrap().len(), 8);
    assert_eq!(data["items"][2]["path"], "docs/");
    assert_eq!(data["items"][2]["problem"], "is a file, directory required");
    assert!(reply.text().contains("✗ docs/ — is a file, directory required"), "{}", reply.text());
    assert!(
        reply.text().contains("✗ README.md — is a directory, file required"),
        "{}",
        reply.text()
    );
    assert!(reply.text().ends_with("Missing: .claude/CLAUDE.md, .claude/rules/, docs/, docs/intent.md, docs/brief.md, docs/inbox/, _archive/, README.md"));
    assert!(!reply.is_tool_error(), "a project with gaps is an answer, not a failure");
}

#[tokio::test]
async fn files_beneath_a_file_are_missing() {
    let fixture = Fixture::new("//- docs\nfile\n//- .claude\nfile\n");
    let text = health(&fixture).await;
    assert!(text.contains("✗ docs/intent.md — missing"), "{text}");
    assert!(text.contains("✗ .claude/CLAUDE.md — file missing"), "{text}");
    assert!(text.contains("0/22 checks passed"), "{text}");
}

#[tokio::test]
async fn front_matter_as_people_write_it_is_valid() {
    let fixture = from_stubs("app");
    let front = "---\ncreated: 2026-01-31\nversion: 0.1\ntags: [a, b]\ndraft: yes\n# why\nnested:\n  - x: 1\n---\n";
    let body = "# I\n## Problem\n## Outcome\n## Why It Matters\n";
    fixture.write("docs/intent.md", &format!("{front}{body}"));
    assert!(health(&fixture).await.contains("Overall: healthy"));
}

#[tokio::test]
async fn a_project_of_stubs_scores_full_marks() {
    for kind in ["app", "workflow", "artifact"] {
        let fixture = from_stubs(kind);
        assert!(structure(&fixture).await.ends_with("Result: 8/8 passed."));
        let reply = ask(bare(&fixture), "check_project_health", json!({})).await;
        assert!(
            reply.text().ends_with("Overall: healthy, 22/22 checks passed."),
            "{}",
            reply.text()
        );
        assert_eq!(reply.structured()["healthy"], true);
    }
}

#[tokio::test]
async fn in_the_shell_an_unhealthy_project_is_a_failure() {
    let (good, bad) = (from_stubs("app"), Fixture::empty());
    for tool in ["check_project_health", "check_project_structure"] {
        for (fixture, failed) in [(&good, false), (&bad, true)] {
            let server = crate::server::assemble(bare(fixture));
            let answer = server.call_directly(tool, serde_json::Map::new(), None).await.unwrap();
            assert_eq!(answer.passed, !failed, "{tool}");
            assert_eq!(answer.result.is_error, Some(false), "the report itself is no failure");
            assert!(answer.result.structured_content.is_some());
        }
    }
}

// Verifies: PLB-d06002-B
#[tokio::test]
async fn health_groups_its_findings_and_gives_a_verdict() {
    let fixture = from_stubs("app");
    fixture.write(
        "docs/intent.md",
        "# Intent\n## Problem\n## Desired Outcome\n```\n## Why It Matters\n```\n",
    );
    fixture.write("docs/brief.md", "---\n---\n# Brief: the Scope tool\n## 1. SUMMARY\n## Scopeless\n## Out of Scope\n## Success criteria\n## Decision Log\nConstraints\n-----------\n");
    fixture.write("docs/status.md", "---\na: 1\na: 2\n---\n# Status\n");
    remove(&fixture, "status.md");
    remove(&fixture, ".claude/CLAUDE.md");
    let text = health(&fixture).await;
    insta::assert_snapshot!("health_unhealthy", fixture.normalise(&text));
    let reply = ask(bare(&fixture), "check_project_health", json!({})).await;
    let data = reply.structured();
    assert_eq!(data["healthy"], false);
    let passed: i64 =
        data["groups"].as_array().unwrap().iter().map(|it| it["passed"].as_i64().unwrap()).sum();
    assert_eq!(data["passed"], passed);
}

#[tokio::test]
async fn status_at_the_root_wins_over_docs_and_the_answer_says_which() {
    let fixture = from_stubs("app");
    fixture.write("docs/status.md", "nothing here\n");
    assert!(health(&fixture).await.contains("✓ status.md — valid frontmatter"));
    remove(&fixture, "status.md");
    assert!(health(&fixture).await.contains("✗ docs/status.md — no frontmatter"));
    remove(&fixture, "docs/status.md");
    let text = health(&fixture).await;
    assert!(
        text.contains("✗ status.md — file missing (looked for status.md, then docs/status.md)"),
        "{text}"
    );
}

#[tokio::test]
async fn windows_line_ends_and_a_byte_order_mark_pass() {
    let fixture = from_stubs("workflow");
    for file in ["docs/intent.md", "docs/brief.md", "status.md", ".claude/CLAUDE.md"] {
        let text = format!("\u{feff}{}", fixture.read(file).replace('\n', "\r\n"));
        fixture.write(file, &text);
    }
    assert!(health(&fixture).await.contains("Overall: healthy"));
}

#[tokio::test]
async fn code_in_front_matter_is_refused_and_not_run() {
    let fixture = from_stubs("app");
    let code = "---js\nrequire('fs').writeFileSync('PWNED.txt', 'x')\n---\n# I\n## Problem\n## Outcome\n## Why it matters\n";
    fixture.write("docs/intent.md", code);
    let text = health(&fixture).await;
    let line = "✗ docs/intent.md — invalid frontmatter: written in `js`, only YAML is read";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("✓ docs/intent.md — has Why It Matters"), "{text}");
    assert!(!fixture.has("PWNED.txt"));
}

#[tokio::test]
async fn bytes_bombs_and_directories_are_findings() {
    let fixture = from_stubs("app");
    write_bytes(&fixture, "docs/intent.md", b"---\na: b\n---\n\xff\n");
    let aliases = (0..12).fold("a0: &a0 [x]\n".to_owned(), |text, n| {
        format!("{text}a{}: &a{} [{}]\n", n + 1, n + 1, vec![format!("*a{n}"); 9].join(","))
    });
    fixture.write("docs/brief.md", &format!("---\n{aliases}---\n## Summary\n"));
    remove(&fixture, "status.md");
    make_directory(&fixture, "status.md");
    let text = health(&fixture).await;
    assert!(text.contains("✗ docs/intent.md — is not valid UTF-8 (byte 13)"), "{text}");
    assert!(text.contains("✗ docs/brief.md — invalid frontmatter: not valid YAML"), "{text}");
    assert!(text.contains("✓ docs/brief.md — has Summary"), "{text}");
    assert!(text.contains("✗ status.md — is a directory, a file is required"), "{text}");
    assert!(text.contains("✗ docs/intent.md — cannot check Problem: is not valid UTF-8"), "{text}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_out_of_the_project_are_findings_and_a_linked_project_works() {
    let outside = Fixture::new("//- x.md\n---\na: b\n---\n");
    let fixture = from_stubs("app");
    remove(&fixture, "README.md");
    super::link(&fixture, &format!("{}/x.md", outside.path_text()), "README.md");
    let text = structure(&fixture).await;
    assert!(text.contains("✗ README.md — is a link that leads outside"), "{text}");
    let project = from_stubs("app");
    super::link(&fixture, project.path_text(), "linked");
    let text =
        told(bare(&fixture), "check_project_health", json!({ "project_path": "linked" })).await;
    assert!(text.contains("Overall: healthy"), "{text}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_in_a_circle_are_findings_without_the_words_of_the_system() {
    let fixture = from_stubs("app");
    remove(&fixture, "status.md");
    super::link(&fixture, "status.md", "status.md");
    super::link(&fixture, "around", "around");
    let text = health(&fixture).await;
    assert!(
        text.contains("✗ status.md — cannot be used: ") && !text.contains("os error"),
        "{text}"
    );
    refused(bare(&fixture), "check_project_health", json!({ "project_path": "around" })).await;
}

#[tokio::test]
async fn project_paths_are_resolved_and_absent_ones_are_errors() {
    let fixture = Fixture::new(
        "//- home/p/README.md\nx\n//- sub/README.md\nx\n//- file\nx\n//- odd [a]*?{b}/README.md\nx\n",
    );
    let absolute = format!("{}/sub", fixture.path_text());
    for path in ["~/p", "sub", "./sub/", "sub/../sub", absolute.as_str(), "odd [a]*?{b}"] {
        let arguments = json!({ "project_path": path });
        let text = told(bare(&fixture), "check_project_structure", arguments).await;
        assert!(text.contains("✓ README.md"), "{path}: {text}");
    }
    for path in ["gone", "file", "~other/p", "/nonexistent/x", "sub\u{0}x"] {
        for tool in ["check_project_structure", "check_project_health"] {
            let text = refused(bare(&fixture), tool, json!({ "project_path": path })).await;
            assert!(text.starts_with("No project directory at "), "{path:?}: {text}");
        }
    }
    let home =
        told(bare(&fixture), "check_project_structure", json!({ "project_path": "~" })).await;
    assert!(fixture.normalise(&home).starts_with("Project Structure Check: <root>/home\n"));
    let text =
        refused(bare(&fixture), "check_project_health", json!({ "project_path": "file" })).await;
    assert!(text.contains("it is not a directory"), "{text}");
}

#[tokio::test]
async fn an_empty_path_is_the_project_of_the_server() {
    let fixture = from_stubs("app");
    for path in ["", " "] {
        let arguments = json!({ "project_path": path });
        let text = told(bare(&fixture), "check_project_structure", arguments).await;
        assert!(text.ends_with("8/8 passed."), "{text}");
    }
}

#[tokio::test]
async fn over_http_projects_stay_beneath_the_root() {
    let outside = Fixture::new("//- README.md\nx\n");
    let fixture = Fixture::new("//- sub/README.md\nx\n//- file\nx\n");
    let confined = || Surroundings { confined: true, ..bare(&fixture) };
    for path in ["sub", ".", "sub/..", fixture.path_text()] {
        told(confined(), "check_project_structure", json!({ "project_path": path })).await;
    }
    told(confined(), "check_project_structure", json!({})).await;
    for path in ["..", "sub/../..", "/", "/etc", outside.path_text(), "~/"] {
        let surroundings = Surroundings { home: Some(outside.path().to_owned()), ..confined() };
        let text =
            refused(surroundings, "check_project_health", json!({ "project_path": path })).await;
        assert!(text.contains("lies outside the served project"), "{path}: {text}");
    }
    let text = refused(confined(), "check_project_health", json!({ "project_path": "file" })).await;
    assert!(text.contains("No project directory at"), "{text}");
    #[cfg(unix)]
    {
        super::link(&fixture, outside.path_text(), "out");
        let text =
            refused(confined(), "check_project_health", json!({ "project_path": "out" })).await;
        assert!(text.contains("is a link that leads outside"), "{text}");
    }
}

#[tokio::test]
async fn dots_that_leave_the_project_root_are_refused_and_others_are_not() {
    let fixture = Fixture::new("//- root/a/b/x\nx\n//- other/status.md\nx\n");
    let surroundings = || {
        let root = fixture.path().join("root");
        Surroundings {
            project_roots: vec![root.clone()],
            working_directory: root,
            ..bare(&fixture)
        }
    };
    for path in ["..", "../other", "a/../..", "a/b/../../../other"] {
        for tool in ["check_project_structure", "check_project_health"] {
            let text = refused(surroundings(), tool, json!({ "project_path": path })).await;
            assert!(text.contains("leaves the project root"), "{path}: {text}");
        }
    }
    let absolute = format!("{}/../other", fixture.path().join("root").display());
    let text = refused(surroundings(), "check_project_health", json!({ "project_path": absolute }));
    assert!(text.await.contains("leaves the project root"));
    let other = fixture.path().join("other").display().to_string();
    for path in ["a/..", "a/../a/b", "./a", other.as_str()] {
        let reply = ask(surroundings(), "check_project_structure", json!({ "project_path": path }));
        assert!(reply.await.structured()["total"].is_number(), "{path}");
    }
}

#[tokio::test]
async fn what_stands_elsewhere_is_named_and_checked_in_its_place() {
    let fixture = from_stubs("app");
    remove(&fixture, ".claude/CLAUDE.md");
    fixture.write("AGENTS.md", "# Agents\n## Orientation\nHere.\n");
    let text = structure(&fixture).await;
    assert!(text.contains("✗ .claude/CLAUDE.md — missing (AGENTS.md found)"), "{text}");
    assert!(text.ends_with("Result: 7/8 passed. Missing: .claude/CLAUDE.md"), "{text}");
    let text = health(&fixture).await;
    assert!(text.contains("✗ .claude/CLAUDE.md — missing (AGENTS.md found)"), "{text}");
    assert!(text.contains("✓ AGENTS.md — has Context Map or Orientation"), "{text}");
    assert!(text.contains("20/22 checks passed"), "{text}");
    fixture.write("CLAUDE.md", "x\n");
    let text = structure(&fixture).await;
    assert!(text.contains("— missing (CLAUDE.md and AGENTS.md found)"), "{text}");
}

#[tokio::test]
async fn a_project_of_another_kind_is_told_how_to_start_and_each_missing_file_once() {
    let fixture = Fixture::new("//- README.md\n# Thing\n//- docs/guide.md\nx\n//- CLAUDE.md\nx\n");
    let text = health(&fixture).await;
    insta::assert_snapshot!("health_of_another_kind", fixture.normalise(&text));
    assert!(text.starts_with("This is not an ACM project"), "{text}");
    assert!(!health(&from_stubs("app")).await.contains("not an ACM project"));
    fixture.write("status.md", "---\nstage: discover\n---\n");
    assert!(!health(&fixture).await.contains("not an ACM project"));
}

#[test]
fn in_the_shell_a_check_speaks_to_people_programs_and_build_servers() {
    let fixture = from_stubs("app");
    remove(&fixture, "docs/brief.md");
    let report = |format: &str| {
        let (text, healthy) = crate::cli::check::report(&bare(&fixture), None, format).unwrap();
        assert!(!healthy);
        fixture.normalise(&text)
    };
    insta::assert_snapshot!("check_github", report("github"));
    let data: serde_json::Value = serde_json::from_str(&report("json")).unwrap();
    assert_eq!((&data["passed"], &data["total"]), (&json!(15), &json!(22)));
    assert!(report("text").starts_with("Project Health Check: <root>"));
    let whole = crate::cli::check::report(&bare(&from_stubs("app")), None, "github").unwrap();
    assert_eq!(whole, (String::new(), true));
}
