//! The tools in the shell: for people at a terminal and for checks that run by themselves.

mod diff;
mod prepare;
pub(crate) mod progress;
mod serve;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{Command, Finding, Settings, note};
use mcp_core::failure::Failure;

use crate::doctor::Remark;
use crate::server;
use crate::tools::Setting;

#[cfg(test)]
pub(crate) use diff::run as diff_in;

/// A check found something.
const FOUND: u8 = 1;
/// It could not be done at all.
const FAILED: u8 = 2;

pub(crate) const COMMANDS: &[Command] = &[
    Command { describe: serve::describe, run: serve::run },
    Command {
        describe: prepare::describe,
        run: |settings, matches| run("prepare", settings, matches, prepare::run),
    },
    Command {
        describe: diff::describe,
        run: |settings, matches| run("diff", settings, matches, diff::run),
    },
];

/// A failure is told as over the protocol, and told apart from what a check found.
fn run(
    name: &str,
    settings: &Settings,
    matches: &ArgMatches,
    command: fn(&Setting, &ArgMatches) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    let setting = server::setting(settings)?;
    match command(&setting, matches) {
        Ok(code) => Ok(code),
        Err(failure) => {
            note(&crate::error::rendered(name, &failure));
            Ok(ExitCode::from(FAILED))
        }
    }
}

fn json_flag() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON")
}

/// What `doctor` finds out about the project.
pub(crate) fn doctor(settings: &Settings) -> Vec<Finding> {
    let setting = match server::setting(settings) {
        Ok(setting) => setting,
        Err(failure) => {
            let fix = failure.hint.clone().unwrap_or_default();
            return vec![Finding::problem(failure.message, fix)];
        }
    };
    let remarks = crate::doctor::look(&setting.places).into_iter();
    remarks
        .map(|it| match it {
            Remark::Fine(what) => Finding::fine(what),
            Remark::Worth(what, fix) => Finding::remark(what, fix),
            Remark::Wrong(what, fix) => Finding::problem(what, fix),
        })
        .collect()
}
