//! The report as a page beside the answers of `diff`, for clients that show pages.

use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::server::PageSource;

use super::Setting;
use crate::store::page;

pub(crate) fn report(setting: Arc<Setting>) -> PageSource {
    PageSource::new(
        "ui://reverse-spec/report.html",
        "Code and specifications at a glance",
        "The project as one page: entry points, modules, drift of every specification, and the graph of what uses what.",
        move |call| {
            let project = setting.project(None).map_err(Failure::from)?;
            Ok(page::render(project, None, &setting.clock, call.work())?)
        },
    )
}
