//! Searching registries of the real layout, and registries that are broken.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{ask, bare, everything, refused, told, write_bytes};

const REGISTRY: &str = r#"//- inventory.json
{"version": "1.0", "capabilities": [
  {"name": "notes", "type": "tool", "description": "Keeps short texts", "tags": ["Text", "store"], "path": "capabilities/tools/notes"},
  {"name": "review-loop", "type": "skill", "description": "Runs the review again", "tags": ["review"], "path": "elsewhere/review-loop"},
  {"name": "kb-manager", "type": "skill", "description": "Knowledge", "tags": []},
  {"name": "kb-manager", "type": "agent", "description": "Knowledge agent", "tags": []},
  {"name": "reviewer", "type": "agent", "description": "Reads and runs a loop of checks", "tags": ["review", "text"]},
  {"name": "escape", "type": "tool", "description": "x", "path": "../../etc"},
  {"name": "bare", "type": "plugin"},
  {"name": "notes", "type": "tool", "description": "listed twice"}
]}
//- capabilities/tools/notes/capability.yaml
name: notes
install_level: user
//- elsewhere/review-loop/capability.yaml
name: review-loop # kept as it is
//- capabilities/skills/kb-manager/capability.yaml
name: kb-manager (skill)
//- capabilities/agents/kb-manager/capability.yaml
name: kb-manager (agent)
install_level: project
//- capabilities/agents/reviewer/capability.yaml
install_level: [broken
//- capabilities/agents/notes/capability.yaml
name: notes, an agent nobody listed
//- capabilities/plain/capability.yaml
name: plain, without a type
//- capabilities/tools/unlisted/capability.yaml
name: unlisted
//- capabilities/tools/double/capability.yaml
name: double tool
//- capabilities/skills/double/capability.yaml
name: double skill
"#;

async fn found(arguments: Value) -> Vec<String> {
    let fixture = Fixture::new(REGISTRY);
    let reply = ask(everything(&fixture), "query_capabilities", arguments).await;
    let listed = reply.structured()["capabilities"].as_array().unwrap().clone();
    assert_eq!(reply.structured()["total"], listed.len());
    listed
        .iter()
        .map(|it| format!("{}/{}", it["type"].as_str().unwrap(), it["id"].as_str().unwrap()))
        .collect()
}

#[tokio::test]
async fn everything_is_listed_in_order_with_install_levels() {
    let fixture = Fixture::new(REGISTRY);
    insta::assert_snapshot!(
        "capabilities",
        told(everything(&fixture), "query_capabilities", json!({})).await
    );
}

// Verifies: PLB-d06003-A
#[tokio::test]
async fn every_word_must_occur_and_the_phrase_ranks_first() {
    assert_eq!(found(json!({ "query": "REVIEW" })).await, ["skill/review-loop", "agent/reviewer"]);
    assert_eq!(
        found(json!({ "query": "review loop" })).await,
        ["skill/review-loop", "agent/reviewer"]
    );
    assert_eq!(
        found(json!({ "query": "runs a loop" })).await,
        ["agent/reviewer", "skill/review-loop"]
    );
    assert_eq!(found(json!({ "query": "short texts" })).await, ["tool/notes"]);
    assert_eq!(found(json!({ "query": "short nonsense" })).await, [""; 0]);
    assert_eq!(found(json!({ "query": "" })).await.len(), 8);
}

#[tokio::test]
async fn types_and_tags_narrow_it_and_tags_have_no_case() {
    assert_eq!(found(json!({ "type": "agent" })).await, ["agent/kb-manager", "agent/reviewer"]);
    assert_eq!(found(json!({ "tags": ["TEXT"] })).await, ["tool/notes", "agent/reviewer"]);
    assert_eq!(found(json!({ "tags": ["text", "Review"] })).await, ["agent/reviewer"]);
    assert_eq!(found(json!({ "tags": [] })).await.len(), 8);
    assert_eq!(found(json!({ "tags": ["tex"] })).await, [""; 0]);
}

#[tokio::test]
async fn nothing_found_is_an_answer_that_says_how_to_go_on() {
    let fixture = Fixture::new(REGISTRY);
    let text = told(everything(&fixture), "query_capabilities", json!({ "query": "qqq" })).await;
    assert!(text.starts_with("No capabilities matched."), "{text}");
    for empty in [r#"{"capabilities": []}"#, "[]"] {
        let fixture = Fixture::new(&format!("//- inventory.json\n{empty}\n"));
        let text = told(everything(&fixture), "query_capabilities", json!({ "query": "x" })).await;
        assert_eq!(text, "The capabilities registry is empty.\n");
    }
}

async fn detail(arguments: Value) -> String {
    told(everything(&Fixture::new(REGISTRY)), "get_capability_detail", arguments).await
}

async fn no_detail(arguments: Value) -> String {
    refused(everything(&Fixture::new(REGISTRY)), "get_capability_detail", arguments).await
}

// Verifies: PLB-d06003-B
#[tokio::test]
async fn details_are_found_by_path_by_type_and_without_either() {
    for (id, text) in [
        ("notes", "name: notes\ninstall_level: user\n"),
        ("review-loop", "name: review-loop # kept as it is\n"),
        ("reviewer", "install_level: [broken\n"),
        ("plain", "name: plain, without a type\n"),
        ("unlisted", "name: unlisted\n"),
    ] {
        assert_eq!(detail(json!({ "capability_id": id })).await, text);
    }
}

#[tokio::test]
async fn a_name_of_two_types_is_ambiguous_until_the_type_is_given() {
    let text = no_detail(json!({ "capability_id": "kb-manager" })).await;
    assert_eq!(
        text,
        "Capability 'kb-manager' is ambiguous: it is registered as skill and as agent.\n\
         Call get_capability_detail again with type=\"skill\" or type=\"agent\"."
    );
    let text = detail(json!({ "capability_id": "kb-manager", "type": "agent" })).await;
    assert!(text.starts_with("name: kb-manager (agent)"), "{text}");
    let text = no_detail(json!({ "capability_id": "kb-manager", "type": "tool" })).await;
    assert!(text.contains("registered as skill and as agent"), "{text}");
    let text = no_detail(json!({ "capability_id": "double" })).await;
    assert!(text.contains("skill and as tool"), "{text}");
    let double = detail(json!({ "capability_id": "double", "type": "tool" })).await;
    assert_eq!(double, "name: double tool\n");
    let unlisted = detail(json!({ "capability_id": "notes", "type": "agent" })).await;
    assert_eq!(unlisted, "name: notes, an agent nobody listed\n");
}

#[tokio::test]
async fn what_is_not_there_is_said_with_the_nearest_name() {
    let text = no_detail(json!({ "capability_id": "reviewr" })).await;
    assert!(
        text.contains("Capability 'reviewr' not found")
            && text.contains("Did you mean 'reviewer'?"),
        "{text}"
    );
    assert!(text.contains("query_capabilities"), "{text}");
    let text = no_detail(json!({ "capability_id": "bare" })).await;
    assert!(text.contains("capabilities/plugins/bare/capability.yaml"), "{text}");
    // A path that climbs out of the registry leads nowhere.
    let text = no_detail(json!({ "capability_id": "escape" })).await;
    assert!(text.contains("not found"), "{text}");
}

#[tokio::test]
async fn broken_inventories_are_explained() {
    for (text, expected) in [
        ("{\"capabilities\": [", "is not valid JSON at line 1"),
        ("{\"things\": []}", "has no list `capabilities`"),
        ("{\"capabilities\": {}}", "has no list `capabilities`"),
        ("3", "is neither an object nor a list"),
        ("", "is not valid JSON"),
    ] {
        let fixture = Fixture::empty();
        fixture.write("inventory.json", text);
        let answer = refused(everything(&fixture), "query_capabilities", json!({})).await;
        assert!(answer.contains(expected), "{answer}");
        assert!(answer.contains("ACM_REGISTRY_ROOT"), "{answer}");
    }
    let fixture = Fixture::empty();
    let answer = refused(everything(&fixture), "query_capabilities", json!({})).await;
    assert!(
        answer.contains("`inventory.json` is missing in the capabilities registry"),
        "{answer}"
    );
    write_bytes(&fixture, "inventory.json", b"[\"\xff\"]");
    let answer = refused(everything(&fixture), "query_capabilities", json!({})).await;
    assert!(answer.contains("is not valid UTF-8"), "{answer}");
}

#[tokio::test]
async fn details_do_not_need_a_good_inventory() {
    let fixture = Fixture::new(REGISTRY);
    fixture.write("inventory.json", "broken");
    let arguments = json!({ "capability_id": "unlisted" });
    assert!(
        told(everything(&fixture), "get_capability_detail", arguments).await.contains("unlisted")
    );
    let arguments = json!({ "capability_id": "nothing" });
    let text = refused(everything(&fixture), "get_capability_detail", arguments).await;
    assert!(text.contains("is not valid JSON"), "{text}");
}

#[tokio::test]
async fn odd_entries_are_skipped_with_a_note() {
    let fixture = Fixture::empty();
    let inventory = "\u{feff}[null, 3, {}, {\"name\": \"\"}, {\"name\": 7}, {\"name\": \"good\", \"tags\": [null, \"a\"], \"description\": null}]";
    fixture.write("inventory.json", inventory);
    let text = told(everything(&fixture), "query_capabilities", json!({})).await;
    let expected = "Found 1 capability:\n\n- **good** (unknown)\n  Tags: a\n\n\
        Note: 5 entries of the inventory were skipped: they have no name.\n";
    assert_eq!(text, expected);
}

#[tokio::test]
async fn a_huge_registry_is_shortened_and_says_how_to_narrow() {
    let fixture = Fixture::empty();
    let entries: Vec<Value> = (0..2_000)
        .map(|n| json!({ "name": format!("c{n}"), "type": "tool", "description": "d".repeat(50), "tags": ["t"] }))
        .collect();
    fixture.write("inventory.json", &json!({ "capabilities": entries }).to_string());
    let reply = ask(everything(&fixture), "query_capabilities", json!({})).await;
    assert_eq!(reply.structured()["truncated"], true);
    assert_eq!(reply.structured()["total"], 2_000);
    assert!(reply.text().contains("Narrow the search by query, type or tags."));
}

#[cfg(unix)]
#[tokio::test]
async fn a_detail_that_is_a_link_out_of_the_registry_is_refused() {
    let outside = Fixture::new("//- capability.yaml\nsecret: 1\n");
    let fixture = Fixture::new(
        "//- inventory.json\n[{\"name\": \"x\", \"type\": \"tool\"}]\n//- capabilities/tools/y\n",
    );
    super::link(&fixture, outside.path_text(), "capabilities/tools/x");
    let text =
        refused(everything(&fixture), "get_capability_detail", json!({ "capability_id": "x" }))
            .await;
    assert!(!text.contains("secret"), "{text}");
    let text = told(everything(&fixture), "query_capabilities", json!({})).await;
    assert!(text.contains("**x** (tool)"), "{text}");
}

#[tokio::test]
async fn the_embedded_registry_is_searched_where_there_is_no_other() {
    let fixture = Fixture::empty();
    let text = told(bare(&fixture), "query_capabilities", json!({ "query": "acm workflow" })).await;
    assert!(
        text.contains("**acm-workflow** (skill)") && text.contains("Install level: project"),
        "{text}"
    );
    let detail = json!({ "capability_id": "acm-workflow" });
    assert!(
        told(bare(&fixture), "get_capability_detail", detail)
            .await
            .contains("acm-mcp init --skill")
    );
}
