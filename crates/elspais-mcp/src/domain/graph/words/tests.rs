//! Looking through numbers finds what looking through the texts would.

use proptest::prelude::*;

use crate::domain::graph::search::SearchField;
use crate::domain::graph::{FileUpdate, Role, TraceGraph};
use crate::domain::keyword;
use crate::domain::mutate::tests::{Edited, graph_of};

fn requirement(number: usize, title: &str, body: &str, assertion: &str) -> String {
    format!(
        "# REQ-d{number:05}: {title}\n\n**Level**: DEV | **Status**: Active | **Implements**: -\n\n{body}\n\n## Assertions\n\nA. {assertion}\n\nB. Other words SHALL stand here.\n\n*End* *{title}* | **Hash**: 00000000\n---\n\n"
    )
}

fn project(texts: &[(String, String, String)]) -> Edited {
    let all = (1..).zip(texts).map(|(n, (title, body, said))| requirement(n, title, body, said));
    let whole: Vec<String> = all.collect();
    let middle = whole.len() / 2;
    let (one, other) = (whole[..middle].concat(), whole[middle..].concat());
    graph_of(&[("spec/a.md", Role::Spec, &one), ("spec/b.md", Role::Spec, &other)])
}

fn searched(graph: &TraceGraph, word: &str, field: SearchField) -> Vec<String> {
    let found = graph.search(word, field, false, 100).unwrap();
    let mut ids: Vec<String> = found.nodes.iter().map(super::super::Node::id).collect();
    ids.sort();
    ids
}

/// Words that share letters, marks that part words, and letters beyond ASCII.
const TEXT: &str = "([abAB]{1,3}|größe|GRÖSSE|a-b|_a|b_a|x1)( |, |\\. |-|/|_)";

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(TEXT, 1..8).prop_map(|it| format!("z{}z", it.concat()))
}

proptest! {
    #[test]
    fn a_word_is_found_in_bodies_that_hold_it(
        texts in proptest::collection::vec((text(), text(), text()), 1..6),
        word in "[abAB1x]{1,3}|größe|[abAB][-_]{1,2}[ab]|[-_]a|b[-_]",
    ) {
        let graph = project(&texts);
        let by_pattern = graph.search(&regex::escape(&word), SearchField::Body, true, 100).unwrap();
        let mut expected: Vec<String> =
            by_pattern.nodes.iter().map(super::super::Node::id).collect();
        expected.sort();
        prop_assert_eq!(searched(&graph, &word, SearchField::Body), expected);
    }

    #[test]
    fn keywords_are_those_of_titles_and_assertions(
        texts in proptest::collection::vec((text(), text(), text()), 1..6),
    ) {
        let graph = project(&texts);
        for (word, count) in keyword::all(&graph) {
            let wanted = [word.clone()];
            let found = keyword::requirements(&graph, &wanted, true).unwrap();
            prop_assert_eq!(found.len(), count, "{}", &word);
            let (said, _) = keyword::find_assertions(&graph, &wanted, true, 100).unwrap();
            prop_assert!(said.iter().all(|it| it.body().to_lowercase().contains(&word)));
            for node in found {
                let mut holds = node.title().to_lowercase().contains(&word);
                holds |= node.iter_children().any(|it| it.body().to_lowercase().contains(&word));
                prop_assert!(holds, "{}", &word);
            }
        }
    }
}

#[test]
fn what_changed_is_found_by_its_new_words_alone() {
    let texts = [("One thing".to_owned(), "Alpha.".to_owned(), "It SHALL gamma.".to_owned())];
    let mut graph = project(&texts);
    assert_eq!(searched(&graph, "alpha", SearchField::All).len(), 1);
    let text = requirement(1, "One thing", "Beta.", "It SHALL delta.");
    let file = crate::domain::graph::File::parse(&graph.grammar, "spec/b.md", Role::Spec, text);
    graph.graph.relink(vec![FileUpdate::Put(file)]);
    assert!(searched(&graph, "alpha", SearchField::All).is_empty());
    assert_eq!(searched(&graph, "beta", SearchField::All), ["REQ-d00001"]);
    let found =
        |word: &str| keyword::find_assertions(&graph, &[word.to_owned()], true, 9).unwrap().1;
    assert_eq!((found("gamma"), found("delta")), (0, 1));
}
