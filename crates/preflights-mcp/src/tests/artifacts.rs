//! The files a completion leaves behind.

use mcp_core::work::Work;
use serde_json::json;

use super::*;

#[tokio::test]
async fn the_three_files_read_well() {
    let fixture = repository(
        "//- package.json\n{\"dependencies\": {\"express\": \"4\"}}\n//- src/auth/token.ts\nx\n",
    );
    let mut client = connect(&fixture).await;
    let asked = clarify(
        &mut client,
        json!({ "user_intention": "Add OAuth login\n# not a heading", "optional_context": "Customers *keep* losing passwords." }),
    )
    .await;
    let answers =
        json!({ "auth_library": "passport", "oauth_providers": ["GitHub", "Other: Codeberg"] });
    carry_on(&mut client, &asked, answers).await;
    let (path, record) = newest_record(&fixture);
    assert_eq!(path, "docs/adr/20250108T143512.237Z-A003_authentication.md");
    insta::assert_snapshot!("record", record);
    insta::assert_snapshot!("task", fixture.read("docs/CURRENT_TASK.md"));
    insta::assert_snapshot!("projection", fixture.read("docs/ARCHITECTURE_STATE.md"));
}

// Verifies: PLB-d02002-A
#[tokio::test]
async fn nothing_but_the_documented_files_is_written() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Add authentication").await;
    start(&mut client, "Fix typo in login button").await;
    let files = fixture.files();
    let ours: Vec<&str> =
        files.keys().map(String::as_str).filter(|it| !it.starts_with(".git/")).collect();
    assert_eq!(
        ours,
        [
            "docs/ARCHITECTURE_STATE.md",
            "docs/CURRENT_TASK.md",
            "docs/adr/20250108T143512.237Z-A003_authentication.md",
            "docs/archive/task/20250108T143512.237Z-A004_add_authentication.md",
        ]
    );
}

// Verifies: PLB-d02002-B
#[tokio::test]
async fn the_replaced_task_is_archived_word_for_word() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    start(&mut client, "Fix typo in login button").await;
    let old = fixture.read("docs/CURRENT_TASK.md");
    let done = start(&mut client, "Fix typo in logout button").await;
    assert_eq!(done["artifacts_created"].as_array().unwrap().len(), 1);
    let archived =
        fixture.files().into_iter().find(|(path, _)| path.starts_with("docs/archive/task/"));
    let (path, text) = archived.unwrap();
    assert!(path.ends_with("_fix_typo_in_login_button.md"), "{path}");
    assert_eq!(text, old);
}

// Verifies: PLB-d02002-E
#[tokio::test]
async fn the_same_state_request_and_answers_give_the_same_bytes() {
    let mut all = Vec::new();
    for _ in 0..2 {
        let fixture = repository(
            "//- Cargo.toml\n[dependencies]\naxum = \"1\"\n//- src/b.rs\nx\n//- src/a.rs\nx\n",
        );
        let mut client = connect(&fixture).await;
        complete(&mut client, "Add authentication, a database, caching and search").await;
        complete(&mut client, "Migrate to Kubernetes").await;
        all.push(in_the_tree(&fixture));
    }
    assert_eq!(all[0], all[1]);
}

// Verifies: PLB-d02002-C
#[tokio::test]
async fn uids_rise_above_the_newest_and_a_future_one_is_reported() {
    let fixture =
        repository("//- docs/adr/20990101T000000.000Z_old.md\n## PART 1\n\n### A\n\n- **B**: c\n");
    let mut client = connect(&fixture).await;
    let (done, _) = complete(&mut client, "Add authentication").await;
    let uid = done["artifacts_created"][0]["uid"].as_str().unwrap();
    assert!(uid > "20990101T000000.000Z" && uid.starts_with("20990101T000000.001Z"), "{uid}");
    assert!(done["warnings"].to_string().contains("lies in the future"), "{done}");
}

#[tokio::test]
async fn two_servers_on_one_repository_never_collide() {
    let fixture = repository("");
    let mut first = connect(&fixture).await;
    let mut second = connect(&fixture).await;
    let (one, _) = complete(&mut first, "Add authentication").await;
    let (two, _) = complete(&mut second, "Add caching").await;
    assert_ne!(one["artifacts_created"][0]["uid"], two["artifacts_created"][0]["uid"]);
    let known = architecture(&mut first).await;
    assert_eq!(known["categories"].as_object().unwrap().len(), 2);
}

#[test]
fn in_a_worktree_files_are_written_to_the_tree_and_nothing_to_its_git_directory() {
    let fixture = Fixture::new(
        "//- main/.git/worktrees/w/HEAD\nx\n//- w/.git\ngitdir: ../main/.git/worktrees/w\n",
    );
    let state = State::at(fixture.path().join("state"));
    let places = Places { start: fixture.path().join("w"), home: None, confined_to: None, state };
    let service = Service::new(places, clock(), counting(), Setting::Off);
    let intention = "Fix typo in login button".to_owned();
    let ask = crate::store::service::Ask { intention, ..Default::default() };
    assert!(service.clarify(&ask, &Work::endless()).is_ok());
    assert!(fixture.has("w/docs/CURRENT_TASK.md") && fixture.has("state"));
    let in_git = fixture.files().into_keys().filter(|it| it.starts_with("main/")).count();
    assert_eq!(in_git, 1);
}

/// Both decide at once; whoever comes second sees what the first has decided.
#[test]
fn decisions_made_at_once_are_each_held_against_the_other() {
    let fixture = repository("");
    let decide = || {
        let service =
            Service::new(places(fixture.path()), Clock::system(), Entropy::system(), Setting::Off);
        for _ in 0..5 {
            let Value::Object(answers) =
                json!({ "auth_strategy": "OAuth", "auth_library": "custom" })
            else {
                panic!()
            };
            let intention = "Add authentication".to_owned();
            let ask = crate::store::service::Ask { intention, answers, ..Default::default() };
            assert!(service.clarify(&ask, &Work::endless()).is_ok());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(decide);
        }
    });
    let records = fixture.files().into_keys().filter(|it| it.starts_with("docs/adr/")).count();
    let archived = fixture.files().into_keys().filter(|it| it.starts_with("docs/archive/")).count();
    assert_eq!((records, archived), (1, 19));
}
