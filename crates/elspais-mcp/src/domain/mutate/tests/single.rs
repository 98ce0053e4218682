//! Each change by itself: what it edits, what it leaves alone, what it refuses.

use super::*;
use crate::domain::parse::EdgeKind;

fn text_of<'g>(graph: &'g TraceGraph, path: &str) -> &'g str {
    &graph.file_at(path).unwrap().1.text
}

/// The lines that differ, as a diff without context.
fn changed(before: &str, after: &str) -> String {
    let diff = similar::TextDiff::from_lines(before, after);
    let lines: Vec<String> = diff
        .iter_all_changes()
        .filter(|it| it.tag() != similar::ChangeTag::Equal)
        .map(|it| format!("{}{}", it.tag(), it.value()))
        .collect();
    lines.concat().replace('\r', "\\r")
}

#[test]
fn renaming_follows_every_reference_and_no_other_text() {
    let mut graph = project();
    let before: Vec<String> =
        PROJECT.iter().map(|(path, _, _)| text_of(&graph, path).to_owned()).collect();
    let entry =
        graph.make(&occasion(1), graph.plan_rename_node("REQ-d00001", "REQ-d00077")).unwrap();
    assert_eq!(entry.mutation.operation(), "rename_node");
    assert!(!entry.affects_hash);
    let mut all = String::new();
    for ((path, _, _), before) in PROJECT.iter().zip(&before) {
        all.push_str(&changed(before, text_of(&graph, path)));
    }
    insta::assert_snapshot!(all);
    assert!(graph.get_node("REQ-d00077-B").is_some() && graph.get_node("REQ-d00001").is_none());
}

#[test]
fn the_name_of_a_test_is_renamed_as_an_identifier() {
    let mut graph = project();
    graph.make(&occasion(1), graph.plan_rename_node("REQ-d00002", "REQ-d00078")).unwrap();
    assert!(text_of(&graph, "tests/test_login.py").contains("def test_out_REQ_d00078_B():"));
}

#[test]
fn a_hash_follows_the_text_where_one_stood_and_only_there() {
    let mut graph = project();
    let old = graph.stored_hash("REQ-d00001").unwrap();
    let entry = graph
        .make(&occasion(1), graph.plan_update_assertion("REQ-d00001-A", "Another text SHALL hold."))
        .unwrap();
    assert!(entry.affects_hash);
    let new = graph.stored_hash("REQ-d00001").unwrap();
    assert_ne!(old, new);
    let matches = |graph: &TraceGraph, id: &str| graph.get_node(id).unwrap().hash_matches();
    assert_eq!(matches(&graph, "REQ-d00001"), Some(true));
    assert_eq!(matches(&graph, "REQ-o00060"), None);
    let (_, file) = graph.file_at("spec/login.md").unwrap();
    let rule = crate::domain::hash::rule_of(
        &file.contents.requirements[0],
        &file.text,
        &new,
        graph.config.hash,
    );
    assert_eq!(rule, Some(crate::domain::config::HashMode::Assertions));
    let entry = graph
        .make(&occasion(2), graph.plan_update_assertion("REQ-o00060-A", "Another text SHALL hold."))
        .unwrap();
    assert!(entry.affects_hash);
    assert!(!text_of(&graph, "spec/agents.md").contains("Another text SHALL hold.\n\n*End*"));
    assert_eq!(graph.stored_hash("REQ-o00060"), None);
    let entry = graph.make(&occasion(3), graph.plan_change_status("REQ-d00001", "Draft")).unwrap();
    assert!(!entry.affects_hash);
    graph.editor().undo_to(&occasion(1).id).unwrap();
    assert_eq!(graph.stored_hash("REQ-d00001").unwrap(), old);
}

#[test]
fn with_hashes_over_the_whole_text_a_status_affects_them() {
    let text = "[validation]\nhash_mode = \"full-text\"\n";
    let config = Config::read(&[(crate::domain::config::CONFIG_FILE, text)]).unwrap();
    let grammar = Arc::new(Grammar::new(&config).unwrap());
    let file = File::parse(
        &grammar,
        "spec/a.md",
        Role::Spec,
        "# REQ-d00001: A\n**Status**: Draft\n\n*End* *A* | **Hash**: 11111111\n",
    );
    let graph = TraceGraph::new(Arc::new(config), grammar, vec![file], Timestamp::UNIX_EPOCH);
    let mut graph = Edited::new(graph);
    assert!(
        graph
            .make(&occasion(1), graph.plan_change_status("REQ-d00001", "Active"))
            .unwrap()
            .affects_hash
    );
    assert_ne!(graph.stored_hash("REQ-d00001").unwrap(), "11111111");
    assert!(
        !graph.make(&occasion(2), graph.plan_update_title("REQ-d00001", "B")).unwrap().affects_hash
    );
}

#[test]
fn deleting_with_compaction_moves_labels_and_what_cites_them() {
    let mut graph = project();
    let error = graph
        .make(&occasion(1), graph.plan_delete_assertion("REQ-d00001-A", Some(true)))
        .unwrap_err();
    assert!(error.to_string().contains("is cited by"), "{error}");
    graph
        .make(&occasion(2), graph.plan_delete_edge("code:src/login.py:1", "REQ-d00001-A"))
        .unwrap();
    let before = text_of(&graph, "spec/plain.md").to_owned();
    // The remaining citations of A are two specs and a test.
    graph.make(&occasion(3), graph.plan_delete_assertion("REQ-d00001-A", Some(false))).unwrap();
    assert_eq!(text_of(&graph, "spec/plain.md"), before);
    assert!(graph.broken_references().iter().any(|it| it.target_id == "REQ-d00001-A"));
    graph.editor().undo_last().unwrap();
    let entry =
        graph.make(&occasion(4), graph.plan_delete_assertion("REQ-o00062-B", Some(true))).unwrap();
    let Mutation::DeleteAssertion { renames, citations, .. } = &entry.mutation else {
        panic!("{entry:?}");
    };
    assert_eq!(renames.len(), 5);
    assert_eq!(citations[0].new, "REQ-o00062-C");
    assert_eq!(entry.mutation.renames().len(), 5);
    let node = graph.get_node("REQ-d00065").unwrap();
    let edge = node.iter_incoming_edges().next().unwrap();
    assert_eq!(edge.assertion_targets[0].as_str(), "C");
}

#[test]
fn unless_told_labels_move_only_where_nothing_cites_them() {
    let mut graph = project();
    // A is cited, and so is C behind it: the gap stays.
    let entry =
        graph.make(&occasion(1), graph.plan_delete_assertion("REQ-d00001-A", None)).unwrap();
    let Mutation::DeleteAssertion { compact, renames, broken_references_from, .. } =
        &entry.mutation
    else {
        panic!("{entry:?}");
    };
    assert!(!compact && renames.is_empty() && !broken_references_from.is_empty(), "{entry:?}");
    assert!(graph.get_node("REQ-d00001-C").is_some());
    // Nothing cites the assertions of this one.
    let entry =
        graph.make(&occasion(2), graph.plan_delete_assertion("REQ-o00063-B", None)).unwrap();
    assert_eq!(entry.mutation.renames().len(), 4);
    graph.editor().undo_all().unwrap();
    assert_same(&graph, &project());
}

#[test]
fn a_new_assertion_stands_in_its_place_in_the_manner_of_the_others() {
    let mut graph = project();
    graph.make(&occasion(1), graph.plan_delete_assertion("REQ-d00001-B", Some(false))).unwrap();
    let before = text_of(&graph, "spec/login.md").to_owned();
    graph
        .make(&occasion(2), graph.plan_add_assertion("REQ-d00001", "B", "Between SHALL be."))
        .unwrap();
    insta::assert_snapshot!(changed(&before, text_of(&graph, "spec/login.md")));
}

#[test]
fn a_section_for_assertions_is_made_where_there_is_none() {
    let mut graph = project();
    let before = text_of(&graph, "spec/plain.md").to_owned();
    graph
        .make(&occasion(1), graph.plan_add_assertion("REQ-d00003", "A", "Something SHALL hold."))
        .unwrap();
    graph
        .make(&occasion(2), graph.plan_add_assertion("REQ-d00004", "A", "Something SHALL hold."))
        .unwrap();
    insta::assert_snapshot!(changed(&before, text_of(&graph, "spec/plain.md")));
}

#[test]
fn a_link_that_would_close_a_circle_is_refused_with_the_way_around() {
    let mut graph = project();
    let error = graph
        .make(
            &occasion(1),
            graph.plan_add_edge("REQ-p00060", "REQ-d00061", EdgeKind::Implements, &[]),
        )
        .unwrap_err();
    assert!(
        error.to_string().contains("REQ-p00060 -> REQ-d00061 -> REQ-o00060 -> REQ-p00060"),
        "{error}"
    );
    assert_eq!(graph.log.len(), 0);
}

#[test]
fn a_link_to_nothing_is_a_broken_reference_that_can_be_mended() {
    let mut graph = project();
    let entry = graph
        .make(
            &occasion(1),
            graph.plan_add_edge("REQ-d00003", "REQ-o09999", EdgeKind::Refines, &["A".to_owned()]),
        )
        .unwrap();
    assert!(matches!(entry.mutation, Mutation::AddEdge { is_broken: true, .. }), "{entry:?}");
    let entry = graph
        .make(
            &occasion(2),
            graph.plan_fix_broken_reference("REQ-d00003", "REQ-o09999", "REQ-o00061"),
        )
        .unwrap();
    let Mutation::FixBrokenReference { new_target_id, still_broken, .. } = &entry.mutation else {
        panic!("{entry:?}");
    };
    assert_eq!((new_target_id.as_str(), *still_broken), ("REQ-o00061-A", false));
    let entry = graph
        .make(
            &occasion(3),
            graph.plan_fix_broken_reference("code:src/login.py:5", "REQ-d09999", "REQ-d09998"),
        )
        .unwrap();
    let is_fixed =
        matches!(entry.mutation, Mutation::FixBrokenReference { still_broken: false, .. });
    assert!(!is_fixed, "{entry:?}");
    assert!(text_of(&graph, "src/login.py").contains("# Implements: REQ-d09998\n"));
}

#[test]
fn one_reference_moves_from_list_to_list_and_the_others_stay() {
    let mut graph = project();
    let before = text_of(&graph, "spec/login.md").to_owned();
    graph
        .make(
            &occasion(1),
            graph.plan_change_edge_kind("REQ-d00001", "REQ-o00061", EdgeKind::Refines),
        )
        .unwrap();
    insta::assert_snapshot!(changed(&before, text_of(&graph, "spec/login.md")));
    graph
        .make(
            &occasion(2),
            graph.plan_change_edge_kind("REQ-d00002", "REQ-d00001-C", EdgeKind::Refines),
        )
        .unwrap();
    assert!(
        text_of(&graph, "spec/plain.md")
            .contains("Level: DEV | Status: Draft | Refines: REQ-d00001-C\n")
    );
}

#[test]
fn what_would_be_read_differently_is_refused() {
    let mut graph = project();
    let before = picture(&graph);
    for text in ["One\nB. Two", "One\n## Two", "One\n*End* *x*", "", "  ", "a\u{0}b"] {
        let outcome = graph.make(&occasion(1), graph.plan_update_assertion("REQ-d00002-A", text));
        assert!(outcome.is_err(), "{text:?}");
    }
    for title in ["", "two\nlines", "a * b", "\u{7}"] {
        assert!(
            graph.make(&occasion(1), graph.plan_update_title("REQ-d00002", title)).is_err(),
            "{title:?}"
        );
    }
    for id in ["REQ-d00001", "req-d5", "REQ-x00001", "REQ-d000011", "", "REQ-d00005-A", "code:x:1"]
    {
        assert!(
            graph.make(&occasion(1), graph.plan_rename_node("REQ-d00002", id)).is_err(),
            "{id:?}"
        );
    }
    for status in ["", "two words", "a|b", "a\nb"] {
        assert!(
            graph.make(&occasion(1), graph.plan_change_status("REQ-d00002", status)).is_err(),
            "{status:?}"
        );
    }
    assert_eq!(picture(&graph), before);
}

#[test]
fn a_requirement_that_is_defined_twice_is_not_changed() {
    let mut graph = graph_of(&[
        ("spec/a.md", Role::Spec, "# REQ-d00001: One\nStatus: Draft\n"),
        ("spec/b.md", Role::Spec, "# REQ-d00001: Two\nStatus: Draft\n"),
    ]);
    let error =
        graph.make(&occasion(1), graph.plan_update_title("REQ-d00001", "Three")).unwrap_err();
    assert!(error.to_string().contains("spec/a.md:1, spec/b.md:1"), "{error}");
}

#[test]
fn coverage_is_right_at_once() {
    let mut graph = project();
    let metrics = |graph: &TraceGraph, id: &str| *graph.get_node(id).unwrap().metrics().unwrap();
    let before = metrics(&graph, "REQ-d00001");
    assert_eq!(
        (before.total, before.covered, before.direct, before.tested, before.validated),
        (3, 3, 3, 1, 1)
    );
    assert!(metrics(&graph, "REQ-d00002").has_failures);
    graph.make(&occasion(1), graph.plan_delete_assertion("REQ-d00001-C", Some(false))).unwrap();
    let after = metrics(&graph, "REQ-d00001");
    assert_eq!((after.total, after.covered), (2, 2));
    graph.make(&occasion(2), graph.plan_delete_requirement("REQ-d00001")).unwrap();
    assert_eq!(metrics(&graph, "REQ-o00061").covered, 0);
}

#[test]
fn moving_takes_the_block_with_its_separator() {
    let mut graph = project();
    let (one, two) =
        (text_of(&graph, "spec/agents.md").to_owned(), text_of(&graph, "spec/plain.md").to_owned());
    graph
        .make(&occasion(1), graph.plan_move_requirement("REQ-o00061", "spec/plain.md", false))
        .unwrap();
    let moved = format!(
        "{}\n=====\n{}",
        changed(&one, text_of(&graph, "spec/agents.md")),
        changed(&two, text_of(&graph, "spec/plain.md"))
    );
    insta::assert_snapshot!(moved);
    assert!(
        graph
            .make(&occasion(2), graph.plan_move_requirement("REQ-d00003", "spec/none.md", false))
            .is_err()
    );
    graph
        .make(&occasion(2), graph.plan_move_requirement("REQ-d00003", "spec/none.md", true))
        .unwrap();
    assert_eq!(
        text_of(&graph, "spec/none.md"),
        "## REQ-d00003: No footer, no metadata\n\nWords only.\n"
    );
    assert_eq!(graph.get_node("REQ-d00004").unwrap().path(), "spec/plain.md");
}

#[test]
fn marks_around_a_reference_go_and_stay_with_it() {
    let text = "# REQ-d00001: One\n**Implements**: `REQ-p00001`, **REQ-p00002**, REQ-p00003\n\n# REQ-d00002: Two\n| a |\n";
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, text)]);
    graph.make(&occasion(1), graph.plan_delete_edge("REQ-d00001", "REQ-p00001")).unwrap();
    assert!(text_of(&graph, "spec/a.md").contains("**Implements**: **REQ-p00002**, REQ-p00003\n"));
    graph.make(&occasion(2), graph.plan_delete_edge("REQ-d00001", "REQ-p00003")).unwrap();
    assert!(text_of(&graph, "spec/a.md").contains("**Implements**: **REQ-p00002**\n"));
    graph
        .make(
            &occasion(3),
            graph.plan_add_edge("REQ-d00001", "REQ-p00004", EdgeKind::Implements, &[]),
        )
        .unwrap();
    assert!(text_of(&graph, "spec/a.md").contains("**Implements**: **REQ-p00002**, REQ-p00004\n"));
    graph.make(&occasion(4), graph.plan_change_status("REQ-d00002", "Draft")).unwrap();
    assert!(text_of(&graph, "spec/a.md").ends_with("Two\n\n**Status**: Draft\n\n| a |\n"));
}

#[test]
fn a_link_that_is_there_is_named_with_its_labels() {
    let mut graph = project();
    let again = graph.make(
        &occasion(1),
        graph.plan_add_edge("REQ-d00002", "REQ-d00001-C", EdgeKind::Implements, &[]),
    );
    assert_eq!(again.unwrap_err().to_string(), "REQ-d00002 implements REQ-d00001-C already");
}

#[test]
fn an_example_never_hides_a_real_requirement() {
    let graph = graph_of(&[
        ("spec/EXAMPLE.md", Role::Spec, "# REQ-d00001: An example\nLevel: DEV\n"),
        ("spec/real.md", Role::Spec, "# REQ-d00001: The real one\nLevel: DEV\n"),
    ]);
    assert_eq!(graph.get_node("REQ-d00001").unwrap().title(), "The real one");
    let (_, places) = &graph.duplicates()[0];
    assert_eq!(places[0].0, "spec/real.md");
}
