//! Many records as one architecture: deciding, dropping, merging, and files of other layouts.

use serde_json::json;

use super::*;

const OLDER: &str = "//- docs/adr/20250106T120000.001Z-A000_database_type__mysql.md\n<!-- UID: 20250106T120000.001Z-A000 -->\n<!-- Category: Database -->\n<!-- Date: 2025-01-06 -->\n<!-- Previous: None -->\n\n# ADR: Database: Type = MySQL\n\n**Category:** Database\n**Date:** 2025-01-06\n**Status:** Accepted\n**Previous:** _None_\n\n## Context\n\nx\n\n## Changes in This Version\n\n- Added: Database.Type = MySQL\n- Added: Infra.Hosting = Vercel\n\n## Architecture Snapshot\n\n### Database\n- **Type**: MySQL (ADR 20250106T120000.001Z-A000)\n\n### Infra\n- **Hosting**: Vercel (ADR 20250106T120000.001Z-A000)\n\n";

#[tokio::test]
async fn nothing_decided_is_an_empty_picture() {
    let fixture =
        repository("//- docs/adr/0001-notes.md\nnot ours\n//- docs/ARCHITECTURE_STATE.md\nstale\n");
    let mut client = connect(&fixture).await;
    let told = told(&mut client, "read_architecture", json!({})).await;
    assert_eq!(
        told,
        json!({
            "status": "success",
            "architecture": { "uid": null, "categories": {} },
            "source_file": "docs/ARCHITECTURE_STATE.md"
        })
    );
}

#[tokio::test]
async fn decided_dropped_and_decided_anew() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Add Redis caching").await;
    complete(&mut client, "Add authentication").await;
    assert_eq!(architecture(&mut client).await["categories"]["Cache"]["Store"], "Redis");
    let dropped = start(&mut client, "Drop Redis").await;
    assert_eq!(dropped["status"], "completed", "{dropped}");
    let known = architecture(&mut client).await;
    assert_eq!(
        known["categories"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["Authentication"]
    );
    let (_, record) = newest_record(&fixture);
    assert!(record.contains("- Removed: Cache.Store (was: Redis)"), "{record}");
    assert!(record.contains("Supersedes ["), "{record}");
    assert!(!fixture.read("docs/ARCHITECTURE_STATE.md").contains("Redis"));
}

#[tokio::test]
async fn after_a_merge_both_branches_count_and_the_fork_is_reported_until_the_next_record() {
    let ours = repository("");
    let mut client = connect(&ours).await;
    complete(&mut client, "Add Redis caching").await;
    let theirs = repository("");
    let mut other = connect_with(
        &theirs,
        Clock::fixed("2025-01-09T00:00:00Z".parse().unwrap()),
        json!({}),
        Some("2025-11-25"),
    )
    .await;
    complete(&mut other, "Use PostgreSQL with Prisma as the database").await;
    let (path, text) = newest_record(&theirs);
    ours.write(&path, &text);

    let merged = told(&mut client, "read_architecture", json!({})).await;
    let names: Vec<&String> =
        merged["architecture"]["categories"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Cache", "Database"]);
    assert!(path.contains(merged["architecture"]["uid"].as_str().unwrap()));
    assert!(merged["warnings"][0].as_str().unwrap().contains("does not show Cache"), "{merged}");

    complete(&mut client, "Add authentication").await;
    let healed = told(&mut client, "read_architecture", json!({})).await;
    assert!(!healed["warnings"].to_string().contains("does not show"), "{healed}");
    let (_, record) = newest_record(&ours);
    for category in ["### Authentication", "### Cache", "### Database"] {
        assert!(record.contains(category), "{record}");
    }
}

#[tokio::test]
async fn records_of_the_older_layout_count_under_todays_names() {
    let fixture = repository(OLDER);
    let mut client = connect(&fixture).await;
    let known = architecture(&mut client).await;
    assert_eq!(
        known["categories"],
        json!({ "Database": { "Type": "MySQL" }, "Deployment": { "Target": "Vercel" } })
    );
    let asked = start(&mut client, "Add a database").await;
    assert_eq!(ids(&asked), ["db_orm"]);
}

// Verifies: PLB-d02002-D
#[tokio::test]
async fn a_missing_or_broken_projection_changes_nothing_and_is_written_anew() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Add Redis caching").await;
    let before = architecture(&mut client).await;
    fixture.write("docs/ARCHITECTURE_STATE.md", "<<<<<<< broken");
    assert_eq!(architecture(&mut client).await, before);
    assert_eq!(fixture.read("docs/ARCHITECTURE_STATE.md"), "<<<<<<< broken");
    std::fs::remove_file(fixture.path().join("docs/ARCHITECTURE_STATE.md")).unwrap();
    assert_eq!(architecture(&mut client).await, before);
    assert!(!fixture.has("docs/ARCHITECTURE_STATE.md"));
    complete(&mut client, "Add authentication").await;
    assert!(fixture.read("docs/ARCHITECTURE_STATE.md").contains("- **Store**: Redis (ADR "));
}

#[tokio::test]
async fn each_record_shows_the_whole_architecture() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    for intention in
        ["Add authentication", "Add Redis caching", "Use PostgreSQL with Prisma as the database"]
    {
        complete(&mut client, intention).await;
        let (_, record) = newest_record(&fixture);
        let (_, projected) = fixture
            .read("docs/ARCHITECTURE_STATE.md")
            .split_once("## Categories\n")
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        assert!(record.contains(&projected), "{record}\n{projected}");
    }
}

#[tokio::test]
async fn among_very_many_records_additions_are_seen_at_once_and_edits_soon() {
    let fixture = repository(OLDER);
    let record = |index: usize, value: &str| {
        let uid = format!("20250107T120000.{:03}Z-{:04X}", index % 1000, index);
        let text = format!("## PART 1\n\n### Cache\n\n- **Field{index}**: {value}\n");
        fixture.write(&format!("docs/adr/{uid}_cache.md"), &text);
    };
    (0..1_100).for_each(|index| record(index, "one"));
    let mut client = connect_with(&fixture, Clock::system(), json!({}), Some("2025-11-25")).await;
    let cache = architecture(&mut client).await["categories"]["Cache"].clone();
    assert_eq!(cache.as_object().unwrap().len(), 1_100);
    record(1_100, "new");
    assert_eq!(architecture(&mut client).await["categories"]["Cache"]["Field1100"], "new");
    // From here on the directory stays the same, and only the system can tell.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    architecture(&mut client).await;
    record(7, "two");
    let started = std::time::Instant::now();
    while architecture(&mut client).await["categories"]["Cache"]["Field7"] != "two" {
        assert!(started.elapsed().as_secs() < 20, "an edit in place was not seen");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn changed_and_removed_records_are_noticed() {
    let fixture = repository(OLDER);
    let mut client = connect(&fixture).await;
    assert_eq!(architecture(&mut client).await["categories"]["Database"]["Type"], "MySQL");
    let path = "docs/adr/20250106T120000.001Z-A000_database_type__mysql.md";
    fixture.write(path, &fixture.read(path).replace("MySQL", "SQLite"));
    assert_eq!(architecture(&mut client).await["categories"]["Database"]["Type"], "SQLite");
    std::fs::remove_file(fixture.path().join(path)).unwrap();
    assert_eq!(architecture(&mut client).await["uid"], Value::Null);
}

#[tokio::test]
async fn two_branches_that_decide_one_field_differently_are_asked_about_once() {
    let ours = repository("");
    let mut client = connect(&ours).await;
    complete(&mut client, "Use MySQL with Prisma as the database").await;
    let theirs = repository("");
    let later = Clock::fixed("2025-01-09T00:00:00Z".parse().unwrap());
    let mut other = connect_with(&theirs, later, json!({}), Some("2025-11-25")).await;
    complete(&mut other, "Use SQLite with Prisma as the database").await;
    let (path, text) = newest_record(&theirs);
    ours.write(&path, &text);

    let small = start(&mut client, "Fix typo in login button").await;
    assert_eq!(small["status"], "completed", "{small}");
    let asked = start(&mut client, "Add a database").await;
    assert_eq!(ids(&asked), ["db_type"], "{asked}");
    assert_eq!(asked["questions"][0]["options"], json!(["MySQL", "SQLite", "Other (specify)"]));
    let done = carry_on(&mut client, &asked, json!({ "db_type": "SQLite" })).await;
    assert_eq!(done["artifacts_created"][0]["type"], "adr", "{done}");
    let again = start(&mut client, "Add a database").await;
    assert_eq!(again["status"], "completed", "{again}");
}

#[tokio::test]
async fn doing_away_with_what_is_not_decided_is_reported() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Use Memcached for the cache").await;
    let answer = start(&mut client, "Remove Redis").await;
    assert!(answer["warnings"].to_string().contains("Cache.Store is Memcached"), "{answer}");
}

#[tokio::test]
async fn a_topic_that_does_not_apply_leaves_no_record() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add caching").await;
    let done = carry_on(&mut client, &asked, json!({ "cache_store": "not applicable" })).await;
    assert_eq!(done["status"], "completed", "{done}");
    assert!(!fixture.has("docs/adr"), "{done}");
    let apart =
        json!({ "user_intention": "Add caching", "preferences": { "not_about": ["cache"] } });
    let done = clarify(&mut client, apart).await;
    assert_eq!(done["status"], "completed", "{done}");
    assert!(!fixture.has("docs/adr"), "{done}");
}

#[tokio::test]
async fn records_of_others_recommend_and_stand_apart() {
    let fixture = repository(
        "//- docs/decisions/0001-use-postgresql.md\n# Use PostgreSQL\n\nStatus: accepted\n\n## Decision Outcome\n\nChosen option: \"PostgreSQL\", because we know it.\n//- docs/decisions/0002-use-redis.md\n# Use Redis\n\nStatus: superseded\n",
    );
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add a database").await;
    let recommended = &asked["questions"][0]["recommended"];
    assert_eq!(recommended["option"], "PostgreSQL", "{asked}");
    assert!(recommended["because"].as_str().unwrap().contains("0001-use-postgresql.md"));
    let known = told(&mut client, "read_architecture", json!({})).await;
    assert_eq!(known["architecture"]["categories"], json!({}));
    assert_eq!(known["other_records"][0]["title"], "Use PostgreSQL");
    assert_eq!(known["other_records"].as_array().unwrap().len(), 1);
}
