//! Where blocks go, what goes with them, and blocks that have no place yet.

use super::*;
use crate::domain::parse::EdgeKind;

fn block(id: &str) -> String {
    format!("## {id}: Title\n**Level**: DEV\n\n*End* *Title*\n")
}

/// Two files of three requirements each, parted as `separator` says, between them and at the end.
fn parted(between: &str, at_end: &str) -> Edited {
    let file = |ids: [&str; 3]| format!("{}{at_end}", ids.map(block).join(between));
    let one = file(["REQ-d00001", "REQ-d00002", "REQ-d00003"]);
    let other = file(["REQ-d00004", "REQ-d00005", "REQ-d00006"]);
    graph_of(&[("spec/a.md", Role::Spec, &one), ("spec/b.md", Role::Spec, &other)])
}

fn text_of(graph: &TraceGraph, path: &str) -> String {
    graph.file_at(path).unwrap().1.text.to_string()
}

fn new(id: &str, target_file: Option<&str>) -> NewRequirement {
    NewRequirement {
        id: id.to_owned(),
        title: "Title".to_owned(),
        level: "DEV".to_owned(),
        status: "Draft".to_owned(),
        parent_id: None,
        edge_kind: EdgeKind::Implements,
        target_file: target_file.map(str::to_owned),
    }
}

#[test]
fn separators_stand_where_the_file_has_them() {
    let manners = [("\n---\n\n", ""), ("\n---\n\n", "\n---\n"), ("\n", ""), ("\n", "\n")];
    for (between, at_end) in manners {
        let all = |ids: &[&str]| {
            let blocks: Vec<String> = ids.iter().map(|id| block(id)).collect();
            format!("{}{at_end}", blocks.join(between))
        };
        for (moved, left) in [
            ("REQ-d00001", ["REQ-d00002", "REQ-d00003"]),
            ("REQ-d00002", ["REQ-d00001", "REQ-d00003"]),
            ("REQ-d00003", ["REQ-d00001", "REQ-d00002"]),
        ] {
            let mut graph = parted(between, at_end);
            graph
                .make(&occasion(1), graph.plan_move_requirement(moved, "spec/b.md", false))
                .unwrap();
            let manner = format!("{moved} of {between:?} {at_end:?}");
            // Blank lines at the end of a file say nothing.
            assert_eq!(text_of(&graph, "spec/a.md").trim_end(), all(&left).trim_end(), "{manner}");
            let there = all(&["REQ-d00004", "REQ-d00005", "REQ-d00006", moved]);
            assert_eq!(text_of(&graph, "spec/b.md").trim_end(), there.trim_end(), "{manner}");
            let mut graph = parted(between, at_end);
            graph.make(&occasion(1), graph.plan_delete_requirement(moved)).unwrap();
            assert_eq!(text_of(&graph, "spec/a.md").trim_end(), all(&left).trim_end(), "{manner}");
            graph.editor().undo_last().unwrap();
            assert_same(&graph, &parted(between, at_end));
        }
        let mut graph = parted(between, at_end);
        graph
            .make(&occasion(1), graph.plan_add_requirement(&new("REQ-d00007", Some("spec/a.md"))))
            .unwrap();
        let parts = text_of(&graph, "spec/a.md").matches("---").count();
        let wanted = usize::from(between.contains("---")) * 3 + at_end.matches("---").count();
        assert_eq!(parts, wanted, "{between:?} {at_end:?}");
    }
}

#[test]
fn what_follows_the_last_requirement_keeps_its_separator() {
    let text =
        format!("{}\n---\n\n{}\nWords at the end.\n", block("REQ-d00001"), block("REQ-d00002"));
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, &text)]);
    graph.make(&occasion(1), graph.plan_delete_requirement("REQ-d00002")).unwrap();
    let left = format!("{}\n---\n\nWords at the end.\n", block("REQ-d00001"));
    assert_eq!(text_of(&graph, "spec/a.md"), left);
}

#[test]
fn without_a_parent_or_a_file_the_only_spec_file_is_meant() {
    let refused = project().plan_add_requirement(&new("REQ-d00070", None)).err().unwrap();
    let hint = mcp_core::failure::DomainError::hint(&refused).unwrap();
    assert!(hint.contains("`spec/agents.md`, `spec/journey.md`, `spec/login.md`"), "{hint}");
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, &block("REQ-d00001"))]);
    graph.make(&occasion(1), graph.plan_add_requirement(&new("REQ-d00070", None))).unwrap();
    assert_eq!(graph.get_node("REQ-d00070").unwrap().path(), "spec/a.md");
    let none = graph_of(&[]).plan_add_requirement(&new("REQ-d00070", None)).err().unwrap();
    let hint = mcp_core::failure::DomainError::hint(&none).unwrap();
    assert!(hint.contains("target_file"), "{hint}");
}

#[test]
fn a_reference_with_a_label_that_cannot_be_one_is_mended_whole() {
    let text =
        format!("{}\n## REQ-d00002: Two\n**Implements**: REQ-d00001-AAA\n", block("REQ-d00001"));
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, &text)]);
    assert_eq!(graph.broken_references()[0].target_id, "REQ-d00001-AAA");
    let other = graph.make(&occasion(1), graph.plan_delete_edge("REQ-d00002", "REQ-d00001"));
    assert!(other.is_err(), "it does not cite the requirement");
    graph
        .make(
            &occasion(2),
            graph.plan_fix_broken_reference("REQ-d00002", "REQ-d00001-AAA", "REQ-d00001"),
        )
        .unwrap();
    assert!(text_of(&graph, "spec/a.md").ends_with("**Implements**: REQ-d00001\n"));
}

#[test]
fn a_new_requirement_is_hashed_and_levelled_as_its_neighbours_are() {
    let mut graph = project();
    let wanted = new("REQ-d00070", Some("spec/login.md"));
    graph.make(&occasion(1), graph.plan_add_requirement(&wanted)).unwrap();
    let node = graph.get_node("REQ-d00070").unwrap();
    assert_eq!((node.hash(), node.hash_matches()), (Some("N/A"), Some(true)));
    let text = "It SHALL be.";
    graph.make(&occasion(2), graph.plan_add_assertion("REQ-d00070", "A", text)).unwrap();
    let node = graph.get_node("REQ-d00070").unwrap();
    assert!(node.hash() != Some("N/A") && node.hash_matches() == Some(true), "{:?}", node.hash());
    graph.editor().undo_all().unwrap();
    assert_same(&graph, &project());
    let small = "## REQ-d00001: One\n**Level**: dev | **Status**: Draft\n\n*End* *One*\n";
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, small)]);
    graph.make(&occasion(1), graph.plan_add_requirement(&new("REQ-d00002", None))).unwrap();
    assert!(
        text_of(&graph, "spec/a.md")
            .contains("**Level**: dev | **Status**: Draft\n\n*End* *Title* | **Hash**: ________")
    );
}

#[test]
fn a_hash_goes_on_by_the_rule_it_follows_whatever_that_rule_is_called() {
    use crate::domain::config::{Config, HashMode};
    use crate::domain::hash;
    let text = "## REQ-d00001: One\n**Status**: Draft\n\n## Assertions\nA. It SHALL be.\nB. It SHALL stay.\n\n*End* *One* | **Hash**: 00000001\n";
    for mode in [HashMode::OrderedAssertions, HashMode::Assertions] {
        let first = graph_of(&[("spec/a.md", Role::Spec, text)]);
        let (_, file) = first.file_at("spec/a.md").unwrap();
        let rule = Config::default().hash;
        let stored = hash::hash(&file.contents.requirements[0], text, mode, rule);
        let text = text.replace("00000001", &stored);
        let mut graph = graph_of(&[("spec/a.md", Role::Spec, &text)]);
        let config = "[validation]\nhash_mode = \"normalized-text\"\n";
        let config = Config::read(&[(crate::domain::config::CONFIG_FILE, config)]).unwrap();
        graph.graph.config = Arc::new(config);
        let plan = graph.plan_update_assertion("REQ-d00001-A", "It SHALL be new.");
        graph.make(&occasion(1), plan).unwrap();
        let (_, file) = graph.file_at("spec/a.md").unwrap();
        let wanted = hash::hash(&file.contents.requirements[0], &file.text, mode, rule);
        assert_eq!(graph.get_node("REQ-d00001").unwrap().hash(), Some(wanted.as_str()), "{mode:?}");
    }
}
