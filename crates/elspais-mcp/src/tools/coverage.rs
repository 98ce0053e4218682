//! How far assertions are covered, and finding requirements by keywords.

use std::collections::BTreeSet;
use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::{NoParams, RequirementParams, requirement};
use super::serialize::{
    MetricsOutput, Summary, first_of, serialize_metrics, serialize_requirement_summary,
};
use super::{COVERAGE, REQUIREMENT_ID, ROOMY, look};
use crate::domain::graph::{LineCount, Node, NodeKind, TraceGraph};
use crate::domain::keyword;
use crate::domain::review::suspect::Reviews;
use crate::domain::span::Label;
use crate::error::Error;
use crate::store::workspace::Workspace;

/// What covers one assertion, as far as it is listed.
const MAX_SOURCES: usize = 100;

/// More than fit into any answer.
const MOST_LISTED: usize = 2_000;

/// More words than an answer has room for.
const MAX_KEYWORDS: usize = 10_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UncoveredParams {
    /// Only the assertions of this requirement. Default: of all.
    req_id: Option<String>,
    /// What has to cover an assertion: `test` (default), or `any` for code and other requirements too.
    by: Option<String>,
    /// At most this many, 1 to 500. Default: 100.
    limit: Option<i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct KeywordParams {
    /// Single words, e.g. `["login", "timeout"]`.
    keywords: Vec<String>,
    /// Whether all of them must be there (default), or any.
    match_all: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CoverageOutput {
    success: bool,
    req_id: String,
    /// What covers each assertion.
    assertions: Vec<AssertionCoverage>,
    covered_assertions: Vec<String>,
    uncovered_assertions: Vec<String>,
    metrics: MetricsOutput,
    /// Of the code that implements it, where reached lines were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    code_lines: Option<LinesOutput>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LinesOutput {
    /// Lines behind the comments that name it, up to the next such comment.
    lines: usize,
    /// Those that the tests reached.
    reached: usize,
}

impl From<LineCount> for LinesOutput {
    fn from(it: LineCount) -> Self {
        Self { lines: it.lines, reached: it.reached }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct AssertionCoverage {
    id: String,
    /// Why it is deliberately not implemented, where somebody decided so.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_implemented: Option<String>,
    /// Tests first.
    sources: Vec<SourceOutput>,
    /// How many they are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources_total: Option<usize>,
    /// Of the code that implements it, where reached lines were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    code_lines: Option<LinesOutput>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SourceOutput {
    id: String,
    /// `direct` (named by code or a test), `explicit` (named by a requirement), `inferred` (a requirement implements the whole).
    coverage: String,
    is_test: bool,
    /// What test runs say: passed, failed or skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct UncoveredOutput {
    success: bool,
    uncovered: Vec<AssertionOutput>,
    count: usize,
    total: usize,
    /// Assertions that are left out because they are deliberately not implemented.
    excepted: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AssertionOutput {
    id: String,
    text: String,
    requirement_id: String,
    requirement_title: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RequirementsOutput {
    success: bool,
    results: Vec<Summary>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AssertionsOutput {
    success: bool,
    results: Vec<AssertionOutput>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct KeywordsOutput {
    success: bool,
    /// The most frequent first.
    keywords: Vec<KeywordOutput>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct KeywordOutput {
    keyword: String,
    requirements: usize,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        get_test_coverage(workspace.clone()),
        get_uncovered_assertions(workspace.clone()),
        find_by_keywords(workspace.clone()),
        get_all_keywords(workspace.clone()),
        find_assertions_by_keywords(workspace.clone()),
    ]
}

fn get_test_coverage(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_test_coverage",
        "Returns what covers each assertion of a requirement: tests with their last results, code, and other requirements; and which assertions no test verifies.",
    )
    .title("Coverage of a requirement")
    .toolset(COVERAGE)
    .aliases(REQUIREMENT_ID)
    .budget(ROOMY)
    .output::<CoverageOutput>()
    .run_blocking(move |call, params: RequirementParams| {
        let reviews = workspace.reviews()?;
        look(&workspace, call, |loaded| {
            let node = requirement(&loaded.graph, &params.req_id)?;
            Ok(coverage(&loaded.graph, &reviews, &node))
        })
    })
}

fn coverage(graph: &TraceGraph, reviews: &Reviews, node: &Node<'_>) -> CoverageOutput {
    let sources = graph.coverage_sources(&node.id());
    let mut assertions: Vec<Node<'_>> =
        node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion).collect();
    if node.stands_alone() {
        assertions.push(*node);
    }
    let (mut covered, mut uncovered, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    for assertion in assertions {
        let label = assertion.label().or(assertion.stands_alone().then_some(Label::WHOLE));
        let own = sources.iter().filter(|it| Some(it.label) == label);
        let mut own: Vec<SourceOutput> = own
            .map(|it| SourceOutput {
                id: it.by.clone(),
                coverage: it.how.to_owned(),
                is_test: it.is_test,
                result: it.verdict.map(|verdict| verdict.as_str().to_owned()),
            })
            .collect();
        let is_tested = own.iter().any(|it| it.is_test);
        if is_tested { &mut covered } else { &mut uncovered }.push(assertion.id());
        own.sort_by_key(|it| !it.is_test);
        let (sources, sources_total) = first_of(own, MAX_SOURCES);
        let id = assertion.id();
        let not_implemented = reviews.exception(&id).map(str::to_owned);
        let code_lines = graph.reached_lines_of(&node.id(), label).map(LinesOutput::from);
        listed.push(AssertionCoverage { id, not_implemented, sources, sources_total, code_lines });
    }
    CoverageOutput {
        success: true,
        req_id: node.id(),
        assertions: listed,
        covered_assertions: covered,
        uncovered_assertions: uncovered,
        metrics: serialize_metrics(node),
        code_lines: graph.reached_lines_of(&node.id(), None).map(LinesOutput::from),
    }
}

fn get_uncovered_assertions(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_uncovered_assertions",
        "Returns assertions that no test verifies, or with by=any that nothing covers at all, of one requirement or of all.",
    )
    .title("What is not covered")
    .toolset(COVERAGE)
    .aliases(REQUIREMENT_ID)
    .output::<UncoveredOutput>()
    .run_blocking(move |call, params: UncoveredParams| {
        let tests_only = match params.by.as_deref().map(str::to_ascii_lowercase).as_deref() {
            None | Some("test" | "tests") => true,
            Some("any") => false,
            Some(other) => {
                let shown = mcp_core::text::one_line(mcp_core::text::cut(other, 40));
                return Err(Error::search(format!("nothing is covered by '{shown}'"), "by is `test` or `any`.").into());
            }
        };
        let limit = params.limit.unwrap_or(100);
        let limit = usize::try_from(limit).ok().filter(|it| (1..=500).contains(it)).ok_or_else(|| {
            Error::search(format!("limit is {limit}"), "Give a number from 1 to 500.")
        })?;
        let reviews = workspace.reviews()?;
        let answer = look(&workspace, call, |loaded| {
            let graph = &loaded.graph;
            let nodes: Vec<Node<'_>> = match &params.req_id {
                Some(id) => vec![requirement(graph, id)?],
                None => graph
                    .nodes_by_kind(NodeKind::Requirement)
                    .filter(|it| graph.config.counts(it.status()))
                    .collect(),
            };
            let mut found = Vec::new();
            let (mut total, mut excepted) = (0, 0);
            let any_excepted = reviews.exceptions().next().is_some();
            for node in nodes {
                if found.len() >= limit && !any_excepted {
                    // Beyond what is listed the graph's own figures are enough.
                    let metrics = node.metrics().copied().unwrap_or_default();
                    let has = if tests_only { metrics.tested } else { metrics.covered };
                    total += (metrics.total - has) as usize;
                    continue;
                }
                let mut missing = uncovered(graph, &node, tests_only);
                let all = missing.len();
                missing.retain(|it| reviews.exception(&it.id()).is_none());
                excepted += all - missing.len();
                total += missing.len();
                let room = limit.saturating_sub(found.len());
                found.extend(missing.iter().take(room).map(describe));
            }
            Ok(UncoveredOutput { success: true, count: found.len(), uncovered: found, total, excepted })
        })?;
        Ok(answer.shorten("uncovered").narrow("Name a requirement with req_id."))
    })
}

fn uncovered<'g>(graph: &TraceGraph, node: &Node<'g>, tests_only: bool) -> Vec<Node<'g>> {
    let metrics = node.metrics().copied().unwrap_or_default();
    let has_all = if tests_only { metrics.tested } else { metrics.covered } == metrics.total;
    if has_all && (metrics.total == metrics.assertions || node.stands_alone()) {
        return Vec::new();
    }
    let covered: BTreeSet<Label> = graph
        .coverage_sources(&node.id())
        .into_iter()
        .filter(|it| it.is_test || !tests_only)
        .map(|it| it.label)
        .collect();
    if node.stands_alone() {
        return vec![*node];
    }
    node.iter_children()
        .take_while(|it| it.kind() == NodeKind::Assertion)
        .filter(|it| !it.is_retired())
        .filter(|it| it.label().is_some_and(|label| !covered.contains(&label)))
        .collect()
}

fn describe(assertion: &Node<'_>) -> AssertionOutput {
    // What is its own assertion is its own owner.
    let owner = match assertion.kind() {
        NodeKind::Requirement => Some(*assertion),
        _ => assertion.iter_parents().next(),
    };
    AssertionOutput {
        id: assertion.id(),
        text: assertion.body().to_owned(),
        requirement_id: owner.map(|it| it.id()).unwrap_or_default(),
        requirement_title: owner.map_or("", |it| it.title()).to_owned(),
    }
}

fn find_by_keywords(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "find_by_keywords",
        "Returns requirements whose title or assertions have all the given words, or any of them with match_all=false.",
    )
    .title("Requirements by keyword")
    .toolset(COVERAGE)
    .output::<RequirementsOutput>()
    .run_blocking(move |call, params: KeywordParams| {
        let match_all = params.match_all.unwrap_or(true);
        let mut total = 0;
        let answer = look(&workspace, call, |loaded| {
            let found = keyword::requirements(&loaded.graph, &params.keywords, match_all)?;
            total = found.len();
            let first = found.iter().take(MOST_LISTED);
            let results: Vec<Summary> = first.map(serialize_requirement_summary).collect();
            Ok(RequirementsOutput { success: true, count: total, results })
        })?;
        Ok(answer.shorten_first_of("results", total).narrow("Add a keyword."))
    })
}

fn get_all_keywords(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_all_keywords",
        "Returns the words that titles and assertions are made of, the most frequent first, with how many requirements have each.",
    )
    .title("All keywords")
    .toolset(COVERAGE)
    .output::<KeywordsOutput>()
    .run_blocking(move |call, _: NoParams| {
        let answer = look(&workspace, call, |loaded| {
            let counted = keyword::all(&loaded.graph);
            let mut all: Vec<(&String, &usize)> = counted.iter().collect();
            all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let keywords = all.iter().take(MAX_KEYWORDS).map(|(keyword, count)| KeywordOutput {
                keyword: (*keyword).clone(),
                requirements: **count,
            });
            Ok(KeywordsOutput { success: true, count: all.len(), keywords: keywords.collect() })
        })?;
        Ok(answer.shorten("keywords").narrow("find_by_keywords looks for a given word."))
    })
}

fn find_assertions_by_keywords(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "find_assertions_by_keywords",
        "Returns single assertions that have all the given words, or any of them with match_all=false.",
    )
    .title("Assertions by keyword")
    .toolset(COVERAGE)
    .output::<AssertionsOutput>()
    .run_blocking(move |call, params: KeywordParams| {
        let match_all = params.match_all.unwrap_or(true);
        let mut total = 0;
        let answer = look(&workspace, call, |loaded| {
            let (graph, words) = (&loaded.graph, &params.keywords);
            let (first, all) = keyword::find_assertions(graph, words, match_all, MOST_LISTED)?;
            total = all;
            let results: Vec<AssertionOutput> = first.iter().map(describe).collect();
            Ok(AssertionsOutput { success: true, count: total, results })
        })?;
        Ok(answer.shorten_first_of("results", total).narrow("Add a keyword."))
    })
}
