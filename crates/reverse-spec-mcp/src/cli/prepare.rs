//! `prepare` in the shell: the context on standard output, or everything as JSON.

use std::process::ExitCode;

use clap::builder::RangedU64ValueParser;
use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{note, print};
use mcp_core::failure::Failure;

use super::json_flag;
use super::progress::Bar;
use crate::store::prepare::{Request, prepare};
use crate::tools::Setting;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("prepare")
        .about("Print the declarations of a file or directory, ready for a model")
        .arg(Arg::new("target").value_name("PATH").default_value(".").help("File or directory"))
        .arg(
            Arg::new("deep")
                .long("deep")
                .action(ArgAction::SetTrue)
                .help("Add the text of the files, without secrets"),
        )
        .arg(
            Arg::new("budget")
                .long("budget")
                .value_name("TOKENS")
                .value_parser(RangedU64ValueParser::<usize>::new().range(1..))
                .help("How many tokens the context may have"),
        )
        .arg(json_flag().help("Print the whole result as JSON"))
}

pub(super) fn run(setting: &Setting, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let target_path = matches.get_one::<String>("target").cloned().unwrap_or_default();
    let deep = matches.get_flag("deep");
    let budget = matches.get_one::<usize>("budget").copied();
    let token_budget = budget.unwrap_or(setting.token_budget);
    let request = Request { target_path, deep, token_budget };
    let bar = Bar::new("files parsed");
    let prepared = prepare(&setting.places, &request, &setting.clock, &bar.work())?;
    drop(bar);
    let result = prepared.result;
    if matches.get_flag("json") {
        print(&serde_json::to_string(&result).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    print(&result.context.prompt);
    for warning in &result.warnings {
        note(&warning.to_string());
    }
    let context = &result.context;
    let cut = if context.truncated {
        format!(", shortened: {}", context.truncated_parts.join(", "))
    } else {
        String::new()
    };
    let files = match result.file_paths.len() {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    note(&format!(
        "{files}, about {} tokens of {}{cut}",
        context.token_count, context.token_budget
    ));
    Ok(ExitCode::SUCCESS)
}
