//! Clarifications from the first question to the last answer.

use serde_json::json;

use super::*;

// Verifies: PLB-d02001-B
#[tokio::test]
async fn add_authentication_asks_two_questions_and_two_answers_complete_it() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    insta::assert_json_snapshot!("add_authentication_asks", asked);
    let done = carry_on(
        &mut client,
        &asked,
        json!({ "auth_strategy": "OAuth", "auth_library": "next-auth" }),
    )
    .await;
    insta::assert_json_snapshot!("add_authentication_done", done);
    let kinds: Vec<&str> = done["artifacts_created"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["adr", "task", "projection"]);
    let known = architecture(&mut client).await;
    assert_eq!(
        known["categories"],
        json!({ "Authentication": { "Library": "next-auth", "Strategy": "OAuth" } })
    );
    assert_eq!(known["uid"], done["artifacts_created"][0]["uid"]);
}

// Verifies: PLB-d02001-C
#[tokio::test]
async fn a_typo_is_completed_in_one_step_with_a_task_alone() {
    let fixture = repository("//- src/login_button.tsx\nx\n");
    let mut client = connect(&fixture).await;
    let done = start(&mut client, "Fix typo in login button").await;
    assert_eq!(done["status"], "completed");
    assert_eq!(
        done["artifacts_created"],
        json!([{ "path": "docs/CURRENT_TASK.md", "type": "task" }])
    );
    assert!(!fixture.has("docs/adr") && !fixture.has("docs/ARCHITECTURE_STATE.md"));
    assert!(fixture.read("docs/CURRENT_TASK.md").contains("`src/login_button.tsx`"));
}

#[tokio::test]
async fn providers_and_constraints_are_asked_only_when_the_request_speaks_of_them() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add OAuth login").await;
    assert_eq!(ids(&asked), ["auth_library", "oauth_providers"]);
    let asked = start(&mut client, "Add authentication, it must be HIPAA compliant").await;
    assert_eq!(ids(&asked), ["auth_strategy", "auth_library", "security_constraints"]);
    assert_eq!(asked["questions"][2]["optional"], true);
}

// Verifies: PLB-d02001-E
#[tokio::test]
async fn partial_answers_add_up_and_progress_counts_all_of_them() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    assert_eq!(asked["progress"], json!({ "asked_so_far": 2, "answered": 0 }));
    let asked = carry_on(&mut client, &asked, json!({ "auth_strategy": "oauth" })).await;
    assert_eq!(ids(&asked), ["auth_library"]);
    assert_eq!(asked["progress"], json!({ "asked_so_far": 2, "answered": 1 }));
    let asked = carry_on(&mut client, &asked, json!({})).await;
    assert_eq!(ids(&asked), ["auth_library"]);
    let done = carry_on(&mut client, &asked, json!({ "auth_library": "PASSPORT" })).await;
    assert_eq!(done["status"], "completed");
    let known = architecture(&mut client).await;
    assert_eq!(
        known["categories"]["Authentication"],
        json!({ "Library": "passport", "Strategy": "OAuth" })
    );
}

#[tokio::test]
async fn other_without_text_asks_for_the_text() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let asked = carry_on(
        &mut client,
        &asked,
        json!({ "auth_strategy": "Other (specify)", "auth_library": "custom" }),
    )
    .await;
    assert_eq!(ids(&asked), ["auth_strategy__other"]);
    assert_eq!(asked["questions"][0]["type"], "free_text");
    assert_eq!(asked["progress"], json!({ "asked_so_far": 3, "answered": 2 }));
    let done = carry_on(&mut client, &asked, json!({ "auth_strategy__other": "Kerberos" })).await;
    assert_eq!(done["status"], "completed", "{done}");
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"]["Authentication"]["Strategy"], "Kerberos");
}

#[tokio::test]
async fn who_thinks_better_of_other_is_not_asked_for_its_text_again() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let other = json!({ "auth_strategy": "Other (specify)", "auth_library": "custom" });
    let asked = carry_on(&mut client, &asked, other).await;
    assert_eq!(ids(&asked), ["auth_strategy__other"]);
    let done = carry_on(&mut client, &asked, json!({ "auth_strategy": "OAuth" })).await;
    assert_eq!(done["status"], "completed", "{done}");
}

#[tokio::test]
async fn a_choice_of_ones_own_is_taken_in_three_ways() {
    for answers in [
        json!({ "auth_strategy": "Other: Kerberos", "auth_library": "custom" }),
        json!({ "auth_strategy": "Other (specify)", "auth_strategy__other": "Kerberos", "auth_library": "custom" }),
        json!({ "auth_strategy__other": "Kerberos", "auth_library": "custom" }),
    ] {
        let fixture = repository("");
        let mut client = connect(&fixture).await;
        let asked = start(&mut client, "Add authentication").await;
        let done = carry_on(&mut client, &asked, answers.clone()).await;
        assert_eq!(done["status"], "completed", "{answers} {done}");
        let known = architecture(&mut client).await;
        assert_eq!(known["categories"]["Authentication"]["Strategy"], "Kerberos");
    }
}

#[tokio::test]
async fn an_unknown_option_is_asked_again_with_the_nearest_and_taken_the_second_time() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let answers = json!({ "auth_strategy": "Magic Lnks", "auth_library": "custom" });
    let asked = carry_on(&mut client, &asked, answers.clone()).await;
    assert_eq!(ids(&asked), ["auth_strategy"]);
    let error = asked["questions"][0]["error"].as_str().unwrap();
    assert!(error.contains("did you mean `Magic Links`"), "{error}");
    assert_eq!(asked["progress"]["asked_so_far"], 2);
    let done = carry_on(&mut client, &asked, answers).await;
    assert_eq!(done["status"], "completed");
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"]["Authentication"]["Strategy"], "Magic Lnks");
}

#[tokio::test]
async fn wrong_answers_are_asked_again_with_the_reason() {
    let fixture = repository("");
    for (value, words) in [
        (json!(42), "as a string"),
        (json!(["OAuth", "SAML"]), "as a string"),
        (json!({ "a": 1 }), "as a string"),
        (json!(""), "is expected"),
        (json!("a\nb"), "line breaks"),
        (json!("a\u{7}"), "control characters"),
        (json!("x".repeat(300)), "more than 200"),
    ] {
        let mut client = connect(&fixture).await;
        let asked = start(&mut client, "Add authentication").await;
        let asked = carry_on(
            &mut client,
            &asked,
            json!({ "auth_strategy": value, "auth_library": "custom" }),
        )
        .await;
        assert_eq!(ids(&asked), ["auth_strategy"], "{value}");
        let error = asked["questions"][0]["error"].as_str().unwrap();
        assert!(error.contains(words), "{value}: {error}");
    }
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add OAuth login").await;
    for (value, words) in
        [(json!([]), "at least 1"), (json!([1]), "list of strings"), (json!(true), "a list")]
    {
        let asked = carry_on(
            &mut client,
            &asked,
            json!({ "oauth_providers": value, "auth_library": "custom" }),
        )
        .await;
        let error = asked["questions"][0]["error"].as_str().unwrap();
        assert!(error.contains(words), "{value}: {error}");
    }
}

#[tokio::test]
async fn decide_later_leaves_an_open_question_and_nothing_is_defaulted() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let done = carry_on(
        &mut client,
        &asked,
        json!({ "auth_strategy": "OAuth", "auth_library": "decide later" }),
    )
    .await;
    assert_eq!(done["open_questions"], json!(["Which authentication library?"]));
    assert!(done["summary"].as_str().unwrap().contains("start a new session"));
    let (_, record) = newest_record(&fixture);
    assert!(record.contains("### Open questions\n\n- Which authentication library?\n"), "{record}");
    assert!(fixture.read("docs/CURRENT_TASK.md").contains("Which authentication library?"));
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"], json!({ "Authentication": { "Strategy": "OAuth" } }));
}

#[tokio::test]
async fn answers_on_the_first_call_are_honoured() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let done = clarify(
        &mut client,
        json!({
            "user_intention": "Add authentication",
            "answers": { "auth_strategy": "OAuth", "auth_library": "passport", "reason": "We know it." }
        }),
    )
    .await;
    assert_eq!(done["status"], "completed");
    let (_, record) = newest_record(&fixture);
    assert!(record.contains("### Reason\n\n> We know it.\n"), "{record}");
}

#[tokio::test]
async fn what_the_repository_shows_is_not_asked_and_is_said() {
    let fixture = repository("//- package.json\n{\"dependencies\": {\"next-auth\": \"4\"}}\n");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    assert_eq!(ids(&asked), ["auth_strategy"]);
    assert_eq!(
        asked["detected"],
        json!([{ "id": "auth_library", "value": "next-auth", "source": "package.json" }])
    );
    let done = carry_on(
        &mut client,
        &asked,
        json!({ "auth_strategy": "OAuth", "auth_library": "passport" }),
    )
    .await;
    assert_eq!(done["status"], "completed");
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"]["Authentication"]["Library"], "passport");
}

#[tokio::test]
async fn what_is_likely_is_recommended_with_its_evidence() {
    let fixture = repository("//- compose.yaml\nservices:\n  r:\n    image: redis:7\n");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add rate limiting").await;
    assert_eq!(ids(&asked), ["rate_store", "rate_algorithm"]);
    assert_eq!(
        asked["questions"][0]["recommended"],
        json!({ "option": "Redis", "because": "compose.yaml shows it" })
    );
}

#[tokio::test]
async fn options_belong_to_the_ecosystem() {
    let fixture = repository("//- Cargo.toml\n[package]\nname = \"x\"\n");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let options = asked["questions"][1]["options"].to_string();
    assert!(options.contains("openidconnect") && !options.contains("next-auth"), "{options}");
}

#[tokio::test]
async fn a_decided_field_is_not_asked_again_and_a_contradiction_is_confirmed() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Use PostgreSQL with Prisma as the database").await;
    let done = start(&mut client, "Add a database table for orders").await;
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(done["artifacts_created"].as_array().unwrap().len(), 1);
    assert!(fixture.read("docs/CURRENT_TASK.md").contains("Database.Type: PostgreSQL"));

    let asked = start(&mut client, "Use MySQL for the order database").await;
    assert_eq!(ids(&asked), ["confirm_db_type", "cutover"]);
    assert_eq!(asked["questions"][0]["options"], json!(["Change to MySQL", "Keep PostgreSQL"]));
    let kept = json!({ "confirm_db_type": "Keep PostgreSQL", "cutover": "not applicable" });
    let kept = carry_on(&mut client, &asked, kept).await;
    assert_eq!(kept["artifacts_created"].as_array().unwrap().len(), 1);

    let asked = start(&mut client, "Use MySQL for the order database").await;
    let changed = json!({ "confirm_db_type": "change to mysql", "cutover": "Start fresh; nothing has to be kept" });
    let changed = carry_on(&mut client, &asked, changed).await;
    assert_eq!(changed["artifacts_created"][0]["type"], "adr");
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"]["Database"], json!({ "ORM": "Prisma", "Type": "MySQL" }));
}

#[tokio::test]
async fn a_stated_direction_needs_no_confirmation() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Use PostgreSQL with Prisma as the database").await;
    let (first, _) = newest_record(&fixture);
    let done = start(&mut client, "Migrate the database from PostgreSQL to MySQL").await;
    assert_ne!(ids(&done).first().map(String::as_str), Some("confirm_db_type"), "{done}");
    let done = if done["status"] == "completed" {
        done
    } else {
        let given = first_options(&done);
        carry_on(&mut client, &done, given).await
    };
    assert_eq!(done["status"], "completed");
    let (_, record) = newest_record(&fixture);
    assert!(record.contains("- Modified: Database.Type = MySQL (was: PostgreSQL)"), "{record}");
    let file = first.strip_prefix("docs/adr/").unwrap();
    assert!(record.contains(&format!("]({file}): Database.Type")), "{record}");
}

// Verifies: PLB-d02001-D
#[tokio::test]
async fn more_than_five_questions_are_never_shown_and_the_rest_stays_open() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication, a database, caching and search").await;
    assert_eq!(ids(&asked).len(), 5);
    let given = first_options(&asked);
    let done = carry_on(&mut client, &asked, given).await;
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(done["open_questions"].as_array().unwrap().len(), 3, "{done}");
}

// Verifies: PLB-d02001-F
#[tokio::test]
async fn a_session_is_gone_after_completion_and_lasts_half_an_hour_without() {
    let fixture = repository("");
    let clock = clock();
    let mut client = connect_with(&fixture, clock.clone(), json!({}), Some("2025-11-25")).await;
    let asked = start(&mut client, "Add authentication").await;
    clock.advance(jiff::SignedDuration::from_mins(29));
    let asked = carry_on(&mut client, &asked, json!({ "auth_strategy": "OAuth" })).await;
    clock.advance(jiff::SignedDuration::from_mins(29));
    let done = carry_on(&mut client, &asked, json!({ "auth_library": "custom" })).await;
    assert_eq!(done["status"], "completed");
    let again = json!({ "user_intention": "x", "session_id": asked["session_id"] });
    assert_eq!(
        refused(&mut client, "require_clarification", again).await["code"],
        "SESSION_NOT_FOUND"
    );
}

#[tokio::test]
async fn an_own_question_bank_is_used() {
    let fixture = repository(
        "//- .gitignore\n.preflights\n//- .preflights/questions.toml\n[[category]]\nname = \"Ledger\"\nwords = [\"ledger\"]\n[[category.question]]\nid = \"ledger_kind\"\nfield = \"Kind\"\ntype = \"single_choice\"\nask = \"Which ledger?\"\nwhy = \"It matters.\"\nimpact = 9\noptions = [\"Double entry\", \"Single entry\"]\n",
    );
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add a ledger").await;
    assert_eq!(ids(&asked), ["ledger_kind"]);
    assert_eq!(
        asked["questions"][0]["options"],
        json!(["Double entry", "Single entry", "Other (specify)"])
    );
    fixture.write(".preflights/questions.toml", "[[category]]\nname = \"X\"\n");
    let error =
        refused(&mut client, "require_clarification", json!({ "user_intention": "Add a ledger" }))
            .await;
    assert_eq!(error["code"], "PARSE_ERROR");
    assert!(error["message"].as_str().unwrap().contains("has no question"), "{error}");
}

#[tokio::test]
async fn more_selections_than_allowed_are_asked_again() {
    let fixture = repository(
        "//- .preflights/questions.toml\n[[category]]\nname = \"Ledger\"\nwords = [\"ledger\"]\n[[category.question]]\nid = \"ledger_reports\"\nfield = \"Reports\"\ntype = \"multi_choice\"\nask = \"Which reports?\"\nwhy = \"They are built first.\"\nimpact = 9\nmin = 1\nmax = 2\noptions = [\"Daily\", \"Weekly\", \"Yearly\"]\n",
    );
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add a ledger").await;
    let question = &asked["questions"][0];
    assert_eq!((&question["min_selections"], &question["max_selections"]), (&json!(1), &json!(2)));
    let all = json!({ "ledger_reports": ["Daily", "Weekly", "Yearly"] });
    let again = carry_on(&mut client, &asked, all).await;
    let error = again["questions"][0]["error"].as_str().unwrap();
    assert!(error.contains("at most 2"), "{error}");
    let done = carry_on(&mut client, &asked, json!({ "ledger_reports": "weekly, daily" })).await;
    assert_eq!(done["status"], "completed");
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"]["Ledger"]["Reports"], "Weekly, Daily");
}

#[tokio::test]
async fn a_switch_between_things_the_bank_does_not_know_is_a_decision_all_the_same() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let (done, _) = complete(&mut client, "Switch from npm to pnpm").await;
    assert_eq!(done["artifacts_created"][0]["type"], "adr", "{done}");
    assert_eq!(architecture(&mut client).await["categories"]["Dependencies"]["Pnpm"], "in use");
}
