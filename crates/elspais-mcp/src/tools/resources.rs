//! The report as a resource, for clients that show pages beside an answer.

use std::sync::Arc;

use mcp_core::server::PageSource;

use crate::domain::report::Shown;
use crate::store::workspace::Workspace;

/// The page that hangs on `get_project_summary`.
pub(crate) const REPORT: &str = "ui://elspais/report.html";

pub(crate) fn report(workspace: Arc<Workspace>) -> PageSource {
    PageSource::new(
        REPORT,
        "Requirements at a glance",
        "Requirements as one page: tree, matrix, picture, what is not covered, broken, suspect or changed.",
        move |call| Ok(workspace.report(call.work(), Shown::Client, None)?),
    )
}
