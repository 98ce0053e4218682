//! The report as a page beside the answers of `diff`, for clients that show pages.

use std::pin::Pin;
use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::model::{Resource, ResourceContents};
use mcp_core::server::{Call, Halt, PAGE_MEDIA_TYPE, ResourceSource};

use super::Setting;
use crate::store::page;

pub(crate) struct Report {
    setting: Arc<Setting>,
}

impl Report {
    pub(crate) const URI: &str = "ui://reverse-spec/report.html";

    pub(crate) fn new(setting: Arc<Setting>) -> Self {
        Self { setting }
    }
}

impl ResourceSource for Report {
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        let resource = Resource::new(Self::URI, "report")
            .with_title("Code and specifications at a glance")
            .with_description("The project as one page: entry points, modules, drift of every specification, and the graph of what uses what.")
            .with_mime_type(PAGE_MEDIA_TYPE);
        Ok(vec![resource])
    }

    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<Option<Vec<ResourceContents>>, Halt>> + Send + 'a>>
    {
        Box::pin(async move {
            if uri != Self::URI {
                return Ok(None);
            }
            let setting = self.setting.clone();
            let page = call
                .blocking(move |call| {
                    let project = setting.project(None).map_err(Failure::from)?;
                    Ok::<_, Halt>(page::render(project, None, &setting.clock, call.work())?)
                })
                .await?;
            let contents = ResourceContents::text(page, Self::URI).with_mime_type(PAGE_MEDIA_TYPE);
            Ok(Some(vec![contents]))
        })
    }
}
