//! Requests that the calling agent has read: its claims count where the user's words bear them out.

use serde_json::{Value, json};

use super::*;

async fn read(fixture: &Fixture, intention: &str, reading: Value) -> Value {
    let mut client = connect(fixture).await;
    clarify(&mut client, json!({ "user_intention": intention, "reading": reading })).await
}

fn wrote_record(answer: &Value) -> bool {
    answer["artifacts_created"].as_array().into_iter().flatten().any(|it| it["type"] == "adr")
}

#[tokio::test]
async fn what_is_wanted_and_named_is_recorded_in_any_language() {
    let fixture = repository("");
    let reading = json!({
        "kind": "replacement",
        "triggers": [{ "trigger": "new_dependency", "quote": "Karpenter statt Cluster Autoscaler" }],
        "wants": [{ "field": "other", "value": "Karpenter", "quote": "Karpenter" }],
        "revokes": [{ "field": "other", "value": "Cluster Autoscaler", "quote": "Cluster Autoscaler" }],
    });
    let mut client = connect(&fixture).await;
    let arguments = json!({ "user_intention": "Karpenter statt Cluster Autoscaler einsetzen", "reading": reading });
    let asked = clarify(&mut client, arguments).await;
    assert_eq!(ids(&asked), ["cutover"]);
    let done = carry_on(&mut client, &asked, first_options(&asked)).await;
    assert!(wrote_record(&done), "{done}");
    assert!(newest_record(&fixture).1.contains("Added: Dependencies.Karpenter = in use"));
}

#[tokio::test]
async fn a_quote_out_of_a_clause_that_says_the_opposite_proves_nothing() {
    for (intention, value, quote) in [
        ("no OAuth please, just email and password", "OAuth", "OAuth"),
        ("We decided against Redis, use Memcached for the cache", "Redis", "Redis"),
        ("Cache it, but do not use Redis", "Redis", "use Redis"),
        ("use Memcached instead of Redis", "Redis", "Redis"),
        ("replace Redis with Memcached", "Redis", "Redis"),
    ] {
        let fixture = repository("");
        let field = if value == "OAuth" { "auth_strategy" } else { "cache_store" };
        let reading = json!({
            "kind": "feature",
            "triggers": [{ "trigger": "category", "quote": quote }],
            "wants": [{ "field": field, "value": value, "quote": quote }],
        });
        let answer = read(&fixture, intention, reading).await;
        assert!(
            answer["warnings"].to_string().contains("say the opposite"),
            "{intention}: {answer}"
        );
        let detected = answer["detected"].to_string();
        assert!(!detected.contains(&format!("\"value\":\"{value}\"")), "{intention}: {detected}");
    }
}

#[tokio::test]
async fn a_quote_that_is_not_the_users_counts_for_nothing() {
    let fixture = repository("");
    let reading = json!({
        "kind": "feature",
        "triggers": [{ "trigger": "new_dependency", "quote": "with Redis" }],
        "wants": [{ "field": "Cache", "value": "Redis", "quote": "with Redis" }],
    });
    let answer = read(&fixture, "Show the newest stories first", reading).await;
    assert_eq!(answer["status"], "completed", "{answer}");
    assert!(!wrote_record(&answer), "{answer}");
    assert!(answer["warnings"].to_string().contains("does not stand in the request"), "{answer}");
}

#[tokio::test]
async fn small_work_makes_no_record_whatever_it_touches() {
    for kind in
        ["bug_fix", "wording", "documentation", "refactor", "configuration", "test", "question"]
    {
        let fixture = repository("");
        let reading = json!({
            "kind": kind,
            "triggers": [{ "trigger": "category", "quote": "login" }],
            "topics": [{ "category": "Authentication", "quote": "login" }],
        });
        let answer = read(&fixture, "The login page says Welcom", reading).await;
        assert_eq!(answer["status"], "completed", "{kind}: {answer}");
        assert!(!wrote_record(&answer), "{kind}: {answer}");
    }
}

#[tokio::test]
async fn stated_criteria_and_exclusions_stand_in_the_task() {
    let fixture = repository("");
    let reading = json!({
        "kind": "feature",
        "acceptance_criteria": [{ "quote": "Max 50k rows" }, { "quote": "not said" }],
        "out_of_scope": [{ "quote": "leave the API alone" }],
    });
    let intention = "Export items as CSV. Max 50k rows. Only superusers. And leave the API alone.";
    let answer = read(&fixture, intention, reading).await;
    assert_eq!(answer["status"], "completed", "{answer}");
    let task = fixture.read("docs/CURRENT_TASK.md");
    assert!(task.contains("- [ ] Max 50k rows") && !task.contains("not said"), "{task}");
    let forbidden = task.split("## Forbidden").nth(1).unwrap();
    assert!(forbidden.contains("leave the API alone"), "{task}");
}

#[tokio::test]
async fn the_agents_questions_come_first_and_their_answers_go_into_the_task() {
    let fixture = repository("");
    let reading = json!({
        "kind": "replacement",
        "triggers": [{ "trigger": "migration", "quote": "move to Postgres" }],
        "topics": [{ "category": "Database", "quote": "Postgres" }],
        "wants": [{ "field": "db_type", "value": "Postgres", "quote": "Postgres" }],
        "ask": [{
            "question": "What happens to existing data?", "why": "Rows would be lost.",
            "options": ["Migrate it", "Start empty"],
        }],
    });
    let mut client = connect(&fixture).await;
    let arguments = json!({ "user_intention": "move to Postgres", "reading": reading });
    let asked = clarify(&mut client, arguments).await;
    assert_eq!(asked["questions"][0]["question"], "What happens to existing data?", "{asked}");
    assert_eq!(asked["questions"][0]["options"][0], "Migrate it");
    let mut given = first_options(&asked);
    given["ask_1"] = json!("Start empty");
    let mut answer = carry_on(&mut client, &asked, given).await;
    while answer["status"] == "needs_clarification" {
        let given = first_options(&answer);
        answer = carry_on(&mut client, &answer, given).await;
    }
    assert!(wrote_record(&answer), "{answer}");
    assert!(newest_record(&fixture).1.contains("Database.Type = PostgreSQL"));
    let task = fixture.read("docs/CURRENT_TASK.md");
    assert!(task.contains("What happens to existing data? Start empty"), "{task}");
}

#[tokio::test]
async fn a_reading_counts_once_and_unknown_arguments_are_named() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let arguments = json!({ "user_intention": "Add authentication", "colour": "red",
        "preferences": { "force_adr": null, "haste": true } });
    let asked = clarify(&mut client, arguments).await;
    let warnings = asked["warnings"].to_string();
    assert!(warnings.contains("`colour` is not a parameter"), "{asked}");
    assert!(warnings.contains("`preferences.haste` is not a parameter"), "{asked}");
    let again = json!({
        "user_intention": "", "session_id": asked["session_id"], "answers": {},
        "reading": { "kind": "wording" },
    });
    let answer = clarify(&mut client, again).await;
    assert!(answer["warnings"].to_string().contains("counts on the first call"), "{answer}");
    assert_eq!(ids(&answer), ["auth_strategy", "auth_library"]);
}
