//! `report`: one page to look at.

use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use mcp_core::cli::print;
use mcp_core::failure::Failure;
use mcp_core::page;

use super::progress::Bar;
use super::{directory_argument, may_write, project};
use crate::error::Error;
use crate::store::batch::Batch;
use crate::store::drift::{self, Narrowing};
use crate::store::project::Places;
use crate::tools::Setting;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("report")
        .about("Write a page with modules, drift and tests to look at")
        .arg(directory_argument())
        .arg(
            Arg::new("html")
                .long("html")
                .value_name("FILE")
                .required(true)
                .help("The page: one file that needs nothing else"),
        )
}

pub(crate) fn run(setting: &Setting, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    may_write(setting, "the page is")?;
    let target = project(setting, matches)?;
    let file = setting.places.absolute(&text("html"));
    let links = page::way(file.parent().unwrap_or(&file), target.project_root());
    let bar = Bar::new("files parsed");
    // What `diff` says of every specification, so that the two agree.
    let working_directory = target.project_root().to_owned();
    let places = Places { working_directory, roots: Vec::new(), confined: false };
    let narrowing = Narrowing::default();
    let checked = drift::check_all(&places, &narrowing, &setting.clock, &bar.work());
    let checked = match checked {
        Ok(everything) => everything.specs,
        Err(Error::NothingChecked { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let batch = Batch::read(target, false, &bar.work())?;
    drop(bar);
    let subtitle = setting.clock.now().strftime("Made %Y-%m-%d %H:%M UTC by reverse-spec-mcp");
    let html = batch.report(&subtitle.to_string(), &links, &checked).render().map_err(|error| {
        Failure::new(Failure::INTERNAL, format!("the page could not be made: {error}"))
    })?;
    page::write(&file, &html)?;
    print(&format!("{} written", file.display()));
    Ok(ExitCode::SUCCESS)
}
