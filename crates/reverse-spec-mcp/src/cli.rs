//! The tools in the shell: for people at a terminal and for checks that run by themselves.

mod batch;
mod diff;
mod generate;
mod prepare;
pub(crate) mod progress;
mod report;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{Command, Finding, note};
use mcp_core::failure::Failure;
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::error::Error;
use crate::server;
use crate::store::doctor::Remark;
use crate::store::generate::Style;
use crate::store::model::Model;
use crate::store::project::Target;
use crate::tools::{Setting, with_writer};

#[cfg(test)]
pub(crate) use {batch::run as batch_in, diff::run as diff_in};
#[cfg(test)]
pub(crate) use {generate::run as generate_in, report::run as report_in};

/// A check found something.
const FOUND: u8 = 1;
/// For one request to a model at a terminal.
const A_LONG_TIME: Duration = Duration::from_hours(24);
/// It could not be done at all.
const FAILED: u8 = 2;

pub(crate) const COMMANDS: &[Command] = &[
    Command {
        describe: prepare::describe,
        run: |settings, matches| run("prepare", settings, matches, prepare::run),
    },
    Command {
        describe: generate::describe,
        run: |settings, matches| run("generate", settings, matches, generate::run),
    },
    Command {
        describe: batch::describe,
        run: |settings, matches| run("batch", settings, matches, batch::run),
    },
    Command {
        describe: diff::describe,
        run: |settings, matches| run("diff", settings, matches, diff::run),
    },
    Command {
        describe: report::describe,
        run: |settings, matches| run("report", settings, matches, report::run),
    },
];

/// A failure is worded as over the protocol, and has an exit code other than what a check found.
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

/// The directory of a project: as given, else as `--root` says, else the one we are in.
fn project(setting: &Setting, matches: &ArgMatches) -> Result<Target, Failure> {
    Ok(setting.project(matches.get_one::<String>("directory").map(String::as_str))?)
}

fn directory_argument() -> Arg {
    Arg::new("directory")
        .value_name("DIR")
        .help("The project's directory [default: what --root says, else the working directory]")
}

/// Refuses to write what `--read-only` forbids.
fn may_write(setting: &Setting, what: &str) -> Result<(), Failure> {
    if setting.read_only {
        let message = format!("{what} not written: --read-only is set");
        return Err(Failure::new("read_only", message)
            .hint("Leave --read-only and PLUMBLINE_READ_ONLY out to write."));
    }
    Ok(())
}

/// Lets work be done by whoever writes the prose. In the shell it may take its time.
fn written<T>(
    setting: &Setting,
    work: impl FnOnce(Style<'_>) -> Result<T, Error>,
) -> Result<T, Failure> {
    let runtime = runtime()?;
    let until = Instant::now() + A_LONG_TIME;
    Ok(with_writer(&Work::endless(), runtime.handle(), setting, until, work)?)
}

/// Lets a model judge, where there is one and the user wants that.
fn with_model(
    setting: &Setting,
    work: impl FnOnce(&dyn Model) -> Result<(), Error>,
) -> Result<(), Failure> {
    let runtime = runtime()?;
    let model = setting.judge(&Work::endless(), runtime.handle(), Instant::now() + A_LONG_TIME);
    match model {
        Some(model) => Ok(work(&model)?),
        None => Ok(()),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Runtime::new().map_err(|error| {
        Failure::new(Failure::INTERNAL, format!("no runtime could be started: {error}"))
    })
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
    let remarks = crate::store::doctor::look(&setting.places).into_iter();
    remarks
        .map(|it| match it {
            Remark::Fine(what) => Finding::fine(what),
            Remark::Worth(what, fix) => Finding::remark(what, fix),
            Remark::Wrong(what, fix) => Finding::problem(what, fix),
        })
        .collect()
}
