//! Saving and the tools that write files: what is on disk afterwards, and what is not.

use std::path::Path;

use super::*;

fn lines_changed(before: &str, after: &str) -> usize {
    let diff = similar::TextDiff::from_lines(before, after);
    diff.iter_all_changes().filter(|it| it.tag() == similar::ChangeTag::Insert).count()
}

// Verifies: PLB-d03002-C
#[tokio::test]
async fn saving_writes_the_lines_that_changed_and_no_others() {
    let fixture = agents();
    fixture.write("src/a.py", "# Implements: REQ-d00060-A\ndef f(): pass\n");
    let before = fixture.read("spec/agents.md");
    let mut client = connect(&fixture).await;
    told(
        &mut client,
        "mutate_rename_node",
        json!({ "old_id": "REQ-d00060", "new_id": "REQ-d00070" }),
    )
    .await;
    told(&mut client, "mutate_update_title", json!({ "id": "REQ-o00061", "new_title": "Here" }))
        .await;
    assert_eq!(fixture.read("spec/agents.md"), before, "nothing is written before it is saved");
    let shown = told(&mut client, "save_mutations", json!({ "dry_run": true })).await;
    assert_eq!(fixture.read("spec/agents.md"), before);
    insta::assert_snapshot!("saved_diff", shown["diff"].as_str().unwrap());
    let saved = told(&mut client, "save_mutations", json!({})).await;
    assert_eq!(saved["diff"], shown["diff"]);
    assert_eq!(saved["files"], json!(["spec/agents.md", "src/a.py"]));
    assert_eq!(lines_changed(&before, &fixture.read("spec/agents.md")), 3);
    assert_eq!(fixture.read("src/a.py"), "# Implements: REQ-d00070-A\ndef f(): pass\n");
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!((&status["pending_mutations"], &status["is_stale"]), (&json!(0), &json!(false)));
    let nothing = told(&mut client, "save_mutations", json!({})).await;
    assert_eq!(nothing["files"], json!([]));
}

#[tokio::test]
async fn pending_changes_keep_files_from_being_read_or_edited() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let made = told(
        &mut client,
        "mutate_change_status",
        json!({ "req_id": "REQ-d00060", "new_status": "Draft" }),
    )
    .await;
    for (tool, arguments) in [
        ("refresh_graph", json!({})),
        ("refresh_graph", json!({ "full": true })),
        (
            "change_reference_type",
            json!({ "req_id": "REQ-d00060", "target_id": "REQ-o00060-A", "new_type": "refines" }),
        ),
        (
            "move_requirement",
            json!({ "req_id": "REQ-d00060", "target_file": "spec/b.md", "create": true }),
        ),
    ] {
        let answer = refused(&mut client, tool, arguments).await;
        assert_eq!(answer["pending_mutations"], 1);
        // Only tools that change something say that they did not.
        let success = if tool == "refresh_graph" { &Value::Null } else { &json!(false) };
        assert_eq!(&answer["success"], success);
        assert!(answer["hint"].as_str().unwrap().contains("discard_mutations"));
    }
    let stranger = json!({ "if_tip_mutation_id": "0".repeat(32) });
    for tool in ["save_mutations", "undo_last_mutation"] {
        let answer = refused(&mut client, tool, stranger.clone()).await;
        assert_eq!(answer["current_tip"], made["mutation"]["id"]);
    }
    let moved = refused(&mut client, "refresh_graph", json!({ "discard_mutations": true })).await;
    assert!(moved["hint"].as_str().unwrap().contains("discard_mutations with confirm=true"));
    let unsure = refused(&mut client, "discard_mutations", json!({})).await;
    assert_eq!(unsure["code"], "confirmation_required");
    let lost = told(&mut client, "discard_mutations", json!({ "confirm": true })).await;
    assert_eq!(lost["discarded_mutations"], 1);
    told(&mut client, "refresh_graph", json!({})).await;
    let requirement = told(&mut client, "get_requirement", json!({ "id": "REQ-d00060" })).await;
    assert_eq!(requirement["status"], "Active");
}

// Verifies: PLB-d03002-D
#[tokio::test]
async fn a_file_that_changed_on_disk_is_not_overwritten() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    told(
        &mut client,
        "mutate_change_status",
        json!({ "req_id": "REQ-d00060", "new_status": "Draft" }),
    )
    .await;
    let theirs = format!("{}\nMore.\n", fixture.read("spec/agents.md"));
    fixture.write("spec/agents.md", &theirs);
    let answer = refused(&mut client, "save_mutations", json!({})).await;
    assert!(answer["error"].as_str().unwrap().contains("spec/agents.md changed on disk"));
    assert_eq!(fixture.read("spec/agents.md"), theirs);
    let log = told(&mut client, "get_mutation_log", json!({})).await;
    assert_eq!(log["total"], 1, "what was drafted is still there");
}

#[tokio::test]
async fn a_new_requirement_goes_to_its_file_or_to_the_only_one_there_is() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let new = json!({ "req_id": "REQ-d00099", "title": "New", "level": "dev" });
    let made = told(&mut client, "mutate_add_requirement", new).await;
    assert_eq!(made["mutation"]["after_state"]["level"], "DEV");
    let found = told(&mut client, "get_requirement", json!({ "req_id": "REQ-d00099" })).await;
    let (path, is_root) = (&found["source"]["path"], &found["is_root"]);
    assert_eq!((path, is_root), (&json!("spec/agents.md"), &json!(true)));
    told(&mut client, "undo_last_mutation", json!({})).await;
    let new = json!({ "req_id": "REQ-d00099", "title": "New", "level": "DEV", "target_file": "spec/deep/new.md" });
    told(&mut client, "mutate_add_requirement", new).await;
    told(
        &mut client,
        "mutate_add_assertion",
        json!({ "req_id": "REQ-d00099", "label": "A", "text": "It SHALL be." }),
    )
    .await;
    told(&mut client, "save_mutations", json!({})).await;
    insta::assert_snapshot!("new_file", fixture.read("spec/deep/new.md"));
    for path in ["../x.md", "/etc/x.md", "src/x.md", "spec/x.txt", "spec/README.md"] {
        let new =
            json!({ "req_id": "REQ-d00098", "title": "New", "level": "DEV", "target_file": path });
        refused(&mut client, "mutate_add_requirement", new).await;
    }
}

// Verifies: PLB-d03003-A
#[tokio::test]
async fn a_reference_is_turned_in_its_file_and_the_graph_follows() {
    let fixture = agents();
    let before = fixture.read("spec/agents.md");
    let mut client = connect(&fixture).await;
    let turn = json!({ "req_id": "REQ-o00061", "target_id": "REQ-p00060", "new_type": "REFINES" });
    let mut dry = turn.clone();
    dry["dry_run"] = true.into();
    told(&mut client, "change_reference_type", dry).await;
    assert_eq!(fixture.read("spec/agents.md"), before);
    told(&mut client, "change_reference_type", turn.clone()).await;
    assert_eq!(lines_changed(&before, &fixture.read("spec/agents.md")), 1);
    let found = told(&mut client, "get_requirement", json!({ "req_id": "REQ-o00061" })).await;
    assert_eq!(found["relationships"]["incoming"][0]["kind"], "refines");
    let again = refused(&mut client, "change_reference_type", turn).await;
    assert!(again["error"].as_str().unwrap().contains("already"));
    let absent =
        json!({ "req_id": "REQ-o00061", "target_id": "REQ-d00060", "new_type": "refines" });
    let absent = refused(&mut client, "change_reference_type", absent).await;
    assert!(absent["hint"].as_str().unwrap().contains("It cites REQ-p00060"));
}

// Verifies: PLB-d03003-B
#[tokio::test]
async fn a_requirement_is_moved_whole_and_only_to_where_requirements_may_be() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    for path in ["../outside.md", "/var/x.md", "docs/x.md", "spec/x.txt"] {
        let arguments = json!({ "req_id": "REQ-d00061", "target_file": path, "create": true });
        refused(&mut client, "move_requirement", arguments).await;
    }
    refused(
        &mut client,
        "move_requirement",
        json!({ "req_id": "REQ-d00061", "target_file": "spec/b.md" }),
    )
    .await;
    let arguments = json!({ "req_id": "REQ-d00061", "target_file": "spec/b.md", "create": true });
    told(&mut client, "move_requirement", arguments).await;
    assert!(!fixture.read("spec/agents.md").contains("REQ-d00061:"));
    assert!(fixture.read("spec/b.md").starts_with("## REQ-d00061: Finding requirements\n"));
    let found = told(&mut client, "get_requirement", json!({ "req_id": "REQ-d00061" })).await;
    assert_eq!(found["source"]["path"], "spec/b.md");
    assert_eq!(found["assertions"].as_array().unwrap().len(), 5);
    let arguments = json!({ "req_id": "REQ-d00061", "target_file": "spec/agents.md" });
    told(&mut client, "move_requirement", arguments).await;
    assert_eq!(fixture.read("spec/b.md"), "");
}

#[tokio::test]
async fn ending_the_connection_writes_nothing() {
    let fixture = agents();
    let before = fixture.files();
    let mut client = connect(&fixture).await;
    told(&mut client, "mutate_delete_requirement", json!({ "id": "REQ-d00060", "confirm": true }))
        .await;
    drop(client);
    tokio::task::yield_now().await;
    assert_eq!(fixture.files(), before);
    assert!(!Path::new(fixture.path_text()).join(".elspais").exists());
}

#[tokio::test]
async fn a_directory_that_a_write_of_ours_made_is_watched_too() {
    let fixture = agents();
    let mut client = connect_to(Arc::new(workspace(&fixture).watching())).await;
    let moved = json!({ "req_id": "REQ-d00060", "target_file": "spec/sub/b.md", "create": true });
    told(&mut client, "move_requirement", moved).await;
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(status["is_stale"], false, "our own writing is no news");
    fixture.write("spec/sub/b.md", "# Nothing is left\n");
    let mut is_stale = json!(false);
    for _ in 0..200 {
        is_stale = told(&mut client, "get_graph_status", json!({})).await["is_stale"].clone();
        if is_stale == true {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(is_stale, true);
}

#[tokio::test]
async fn files_that_cannot_be_read_anew_leave_the_changes_and_a_stale_graph() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let change = json!({ "node_id": "REQ-d00060", "new_title": "Kept" });
    told(&mut client, "mutate_update_title", change).await;
    fixture.write(".elspais.toml", "[project\n");
    for full in [false, true] {
        let arguments = json!({ "keep_mutations": true, "full": full });
        let answer = refused(&mut client, "refresh_graph", arguments).await;
        assert_eq!(answer["code"], "invalid_config");
    }
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!((&status["pending_mutations"], &status["is_stale"]), (&json!(1), &json!(true)));
    // What is written is written, whether or not it can be read again.
    let saved = told(&mut client, "save_mutations", json!({})).await;
    assert_eq!(saved["files"], json!(["spec/agents.md"]));
    assert!(fixture.read("spec/agents.md").contains("REQ-d00060: Kept"));
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!((&status["pending_mutations"], &status["is_stale"]), (&json!(0), &json!(true)));
}

#[tokio::test]
async fn a_project_within_a_repository_is_left_as_clean_as_it_was() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let change = json!({ "node_id": "REQ-d00060", "new_title": "Other" });
    told(&mut client, "mutate_update_title", change).await;
    told(&mut client, "save_mutations", json!({})).await;
    let names: Vec<String> = fixture.files().into_keys().collect();
    assert_eq!(names, ["spec/agents.md"], "lock and journal lie elsewhere");
}

#[tokio::test]
async fn changes_are_made_again_in_files_that_somebody_edited_meanwhile() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let title = json!({ "node_id": "REQ-d00060", "new_title": "Kept" });
    let kept = told(&mut client, "mutate_update_title", title).await;
    let gone = json!({ "node_id": "REQ-d00061", "new_status": "Draft" });
    told(&mut client, "mutate_change_status", gone).await;
    let theirs = fixture.read("spec/agents.md").replace("REQ-d00061", "REQ-d00071");
    fixture.write("spec/agents.md", &theirs);
    refused(&mut client, "save_mutations", json!({})).await;
    let refreshed = told(&mut client, "refresh_graph", json!({ "keep_mutations": true })).await;
    let counts = (&refreshed["pending_mutations"], &refreshed["unapplied_mutations"]);
    assert_eq!(counts, (&json!(1), &json!(1)));
    let log = told(&mut client, "get_mutation_log", json!({})).await;
    assert_eq!(log["mutations"][0]["id"], kept["mutation"]["id"], "it keeps its name");
    assert!(log["unapplied"][0]["reason"].as_str().unwrap().contains("not found"), "{log}");
    told(&mut client, "save_mutations", json!({})).await;
    let saved = fixture.read("spec/agents.md");
    assert_eq!(
        saved,
        theirs
            .replace("REQ-d00060: Telling the state", "REQ-d00060: Kept")
            .replace("*Telling the state*", "*Kept*")
    );
    let lost = told(&mut client, "discard_mutations", json!({ "confirm": true })).await;
    assert_eq!(lost["discarded_mutations"], 1);
    let log = told(&mut client, "get_mutation_log", json!({})).await;
    assert_eq!(log["unapplied"], Value::Null);
}

#[tokio::test]
async fn a_changed_active_requirement_is_written_down_where_changelogs_are_kept() {
    let fixture = Fixture::new(
        "//- .elspais.toml\n[changelog]\nhash_current = true\n//- spec/a.md\n## REQ-d00001: One\n**Level**: DEV | **Status**: Active\n\n### Assertions\n\nA. It SHALL be.\n\n*End* *One* | **Hash**: ________\n\n//- spec/INDEX.md\n| ID | Title | File | Hash |\n| --- | --- | --- | --- |\n| REQ-d00001 | One | a.md | 00000000 |\n",
    );
    for args in [
        &["init", "-q"][..],
        &["config", "user.name", "A Name"],
        &["config", "user.email", "a@example.com"],
    ] {
        let done =
            std::process::Command::new("git").args(args).current_dir(fixture.path()).status();
        assert!(done.unwrap().success());
    }
    let mut client = connect(&fixture).await;
    let text = json!({ "assertion_id": "REQ-d00001-A", "new_text": "It SHALL stay." });
    told(&mut client, "mutate_update_assertion", text).await;
    let answer = refused(&mut client, "save_mutations", json!({})).await;
    assert_eq!(answer["code"], "changelog_message_required");
    assert_eq!(answer["requirement_ids"], json!(["REQ-d00001"]));
    let shown =
        told(&mut client, "save_mutations", json!({ "dry_run": true, "message": "Clearer" })).await;
    let saved = told(&mut client, "save_mutations", json!({ "message": "Clearer" })).await;
    assert_eq!(shown["diff"], saved["diff"]);
    insta::assert_snapshot!("written_down", saved["diff"].as_str().unwrap());
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(status["is_stale"], false);
    let one = told(&mut client, "get_requirement", json!({ "req_id": "REQ-d00001" })).await;
    assert!(one["body"].as_str().unwrap().contains("Changelog"), "{one}");
}
