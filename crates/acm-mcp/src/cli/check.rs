//! `check`: the health of a project in the shell, for people, programs and build servers.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches};
use mcp_core::cli::{Command, print};
use mcp_core::failure::Failure;
use mcp_core::findings::{Findings, Found};
use mcp_core::settings::Settings;
use serde_json::{Value, json};

use crate::domain::check::health::{self, Health};
use crate::error::Error;
use crate::store::project::Project;
use crate::store::surroundings::Surroundings;

pub(crate) const COMMAND: Command = Command { describe, run };

fn describe() -> clap::Command {
    clap::Command::new("check")
        .about("Check the structure and health of a project")
        .after_help("The exit code is 0 when every check passes and 1 when one does not.")
        .arg(Arg::new("project").value_name("DIR").help("The project [default: --root]"))
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(["text", "json", "github"]))
                .default_value("text")
                .help("How to print what was found"),
        )
}

fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let surroundings = Surroundings::from_settings(settings);
    let given = matches.get_one::<String>("project").map(String::as_str);
    let format = matches.get_one::<String>("format").map(String::as_str).unwrap_or_default();
    let (report, is_healthy) = report(&surroundings, given, format)?;
    print(&report);
    Ok(if is_healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is printed, and whether every check passed.
pub(crate) fn report(
    surroundings: &Surroundings,
    given: Option<&str>,
    format: &str,
) -> Result<(String, bool), Error> {
    let project = Project::new(surroundings.project(given)?);
    let health = project.health();
    let report = match format {
        "json" => format!("{:#}", as_json(&project.path(), &health)),
        "github" => findings(&health).github().trim_end().to_owned(),
        _ => health::render(&project.path(), &health),
    };
    Ok((report, health.is_healthy()))
}

fn as_json(project: &str, health: &Health) -> Value {
    let groups = health.groups.iter().map(|group| {
        let checks = group.checks.iter();
        let checks = checks.map(|it| json!({ "file": it.file, "ok": it.ok, "note": it.note }));
        json!({
            "name": group.name,
            "passed": group.passed(),
            "total": group.checks.len(),
            "checks": checks.collect::<Value>(),
        })
    });
    json!({
        "project_path": project,
        "acm_project": health.is_ours,
        "healthy": health.is_healthy(),
        "passed": health.passed(),
        "total": health.total(),
        "groups": groups.collect::<Value>(),
    })
}

/// What failed, once for each file that is missing and once for each other fault.
fn findings(health: &Health) -> Findings {
    let mut found: Vec<Found> = Vec::new();
    for group in &health.groups {
        for check in group.checks.iter().filter(|it| !it.ok && !it.is_repeated()) {
            found.push(Found {
                rule: group.name.to_lowercase().replace(' ', "_"),
                fails: true,
                message: format!("{}: {}", check.file, check.note.as_deref().unwrap_or("missing")),
                path: check.file.trim_end_matches('/').to_owned(),
                line: 1,
            });
        }
    }
    Findings { tool: "acm", version: env!("CARGO_PKG_VERSION"), found }
}
