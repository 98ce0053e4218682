//! `lint`: every problem that the server puts up with, with its file and line.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use mcp_core::cli::print;
use mcp_core::failure::Failure;
use mcp_core::settings::Settings;
use serde_json::{Value, json};

use super::{counted, folder};
use crate::domain::Problem;
use crate::store::library::{Library, Located};

pub(super) fn describe() -> Command {
    Command::new("lint")
        .about("Report every problem of the command files")
        .after_help("The exit code is 0 when there is none and 1 when there is any.")
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print JSON instead of lines"),
        )
}

#[expect(clippy::unnecessary_wraps, reason = "all commands have the same shape")]
pub(super) fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let report = Report::of(&folder::library(settings));
    if matches.get_flag("json") {
        print(&format!("{:#}", report.json()));
    } else {
        print(&report.lines());
    }
    Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) struct Report {
    n_commands: usize,
    pub(crate) problems: Vec<Located>,
}

impl Report {
    pub(crate) fn of(library: &Library) -> Self {
        let snapshot = library.refresh_quietly();
        let mut problems = snapshot.problems.clone();
        problems.extend(snapshot.dangling(library.folders()));
        problems.sort_by(|left, right| {
            (&left.file, left.problem.line).cmp(&(&right.file, right.problem.line))
        });
        Self { n_commands: snapshot.catalog.commands().count(), problems }
    }

    pub(crate) fn lines(&self) -> String {
        let mut lines: Vec<String> = self
            .problems
            .iter()
            .map(|Located { file, problem }| {
                let Problem { kind, line, message } = problem;
                let effect = severity(problem);
                format!("{file}:{line}: {effect}: {message} [{}]", kind.code())
            })
            .collect();
        let commands = counted(self.n_commands, "command");
        let problems = match self.problems.len() {
            0 => "no problems".to_owned(),
            n_problems => counted(n_problems, "problem"),
        };
        lines.push(format!("{commands}, {problems}"));
        lines.join("\n")
    }

    pub(crate) fn json(&self) -> Value {
        let problems = self.problems.iter().map(|Located { file, problem }| {
            json!({
                "file": file,
                "line": problem.line,
                "severity": severity(problem),
                "code": problem.kind.code(),
                "message": problem.message,
            })
        });
        json!({ "commands": self.n_commands, "problems": problems.collect::<Value>() })
    }
}

/// An error costs a command, a warning a part of one.
fn severity(problem: &Problem) -> &'static str {
    if problem.kind.loses_command() { "error" } else { "warning" }
}
