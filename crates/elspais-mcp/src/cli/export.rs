//! `export`: the requirements for other programs.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches};
use mcp_core::cli::print;
use mcp_core::failure::Failure;
use mcp_core::page;
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::domain::export::{Export, Form};

pub(super) fn describe() -> clap::Command {
    clap::Command::new("export")
        .about("Write requirements, links and coverage for other programs")
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORM")
                .value_parser(Form::ALL.map(|(name, _)| name))
                .default_value("json")
                .help("json; csv: a row for each assertion; needs: needs.json of sphinx-needs; reqif: ReqIF 1.2; matrix: assertion by code, test and result as CSV"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("FILE")
                .help("Where to write it; without, it is printed"),
        )
}

pub(super) fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let named = matches.get_one::<String>("format").map_or("json", String::as_str);
    let form = Form::ALL.into_iter().find(|(name, _)| *name == named).map_or(Form::Json, |it| it.1);
    let workspace = super::workspace(settings);
    let text = workspace.read(&Work::endless(), |loaded| {
        let name = workspace.project_name(loaded.graph.config.name.as_deref());
        Ok(Export::of(&loaded.graph, &name).write(form))
    })?;
    match matches.get_one::<String>("output").map(PathBuf::from) {
        Some(given) => {
            let file = settings.working_directory().join(given);
            page::write(&file, &text.value)?;
            print(&format!("{} written", file.display()));
        }
        None => print(text.value.trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}
