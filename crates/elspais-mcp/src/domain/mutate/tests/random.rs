//! Any sequence of changes: always what a build would give, and always to be taken back.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::domain::graph::NodeKind;
use crate::domain::parse::EdgeKind;
use crate::domain::review::suspect::{self, Reviews};

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Rename(Index, u32),
    Title(Index, String),
    Status(Index, String),
    Add(Index, u32, bool),
    Delete(Index),
    AddAssertion(Index, u8, String),
    UpdateAssertion(Index, String),
    DeleteAssertion(Index, bool),
    RenameAssertion(Index, u8),
    AddEdge(Index, Index, bool, bool),
    ChangeKind(Index, Index),
    DeleteEdge(Index, Index),
    Fix(Index, Index),
    Undo,
}

pub(super) fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[A-Za-z][A-Za-z ,.]{0,30}",
        1 => Just("First line\nsecond line".to_owned()),
        1 => Just("Text\nB. looks like another".to_owned()),
        1 => Just("Text\n## Heading".to_owned()),
        1 => Just("Text\n*End* *x*".to_owned()),
        1 => Just("```\nA fence that stays open".to_owned()),
        1 => Just("<!-- a comment that stays open".to_owned()),
        1 => Just("--> | **Status**: X".to_owned()),
        1 => Just("Ümläut ✓ `code` <b>".to_owned()),
    ]
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let index = any::<Index>;
    prop_oneof![
        (index(), 1u32..30).prop_map(|(at, n)| Step::Rename(at, n)),
        (index(), words()).prop_map(|(at, text)| Step::Title(at, text)),
        (index(), prop_oneof![Just("Draft"), Just("Active"), Just("Deprecated")])
            .prop_map(|(at, status)| Step::Status(at, status.to_owned())),
        (index(), 1u32..30, any::<bool>()).prop_map(|(at, n, refines)| Step::Add(at, n, refines)),
        index().prop_map(Step::Delete),
        (index(), 0u8..10, words()).prop_map(|(at, n, text)| Step::AddAssertion(at, n, text)),
        (index(), words()).prop_map(|(at, text)| Step::UpdateAssertion(at, text)),
        (index(), any::<bool>()).prop_map(|(at, compact)| Step::DeleteAssertion(at, compact)),
        (index(), 0u8..10).prop_map(|(at, n)| Step::RenameAssertion(at, n)),
        (index(), index(), any::<bool>(), any::<bool>())
            .prop_map(|(from, to, refines, whole)| Step::AddEdge(from, to, refines, whole)),
        (index(), index()).prop_map(|(from, to)| Step::ChangeKind(from, to)),
        (index(), index()).prop_map(|(from, to)| Step::DeleteEdge(from, to)),
        (index(), index()).prop_map(|(from, to)| Step::Fix(from, to)),
        Just(Step::Undo),
    ]
}

fn pick(graph: &TraceGraph, kind: NodeKind, at: Index) -> Option<String> {
    let all: Vec<String> = graph.nodes_by_kind(kind).map(|it| it.id()).collect();
    (!all.is_empty()).then(|| at.get(&all).clone())
}

/// Makes a step if the project allows it.
pub(crate) fn take(
    editor: &mut Editor<'_>,
    step: &Step,
    now: &Occasion,
) -> Option<Result<(), Error>> {
    let graph = &*editor.graph;
    let label = |n: u8| char::from(b'A' + n).to_string();
    let requirement = |at: &Index| pick(graph, NodeKind::Requirement, *at);
    let assertion = |at: &Index| pick(graph, NodeKind::Assertion, *at);
    let cited = |id: &str, at: &Index| {
        let item = graph.get_node(id)?.citing_item()?;
        let citations = graph.file(item.file)?.citations(item);
        let one = (!citations.is_empty()).then(|| at.get(citations))?;
        Some(graph.grammar.write_reference(&one.target, &one.labels, None))
    };
    let plan = match step {
        Step::Rename(at, n) => {
            let id = requirement(at)?;
            graph.plan_rename_node(&id, &format!("REQ-d{n:05}"))
        }
        Step::Title(at, text) => {
            let id = requirement(at)?;
            graph.plan_update_title(&id, text)
        }
        Step::Status(at, status) => {
            let id = requirement(at)?;
            graph.plan_change_status(&id, status)
        }
        Step::Add(at, n, refines) => {
            let parent_id = requirement(at);
            let new = NewRequirement {
                id: format!("REQ-o{n:05}"),
                title: "Something new".to_owned(),
                level: "OPS".to_owned(),
                status: "Draft".to_owned(),
                target_file: parent_id.is_none().then(|| "spec/new.md".to_owned()),
                parent_id,
                edge_kind: if *refines { EdgeKind::Refines } else { EdgeKind::Implements },
            };
            graph.plan_add_requirement(&new)
        }
        Step::Delete(at) => {
            let id = requirement(at)?;
            graph.plan_delete_requirement(&id)
        }
        Step::AddAssertion(at, n, text) => {
            let id = requirement(at)?;
            graph.plan_add_assertion(&id, &label(*n), text)
        }
        Step::UpdateAssertion(at, text) => {
            let id = assertion(at)?;
            graph.plan_update_assertion(&id, text)
        }
        Step::DeleteAssertion(at, compact) => {
            let id = assertion(at)?;
            graph.plan_delete_assertion(&id, Some(*compact))
        }
        Step::RenameAssertion(at, n) => {
            let id = assertion(at)?;
            graph.plan_rename_assertion(&id, &label(*n))
        }
        Step::AddEdge(from, to, refines, whole) => {
            let source = requirement(from)?;
            let target = if *whole { requirement(to)? } else { assertion(to)? };
            let kind = if *refines { EdgeKind::Refines } else { EdgeKind::Implements };
            graph.plan_add_edge(&source, &target, kind, &[])
        }
        Step::ChangeKind(from, to) => {
            let source = requirement(from)?;
            let target = cited(&source, to)?;
            let is_implements = graph
                .get_node(&source)?
                .iter_incoming_edges()
                .any(|edge| edge.kind == EdgeKind::Implements);
            let kind = if is_implements { EdgeKind::Refines } else { EdgeKind::Implements };
            graph.plan_change_edge_kind(&source, &target, kind)
        }
        Step::DeleteEdge(from, to) => {
            let kinds = [NodeKind::Requirement, NodeKind::Code, NodeKind::Test];
            let source = pick(graph, *to.get(&kinds), *from)?;
            let target = cited(&source, to)?;
            graph.plan_delete_edge(&source, &target)
        }
        Step::Fix(from, to) => {
            let broken = graph.broken_references();
            let one = (!broken.is_empty()).then(|| from.get(&broken).clone())?;
            let target = requirement(to)?;
            graph.plan_fix_broken_reference(&one.source_id, &one.target_id, &target)
        }
        Step::Undo => return Some(editor.undo_last().map(drop)),
    };
    Some(plan.and_then(|plan| editor.carry_out(now, plan)).map(drop))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn after_any_changes_the_graph_is_what_a_build_gives_and_undo_leads_back(
        steps in proptest::collection::vec(step(), 1..14)
    ) {
        let mut graph = project();
        let before = picture(&graph);
        let texts: Vec<(String, String)> =
            graph.iter_files().map(|it| (it.path.to_string(), it.text.to_string())).collect();
        for (n, step) in steps.iter().enumerate() {
            let untouched = picture(&graph);
            match take(&mut graph.editor(), step, &occasion(n)) {
                None => {}
                Some(Err(error)) => {
                    prop_assert_eq!(&picture(&graph), &untouched, "{} left a trace", error);
                }
                Some(Ok(())) => {
                    assert_same(&graph, &rebuilt(&graph));
                    let links = suspect::links(&graph, &Reviews::default());
                    prop_assert_eq!(graph.totals().links, links.len());
                }
            }
        }
        let first = graph.log.entries().next().map(|it| it.id.clone());
        if let Some(first) = first {
            graph.editor().undo_to(&first).unwrap();
        }
        prop_assert_eq!(&picture(&graph), &before);
        let after: Vec<(String, String)> =
            graph.iter_files().map(|it| (it.path.to_string(), it.text.to_string())).collect();
        prop_assert_eq!(after, texts);
        prop_assert_eq!(graph.log.changed_files().count(), 0);
    }

    #[test]
    fn changes_made_again_in_the_same_texts_give_the_same_graph(
        steps in proptest::collection::vec(step(), 1..10)
    ) {
        let mut graph = project();
        for (n, step) in steps.iter().enumerate() {
            take(&mut graph.editor(), step, &occasion(n));
        }
        let before = picture(&graph);
        let entries: Vec<_> = graph.log.entries().cloned().collect();
        graph.editor().undo_all().unwrap();
        graph.editor().replay(entries.clone());
        prop_assert!(graph.log.put_aside_entries().is_empty(), "{:?}", graph.log);
        prop_assert_eq!(&picture(&graph), &before);
        prop_assert_eq!(graph.log.len(), entries.len());
    }
}
