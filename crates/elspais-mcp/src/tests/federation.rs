//! Other repositories: read, linked and left alone.

use super::*;
use crate::store::federation::Named;

const CORE: &str = "[project]\nnamespace = \"APP\"\n[associates.library]\npath = \"../library\"\nnamespace = \"LIB\"\n";
const APP: &str = "# APP-d00001: Logs\n\n**Level**: dev | **Status**: Active\n**Integrates**: LIB-d00007-A\n**Satisfies**: LIB-p00001\n\n## Assertions\n\nA. Logs SHALL be kept.\n\n*End* *Logs*\n";
const LIBRARY: &str = "# LIB-d00007: Append\n\n**Level**: dev\n\n## Assertions\n\nA. It SHALL append.\n\n*End* *Append*\n\n# LIB-p00001: Template\n\n**Level**: prd\n\n## Assertions\n\nA. It SHALL hold.\n\n*End* *Template*\n";

fn repositories() -> Fixture {
    let fixture = Fixture::empty();
    fixture.write("app/.elspais.toml", CORE);
    fixture.write("app/spec/app.md", APP);
    fixture.write("library/.elspais.toml", "[project]\nnamespace = \"LIB\"\n");
    fixture.write("library/spec/lib.md", LIBRARY);
    fixture.write("library/src/lib.py", "# Implements: LIB-d00007-A\n");
    fixture
}

async fn connect_at(fixture: &Fixture, named: &[&str]) -> Client {
    let named: Vec<String> = named.iter().map(|it| (*it).to_owned()).collect();
    let place = fixture.path().join("app");
    let workspace = Workspace::new(place.clone(), state(), clock(), counting())
        .with_associates(Named::parse(&named, &place));
    connect_to(Arc::new(workspace)).await
}

#[tokio::test]
async fn a_repository_elsewhere_is_read_only_where_a_person_named_it() {
    let fixture = repositories();
    let mut client = connect_at(&fixture, &[]).await;
    let broken = told(&mut client, "get_broken_references", json!({})).await;
    let reasons: Vec<&str> = broken["broken_references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["in_other_repository", "in_other_repository"]);
    let mut client = connect_at(&fixture, &["library=../library"]).await;
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["broken_reference_count"], 0);
    assert_eq!(summary["instance_count"], 1);
    assert_eq!(summary["requirements_by_level"]["all"], json!({ "PRD": 1, "OPS": 0, "DEV": 2 }));
    let one = told(&mut client, "get_requirement", json!({ "req_id": "LIB-d00007" })).await;
    assert_eq!(one["source"]["repository"], "library");
    assert_eq!(one["source"]["path"], "library:spec/lib.md");
    assert!(one.to_string().contains("code:library:src/lib.py:1"), "{one}");
    let instance =
        told(&mut client, "get_requirement", json!({ "req_id": "APP-d00001::LIB-p00001" })).await;
    assert_eq!(instance["id"], "LIB-p00001");
    refused(&mut client, "get_requirement", json!({ "req_id": "LIB-d00007::LIB-p00001" })).await;
}

#[tokio::test]
async fn nothing_is_written_outside_and_a_refresh_reads_the_others_too() {
    let fixture = repositories();
    let mut client = connect_at(&fixture, &["library=../library"]).await;
    refused(
        &mut client,
        "mutate_update_title",
        json!({ "node_id": "LIB-d00007", "new_title": "Mine" }),
    )
    .await;
    refused(
        &mut client,
        "mutate_delete_assertion",
        json!({ "assertion_id": "LIB-d00007-A", "confirm": true }),
    )
    .await;
    let edge = json!({ "source_id": "code:library:src/lib.py:1", "target_id": "LIB-d00007-A", "confirm": true });
    refused(&mut client, "mutate_delete_edge", edge).await;
    fixture.write("library/spec/lib.md", &LIBRARY.replace("Append", "Append only"));
    fixture.write("library/spec/more.md", "# LIB-d00008: More\n**Level**: dev\n");
    told(&mut client, "refresh_graph", json!({})).await;
    let one = told(&mut client, "get_requirement", json!({ "req_id": "LIB-d00007" })).await;
    assert_eq!(one["title"], "Append only");
    told(&mut client, "get_requirement", json!({ "req_id": "LIB-d00008" })).await;
    std::fs::remove_file(fixture.path().join("library/spec/more.md")).unwrap();
    told(&mut client, "refresh_graph", json!({})).await;
    refused(&mut client, "get_requirement", json!({ "req_id": "LIB-d00008" })).await;
    told(
        &mut client,
        "mutate_update_title",
        json!({ "node_id": "APP-d00001", "new_title": "Records" }),
    )
    .await;
    let outside = fixture.read("library/spec/lib.md");
    told(&mut client, "save_mutations", json!({})).await;
    assert_eq!(fixture.read("library/spec/lib.md"), outside);
}

#[tokio::test]
async fn one_that_lies_beneath_the_root_needs_no_naming() {
    let fixture = repositories();
    fixture.write("app/.elspais.toml", &CORE.replace("../library", "vendor/library"));
    fixture.write("app/vendor/library/.elspais.toml", "[project]\nnamespace = \"LIB\"\n");
    fixture.write("app/vendor/library/spec/lib.md", LIBRARY);
    let mut client = connect_at(&fixture, &[]).await;
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["broken_reference_count"], 0);
}
