//! The report on a project as one page, for a file and for clients that show pages.

use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::work::Work;

use super::batch::Batch;
use super::drift::{self, Narrowing};
use super::project::{Places, Target};
use crate::error::Error;

/// `links` is the way from the page to the project root, where there is one.
pub(crate) fn render(
    project: Target,
    links: Option<String>,
    clock: &Clock,
    work: &Work,
) -> Result<String, Failure> {
    // What `diff` says of every specification, so that the two agree.
    let working_directory = project.project_root().to_owned();
    let places = Places { working_directory, roots: Vec::new(), confined: false };
    let checked = match drift::check_all(&places, &Narrowing::default(), clock, work) {
        Ok(everything) => everything.specs,
        Err(Error::NothingChecked { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let batch = Batch::read(project, false, work)?;
    let subtitle = clock.now().strftime("Made %Y-%m-%d %H:%M UTC by reverse-spec-mcp").to_string();
    batch.report(&subtitle, links, &checked).render().map_err(|error| {
        Failure::new(Failure::INTERNAL, format!("the page could not be made: {error}"))
    })
}
