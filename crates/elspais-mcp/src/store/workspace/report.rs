//! The report of the project as it stands.

use mcp_core::failure::Failure;
use mcp_core::work::Work;

use super::Workspace;
use crate::domain::report::{Report, Shown};

impl Workspace {
    /// What the project is called: by its configuration, else by its directory.
    pub(crate) fn project_name(&self, configured: Option<&str>) -> String {
        let directory = self.place().file_name().map(|it| it.to_string_lossy().into_owned());
        configured.map(str::to_owned).or(directory).unwrap_or_else(|| "project".to_owned())
    }

    /// The page. `since` names the commit that changes are counted from; without it that is where
    /// the branch began, and a project without git simply has none.
    pub(crate) fn report(
        &self,
        work: &Work,
        shown: Shown,
        since: Option<&str>,
    ) -> Result<String, Failure> {
        let reviews = self.reviews()?;
        let report = self.read(work, |loaded| {
            let name = self.project_name(loaded.graph.config.name.as_deref());
            let mut report = Report::of(&loaded.graph, &reviews, &name, shown);
            match since {
                Some(base) => {
                    report.changed = self.changed_since(loaded, work, base)?;
                    report.since = Some(base.to_owned());
                }
                None => {
                    if let Ok(Some((base, changed))) = self.changed_on_branch(loaded, work) {
                        report.changed = changed;
                        report.since = Some(base);
                    }
                }
            }
            Ok(report)
        })?;
        report.value.render().map_err(|error| {
            Failure::new(Failure::INTERNAL, format!("the page could not be made: {error}"))
        })
    }
}
