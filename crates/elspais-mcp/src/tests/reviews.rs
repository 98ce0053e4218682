//! Coverage, keywords, suspect links, impact, and the difference to a commit.

use std::process::Command;

use super::*;

fn git(fixture: &Fixture, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(fixture.path()).args(["-c", "user.name=T", "-c", "user.email=t@localhost"]);
    let output = command.args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn project() -> Fixture {
    let fixture = agents();
    fixture.write("src/state.py", "# Implements: REQ-d00060-A\ndef state():\n    pass\n");
    fixture.write(
        "tests/test_state.py",
        "# Verifies: REQ-d00060-A, REQ-d00060-B\ndef test_state():\n    pass\n\n# Verifies: REQ-d00060-C\ndef test_time():\n    pass\n",
    );
    fixture.write(
        ".report.json",
        r#"{"tests":[{"nodeid":"tests/test_state.py::test_state","outcome":"passed"},{"nodeid":"tests/test_state.py::test_time","outcome":"failed","call":{"crash":{"message":"no"}}}]}"#,
    );
    fixture
}

#[tokio::test]
async fn tests_and_their_results_count_for_the_assertions_they_name() {
    let fixture = project();
    let mut client = connect(&fixture).await;
    let answer = told(&mut client, "get_test_coverage", json!({ "req_id": "REQ-d00060" })).await;
    insta::assert_json_snapshot!("coverage", answer);
    let metrics =
        &told(&mut client, "get_requirement", json!({ "req_id": "REQ-d00060" })).await["metrics"];
    assert_eq!(metrics["direct_covered"], 3);
    assert_eq!(
        (&metrics["tested"], &metrics["validated"], &metrics["has_failures"]),
        (&json!(3), &json!(2), &json!(true))
    );
    let missing =
        told(&mut client, "get_uncovered_assertions", json!({ "req_id": "REQ-d00060" })).await;
    assert_eq!(ids(&missing["uncovered"]), ["REQ-d00060-D", "REQ-d00060-E"]);
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["coverage"]["total"], 11);
    assert_eq!(summary["coverage"]["failing"], 1);
    assert_eq!(summary["coverage"]["full_coverage"], 1, "REQ-p00060 is implemented as a whole");
    assert!(summary["changes"]["note"].as_str().unwrap().contains("not in a git repository"));
}

#[tokio::test]
async fn lines_that_tests_reached_are_told_by_requirement_and_assertion() {
    let fixture = Fixture::new(
        r#"
//- .elspais.toml
[[scanning.test.targets]]
name = "app"
cwd = "app"
coverage = "coverage/lcov.info"
[scanning.code]
directories = ["app/src"]
//- spec/a.md
# REQ-d00001: One
**Level**: DEV | **Status**: Active | **Implements**: -

## Assertions

A. The one SHALL add.
B. The one SHALL take away.

*End* *One* | **Hash**: ________
//- app/src/m.py
# Implements: REQ-d00001-A
def add(a, b):
    return a + b

# Implements: REQ-d00001-B
def sub(a, b):
    if a < b:
        return 0
    return a - b
//- app/coverage/lcov.info
SF:src/m.py
DA:2,1
DA:3,4
DA:6,1
DA:7,1
DA:8,0
DA:9,1
end_of_record
SF:src/gone.py
DA:1,1
end_of_record
"#,
    );
    let mut client = connect(&fixture).await;
    let lines = |answer: &Value| answer["code_lines"].clone();
    let one = told(&mut client, "get_test_coverage", json!({ "req_id": "REQ-d00001" })).await;
    assert_eq!(lines(&one), json!({ "lines": 6, "reached": 5 }));
    assert_eq!(lines(&one["assertions"][0]), json!({ "lines": 2, "reached": 2 }));
    assert_eq!(lines(&one["assertions"][1]), json!({ "lines": 4, "reached": 3 }));
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["line_coverage"], json!({ "files": 1, "lines": 6, "reached": 5 }));
    assert_eq!(summary["coverage"]["tested_assertions"], 0, "lines alone verify nothing");
    // Nothing of the first function is known now: that makes the next one none of its lines.
    fixture.write("app/coverage/lcov.info", "SF:src/m.py\nDA:9,0\nend_of_record\n");
    told(&mut client, "refresh_graph", json!({})).await;
    let one = told(&mut client, "get_test_coverage", json!({ "req_id": "REQ-d00001" })).await;
    assert_eq!(lines(&one), json!({ "lines": 1, "reached": 0 }));
    assert_eq!(lines(&one["assertions"][0]), json!({ "lines": 0, "reached": 0 }));
}

#[tokio::test]
async fn keywords_find_requirements_and_single_assertions() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let found =
        told(&mut client, "find_by_keywords", json!({ "keywords": ["Branch", "model"] })).await;
    assert_eq!(ids(&found["results"]), ["REQ-o00063"]);
    let found = told(
        &mut client,
        "find_by_keywords",
        json!({ "keywords": ["branch", "siblings"], "match_all": false }),
    )
    .await;
    assert_eq!(ids(&found["results"]), ["REQ-o00063", "REQ-d00063"]);
    let found =
        told(&mut client, "find_assertions_by_keywords", json!({ "keywords": ["siblings"] })).await;
    assert_eq!(ids(&found["results"]), ["REQ-d00063-C"]);
    let all = told(&mut client, "get_all_keywords", json!({})).await;
    assert!(all["keywords"].as_array().unwrap().iter().any(|it| it["keyword"] == "siblings"));
    assert!(!all["keywords"].as_array().unwrap().iter().any(|it| it["keyword"] == "shall"));
    refused(&mut client, "find_by_keywords", json!({ "keywords": [" "] })).await;
}

#[tokio::test]
async fn a_link_is_suspect_when_the_text_behind_it_changed_since_its_review() {
    let fixture = project();
    let mut client = connect(&fixture).await;
    let fresh = told(&mut client, "get_suspect_links", json!({})).await;
    assert_eq!((&fresh["suspect_count"], &fresh["reviewed_count"]), (&json!(0), &json!(0)));
    assert!(fresh["unreviewed_count"].as_u64().unwrap() > 10);
    refused(&mut client, "clear_suspect_link", json!({})).await;
    refused(&mut client, "clear_suspect_link", json!({ "source_id": "REQ-d09999" })).await;
    told(&mut client, "clear_suspect_link", json!({ "all": true })).await;
    let again = told(&mut client, "get_suspect_links", json!({})).await;
    assert_eq!((&again["suspect_count"], &again["unreviewed_count"]), (&json!(0), &json!(0)));
    let text = "A word more SHALL make links suspect.";
    told(
        &mut client,
        "mutate_update_assertion",
        json!({ "assertion_id": "REQ-d00060-A", "new_text": text }),
    )
    .await;
    let links = told(&mut client, "get_suspect_links", json!({})).await;
    let sources: Vec<&str> = links["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["source_id"].as_str().unwrap())
        .collect();
    assert_eq!(sources, ["code:src/state.py:1", "test:tests/test_state.py::test_state"]);
    let clear = json!({ "source_id": sources[0], "target_id": "REQ-d00060-A" });
    told(&mut client, "clear_suspect_link", clear).await;
    assert_eq!(told(&mut client, "get_suspect_links", json!({})).await["suspect_count"], 1);
    let reviews = fixture.read(".elspais-reviews");
    assert!(reviews.contains("code:src/state.py::state\tREQ-d00060-A\t"), "{reviews}");
    fixture.write(".elspais-reviews", "nonsense\n");
    let answer = refused(&mut client, "get_suspect_links", json!({})).await;
    assert!(answer["error"].as_str().unwrap().contains("line 1"));
}

#[tokio::test]
async fn impact_and_subtree_show_what_hangs_on_something() {
    let fixture = project();
    let mut client = connect(&fixture).await;
    let answer = told(&mut client, "impact", json!({ "target": "REQ-o00060" })).await;
    assert_eq!(ids(&answer["direct"]), ["REQ-d00060", "REQ-d00061", "REQ-d00062", "REQ-d00063"]);
    assert!(ids(&answer["indirect"]).contains(&"code:src/state.py:1"));
    let answer = told(&mut client, "impact", json!({ "path": "src/state.py:2" })).await;
    assert_eq!(ids(&answer["requirements"]), ["REQ-d00060"]);
    let answer = told(&mut client, "impact", json!({ "target": "tests/test_state.py" })).await;
    assert_eq!(ids(&answer["requirements"]), ["REQ-d00060"]);
    refused(&mut client, "impact", json!({ "target": "nowhere" })).await;
    let answer = refused(&mut client, "impact", json!({ "target": "src/state.py:400" })).await;
    assert!(answer["error"].as_str().unwrap().contains("3 lines"), "{answer}");
    let answer = told(&mut client, "impact", json!({ "target": "REQ-d00060-A" })).await;
    let found = ["code:src/state.py:1", "test:tests/test_state.py::test_state"];
    assert_eq!(ids(&answer["direct"]), found, "who cites another assertion is not touched");
    let tree = told(&mut client, "get_subtree", json!({})).await;
    assert_eq!((&tree["roots"], &tree["count"]), (&json!(["REQ-p00060"]), &json!(11)));
    let tree = told(
        &mut client,
        "get_subtree",
        json!({ "req_id": "REQ-d00060", "include_details": true }),
    )
    .await;
    assert_eq!(
        tree["count"], 11,
        "five assertions, one piece of code, two tests, two results and itself"
    );
}

#[tokio::test]
async fn requirements_that_differ_from_a_commit_are_named_with_their_parts() {
    let fixture = agents();
    git(&fixture, &["init", "-q", "-b", "main"]);
    git(&fixture, &["add", "."]);
    git(&fixture, &["commit", "-q", "-m", "one"]);
    let mut client = connect(&fixture).await;
    let none = told(&mut client, "get_changed_requirements", json!({})).await;
    assert_eq!(none["count"], 0);
    let arguments =
        json!({ "req_id": "REQ-d00061", "target_file": "spec/moved.md", "create": true });
    told(&mut client, "move_requirement", arguments).await;
    git(&fixture, &["checkout", "-q", "-b", "work"]);
    git(&fixture, &["add", "."]);
    git(&fixture, &["commit", "-q", "-m", "two"]);
    told(
        &mut client,
        "mutate_update_assertion",
        json!({ "assertion_id": "REQ-d00060-A", "new_text": "Other SHALL be." }),
    )
    .await;
    told(
        &mut client,
        "mutate_change_status",
        json!({ "node_id": "REQ-d00060", "new_status": "Draft" }),
    )
    .await;
    told(&mut client, "save_mutations", json!({})).await;
    told(
        &mut client,
        "mutate_delete_requirement",
        json!({ "node_id": "REQ-d00065", "confirm": true }),
    )
    .await;
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["changes"], json!({ "uncommitted": 2, "branch_changed": 3 }));
    let changes =
        told(&mut client, "get_changed_requirements", json!({ "base_ref": "main" })).await;
    insta::assert_json_snapshot!("changes", changes);
    for base in ["nowhere", "--output=x", ""] {
        refused(&mut client, "get_changed_requirements", json!({ "base_ref": base })).await;
    }
    assert!(!fixture.has(".elspais"), "in a repository the journal lies in the git directory");
}

#[tokio::test]
async fn links_that_are_cleared_all_at_once_are_all_cleared() {
    let fixture = project();
    let workspace = Arc::new(workspace(&fixture));
    let mut client = connect_to(workspace.clone()).await;
    let query = json!({ "include_unreviewed": true });
    let unreviewed = told(&mut client, "get_suspect_links", query).await;
    let links = unreviewed["links"].as_array().unwrap().clone();
    assert!(links.len() > 10);
    std::thread::scope(|scope| {
        for link in &links {
            let workspace = &workspace;
            scope.spawn(move || {
                let is_it = |it: &crate::domain::review::suspect::Link| {
                    link["source_id"] == it.source_id && link["target_id"] == it.target_id
                };
                workspace.agree(&Work::endless(), is_it).unwrap();
            });
        }
    });
    let left = told(&mut client, "get_suspect_links", json!({})).await;
    assert_eq!(left["unreviewed_count"], 0);
}

#[tokio::test]
async fn answers_about_very_many_nodes_are_cut_and_say_so() {
    let fixture = Fixture::empty();
    let blocks = (0..1_500).map(|n| {
        let next = (n + 1) % 1_500;
        format!(
            "# REQ-o{n:05}: Round\nLevel: OPS\nImplements: REQ-o{next:05}\n\n# REQ-d{n:05}: Lost\nImplements: REQ-p{n:05}\n\n## Assertions\nA. It SHALL.\n\n"
        )
    });
    let text: String = blocks.collect();
    fixture.write("spec/a.md", &text);
    let cited = "# Verifies: REQ-d00001-A\ndef test_it():\n    pass\n";
    for n in 0..150 {
        fixture.write(&format!("tests/test_{n}.py"), cited);
    }
    let mut client = connect(&fixture).await;
    let orphans = told(&mut client, "get_orphaned_nodes", json!({})).await;
    assert_eq!((&orphans["count"], &orphans["longest_cycle"]), (&json!(1_500), &json!(1_500)));
    let tree = told(&mut client, "get_subtree", json!({})).await;
    assert_eq!((&tree["roots_total"], &tree["truncated"]), (&json!(1_500), &json!(true)));
    let hanging = told(&mut client, "impact", json!({ "target": "spec/a.md" })).await;
    assert_eq!(hanging["requirements_total"], 3_000);
    let covered = told(&mut client, "get_test_coverage", json!({ "id": "REQ-d00001" })).await;
    assert_eq!(covered["assertions"][0]["sources_total"], 150);
}

#[tokio::test]
async fn what_was_reviewed_stays_reviewed_under_another_id() {
    let fixture = project();
    fixture.write("tests/test_names.py", "def test_it_REQ_d00060_D():\n    pass\n");
    let mut client = connect(&fixture).await;
    told(&mut client, "clear_suspect_link", json!({ "all": true })).await;
    let reviewed =
        told(&mut client, "get_suspect_links", json!({})).await["reviewed_count"].clone();
    for (tool, arguments) in [
        ("mutate_rename_node", json!({ "old_id": "REQ-d00060", "new_id": "REQ-d00080" })),
        ("mutate_rename_assertion", json!({ "old_id": "REQ-d00080-A", "new_label": "Q" })),
        // Nothing cites E, and nothing moves up.
        ("mutate_delete_assertion", json!({ "id": "REQ-d00080-E", "confirm": true })),
    ] {
        told(&mut client, tool, arguments).await;
    }
    let saved = told(&mut client, "save_mutations", json!({})).await;
    assert!(saved["files"].as_array().unwrap().contains(&json!(".elspais-reviews")), "{saved}");
    let after = told(&mut client, "get_suspect_links", json!({})).await;
    assert_eq!((&after["reviewed_count"], &after["unreviewed_count"]), (&reviewed, &json!(0)));
    let refreshed = told(&mut client, "refresh_graph", json!({})).await;
    assert_eq!((&refreshed["files_changed"], &refreshed["files_removed"]), (&json!(0), &json!(0)));
    assert!(!fixture.read(".elspais-reviews").contains("REQ-d00060"));
}

#[tokio::test]
async fn an_exception_is_noted_with_its_reason_and_taken_back() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let left =
        |answer: &Value| (answer["total"].as_u64().unwrap(), answer["excepted"].as_u64().unwrap());
    let of = json!({ "req_id": "REQ-d00061", "by": "any" });
    let before = left(&told(&mut client, "get_uncovered_assertions", of.clone()).await);
    assert_eq!(before, (5, 0));
    let mark = json!({ "assertion_id": "REQ-d00061-C", "reason": "Not in this release" });
    let noted = told(&mut client, "mark_not_implemented", mark).await;
    assert_eq!(
        (&noted["reason"], &noted["previous_reason"]),
        (&json!("Not in this release"), &Value::Null)
    );
    assert!(
        fixture
            .read(".elspais-reviews")
            .contains("not-implemented\tREQ-d00061-C\tNot in this release\n")
    );
    assert_eq!(left(&told(&mut client, "get_uncovered_assertions", of.clone()).await), (4, 1));
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["coverage"]["excepted_assertions"], 1);
    let shown = told(&mut client, "get_test_coverage", json!({ "req_id": "REQ-d00061" })).await;
    assert_eq!(shown["assertions"][2]["not_implemented"], "Not in this release");
    told(&mut client, "clear_suspect_link", json!({ "all": true })).await;
    assert!(fixture.read(".elspais-reviews").contains("not-implemented\t"), "reviews leave it");
    let rename = json!({ "old_id": "REQ-d00061", "new_id": "REQ-d00071" });
    told(&mut client, "mutate_rename_node", rename).await;
    told(&mut client, "save_mutations", json!({})).await;
    assert!(fixture.read(".elspais-reviews").contains("not-implemented\tREQ-d00071-C\t"));
    let undo = json!({ "assertion_id": "REQ-d00071-C", "undo": true });
    let undone = told(&mut client, "mark_not_implemented", undo).await;
    assert_eq!(undone["previous_reason"], "Not in this release");
    assert!(!fixture.read(".elspais-reviews").contains("not-implemented"));
    refused(&mut client, "mark_not_implemented", json!({ "assertion_id": "REQ-d00071-C" })).await;
    refused(
        &mut client,
        "mark_not_implemented",
        json!({ "assertion_id": "REQ-d00071", "reason": "x" }),
    )
    .await;
}
