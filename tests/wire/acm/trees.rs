//! The process tree: embedded, written by `init`, named by the environment.

use super::*;

#[tokio::test]
async fn a_tree_that_init_wrote_and_somebody_edited_is_what_is_served() {
    let (project, home) = (Fixture::empty(), Fixture::empty());
    let ended = run(&project, &home, &["init", "acm"]);
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let rules = project.read("acm/ACM-RULES-SPEC.md") + "\nAnd one of ours.\n";
    project.write("acm/ACM-RULES-SPEC.md", &rules);
    let root = project.path().join("acm");
    let root = root.to_str().expect("temporary paths are text");
    let mut client = connect(&project, &home, &[("ACM_ROOT", root)]).await;
    let served = client.call_tool("get_rules_spec", json!({})).await;
    assert_eq!(served.text(), rules);
    // Without the variable the one in the executable is served again.
    let mut client = connect(&project, &home, &[]).await;
    let served = client.call_tool("get_rules_spec", json!({})).await;
    assert!(!served.text().contains("And one of ours."));
}

#[test]
fn a_second_init_changes_nothing_and_says_what_was_kept() {
    let (project, home) = (Fixture::empty(), Fixture::empty());
    assert!(run(&project, &home, &["init", "acm"]).status.success());
    project.write("acm/ACM-RULES-SPEC.md", "mine\n");
    let before = project.files();
    let ended = run(&project, &home, &["init", "acm"]);
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(said.contains("kept as it is, it was changed: ACM-RULES-SPEC.md"), "{said}");
    assert_eq!(project.files(), before);
}
