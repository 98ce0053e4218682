//! `report`: one page to look at.

use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use mcp_core::cli::print;
use mcp_core::failure::Failure;
use mcp_core::page;

use super::progress::Bar;
use super::{directory_argument, may_write, project};
use crate::store;
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
    let html = store::page::render(target, Some(links), &setting.clock, &bar.work())?;
    drop(bar);
    page::write(&file, &html)?;
    print(&format!("{} written", file.display()));
    Ok(ExitCode::SUCCESS)
}
