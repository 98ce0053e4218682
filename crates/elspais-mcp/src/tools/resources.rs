//! The report as a resource, for clients that show pages beside an answer.

use std::pin::Pin;
use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::model::{Resource, ResourceContents};
use mcp_core::server::{Call, Halt, ResourceSource};

use crate::domain::report::Shown;
use crate::store::workspace::Workspace;

/// The page that hangs on `get_project_summary`.
pub(crate) const REPORT: &str = "ui://elspais/report.html";
const PAGE: &str = "text/html;profile=mcp-app";

pub(crate) struct Shelf {
    workspace: Arc<Workspace>,
}

impl Shelf {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace }
    }
}

impl ResourceSource for Shelf {
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        let resource = Resource::new(REPORT, "report")
            .with_title("Requirements at a glance")
            .with_description("Requirements as one page: tree, matrix, picture, what is not covered, broken, suspect or changed.")
            .with_mime_type(PAGE);
        Ok(vec![resource])
    }

    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<Option<Vec<ResourceContents>>, Halt>> + Send + 'a>>
    {
        Box::pin(async move {
            if uri != REPORT {
                return Ok(None);
            }
            let workspace = self.workspace.clone();
            let page = call
                .blocking(move |call| {
                    Ok::<_, Halt>(workspace.report(call.work(), Shown::Client, None)?)
                })
                .await?;
            let contents = ResourceContents::text(page, REPORT).with_mime_type(PAGE);
            Ok(Some(vec![contents]))
        })
    }
}
