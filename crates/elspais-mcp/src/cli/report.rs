//! `report`: one page to look at.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use mcp_core::cli::{Settings, print};
use mcp_core::failure::Failure;
use mcp_core::page::way;
use mcp_core::sandbox::{RelPath, Root};

use crate::error::Error;
use crate::server;
use crate::workspace::Patience;

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
}

pub(super) fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let given = matches.get_one::<String>("html").map(PathBuf::from).unwrap_or_default();
    let file = settings.working_directory().join(given);
    let directory = file.parent().unwrap_or(&file);
    let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let workspace = server::workspace(settings);
    let links = way(directory, workspace.place());
    let page = workspace.report(&Patience::ENDLESS, Some(links))?;
    // Where the user says: the one file that may lie outside of the project.
    let root = Root::open(directory).map_err(|_| {
        let message = format!("there is no directory `{}` to write to", directory.display());
        Failure::new("no_directory", message).hint("Create it, or name another file with --html.")
    })?;
    RelPath::parse(name)
        .and_then(|name| root.write(&name, page.as_bytes()))
        .map_err(Error::from)?;
    print(&format!("{} written", file.display()));
    Ok(ExitCode::SUCCESS)
}
