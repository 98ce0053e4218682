//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;

use crate::domain::config::Config;
use crate::domain::dialect::{Dialect, Scopes};
use crate::domain::grammar::Grammar;
use crate::domain::graph::{File, NodeKind, Role, TraceGraph};
use crate::domain::mutate::{Editor, MutationLog, NewRequirement, Occasion, Plan};
use crate::domain::parse::EdgeKind;
use crate::error::Error;

fn graph_of(files: Vec<(String, Role, String)>) -> Option<TraceGraph> {
    // Made once: compiling its patterns takes longer than everything else here.
    static PLAIN: LazyLock<Option<(Arc<Config>, Grammar)>> = LazyLock::new(|| {
        let config = Config::default();
        let grammar = Grammar::new(&config).ok()?;
        Some((Arc::new(config), grammar))
    });
    let (config, grammar) = PLAIN.clone()?;
    let dialects = files.iter().filter(|(_, role, _)| matches!(role, Role::Dialect(_)));
    let scopes = Scopes::of(dialects.map(|(path, _, _)| path.as_str()));
    let grammar = Arc::new(grammar.with_scopes(scopes));
    let files = files
        .into_iter()
        .map(|(path, role, text)| File::parse(&grammar, &path, role, text))
        .collect();
    Some(TraceGraph::new(config, grammar, files, Timestamp::UNIX_EPOCH))
}

/// Any text as a file of requirements, of code, of tests and of results.
pub fn requirements(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let files = vec![
        ("spec/a.md".to_owned(), Role::Spec, text.clone()),
        ("src/a.rs".to_owned(), Role::Code, text.clone()),
        ("tests/a.py".to_owned(), Role::Test, text.clone()),
        ("results.xml".to_owned(), Role::Results, text),
    ];
    let Some(graph) = graph_of(files) else { return };
    for kind in NodeKind::ALL {
        let listed = graph.nodes_by_kind(kind).count();
        assert!(listed <= graph.total_nodes(), "more {} than nodes", kind.as_str());
    }
    drop((graph.broken_references(), graph.orphans(), graph.duplicates()));
}

/// A file of requirements, a zero byte, then mutations: they are exact, and undo leads back.
pub fn mutations(bytes: &[u8]) {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let files = vec![
        ("spec/a.md".to_owned(), Role::Spec, text),
        ("spec/b.md".to_owned(), Role::Spec, String::new()),
    ];
    mutate(files, &bytes[end..]);
}

/// The same for requirements as agents write them: the first byte says which.
pub fn dialects(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let dialect = Dialect::ALL[usize::from(*which) % Dialect::ALL.len()];
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let paths: &[&str] = match dialect {
        Dialect::SpecKit => &["specs/001-login/spec.md", "specs/001-login/tasks.md"],
        Dialect::OpenSpec => {
            &["openspec/specs/login/spec.md", "openspec/changes/soon/specs/login/spec.md"]
        }
        Dialect::Kiro => &[".kiro/specs/login/requirements.md", ".kiro/specs/login/tasks.md"],
    };
    let file = |path: &&str| ((*path).to_owned(), Role::Dialect(dialect), text.clone());
    mutate(paths.iter().map(file).collect(), &bytes[end..]);
}

fn mutate(files: Vec<(String, Role, String)>, steps: &[u8]) {
    let Some(mut graph) = graph_of(files) else { return };
    let texts = texts_of(&graph);
    let mut log = MutationLog::default();
    for (n, step) in steps.chunks_exact(4).take(12).enumerate() {
        let mut editor = Editor { graph: &mut graph, log: &mut log };
        if step[0] == u8::MAX {
            drop(editor.undo_last());
            continue;
        }
        let Some(plan) = plan(editor.graph, step) else { continue };
        let occasion = Occasion { id: format!("m{n}"), now: Timestamp::UNIX_EPOCH };
        let before = texts_of(editor.graph);
        if plan.and_then(|plan| editor.carry_out(&occasion, plan)).is_err() {
            assert_eq!(texts_of(&graph), before, "what was refused left a trace");
            continue;
        }
        let built = graph_of(texts_of(&graph)).map(|it| it.total_nodes());
        assert_eq!(Some(graph.total_nodes()), built, "a build gives another graph");
    }
    let undone = Editor { graph: &mut graph, log: &mut log }.undo_all();
    assert!(undone.is_ok(), "undo was refused");
    assert_eq!(texts_of(&graph), texts, "undo leads back to the byte");
}

fn texts_of(graph: &TraceGraph) -> Vec<(String, Role, String)> {
    let files = graph.iter_files();
    files.map(|it| (it.path.to_string(), it.role, it.text.to_string())).collect()
}

const WORDS: &[&str] = &[
    "Plain words",
    "First line\nsecond line",
    "Text\nB. looks like another",
    "Text\n## Heading",
    "*End* *x*",
    "```\nopen",
    "<!-- open",
    "| **Status**: X",
    "",
    "Ümläut ✓",
];

fn plan(graph: &TraceGraph, step: &[u8]) -> Option<Result<Plan, Error>> {
    let pick = |kind: NodeKind, at: u8| {
        let all: Vec<String> = graph.nodes_by_kind(kind).map(|it| it.id()).collect();
        (!all.is_empty()).then(|| all[usize::from(at) % all.len()].clone())
    };
    let requirement = |at: u8| pick(NodeKind::Requirement, at);
    let assertion = |at: u8| pick(NodeKind::Assertion, at);
    let words = WORDS[usize::from(step[2]) % WORDS.len()];
    let label = char::from(b'A' + step[3] % 26).to_string();
    let kind = if step[3].is_multiple_of(2) { EdgeKind::Implements } else { EdgeKind::Refines };
    Some(match step[0] % 12 {
        0 => graph.plan_rename_node(&requirement(step[1])?, &format!("REQ-d{:05}", step[2])),
        1 => graph.plan_update_title(&requirement(step[1])?, words),
        2 => graph.plan_change_status(
            &requirement(step[1])?,
            ["Draft", "Active"][usize::from(step[2] % 2)],
        ),
        3 => graph.plan_delete_requirement(&requirement(step[1])?),
        4 => graph.plan_add_assertion(&requirement(step[1])?, &label, words),
        5 => graph.plan_update_assertion(&assertion(step[1])?, words),
        6 => graph.plan_delete_assertion(
            &assertion(step[1])?,
            [None, Some(true), Some(false)][usize::from(step[3] % 3)],
        ),
        7 => graph.plan_rename_assertion(&assertion(step[1])?, &label),
        8 => graph.plan_add_edge(&requirement(step[1])?, &requirement(step[2])?, kind, &[]),
        9 => graph.plan_delete_edge(&requirement(step[1])?, &requirement(step[2])?),
        10 => graph.plan_move_requirement(&requirement(step[1])?, "spec/b.md", true),
        _ => graph.plan_add_requirement(&NewRequirement {
            id: format!("REQ-o{:05}", step[1]),
            title: "Something new".to_owned(),
            level: "OPS".to_owned(),
            status: "Draft".to_owned(),
            target_file: Some("spec/b.md".to_owned()),
            parent_id: None,
            edge_kind: kind,
        }),
    })
}

/// Any text as the project's settings.
pub fn settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(config) = Config::read(&[(".elspais.toml", &text)]) {
        drop(Grammar::new(&config));
    }
}

/// A name, and what is called with the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name.
pub const TARGETS: &[Target] = &[
    ("elspais_requirements", requirements),
    ("elspais_mutations", mutations),
    ("elspais_dialects", dialects),
    ("elspais_settings", settings),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_once_found_worth_keeping_still_holds() {
        plumbline_tests::replay_corpora(TARGETS);
    }
}
