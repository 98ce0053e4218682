//! Where blocks go, what goes with them, and blocks that have no place yet.

use super::*;
use crate::parse::EdgeKind;

fn block(id: &str) -> String {
    format!("## {id}: Title\n**Level**: DEV\n\n*End* *Title*\n")
}

/// Two files of three requirements each, parted as `separator` says, between them and at the end.
fn parted(between: &str, at_end: &str) -> TraceGraph {
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
            graph.move_requirement(&occasion(1), moved, "spec/b.md", false).unwrap();
            let manner = format!("{moved} of {between:?} {at_end:?}");
            // Blank lines at the end of a file say nothing.
            assert_eq!(text_of(&graph, "spec/a.md").trim_end(), all(&left).trim_end(), "{manner}");
            let there = all(&["REQ-d00004", "REQ-d00005", "REQ-d00006", moved]);
            assert_eq!(text_of(&graph, "spec/b.md").trim_end(), there.trim_end(), "{manner}");
            let mut graph = parted(between, at_end);
            graph.delete_requirement(&occasion(1), moved).unwrap();
            assert_eq!(text_of(&graph, "spec/a.md").trim_end(), all(&left).trim_end(), "{manner}");
            graph.undo_last().unwrap();
            assert_same(&graph, &parted(between, at_end));
        }
        let mut graph = parted(between, at_end);
        graph.add_requirement(&occasion(1), &new("REQ-d00007", Some("spec/a.md"))).unwrap();
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
    graph.delete_requirement(&occasion(1), "REQ-d00002").unwrap();
    let left = format!("{}\n---\n\nWords at the end.\n", block("REQ-d00001"));
    assert_eq!(text_of(&graph, "spec/a.md"), left);
}

#[test]
fn a_requirement_without_a_place_can_be_deleted_and_leaves_nothing_to_save() {
    let mut graph = project();
    graph.add_requirement(&occasion(1), &new("REQ-d00070", None)).unwrap();
    graph.add_requirement(&occasion(2), &new("REQ-d00071", None)).unwrap();
    let with_both = picture(&graph);
    let refused = crate::save::pending(&graph).unwrap_err().to_string();
    assert!(refused.contains("no file yet for REQ-d00070, REQ-d00071"), "{refused}");
    graph.delete_requirement(&occasion(3), "REQ-d00070").unwrap();
    graph.delete_requirement(&occasion(4), "REQ-d00071").unwrap();
    assert!(crate::save::pending(&graph).unwrap().is_empty());
    assert_same(&graph, &project());
    graph.undo_to(&occasion(3).id).unwrap();
    assert_eq!(picture(&graph), with_both);
}

#[test]
fn a_reference_with_a_label_that_cannot_be_one_is_mended_whole() {
    let text =
        format!("{}\n## REQ-d00002: Two\n**Implements**: REQ-d00001-AA\n", block("REQ-d00001"));
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, &text)]);
    assert_eq!(graph.broken_references()[0].target_id, "REQ-d00001-AA");
    let other = graph.delete_edge(&occasion(1), "REQ-d00002", "REQ-d00001");
    assert!(other.is_err(), "it does not cite the requirement");
    graph.fix_broken_reference(&occasion(2), "REQ-d00002", "REQ-d00001-AA", "REQ-d00001").unwrap();
    assert!(text_of(&graph, "spec/a.md").ends_with("**Implements**: REQ-d00001\n"));
}
