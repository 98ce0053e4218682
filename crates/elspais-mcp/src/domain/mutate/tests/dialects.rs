//! Requirements that agents wrote, changed in their own forms, one by one and at random.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::Index;

use super::random::words;
use super::*;
use crate::domain::dialect::Dialect;
use crate::domain::graph::NodeKind;
use crate::domain::parse::EdgeKind;

const SPEC: &str = "# Feature\n\n**Status**: Draft\n\n### User Story 1 - Sign in (Priority: P1)\n\nWhy.\n\n**Acceptance Scenarios**:\n\n1. **Given** a form, **Then** I am in.\n2. **Given** none, **Then** I am told.\n3. **Given** both, **Then** the first counts.\n\n---\n\n### User Story 2 - Sign out (Priority: P2)\n\nWords.\n\n---\n\n### Edge Cases\n\n- none\n\n## Requirements\n\n- **FR-001**: The name MUST be asked for (See US-1)\n- **FR-002**: The password MUST be\n  hidden\n\n### Key Entities\n\n- **SC-001**: All pass\n";
const OPEN: &str = "# auth\r\n\r\n## Requirements\r\n\r\n### Requirement: Session expiry\r\nIt SHALL end.\r\n\r\n#### Scenario: Idle\r\n- **WHEN** idle\r\n- **THEN** it ends\r\n\r\n#### Scenario: Asked\r\n- **WHEN** asked\r\n\r\n### Requirement: Names\r\nThey SHALL be kept.\r\n\r\n## Notes\r\n\r\nText.\r\n";
const CHANGE: &str = "## ADDED Requirements\n\n### Requirement: Speed\nFast.\n\n#### Scenario: One\n- **WHEN** x\n\n## MODIFIED Requirements\n\n### Requirement: Names\nAll of them.\n";
const KIRO: &str = "# Requirements\n\n### Requirement 1\n\n**User Story:** As a buyer, I want a cart.\n\n#### Acceptance Criteria\n\n1. It SHALL be shown\n2. It SHALL add up\n3. It SHALL end\n\n### Requirement 2: Prices\n\n#### Acceptance Criteria\n\n1. They SHALL be right\n";

fn dialects() -> Edited {
    graph_of(&[
        ("specs/001-login/spec.md", Role::Dialect(Dialect::SpecKit), SPEC),
        (
            "specs/001-login/tasks.md",
            Role::Dialect(Dialect::SpecKit),
            "- [x] T1 [US1] Do\n- [ ] T2 [US-2] Do\n",
        ),
        ("openspec/specs/auth/spec.md", Role::Dialect(Dialect::OpenSpec), OPEN),
        ("openspec/changes/fast/specs/auth/spec.md", Role::Dialect(Dialect::OpenSpec), CHANGE),
        (".kiro/specs/cart/requirements.md", Role::Dialect(Dialect::Kiro), KIRO),
        (
            ".kiro/specs/cart/tasks.md",
            Role::Dialect(Dialect::Kiro),
            "- [x] 1. Do\n  - _Requirements: 1.1-1.2, 2_\n",
        ),
        (
            "src/a.py",
            Role::Code,
            "# Implements: 001-login/FR-001, 001/US1.2\n# Implements: auth/session-expiry.2\n# Implements: cart/1.3, cart/2.1\n",
        ),
    ])
}

fn text_of(graph: &Edited, path: &str) -> String {
    graph.file_at(path).unwrap().1.text.to_string()
}

fn new(id: &str, title: &str, level: &str) -> NewRequirement {
    NewRequirement {
        id: id.to_owned(),
        title: title.to_owned(),
        level: level.to_owned(),
        status: "Draft".to_owned(),
        parent_id: None,
        edge_kind: EdgeKind::Implements,
        target_file: None,
    }
}

/// Makes one change, shows what it did to the files, and takes it back.
fn diff(plan: impl Fn(&TraceGraph) -> Result<Plan, Error>) -> String {
    let mut graph = dialects();
    let plan = match plan(&graph) {
        Ok(plan) => plan,
        Err(error) => return format!("refused: {error}\n"),
    };
    if let Err(error) = graph.editor().carry_out(&occasion(1), plan) {
        return format!("refused: {error}\n");
    }
    assert_same(&graph, &rebuilt(&graph));
    let mut out = String::new();
    for (path, before) in graph.log.changed_files() {
        let (before, after) = (before.map_or("", |it| &**it), text_of(&graph, path));
        let lines = similar::TextDiff::from_lines(before, after.as_str());
        out.push_str(&lines.unified_diff().context_radius(1).header(path, path).to_string());
    }
    graph.editor().undo_all().unwrap();
    assert_same(&graph, &dialects());
    out.replace('\r', "␍")
}

#[test]
fn titles_and_texts_are_written_in_the_form_of_the_file() {
    let mut out = String::new();
    for (id, title) in [
        ("001-login/FR-001", "The name MUST be known"),
        ("001-login/US2", "Leave"),
        ("auth/session-expiry", "Session end"),
        ("auth/names", "Other names"),
        ("auth/speed@fast", "More speed"),
        ("cart/1", "As a seller, I want none."),
        ("cart/2", "Costs"),
    ] {
        write!(out, "== {id}\n{}", diff(|graph| graph.plan_update_title(id, title))).unwrap();
    }
    for (id, text) in [
        ("001-login/FR-002", "The password MUST be long.\nVery long."),
        ("001-login/US1.2", "**Given** nothing\n**Then** nothing"),
        ("auth/session-expiry.1", "Idle long\n- **WHEN** it is\n- **THEN** it ends"),
        ("cart/1.3", "It SHALL stay"),
        ("cart/1.3", "It\n### Requirement 9"),
    ] {
        write!(out, "== {id}\n{}", diff(|graph| graph.plan_update_assertion(id, text))).unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn items_are_added_beside_their_like_and_removed_whole() {
    let mut out = String::new();
    for (id, title, level) in [
        ("001-login/FR-003", "It MUST be quick", "DEV"),
        ("001-login/SC-002", "Most pass", "OPS"),
        ("001-login/US3", "Come back", "PRD"),
        ("001-login/US2", "Taken", "PRD"),
        ("001-login/FR-004", "Wrong level", "PRD"),
        ("auth/new-names", "New names", "DEV"),
        ("auth/not-the-title", "New names", "DEV"),
        ("auth/more@fast", "More", "DEV"),
        ("cart/3", "Returns", "DEV"),
        ("cart/9", "Far away", "DEV"),
        ("nowhere/1", "None", "DEV"),
    ] {
        write!(
            out,
            "== add {id}\n{}",
            diff(|graph| graph.plan_add_requirement(&new(id, title, level)))
        )
        .unwrap();
    }
    for id in [
        "001-login/FR-001",
        "001-login/FR-002",
        "001-login/US1",
        "auth/session-expiry",
        "auth/names@fast",
        "cart/1",
        "cart/2",
    ] {
        write!(out, "== delete {id}\n{}", diff(|graph| graph.plan_delete_requirement(id))).unwrap();
    }
    for (id, label, text) in [
        ("001-login/US1", "4", "**Given** more"),
        ("001-login/US2", "1", "**Given** a session"),
        ("001-login/US1", "9", "No"),
        ("001-login/FR-001", "1", "No"),
        ("auth/session-expiry", "3", "Third\n- **WHEN** x"),
        ("auth/names", "1", "First"),
        ("cart/2", "2", "And round"),
    ] {
        write!(
            out,
            "== add {id}.{label}\n{}",
            diff(|graph| graph.plan_add_assertion(id, label, text))
        )
        .unwrap();
    }
    for (id, compact) in [
        ("001-login/US1.1", None),
        ("001-login/US1.3", None),
        ("auth/session-expiry.1", None),
        ("auth/session-expiry.1", Some(true)),
        ("cart/1.2", None),
        ("cart/2.1", None),
    ] {
        write!(
            out,
            "== delete {id} {compact:?}\n{}",
            diff(|graph| graph.plan_delete_assertion(id, compact))
        )
        .unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn what_a_form_has_no_place_for_is_refused_with_the_reason() {
    let mut out = String::new();
    for id in ["001-login/FR-001", "auth/names", "auth/speed@fast", "cart/1"] {
        out.push_str(&diff(|graph| graph.plan_change_status(id, "Active")));
        out.push_str(&diff(|graph| graph.plan_add_edge(id, "cart/2", EdgeKind::Implements, &[])));
        out.push_str(&diff(|graph| graph.plan_move_requirement(id, "spec/a.md", true)));
    }
    out.push_str(&diff(|graph| graph.plan_rename_assertion("cart/1.1", "7")));
    out.push_str(&diff(|graph| graph.plan_rename_node("auth/names", "auth/others")));
    out.push_str(&diff(|graph| graph.plan_rename_node("001-login/FR-001", "001-login/SC-009")));
    out.push_str(&diff(|graph| graph.plan_delete_edge("001-login/FR-001", "001-login/US1")));
    insta::assert_snapshot!(out);
}

#[test]
fn another_number_is_followed_by_code_and_tasks() {
    let mut out = diff(|graph| graph.plan_rename_node("001-login/FR-001", "001-login/FR-010"));
    out.push_str(&diff(|graph| graph.plan_rename_node("001-login/US2", "001-login/US5")));
    out.push_str(&diff(|graph| graph.plan_rename_node("cart/1", "cart/7")));
    insta::assert_snapshot!(out);
}

#[test]
fn an_item_is_its_own_assertion_and_an_open_task_covers_nothing() {
    let graph = dialects();
    let metrics = |id: &str| {
        let it = graph.get_node(id).unwrap().metrics().copied().unwrap();
        (it.assertions, it.total, it.covered)
    };
    assert_eq!(metrics("001-login/FR-001"), (0, 1, 1));
    assert_eq!(metrics("001-login/FR-002"), (0, 1, 0));
    assert_eq!(metrics("001-login/US1"), (3, 3, 3), "FR-001 implements the whole story");
    assert_eq!(metrics("cart/1"), (3, 3, 3));
    assert_eq!(metrics("auth/session-expiry"), (2, 2, 1));
    assert_eq!(graph.get_node("001/US1.2").unwrap().id(), "001-login/US1.2");
    assert!(graph.broken_references().is_empty(), "{:?}", graph.broken_references());
}

#[derive(Debug, Clone)]
enum Step {
    Title(Index, String),
    Text(Index, String),
    AddAssertion(Index, u32, String),
    DeleteAssertion(Index, Option<bool>),
    Add(Index, u32, String),
    Rename(Index, u32),
    Delete(Index),
    Undo,
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<Index>;
    prop_oneof![
        (index(), words()).prop_map(|(at, text)| Step::Title(at, text)),
        (index(), words()).prop_map(|(at, text)| Step::Text(at, text)),
        (index(), 1u32..5, words()).prop_map(|(at, n, text)| Step::AddAssertion(at, n, text)),
        (index(), any::<Option<bool>>()).prop_map(|(at, it)| Step::DeleteAssertion(at, it)),
        (index(), 1u32..9, words()).prop_map(|(at, n, text)| Step::Add(at, n, text)),
        (index(), 1u32..12).prop_map(|(at, n)| Step::Rename(at, n)),
        index().prop_map(Step::Delete),
        Just(Step::Undo),
    ]
}

fn take(graph: &mut Edited, step: &Step, now: &Occasion) -> Option<Result<(), Error>> {
    let pick = |kind: NodeKind, at: &Index| {
        let all: Vec<String> = graph.nodes_by_kind(kind).map(|it| it.id()).collect();
        (!all.is_empty()).then(|| at.get(&all).clone())
    };
    let requirement = |at: &Index| pick(NodeKind::Requirement, at);
    let other = |id: &str, n: u32| {
        let (scope, item) = id.rsplit_once('/').unwrap();
        let letters = item.bytes().take_while(|it| !it.is_ascii_digit()).count();
        format!("{scope}/{}{n}", &item[..letters])
    };
    let plan = match step {
        Step::Title(at, text) => graph.plan_update_title(&requirement(at)?, text),
        Step::Text(at, text) => {
            let own = requirement(at).filter(|it| it.contains("FR-"));
            let id = own.or_else(|| pick(NodeKind::Assertion, at))?;
            graph.plan_update_assertion(&id, text)
        }
        Step::AddAssertion(at, n, text) => {
            graph.plan_add_assertion(&requirement(at)?, &n.to_string(), text)
        }
        Step::DeleteAssertion(at, compact) => {
            graph.plan_delete_assertion(&pick(NodeKind::Assertion, at)?, *compact)
        }
        Step::Add(at, n, text) => {
            let id = requirement(at)?;
            let titled =
                format!("{}/{}", id.rsplit_once('/')?.0, crate::domain::dialect::slug(text));
            let is_titled = id.starts_with("auth/");
            let id = if is_titled { titled } else { other(&id, *n) };
            let level = if id.contains("/US") {
                "PRD"
            } else if id.contains("/SC") {
                "OPS"
            } else {
                "DEV"
            };
            graph.plan_add_requirement(&new(&id, text, level))
        }
        Step::Rename(at, n) => {
            let id = requirement(at)?;
            graph.plan_rename_node(&id, &other(&id, *n))
        }
        Step::Delete(at) => graph.plan_delete_requirement(&requirement(at)?),
        Step::Undo => return Some(graph.editor().undo_last().map(drop)),
    };
    Some(plan.and_then(|plan| graph.editor().carry_out(now, plan)).map(drop))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn after_any_changes_every_dialect_is_what_a_build_gives_and_undo_leads_back(
        steps in proptest::collection::vec(step(), 1..16)
    ) {
        let mut graph = dialects();
        let before = picture(&graph);
        let texts = |graph: &Edited| -> Vec<(String, String)> {
            graph.iter_files().map(|it| (it.path.to_string(), it.text.to_string())).collect()
        };
        let unchanged = texts(&graph);
        for (n, step) in steps.iter().enumerate() {
            let untouched = picture(&graph);
            match take(&mut graph, step, &occasion(n)) {
                None => {}
                Some(Err(error)) => {
                    prop_assert_eq!(&picture(&graph), &untouched, "{} left a trace", error);
                }
                Some(Ok(())) => assert_same(&graph, &rebuilt(&graph)),
            }
        }
        let (changed, entries) = (picture(&graph), graph.log.entries().cloned().collect::<Vec<_>>());
        graph.editor().undo_all().unwrap();
        prop_assert_eq!(&picture(&graph), &before);
        prop_assert_eq!(texts(&graph), unchanged);
        graph.editor().replay(entries);
        prop_assert!(graph.log.put_aside_entries().is_empty(), "{:?}", graph.log);
        prop_assert_eq!(&picture(&graph), &changed);
    }
}
