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
        .after_help("The exit code is 0 when there is none and 1 when there is any. Remarks, such as what is \
             passed over because another file has the command, do not count.")
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
    /// What is worth knowing without being wrong.
    pub(crate) remarks: Vec<Located>,
}

impl Report {
    pub(crate) fn of(library: &Library) -> Self {
        let snapshot = library.refresh_quietly();
        let mut all = snapshot.problems.clone();
        all.extend(snapshot.dangling(library));
        all.sort_by(|left, right| {
            (&left.file, left.problem.line).cmp(&(&right.file, right.problem.line))
        });
        let (remarks, problems) = all.into_iter().partition(|it| it.problem.kind.is_remark());
        Self { n_commands: snapshot.catalog.commands().count(), problems, remarks }
    }

    pub(crate) fn lines(&self) -> String {
        let mut lines: Vec<String> = self
            .problems
            .iter()
            .chain(&self.remarks)
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
        let remarks = match self.remarks.len() {
            0 => String::new(),
            n_remarks => format!(", {}", counted(n_remarks, "remark")),
        };
        lines.push(format!("{commands}, {problems}{remarks}"));
        lines.join("\n")
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "commands": self.n_commands,
            "problems": as_json(&self.problems),
            "remarks": as_json(&self.remarks),
        })
    }
}

fn as_json(located: &[Located]) -> Value {
    let items = located.iter().map(|Located { file, problem }| {
        json!({
            "file": file,
            "line": problem.line,
            "severity": severity(problem),
            "code": problem.kind.code(),
            "message": problem.message,
        })
    });
    items.collect()
}

/// An error costs a command, a warning a part of one, a remark nothing.
fn severity(problem: &Problem) -> &'static str {
    match problem.kind {
        kind if kind.loses_command() => "error",
        kind if kind.is_remark() => "remark",
        _ => "warning",
    }
}
