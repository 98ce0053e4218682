//! No circle between modules that lie side by side, at any level.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{Crate, Edge, Module};
use super::sources::{Source, sources};
use super::{crates, none};

/// Between two modules the edge belongs to the level at which they part. Using what an ancestor
/// itself holds is no edge, nor is an ancestor using what lies below it.
fn sibling_edges(of: &Crate) -> BTreeMap<(Module, Module), Vec<Edge>> {
    let mut edges: BTreeMap<(Module, Module), Vec<Edge>> = BTreeMap::new();
    for edge in of.edges() {
        let common =
            edge.from.iter().zip(&edge.to).take_while(|(left, right)| left == right).count();
        if common == edge.from.len() || common == edge.to.len() {
            continue;
        }
        let pair = (edge.from[..=common].to_vec(), edge.to[..=common].to_vec());
        edges.entry(pair).or_default().push(edge);
    }
    edges
}

/// Modules that can be reached from each other, each group with the cheapest edge in it.
fn circles_in(of: &Crate) -> Vec<String> {
    let edges = sibling_edges(of);
    let mut next: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        next.entry(from).or_default().insert(to);
    }
    let mut complaints = Vec::new();
    let mut seen: BTreeSet<&Module> = BTreeSet::new();
    for start in next.keys() {
        let ahead = reachable(&next, start);
        if seen.contains(*start) || !ahead.contains(*start) {
            continue;
        }
        let group: Vec<&Module> =
            ahead.iter().filter(|it| reachable(&next, it).contains(*start)).copied().collect();
        seen.extend(&group);
        let inside =
            edges.iter().filter(|((from, to), _)| group.contains(&from) && group.contains(&to));
        let cheapest = inside.min_by_key(|(_, places)| places.len());
        let names: Vec<String> = group.iter().map(|it| it.join("::")).collect();
        let cut = cheapest.map(|((from, to), places)| {
            let shown: Vec<String> = places
                .iter()
                .take(4)
                .map(|it| format!("{} line {}: {}", it.from.join("/"), it.line, it.path))
                .collect();
            format!("cut {} → {} ({})", from.join("::"), to.join("::"), shown.join("; "))
        });
        complaints.push(format!("{{{}}}: {}", names.join(", "), cut.unwrap_or_default()));
    }
    complaints
}

fn reachable<'a>(
    next: &BTreeMap<&'a Module, BTreeSet<&'a Module>>,
    start: &Module,
) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = next.get(start).into_iter().flatten().copied().collect();
    while let Some(module) = open.pop() {
        if found.insert(module) {
            open.extend(next.get(module).into_iter().flatten().copied());
        }
    }
    found
}

#[test]
fn modules_side_by_side_do_not_form_circles() {
    let all = sources("rs");
    let mut complaints = Vec::new();
    for name in crates() {
        let of = Crate::read(&all, &name);
        complaints.extend(circles_in(&of).into_iter().map(|it| format!("{name} {it}")));
    }
    none(&complaints);
}

fn of(files: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<Source> = files
        .iter()
        .map(|(path, text)| Source {
            path: format!("crates/x/src/{path}"),
            text: (*text).to_owned(),
        })
        .collect();
    circles_in(&Crate::read(&sources, "x"))
}

#[test]
fn a_circle_is_found_at_every_level_and_the_edge_to_cut_is_named() {
    let found = of(&[
        ("a/one.rs", "use super::two::Two;\nfn f() { crate::a::two::g() }\n"),
        ("a/two.rs", "use crate::a::one::One;\n"),
    ]);
    assert_eq!(found, ["{a::one, a::two}: cut a::two → a::one (a/two line 1: crate::a::one::One)"]);
    let files = [("a.rs", "use crate::b::B;"), ("b.rs", "mod c;"), ("b/c.rs", "use crate::a::A;")];
    assert_eq!(of(&files).len(), 1);
}

#[test]
fn what_is_passed_on_by_an_ancestor_counts_where_it_is_written() {
    let door =
        "mod one;\nmod two;\npub(crate) use one::One;\npub use self::two::{Two, Other as More};\n";
    let found = of(&[
        ("a.rs", door),
        ("a/one.rs", "use super::More;\npub struct One;"),
        ("a/two.rs", "use crate::a::One;"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn ancestors_tests_comments_and_strings_make_no_circle() {
    let found = of(&[
        ("a.rs", "mod one;\nmod two;\nuse one::One;\npub struct Own;"),
        ("a/one.rs", "use super::Own;\nuse super::two::Two;\n"),
        (
            "a/two.rs",
            "// crate::a::one\nconst X: &str = \"crate::a::one\";\n#[cfg(test)]\nmod tests { use crate::a::one::One; }\n",
        ),
        ("a/two/tests.rs", "use crate::a::one::One;"),
    ]);
    assert_eq!(found, [""; 0]);
}
