//! The tools on the wire: parameters in, one call to the graph, an answer out.

mod coverage;
mod file;
mod link;
mod log;
mod mutation;
mod project;
mod query;
mod review;
mod safety;
pub(crate) mod serialize;
pub(crate) mod transform;

use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Call, Halt, Tool};
use serde::Serialize;
use serde_json::Value;

pub(crate) use query::diagnostics;

use crate::error::{self, Error};
use crate::workspace::{Patience, Seen, Workspace};

pub(crate) const CORE: &str = "core";
pub(crate) const COVERAGE: &str = "coverage";
pub(crate) const REVIEW: &str = "review";

/// Characters of answers that have to be whole: what was done is not asked for a second time.
const ROOMY: usize = 400_000;

/// Names of one argument that are all in use.
const REQUIREMENT_ID: &[(&str, &str)] =
    &[("node_id", "req_id"), ("id", "req_id"), ("requirement_id", "req_id")];
const NODE_ID: &[(&str, &str)] =
    &[("req_id", "node_id"), ("id", "node_id"), ("requirement_id", "node_id")];

const STALE: &str = "Files have changed since the graph was read: call refresh_graph to see them.";

pub(crate) fn all(workspace: &Arc<Workspace>, llm: &transform::Llm) -> Vec<Tool> {
    let mut tools = query::tools(workspace);
    tools.extend(project::tools(workspace));
    tools.extend(mutation::tools(workspace));
    tools.extend(log::tools(workspace));
    tools.extend(link::tools(workspace));
    tools.extend(file::tools(workspace));
    tools.extend(transform::tools(workspace, llm));
    tools.extend(safety::tools(workspace));
    tools.extend(coverage::tools(workspace));
    tools.extend(review::tools(workspace));
    tools
}

/// Which tools answer failures as writes do.
fn is_writing(tool: &str) -> bool {
    const PREFIXES: [&str; 7] =
        ["mutate_", "undo_", "save_", "change_", "move_", "refresh_", "clear_"];
    PREFIXES.iter().any(|prefix| tool.starts_with(prefix))
        || matches!(tool, "transform_with_ai" | "restore_from_safety_branch")
}

pub(crate) fn render_failure(tool: &str, failure: &Failure) -> Answer {
    let answer = error::answer(is_writing(tool), failure);
    match Answer::data(&answer) {
        Ok(data) => data.failed(),
        Err(_) => Answer::text(failure.text()).failed(),
    }
}

/// Runs `work` with a caller that is told how far the graph is while it waits.
fn patiently<T>(call: &Call, work: impl FnOnce(&Patience<'_>) -> T) -> T {
    let report = |done: usize, total: usize| {
        #[expect(clippy::cast_precision_loss, reason = "no project has that many files")]
        let (done, of) = (done as f64, (total > 0).then_some(total as f64));
        call.report(done, of, "Reading the project's files");
    };
    work(&Patience { report: &report, is_cancelled: &|| call.is_cancelled() })
}

/// What was found, with the mark that files have changed meanwhile.
fn seen<T: Serialize>(found: &Seen<T>) -> Result<Answer, Failure> {
    let mut value = serde_json::to_value(&found.value).unwrap_or_default();
    if let (Value::Object(fields), true) = (&mut value, found.is_stale) {
        fields.insert("is_stale".to_owned(), true.into());
        fields.insert("hint".to_owned(), STALE.into());
    }
    Answer::data(&value)
}

/// A read: looks at the graph and answers.
fn look<T: Serialize>(
    workspace: &Workspace,
    call: &Call,
    work: impl FnOnce(&crate::workspace::Loaded) -> Result<T, Error>,
) -> Result<Answer, Halt> {
    let found = patiently(call, |patience| workspace.read(patience, work))?;
    Ok(seen(&found)?)
}
