//! For reviewers: suspect links, what changed since a commit, what lies below, what hangs on it.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::requirement;
use super::serialize::{Summary, first_of, serialize_requirement_summary};
use super::{REQUIREMENT_ID, REVIEW, look};
use crate::domain::graph::Node;
use crate::domain::graph::walk::descendants;
use crate::domain::review::impact::impact;
use crate::domain::review::suspect::{self, Link, Standing};
use crate::error::Error;
use crate::store::workspace::Workspace;

/// Names in the shorter lists of an answer; its longest list takes what room is left.
const MAX_NAMES: usize = 100;

/// More nodes of a tree than an answer has room for.
const MAX_NODES: usize = 5_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SuspectParams {
    /// Also list links nobody has reviewed yet. Default: only those whose text changed since.
    include_unreviewed: Option<bool>,
    /// Only links from or to this node.
    node_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClearParams {
    /// What cites, as `get_suspect_links` names it. Leave both out with all=true.
    source_id: Option<String>,
    /// What is cited, e.g. `REQ-o00001-A`. Default: everything the source cites.
    target_id: Option<String>,
    /// Every link there is, for a project that begins with reviews.
    all: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangedParams {
    /// A commit, branch or tag to compare with, e.g. `main` or `HEAD~3`. Default: `HEAD`.
    base_ref: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubtreeParams {
    /// The requirement at the top, e.g. `REQ-p00001`. Default: every root.
    req_id: Option<String>,
    /// How many levels down. Default: all.
    depth: Option<u32>,
    /// Show assertions, code and tests too. Default: requirements alone.
    include_details: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ImpactParams {
    /// An id, a path such as `spec/login.md`, or a path with a line such as `src/login.rs:12`.
    target: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SuspectOutput {
    links: Vec<LinkOutput>,
    count: usize,
    suspect_count: usize,
    unreviewed_count: usize,
    reviewed_count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LinkOutput {
    source_id: String,
    target_id: String,
    edge_kind: String,
    /// suspect, unreviewed or reviewed.
    standing: String,
    path: String,
    line: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ClearOutput {
    success: bool,
    cleared: usize,
    /// The file it is kept in: commit it.
    file: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedOutput {
    base_ref: String,
    changes: Vec<ChangeOutput>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangeOutput {
    id: String,
    title: String,
    /// added, removed, modified or moved.
    change: String,
    /// Which parts differ.
    parts: Vec<String>,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_path: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SubtreeOutput {
    roots: Vec<String>,
    /// How many they are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    roots_total: Option<usize>,
    /// In the order of the tree, each once.
    nodes: Vec<SubtreeNode>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SubtreeNode {
    depth: usize,
    id: String,
    kind: String,
    title: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ImpactOutput {
    /// The requirements the question comes down to.
    requirements: Vec<Summary>,
    /// How many they are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    requirements_total: Option<usize>,
    /// What cites them.
    direct: Vec<NodeOutput>,
    /// How many they are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    direct_total: Option<usize>,
    /// What cites those in turn.
    indirect: Vec<NodeOutput>,
    /// Files all of these lie in.
    files: Vec<String>,
    /// How many they are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    files_total: Option<usize>,
    /// All that cite, directly or not.
    total: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NodeOutput {
    id: String,
    kind: String,
    title: String,
    path: String,
    line: u32,
}

impl From<&Link> for LinkOutput {
    fn from(link: &Link) -> Self {
        Self {
            source_id: link.source_id.clone(),
            target_id: link.target_id.clone(),
            edge_kind: link.kind.to_owned(),
            standing: link.standing.as_str().to_owned(),
            path: link.path.clone(),
            line: link.line,
        }
    }
}

impl From<&Node<'_>> for NodeOutput {
    fn from(node: &Node<'_>) -> Self {
        Self {
            id: node.id(),
            kind: node.kind().as_str().to_owned(),
            title: node.title().to_owned(),
            path: node.path().to_owned(),
            line: node.line(),
        }
    }
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        get_suspect_links(workspace.clone()),
        clear_suspect_link(workspace.clone()),
        get_changed_requirements(workspace.clone()),
        get_subtree(workspace.clone()),
        get_impact(workspace.clone()),
    ]
}

fn get_suspect_links(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_suspect_links",
        "Returns links whose cited text changed since the link was last reviewed. Look at both ends, then call clear_suspect_link.",
    )
    .title("Links to look at again")
    .toolset(REVIEW)
    .aliases(&[("req_id", "node_id"), ("id", "node_id")])
    .output::<SuspectOutput>()
    .run_blocking(move |call, params: SuspectParams| {
        let reviews = workspace.reviews()?;
        let answer = look(&workspace, call, |loaded| {
            // Those nobody has agreed to are counted by the graph, unless they are to be listed.
            let all = match params.include_unreviewed {
                Some(true) => suspect::links(&loaded.graph, &reviews),
                _ => suspect::agreed_links(&loaded.graph, &reviews),
            };
            let count = |standing| all.iter().filter(|it| it.standing == standing).count();
            let wanted = |it: &&Link| {
                let due = it.standing == Standing::Suspect
                    || (it.standing == Standing::Unreviewed && params.include_unreviewed == Some(true));
                let named = params.node_id.as_deref().map(str::trim);
                due && named.is_none_or(|id| it.source_id == id || it.target_id.starts_with(id))
            };
            let links: Vec<LinkOutput> = all.iter().filter(wanted).map(LinkOutput::from).collect();
            Ok(SuspectOutput {
                count: links.len(),
                links,
                suspect_count: count(Standing::Suspect),
                unreviewed_count: loaded.graph.totals().links
                    - count(Standing::Suspect)
                    - count(Standing::Reviewed),
                reviewed_count: count(Standing::Reviewed),
            })
        })?;
        Ok(answer.shorten("links").narrow("Name a requirement with node_id."))
    })
}

fn clear_suspect_link(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "clear_suspect_link",
        "Notes that links were reviewed against the text as it is now, in a small file that belongs into git. Name one link, all links of a source, or all=true.",
    )
    .title("Note a review")
    .toolset(REVIEW)
    .additive()
    .idempotent()
    .output::<ClearOutput>()
    .run_blocking(move |call, params: ClearParams| {
        let (source, target) = (params.source_id.as_deref(), params.target_id.as_deref());
        let everything = params.all == Some(true);
        if source.is_none() && target.is_none() && !everything {
            let hint = "Give source_id, with target_id for one link, or all=true.";
            return Err(Error::refused("no link is named", hint).into());
        }
        let cleared = workspace.agree(call.work(), |link| {
                everything
                    || (source.is_none_or(|it| link.source_id == it.trim())
                        && target.is_none_or(|it| link.target_id == it.trim()))
            })?;
        let file = suspect::REVIEWS_FILE.to_owned();
        Ok(Answer::data(&ClearOutput { success: true, cleared, file })?)
    })
}

fn get_changed_requirements(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_changed_requirements",
        "Returns requirements that were added, removed, modified or moved since a commit, branch or tag, and which parts of each differ; unsaved changes count.",
    )
    .title("What changed since")
    .toolset(REVIEW)
    .aliases(&[("base", "base_ref"), ("ref", "base_ref")])
    .output::<ChangedOutput>()
    .run_blocking(move |call, params: ChangedParams| {
        let base = params.base_ref.unwrap_or_else(|| "HEAD".to_owned());
        let answer = look(&workspace, call, |loaded| {
            let found = workspace.changed_since(loaded, call.work(), base.trim())?;
            let changes: Vec<ChangeOutput> = found
                .into_iter()
                .map(|it| ChangeOutput {
                    id: it.id,
                    title: it.title,
                    change: it.how.as_str().to_owned(),
                    parts: it.parts,
                    path: it.path,
                    old_path: it.old_path,
                })
                .collect();
            Ok(ChangedOutput { base_ref: base.clone(), count: changes.len(), changes })
        })?;
        Ok(answer.shorten("changes").narrow("Compare with a later commit."))
    })
}

fn get_subtree(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_subtree",
        "Returns everything below a requirement, or below all roots, in the order of the tree, with depths; optionally with assertions, code and tests.",
    )
    .title("Below a requirement")
    .toolset(REVIEW)
    .aliases(REQUIREMENT_ID)
    .output::<SubtreeOutput>()
    .run_blocking(move |call, params: SubtreeParams| {
        let depth = params.depth.map_or(usize::MAX, |it| it as usize);
        let details = params.include_details.unwrap_or(false);
        let answer = look(&workspace, call, |loaded| {
            let roots: Vec<Node<'_>> = match &params.req_id {
                Some(id) => vec![requirement(&loaded.graph, id)?],
                None => loaded.graph.iter_roots().collect(),
            };
            let below = descendants(&roots, depth, details);
            let count = below.len();
            let nodes: Vec<SubtreeNode> = below
                .into_iter()
                .take(MAX_NODES)
                .map(|(depth, node)| SubtreeNode {
                    depth,
                    id: node.id(),
                    kind: node.kind().as_str().to_owned(),
                    title: node.title().to_owned(),
                })
                .collect();
            let roots = roots.iter().map(Node::id).collect();
            let (roots, roots_total) = first_of(roots, MAX_NAMES);
            Ok(SubtreeOutput { roots, roots_total, nodes, count })
        })?;
        Ok(answer.shorten("nodes").narrow("Name a requirement with req_id, or give a smaller depth."))
    })
}

fn get_impact(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "impact",
        "Returns what a change would touch: the requirements that an id, a file or a line stands for, what cites them directly, and what cites those in turn.",
    )
    .title("What hangs on it")
    .toolset(REVIEW)
    .aliases(&[("req_id", "target"), ("node_id", "target"), ("id", "target"), ("path", "target")])
    .output::<ImpactOutput>()
    .run_blocking(move |call, params: ImpactParams| {
        let answer = look(&workspace, call, |loaded| {
            let found = impact(&loaded.graph, &params.target)?;
            let total = found.direct.len() + found.further.len();
            let (subjects, requirements_total) = first_of(found.subjects, MAX_NAMES);
            let (direct, direct_total) = first_of(found.direct, MAX_NAMES);
            let (files, files_total) = first_of(found.files.into_iter().collect(), MAX_NAMES);
            Ok(ImpactOutput {
                requirements: subjects.iter().map(serialize_requirement_summary).collect(),
                requirements_total,
                direct: direct.iter().map(NodeOutput::from).collect(),
                direct_total,
                indirect: found.further.iter().map(NodeOutput::from).collect(),
                files,
                files_total,
                total,
            })
        })?;
        Ok(answer.shorten("indirect").narrow("Ask about one requirement."))
    })
}
