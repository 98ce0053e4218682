//! The tools on the wire: parameters in, one call to the graph, an answer out.

mod coverage;
mod exception;
mod file;
mod link;
mod log;
mod mutation;
mod project;
mod query;
pub(crate) mod resources;
mod review;
mod safety;
pub(crate) mod serialize;
mod transform;

use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Call, Halt, Tool};
use serde::Serialize;
use serde_json::Value;

pub(crate) use query::{DiagnosticOutput, diagnostics};

use crate::error::Error;
use crate::store::rewriter::Rewriter;
use crate::store::workspace::{Seen, Workspace};

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

pub(crate) fn all(workspace: &Arc<Workspace>, rewriter: &Rewriter) -> Vec<Tool> {
    let mut tools = query::tools(workspace);
    tools.extend(project::tools(workspace));
    tools.extend(mutation::tools(workspace));
    tools.extend(log::tools(workspace));
    tools.extend(link::tools(workspace));
    tools.extend(file::tools(workspace));
    tools.extend(transform::tools(workspace, rewriter));
    tools.extend(safety::tools(workspace));
    tools.extend(coverage::tools(workspace));
    tools.extend(exception::tools(workspace));
    tools.extend(review::tools(workspace));
    tools
}

/// How callers see a failure depends on whether the tool changes something.
pub(crate) fn render_failure(tool: &Tool, failure: &Failure) -> Answer {
    let answer = failed(!tool.is_read_only(), failure);
    match Answer::data(&answer) {
        Ok(data) => data.failed(),
        Err(_) => Answer::text(failure.text()).failed(),
    }
}

/// Reads answer `{error}`, writes `{success: false, error}`.
fn failed(is_writing: bool, failure: &Failure) -> Value {
    let mut fields = serde_json::Map::new();
    if is_writing {
        fields.insert("success".to_owned(), false.into());
    }
    fields.insert("error".to_owned(), failure.message.clone().into());
    fields.insert("code".to_owned(), failure.code.into());
    if let Some(hint) = &failure.hint {
        fields.insert("hint".to_owned(), hint.clone().into());
    }
    if let Some(Value::Object(details)) = failure.details.as_deref() {
        fields.extend(details.clone());
    }
    Value::Object(fields)
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
    work: impl FnOnce(&crate::store::workspace::Loaded) -> Result<T, Error>,
) -> Result<Answer, Halt> {
    let found = workspace.read(call.work(), work)?;
    Ok(seen(&found)?)
}
