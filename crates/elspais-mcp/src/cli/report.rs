//! `report`: one page to look at.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use mcp_core::cli::print;
use mcp_core::failure::Failure;
use mcp_core::page;
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::domain::report::Shown;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("report")
        .about("Write a page with requirements, coverage and links to look at")
        .arg(
            Arg::new("html")
                .long("html")
                .value_name("FILE")
                .required(true)
                .help("The page: one file that needs nothing else"),
        )
        .arg(Arg::new("since").long("since").value_name("COMMIT").help(
            "Show what changed since this commit, branch or tag; by default since the branch began",
        ))
}

pub(super) fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let given = matches.get_one::<String>("html").map(PathBuf::from).unwrap_or_default();
    let file = settings.working_directory().join(given);
    let directory = file.parent().unwrap_or(&file);
    let workspace = super::workspace(settings);
    let links = page::way(directory, workspace.place());
    let since = matches.get_one::<String>("since").map(String::as_str);
    let html = workspace.report(&Work::endless(), Shown::File(links), since)?;
    page::write(&file, &html)?;
    print(&format!("{} written", file.display()));
    Ok(ExitCode::SUCCESS)
}
