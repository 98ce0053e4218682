//! Changes and their way back, one by one and at random.

mod dialects;
mod place;
pub(super) mod random;
mod single;

use std::ops::Deref;
use std::sync::Arc;

use jiff::Timestamp;

use super::*;
use crate::domain::config::Config;
use crate::domain::dialect::Scopes;
use crate::domain::grammar::Grammar;
use crate::domain::graph::Role;
use crate::domain::graph::{File, TraceGraph};
use crate::error::Error;
use crate::tests::picture::picture;

pub(crate) const PROJECT: &[(&str, Role, &str)] = &[
    ("spec/agents.md", Role::Spec, include_str!("../../tests/agents.md")),
    (
        "spec/login.md",
        Role::Spec,
        "# Login\r\n\r\n### REQ-d00001: Signing in\r\n**Level**: DEV | **Status**: Active\r\n**Implements**: REQ-o00060-A-B, REQ-o00061\r\n**Refines**: REQ-p00060\r\n\r\nProse.\r\n\r\n### Assertions\r\n\r\nA. The name SHALL be asked for.\r\n\r\nB. The password SHALL be asked for,\r\n   and never shown.\r\n\r\nC. A wrong password SHALL be refused.\r\n\r\n*End* *Signing in* | **Hash**: 1f000001\r\n",
    ),
    (
        "spec/plain.md",
        Role::Spec,
        "## REQ-d00002: Signing out\nLevel: DEV | Status: Draft | Implements: REQ-d00001-C\n\n## Assertions\nA. The session SHALL end.\nB. The page SHALL be left.\n\n## REQ-d00003: No footer, no metadata\n\nWords only.\n\n## REQ-d00004: Last\nStatus: Draft\nRefines: REQ-d00001-A+C,\n  REQ-d00002,\n  REQ-x00001\n\n*End* *Last* | **Hash**: Todo",
    ),
    (
        "spec/journey.md",
        Role::Spec,
        "# JNY-Sign-In-01: Getting in\n\n**Actor**: A visitor\n**Goal**: To get in\n\nValidates: REQ-d00001-A, REQ-d00001-C\n\n## Steps\n1. Go.\n\n*End* *JNY-Sign-In-01*\n",
    ),
    (
        "src/login.py",
        Role::Code,
        "# Implements: REQ-d00001-A, REQ-d00001-B+C\ndef login():\n    pass  # Implements: REQ-d00002\n\n# Implements: REQ-d09999\ndef lost():\n    pass\n",
    ),
    (
        "tests/test_login.py",
        Role::Test,
        "# Verifies: REQ-d00001-A\ndef test_name():\n    pass\n\ndef test_out_REQ_d00002_B():\n    pass\n",
    ),
    (
        "junit.xml",
        Role::Results,
        "<testsuite><testcase classname=\"tests.test_login\" name=\"test_name\"/><testcase classname=\"tests.test_login\" name=\"test_out_REQ_d00002_B\"><failure message=\"no\"/></testcase></testsuite>",
    ),
];

/// A graph with its log.
pub(crate) struct Edited {
    pub(crate) graph: TraceGraph,
    pub(crate) log: MutationLog,
}

impl Edited {
    pub(crate) fn new(graph: TraceGraph) -> Self {
        Self { graph, log: MutationLog::default() }
    }

    pub(crate) fn editor(&mut self) -> Editor<'_> {
        Editor { graph: &mut self.graph, log: &mut self.log }
    }

    pub(crate) fn make(
        &mut self,
        occasion: &Occasion,
        plan: Result<Plan, Error>,
    ) -> Result<Arc<MutationEntry>, Error> {
        self.editor().carry_out(occasion, plan?)
    }
}

impl Deref for Edited {
    type Target = TraceGraph;

    fn deref(&self) -> &TraceGraph {
        &self.graph
    }
}

pub(crate) fn graph_of(files: &[(&str, Role, &str)]) -> Edited {
    let config = Config::default();
    let scopes = files.iter().filter(|(_, role, _)| matches!(role, Role::Dialect(_)));
    let scopes = Scopes::of(scopes.map(|(path, _, _)| *path));
    let grammar = Arc::new(Grammar::new(&config).unwrap().with_scopes(scopes));
    let files =
        files.iter().map(|(path, role, text)| File::parse(&grammar, path, *role, *text)).collect();
    Edited::new(TraceGraph::new(Arc::new(config), grammar, files, Timestamp::UNIX_EPOCH))
}

/// The project above with hashes that fit it.
pub(crate) fn project() -> Edited {
    let mut files: Vec<(&str, Role, String)> =
        PROJECT.iter().map(|(path, role, text)| (*path, *role, (*text).to_owned())).collect();
    let first = graph_of(PROJECT);
    let (_, file) = first.file_at("spec/login.md").unwrap();
    let requirement = &file.contents.requirements[0];
    let rule = first.config.hash;
    let fresh = crate::domain::hash::hash(
        requirement,
        &file.text,
        crate::domain::config::HashMode::Assertions,
        rule,
    );
    files[1].2 = files[1].2.replace("1f000001", &fresh);
    let files: Vec<(&str, Role, &str)> =
        files.iter().map(|(path, role, text)| (*path, *role, text.as_str())).collect();
    graph_of(&files)
}

/// What a build from the texts of this graph gives.
pub(super) fn rebuilt(graph: &TraceGraph) -> Edited {
    let files: Vec<(&str, Role, &str)> =
        graph.iter_files().map(|it| (&*it.path, it.role, &*it.text)).collect();
    // Reports are read once and not kept, so they are taken from where they came.
    let report = PROJECT.iter().find(|(path, _, _)| *path == "junit.xml").copied().unwrap();
    let files: Vec<(&str, Role, &str)> =
        files.into_iter().map(|file| if file.1 == Role::Results { report } else { file }).collect();
    graph_of(&files)
}

pub(super) fn occasion(n: usize) -> Occasion {
    Occasion { id: format!("{n:032x}"), now: Timestamp::UNIX_EPOCH }
}

pub(super) fn assert_same(graph: &TraceGraph, other: &TraceGraph) {
    let (left, right) = (picture(graph), picture(other));
    if left != right {
        let diff = similar::TextDiff::from_lines(&left, &right);
        panic!("{}", diff.unified_diff().context_radius(2));
    }
}
