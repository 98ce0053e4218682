//! Which tree is served: the variable, the default directory, or what the binary carries.

use plumbline_tests::Fixture;
use serde_json::json;

use super::{bare, refused, told};
use crate::cli::doctor;
use crate::store::surroundings::Surroundings;

const DEFAULT: &str = "home/code/_shared/acm/ACM-RULES-SPEC.md";

async fn rules(surroundings: Surroundings) -> String {
    told(surroundings, "get_rules_spec", json!({})).await
}

fn with_root(fixture: &Fixture, root: &str) -> Surroundings {
    Surroundings { process_root: Some(root.to_owned()), ..bare(fixture) }
}

// Verifies: PLB-d06001-E
#[tokio::test]
async fn the_variable_wins_over_the_default_and_the_default_over_the_binary() {
    let fixture = Fixture::empty();
    assert!(rules(bare(&fixture)).await.contains("# Rules"));
    fixture.write(DEFAULT, "default");
    assert_eq!(rules(bare(&fixture)).await, "default");
    fixture.write("own/ACM-RULES-SPEC.md", "own");
    let own = format!("{}/own", fixture.path_text());
    assert_eq!(rules(with_root(&fixture, &own)).await, "own");
}

#[tokio::test]
async fn an_empty_variable_counts_as_unset() {
    let fixture = Fixture::empty();
    for empty in ["", "  "] {
        assert!(rules(with_root(&fixture, empty)).await.contains("# Rules"));
    }
}

#[tokio::test]
async fn tilde_and_relative_paths_are_resolved() {
    let fixture = Fixture::empty();
    fixture.write("home/ACM-RULES-SPEC.md", "home itself");
    fixture.write("home/acm/ACM-RULES-SPEC.md", "beneath home");
    fixture.write("beside/ACM-RULES-SPEC.md", "beside");
    for (root, expected) in [
        ("~", "home itself"),
        ("~/acm", "beneath home"),
        ("~/x/../acm/.", "beneath home"),
        ("beside", "beside"),
        ("./home/../beside", "beside"),
    ] {
        assert_eq!(rules(with_root(&fixture, root)).await, expected, "{root}");
    }
}

#[tokio::test]
async fn a_tilde_without_a_home_is_an_error() {
    let fixture = Fixture::empty();
    let surroundings = Surroundings { home: None, ..with_root(&fixture, "~/acm") };
    let text = refused(surroundings, "get_rules_spec", json!({})).await;
    assert!(text.contains("the home directory is not known"), "{text}");
    let surroundings = Surroundings { home: None, ..bare(&fixture) };
    assert!(rules(surroundings).await.contains("# Rules"));
}

#[tokio::test]
async fn a_root_that_is_set_but_missing_says_so_with_variable_and_path() {
    let fixture = Fixture::new("//- file\n");
    let text = refused(with_root(&fixture, "gone"), "get_rules_spec", json!({})).await;
    insta::assert_snapshot!("missing_root", fixture.normalise(&text));
    let text = refused(with_root(&fixture, "file"), "get_rules_spec", json!({})).await;
    assert!(text.contains("ACM_ROOT") && text.contains("it is not a directory"), "{text}");
    let registry = Surroundings { registry_root: Some("gone".to_owned()), ..bare(&fixture) };
    let text = refused(registry, "query_capabilities", json!({})).await;
    assert!(text.contains("ACM_REGISTRY_ROOT") && text.contains("capabilities registry"), "{text}");
}

#[tokio::test]
async fn each_root_is_decided_on_its_own_and_for_each_call() {
    let fixture = Fixture::empty();
    let mut client = super::connect(with_root(&fixture, "gone")).await;
    let capabilities = client.call_tool("query_capabilities", json!({})).await;
    assert!(!capabilities.is_tool_error());
    assert!(client.call_tool("get_rules_spec", json!({})).await.is_tool_error());
    fixture.write("gone/ACM-RULES-SPEC.md", "back");
    assert_eq!(client.call_tool("get_rules_spec", json!({})).await.text(), "back");
}

#[tokio::test]
async fn a_file_missing_on_disk_is_never_taken_from_the_binary() {
    let fixture = Fixture::new("//- home/code/_shared/acm/README.md\nx\n");
    let text = refused(bare(&fixture), "get_rules_spec", json!({})).await;
    assert!(text.contains("`ACM-RULES-SPEC.md` is missing in the process tree at"), "{text}");
}

#[tokio::test]
async fn a_file_at_the_default_place_is_no_tree() {
    let fixture = Fixture::new("//- home/code/_shared/acm\nx\n");
    assert!(rules(bare(&fixture)).await.contains("# Rules"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_root_that_is_a_link_works() {
    let tree = Fixture::new("//- ACM-RULES-SPEC.md\nlinked\n");
    let fixture = Fixture::empty();
    super::link(&fixture, tree.path_text(), "acm");
    assert_eq!(rules(with_root(&fixture, "acm")).await, "linked\n");
    let beneath = Fixture::new("//- code/acm/ACM-RULES-SPEC.md\nbeneath a link\n");
    super::link(&fixture, &format!("{}/code", beneath.path_text()), "code");
    assert_eq!(rules(with_root(&fixture, "code/acm")).await, "beneath a link\n");
}

#[test]
fn the_log_names_both_sources_on_one_line() {
    let fixture = Fixture::new("//- own/x\n");
    let line = doctor::sources(&with_root(&fixture, "own"));
    assert_eq!(
        fixture.normalise(&line),
        "process tree: <root>/own (ACM_ROOT); capabilities registry: embedded in acm-mcp"
    );
    fixture.write(DEFAULT, "default");
    let line = fixture.normalise(&doctor::sources(&bare(&fixture)));
    assert!(
        line.starts_with("process tree: <root>/home/code/_shared/acm (ACM_ROOT is not set);"),
        "{line}"
    );
    let line = doctor::sources(&with_root(&fixture, "gone"));
    assert!(line.contains("ACM_ROOT is set to 'gone'") && !line.contains('\n'), "{line}");
}

#[test]
fn doctor_finds_the_embedded_trees_complete_and_says_how_to_edit_them() {
    let fixture = Fixture::empty();
    insta::assert_snapshot!("doctor_embedded", findings(&bare(&fixture)));
}

#[test]
fn doctor_names_what_is_missing_and_unreadable() {
    let fixture = Fixture::new(
        "//- acm/ACM-RULES-SPEC.md\nx\n//- acm/kb/odd.md/x\n//- acm/kb/good.md\nx\n//- registry/inventory.json\n[1, 2\n",
    );
    let surroundings = Surroundings {
        process_root: Some("acm".to_owned()),
        registry_root: Some("registry".to_owned()),
        ..bare(&fixture)
    };
    insta::assert_snapshot!("doctor_broken", fixture.normalise(&findings(&surroundings)));
}

fn findings(surroundings: &Surroundings) -> String {
    let findings = doctor::look(surroundings);
    let line = |it: &mcp_core::cli::Finding| {
        format!("{:?}: {}\n    {}", it.severity, it.what, it.fix.as_deref().unwrap_or("-"))
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_tree_of_the_later_prefix_is_served_under_the_same_names() {
    let fixture = Fixture::new(
        "//- tree/ADF-RULES-SPEC.md\nlater\n//- tree/ADF-DESIGN-SPEC.md\nlater\n//- tree/ACM-DESIGN-SPEC.md\nearlier\n",
    );
    let root = fixture.path().join("tree").display().to_string();
    let surroundings = || Surroundings { process_root: Some(root.clone()), ..bare(&fixture) };
    assert_eq!(told(surroundings(), "get_rules_spec", json!({})).await, "later\n");
    let stage = json!({ "stage": "design" });
    assert_eq!(told(surroundings(), "get_stage", stage).await, "earlier\n");
    let missing = refused(surroundings(), "get_stage", json!({ "stage": "develop" })).await;
    assert!(missing.contains("ACM-DEVELOP-SPEC.md"), "{missing}");
}
