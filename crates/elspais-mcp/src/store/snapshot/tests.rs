//! Reading anew and reading only what changed: always the same graph.

use plumbline_tests::Fixture;
use proptest::prelude::*;

use super::*;
use crate::domain::mutate::{Editor, MutationLog, Occasion};
use crate::domain::parse::EdgeKind;
use crate::store::workspace::SaveRequest;
use crate::tests::picture::picture;
use crate::tests::{agents, workspace};

use crate::tests::view;

fn read(fixture: &Fixture) -> (Root, TraceGraph, Snapshot) {
    let root = mcp_core::doors::start(fixture.path()).unwrap();
    let (graph, snapshot, _) = load(
        &view(&root),
        &Named::default(),
        Timestamp::UNIX_EPOCH,
        &Progress::default(),
        &Work::endless(),
    )
    .unwrap();
    (root, graph, snapshot)
}

#[test]
fn only_what_differs_is_read_again() {
    let fixture = agents();
    fixture.write("src/a.py", "# Implements: REQ-d00060-A\n");
    let root = mcp_core::doors::start(fixture.path()).unwrap();
    // Long after the files were written, so that their times can be relied on.
    let later: Timestamp = "2100-01-01T00:00:00Z".parse().unwrap();
    let (mut graph, mut snapshot, report) =
        load(&view(&root), &Named::default(), later, &Progress::default(), &Work::endless())
            .unwrap();
    assert_eq!((report.files_read, report.was_full), (2, true));
    let report = refresh(&view(&root), later, &mut graph, &mut snapshot, &Work::endless()).unwrap();
    assert_eq!((report.files_read, report.files_reused, report.files_changed), (0, 2, 0));
    fixture.write("src/a.py", "# Implements: REQ-d00060-B\n");
    let report = refresh(&view(&root), later, &mut graph, &mut snapshot, &Work::endless()).unwrap();
    assert_eq!((report.files_read, report.files_reused, report.files_changed), (1, 1, 1));
    fixture.write(".elspais.toml", "[project]\nname = \"x\"\n");
    assert!(
        refresh(&view(&root), later, &mut graph, &mut snapshot, &Work::endless()).unwrap().was_full
    );
}

#[test]
fn what_cannot_be_read_is_a_remark_and_the_rest_loads() {
    let fixture = agents();
    std::fs::write(fixture.path().join("spec/bad.md"), b"# One\n\xff\xfe\n").unwrap();
    let (_, graph, _) = read(&fixture);
    let (_, file) = graph.file_at("spec/bad.md").unwrap();
    assert_eq!((file.contents.remarks[0].code, file.contents.remarks[0].line), ("not_utf8", 2));
    assert_eq!(graph.totals().by_level["PRD"], (1, 1));
}

#[test]
fn a_chain_of_a_hundred_thousand_is_read_and_walked_without_end_of_stack() {
    const LENGTH: usize = 100_000;
    let fixture = Fixture::empty();
    for from in (0..LENGTH).step_by(1_000) {
        let blocks = (from..from + 1_000).map(|nth| {
            let above = if nth == 0 { "-".to_owned() } else { format!("REQ-d{:05}", nth - 1) };
            format!("# REQ-d{nth:05}: T\nLevel: DEV\nImplements: {above}\n\n")
        });
        fixture.write(&format!("spec/{from:05}.md"), &blocks.collect::<String>());
    }
    // Threads of the server have no more room than this one.
    let (_, graph, _) = read(&fixture);
    assert_eq!((graph.totals().by_level["DEV"], graph.root_count()), ((LENGTH, LENGTH), 1));
    let last = graph.get_node("REQ-d99999").unwrap();
    assert_eq!(crate::domain::graph::walk::ancestors(last).len(), LENGTH - 1);
    assert!(graph.cycles().is_empty());
    let top = crate::domain::review::impact::impact(&graph, "REQ-d00000").unwrap();
    assert_eq!(top.direct.len() + top.further.len(), LENGTH - 1);
    let occasion = Occasion { id: "1".to_owned(), now: Timestamp::UNIX_EPOCH };
    let plan = graph.plan_add_edge("REQ-d00000", "REQ-d99999", EdgeKind::Refines, &[]).unwrap();
    let (mut graph, mut log) = (graph, MutationLog::default());
    let mut editor = Editor { graph: &mut graph, log: &mut log };
    let refused = editor.carry_out(&occasion, plan).unwrap_err().to_string();
    assert!(refused.contains("cycle") && refused.len() < 1_000, "{} bytes", refused.len());
}

#[derive(Debug, Clone)]
enum Happening {
    Write(usize, usize),
    Remove(usize),
    Rename(usize, usize),
}

const PLACES: [&str; 6] =
    ["spec/a.md", "spec/b.md", "spec/sub/c.md", "src/x.py", "tests/test_x.py", "junit.xml"];
const TEXTS: [&str; 7] = [
    "# REQ-p00001: One\nLevel: PRD\n\n## Assertions\nA. A SHALL.\nB. B SHALL.\n",
    "# REQ-d00001: Two\nLevel: DEV\nImplements: REQ-p00001-A-C, REQ-d00002\n\n# REQ-d00002: Three\nRefines: REQ-p00001\n\n## Assertions\nA. A SHALL.\n",
    "# REQ-d00001: Two again\nImplements: REQ-p00001-B\n",
    "# Implements: REQ-d00002-A, REQ-p00001-A\n# Verifies: REQ-p00001-B\ndef test_it():\n    pass\n",
    "<testsuite><testcase name=\"test_it\"/></testsuite>",
    "<testsuite><testcase name=\"test_it\"><failure/></testcase></testsuite>",
    "",
];

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        3 => (0..PLACES.len(), 0..TEXTS.len()).prop_map(|(place, text)| Happening::Write(place, text)),
        1 => (0..PLACES.len()).prop_map(Happening::Remove),
        1 => (0..PLACES.len(), 0..PLACES.len()).prop_map(|(from, to)| Happening::Rename(from, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn refreshing_what_changed_gives_what_reading_everything_gives(
        rounds in proptest::collection::vec(proptest::collection::vec(happening(), 1..5), 1..5)
    ) {
        let fixture = Fixture::empty();
        let (root, mut graph, mut snapshot) = read(&fixture);
        for round in rounds {
            for it in round {
                match it {
                    Happening::Write(place, text) => fixture.write(PLACES[place], TEXTS[text]),
                    Happening::Remove(place) => drop(std::fs::remove_file(fixture.path().join(PLACES[place]))),
                    Happening::Rename(from, to) => {
                        drop(std::fs::rename(fixture.path().join(PLACES[from]), fixture.path().join(PLACES[to])));
                    }
                }
            }
            let anew = read(&fixture).1;
            let differs = picture(&graph) != picture(&anew);
            prop_assert!(!differs || snapshot.is_outdated(&view(&root), &graph.grammar));
            refresh(&view(&root), Timestamp::UNIX_EPOCH, &mut graph, &mut snapshot, &Work::endless()).unwrap();
            prop_assert_eq!(picture(&graph), picture(&anew));
            prop_assert!(!snapshot.is_outdated(&view(&root), &graph.grammar));
        }
    }

    #[test]
    fn what_is_saved_and_read_again_is_what_was_seen(
        steps in proptest::collection::vec(crate::domain::mutate::random_step(), 1..10)
    ) {
        let fixture = agents();
        for (path, _, text) in crate::domain::mutate::SAMPLE {
            fixture.write(path, text);
        }
        let place = workspace(&fixture);
        let mut taken = 0;
        for (n, step) in steps.iter().enumerate() {
            let now = Occasion { id: format!("{n:032x}"), now: Timestamp::UNIX_EPOCH };
            let done = place.change(&Work::endless(), None, |loaded| {
                crate::domain::mutate::take_random_step(&mut loaded.editor(), step, &now)
                    .unwrap_or(Ok(()))?;
                Ok(Vec::new())
            });
            taken += usize::from(done.is_ok());
        }
        let see = || place.read(&Work::endless(), |it| Ok(picture(&it.graph))).map(|it| it.value).unwrap();
        let before = see();
        let saved = place.save(&Work::endless(), &SaveRequest::default());
        prop_assert!(saved.is_ok(), "{:?} after {taken} steps", saved.err());
        prop_assert_eq!(&see(), &before);
        place.refresh(&Work::endless(), true, false).unwrap();
        prop_assert_eq!(&see(), &before);
    }
}

#[test]
fn the_log_is_empty_after_saving() {
    let fixture = agents();
    let place = workspace(&fixture);
    let made = place
        .mutate(&Work::endless(), None, |graph, _| graph.plan_change_status("REQ-d00060", "Draft"));
    assert_eq!(made.unwrap().entries[0].mutation.operation(), "change_status");
    place.save(&Work::endless(), &SaveRequest::default()).unwrap();
    let left = place.read(&Work::endless(), |it| Ok(it.log.len())).unwrap();
    assert_eq!(left.value, 0);
}
