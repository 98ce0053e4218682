//! Looking at the graph: its state, one requirement, those around it, and finding them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Tool, Wrong, WrongArgument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::serialize::{
    Brief, Full, MAX_LISTED, Summary, serialize_brief, serialize_requirement_full,
    serialize_requirement_summary,
};
use super::{CORE, REQUIREMENT_ID, ROOMY, look};
use crate::domain::graph::search::SearchField;
use crate::domain::graph::walk::{ancestors, siblings};
use crate::domain::graph::{Node, NodeKind, TraceGraph, some_places};
use crate::error::Error;
use crate::store::workspace::{Loaded, Workspace};

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 500;
/// Odd places that are shown at once.
const MAX_DIAGNOSTICS: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoParams {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RefreshParams {
    /// Forget everything and read all files anew; otherwise only files that changed are read.
    full: Option<bool>,
    /// Make changes that were not saved again in the files as they are now; those that no longer apply are listed by `get_mutation_log`. Without it they keep the graph from being refreshed.
    keep_mutations: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchParams {
    /// Words that must all occur, in any case, e.g. `login timeout`, or an id such as `REQ-d00001`.
    query: String,
    /// Where to look: `id`, `title`, `body` (assertions included) or `all`. Default: `all`.
    field: Option<String>,
    /// Read the query as a regular expression, without look-around and back-references.
    regex: Option<bool>,
    /// At most this many, 1 to 500. Default: 50.
    limit: Option<i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequirementParams {
    /// The requirement's id, e.g. `REQ-d00001`.
    pub(super) req_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StatusOutput {
    /// Files have changed since the graph was read.
    is_stale: bool,
    /// When files were last read, RFC 3339, UTC.
    last_refresh: String,
    node_counts: BTreeMap<&'static str, usize>,
    root_count: usize,
    total_nodes: usize,
    has_orphans: bool,
    has_broken_references: bool,
    broken_reference_count: usize,
    /// Changes that were not saved.
    pending_mutations: usize,
    /// Odd places in files; the first of them are listed.
    diagnostic_count: usize,
    diagnostics: Vec<DiagnosticOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DiagnosticOutput {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) code: String,
    pub(crate) message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RefreshOutput {
    success: bool,
    message: String,
    node_count: usize,
    files_read: usize,
    files_reused: usize,
    files_changed: usize,
    files_removed: usize,
    last_refresh: String,
    /// Changes that are still not saved.
    pending_mutations: usize,
    /// Changes that no longer apply to the files as they are.
    unapplied_mutations: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SearchOutput {
    /// The best first.
    result: Vec<Summary>,
    /// How many fit in all.
    total: usize,
    limit: u32,
    truncated: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct HierarchyOutput {
    id: String,
    /// Everything above, nearest first.
    ancestors: Vec<Brief>,
    children: Vec<Brief>,
    /// Other children of its parents.
    siblings: Vec<Brief>,
    /// How many there are of each, where a list is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<BTreeMap<&'static str, usize>>,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        get_graph_status(workspace.clone()),
        refresh_graph(workspace.clone()),
        search(workspace.clone()),
        get_requirement(workspace.clone()),
        get_hierarchy(workspace.clone()),
    ]
}

fn get_graph_status(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_graph_status",
        "Returns the state of the requirements graph: whether files changed since it was read (is_stale), when that was, how many nodes of each kind there are, roots, broken references, unsaved changes and odd places in files.",
    )
    .title("State of the graph")
    .toolset(CORE)
    .output::<StatusOutput>()
    .run_blocking(move |call, _: NoParams| {
        let found =
            workspace.read(call.work(), |loaded| Ok(status(loaded)))?;
        Ok(Answer::data(&found.value)?)
    })
}

fn status(loaded: &Loaded) -> StatusOutput {
    let graph = &loaded.graph;
    let count = |kind: &NodeKind| (kind.as_str(), graph.nodes_by_kind(*kind).len());
    StatusOutput {
        is_stale: graph.metadata.is_stale,
        last_refresh: graph.metadata.last_refresh.to_string(),
        node_counts: NodeKind::ALL.iter().map(count).collect(),
        root_count: graph.root_count(),
        total_nodes: graph.total_nodes(),
        has_orphans: graph.has_orphans(),
        has_broken_references: graph.totals().broken > 0,
        broken_reference_count: graph.totals().broken,
        pending_mutations: loaded.log.len(),
        diagnostic_count: graph.totals().remarks + graph.duplicates().len(),
        diagnostics: diagnostics(graph).take(MAX_DIAGNOSTICS).collect(),
        hint: graph.metadata.is_stale.then_some(super::STALE),
    }
}

/// Odd places, by file; ids that are defined twice first.
pub(crate) fn diagnostics(graph: &TraceGraph) -> impl Iterator<Item = DiagnosticOutput> {
    let twice = graph.duplicates().into_iter().map(|(id, places)| {
        let named = some_places(&places);
        let message = format!("{id} is defined more than once: {named}; the first one counts");
        let (path, line) = places.last().cloned().unwrap_or_default();
        DiagnosticOutput { path, line, code: "duplicate_id".to_owned(), message }
    });
    let remarks = graph.iter_files().flat_map(|file| {
        file.contents.remarks.iter().map(|remark| DiagnosticOutput {
            path: file.path.to_string(),
            line: remark.line,
            code: remark.code.to_owned(),
            message: remark.message.clone(),
        })
    });
    twice.chain(remarks)
}

fn refresh_graph(workspace: Arc<Workspace>) -> Tool {
    // Nothing outside this process changes, so it is there in read-only servers too.
    Tool::read_only(
        "refresh_graph",
        "Reads the project's files again and returns what was read. By default only files whose content changed are read; full=true forgets everything and reads all. Refused while changes are unsaved, unless keep_mutations=true makes them again in the files as they are; discard_mutations loses them. Never writes a file.",
    )
    .title("Read the files again")
    .toolset(CORE)
    .objecting(moved_parameter)
    .output::<RefreshOutput>()
    .run_blocking(move |call, params: RefreshParams| {
        let (full, keep) = (params.full.unwrap_or(false), params.keep_mutations.unwrap_or(false));
        let refreshed = workspace.refresh(call.work(), full, keep)?;
        let report = &refreshed.report;
        let how = if report.was_full { "all files" } else { "changed files" };
        let output = RefreshOutput {
            success: true,
            message: format!("Graph refreshed from {how}"),
            node_count: refreshed.node_count,
            files_read: report.files_read,
            files_reused: report.files_reused,
            files_changed: report.files_changed,
            files_removed: report.files_removed,
            last_refresh: refreshed.last_refresh.to_string(),
            pending_mutations: refreshed.kept,
            unapplied_mutations: refreshed.put_aside,
        };
        Ok(Answer::data(&output)?)
    })
}

/// Losing changes has become a tool of its own.
fn moved_parameter(argument: &WrongArgument<'_>) -> Option<Failure> {
    let is_it = matches!(argument.wrong, Wrong::Unknown { name: "discard_mutations", .. });
    is_it.then(|| {
        Failure::new(Failure::INVALID_ARGUMENTS, "refresh_graph does not discard changes any more")
            .hint("Call discard_mutations with confirm=true first, or refresh_graph with keep_mutations=true.")
    })
}

fn search(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "search",
        "Returns requirements (id, title, level, status) that hold all words of the query, the best match first: exact id, beginning of an id, title, then text. Use it to find ids for the other tools.",
    )
    .title("Find requirements")
    .toolset(CORE)
    .output::<SearchOutput>()
    .run_blocking(move |call, params: SearchParams| {
        let field = search_field(params.field.as_deref())?;
        let limit = search_limit(params.limit)?;
        let is_regex = params.regex.unwrap_or(false);
        let answer = look(&workspace, call, |loaded| {
            let found = loaded.graph.search(&params.query, field, is_regex, limit as usize)?;
            Ok(SearchOutput {
                truncated: found.total > found.nodes.len(),
                result: found.nodes.iter().map(serialize_requirement_summary).collect(),
                total: found.total,
                limit,
            })
        })?;
        Ok(answer.shorten("result").narrow("Add words to the query, or lower the limit."))
    })
}

fn search_field(field: Option<&str>) -> Result<SearchField, Error> {
    match field.map(str::to_ascii_lowercase).as_deref() {
        None | Some("all") => Ok(SearchField::All),
        Some("id") => Ok(SearchField::Id),
        Some("title") => Ok(SearchField::Title),
        Some("body") => Ok(SearchField::Body),
        Some(other) => {
            let shown = mcp_core::text::one_line(mcp_core::text::cut(other, 60));
            Err(Error::search(
                format!("there is no field '{shown}' to search"),
                "The fields are id, title, body and all.",
            ))
        }
    }
}

fn search_limit(limit: Option<i64>) -> Result<u32, Error> {
    let limit = limit.unwrap_or_else(|| DEFAULT_LIMIT.into());
    u32::try_from(limit).ok().filter(|it| (1..=MAX_LIMIT).contains(it)).ok_or_else(|| {
        Error::search(
            format!("limit is {limit}"),
            "Give a number from 1 to 500; total says how many there are.",
        )
    })
}

fn get_requirement(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_requirement",
        "Returns one requirement in full: title, level, status, hash, text, assertions, what cites it (outgoing) and what it cites (incoming) with kinds and assertion labels, coverage, and file and line.",
    )
    .title("One requirement")
    .toolset(CORE)
    .aliases(REQUIREMENT_ID)
    .budget(ROOMY)
    .output::<Full>()
    .run_blocking(move |call, params: RequirementParams| {
        look(&workspace, call, |loaded| {
            let node = requirement(&loaded.graph, &params.req_id)?;
            Ok(serialize_requirement_full(&node))
        })
    })
}

/// The requirement of that id, or an error that says what is there instead.
pub(super) fn requirement<'g>(graph: &'g TraceGraph, id: &str) -> Result<Node<'g>, Error> {
    let Some(node) = graph.get_node(id.trim()) else { return Err(graph.no_requirement(id)) };
    if node.kind() == NodeKind::Requirement {
        return Ok(node);
    }
    let hint = match node.iter_parents().next().filter(|_| node.kind() == NodeKind::Assertion) {
        Some(owner) => format!("It is an assertion of {}: ask for that.", owner.id()),
        None => {
            format!("It is a node of kind {}; search finds requirements.", node.kind().as_str())
        }
    };
    Err(Error::refused(format!("Node '{}' is not a requirement", node.id()), hint))
}

fn get_hierarchy(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_hierarchy",
        "Returns the requirements around one: all ancestors up to the roots, its children and its siblings (other children of its parents), each with id, title and level.",
    )
    .title("Around a requirement")
    .toolset(CORE)
    .aliases(REQUIREMENT_ID)
    .budget(ROOMY)
    .output::<HierarchyOutput>()
    .run_blocking(move |call, params: RequirementParams| {
        look(&workspace, call, |loaded| Ok(hierarchy(requirement(&loaded.graph, &params.req_id)?)))
    })
}

fn hierarchy(node: Node<'_>) -> HierarchyOutput {
    let mut seen = HashSet::new();
    let children: Vec<Node<'_>> = node
        .iter_children()
        .filter(|it| it.kind() == NodeKind::Requirement && seen.insert(it.id()))
        .collect();
    let (above, beside) = (ancestors(node), siblings(node));
    let totals = BTreeMap::from([
        ("ancestors", above.len()),
        ("children", children.len()),
        ("siblings", beside.len()),
    ]);
    let is_cut = totals.values().any(|count| *count > MAX_LISTED);
    let briefly = |nodes: &[Node<'_>]| nodes.iter().take(MAX_LISTED).map(serialize_brief).collect();
    HierarchyOutput {
        id: node.id(),
        ancestors: briefly(&above),
        children: briefly(&children),
        siblings: briefly(&beside),
        totals: is_cut.then_some(totals),
    }
}
