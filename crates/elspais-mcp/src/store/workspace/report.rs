//! The report of the project as it stands.

use mcp_core::failure::Failure;
use mcp_core::work::Work;

use super::Workspace;
use crate::domain::report::Report;

impl Workspace {
    /// What the project is called: by its configuration, else by its directory.
    pub(crate) fn project_name(&self, configured: Option<&str>) -> String {
        let directory = self.place().file_name().map(|it| it.to_string_lossy().into_owned());
        configured.map(str::to_owned).or(directory).unwrap_or_else(|| "project".to_owned())
    }

    /// The page; `links` is the way from it to the project.
    pub(crate) fn report(&self, work: &Work, links: Option<String>) -> Result<String, Failure> {
        let reviews = self.reviews()?;
        let report = self.read(work, |loaded| {
            let name = self.project_name(loaded.graph.config.name.as_deref());
            Ok(Report::of(&loaded.graph, &reviews, &name, links))
        })?;
        report.value.render().map_err(|error| {
            Failure::new(Failure::INTERNAL, format!("the page could not be made: {error}"))
        })
    }
}
