//! `generate` in the shell.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{note, print};
use mcp_core::failure::Failure;

use super::progress::Bar;
use super::{json_flag, may_write, written};
use crate::store::generate::{self, Material, Output};
use crate::tools::Setting;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("generate")
        .about("Write the specification of a file or directory")
        .arg(Arg::new("target").value_name("PATH").required(true).help("File or directory"))
        .arg(
            Arg::new("deep")
                .long("deep")
                .action(ArgAction::SetTrue)
                .help("Give a model the text of the files too, without secrets"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .default_value("specs")
                .help("Where to write it"),
        )
        .arg(json_flag())
}

pub(crate) fn run(setting: &Setting, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    may_write(setting, "the specification is")?;
    let target = setting.places.target(&text("target"))?;
    let output = Output::choose(&setting.places, &target, Some(&text("output")))?;
    let bar = Bar::new("files parsed");
    let material = Material::read(&target, matches.get_flag("deep"), &bar.work())?;
    drop(bar);
    let generated = written(setting, |style| generate::write(&material, &output, style))?;
    if matches.get_flag("json") {
        print(&serde_json::to_string(&generated).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    for warning in &generated.warnings {
        note(warning);
    }
    let state = if generated.changed { "written" } else { "unchanged" };
    print(&format!("{} {state} (confidence {})", generated.spec_path, generated.confidence));
    Ok(ExitCode::SUCCESS)
}
