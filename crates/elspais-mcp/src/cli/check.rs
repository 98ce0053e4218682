//! `check`: for automatic checks, with an exit code.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{note, print};
use mcp_core::failure::Failure;
use mcp_core::findings::{Findings, Found};
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::domain::check::{Finding, Strictness, Verdict, check};
use crate::error::Error;
use crate::store::workspace::Workspace;

/// Notes that are shown one by one.
const MOST_NOTES: usize = 20;
/// The exit code where there is nothing to say anything about.
const NOTHING_CHECKED: u8 = 2;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("check")
        .about("Check requirements and what cites them")
        .after_help(
            "Broken references, hashes that do not fit their text, ids defined twice and cycles always fail.\n\
             The exit code is 0 when all is well, 1 when something fails, 2 when nothing could be checked.",
        )
        .arg(
            Arg::new("covered")
                .long("covered")
                .value_name("LEVELS")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("Fail when an assertion of these levels is not covered; `all` for every level"),
        )
        .arg(
            Arg::new("suspect")
                .long("suspect")
                .action(ArgAction::SetTrue)
                .help("Fail when a link is suspect"),
        )
        .arg(
            Arg::new("strict")
                .long("strict")
                .action(ArgAction::SetTrue)
                .help("Fail on odd places in files too"),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORM")
                .value_parser(["text", "json", "markdown", "github", "sarif", "junit"])
                .default_value("text")
                .help("How to print what was found"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Like --format json"))
}

#[expect(clippy::unnecessary_wraps, reason = "every command is run this way")]
pub(super) fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let levels: Vec<String> =
        matches.get_many::<String>("covered").into_iter().flatten().cloned().collect();
    let strictness = Strictness {
        covered: levels.iter().map(|it| it.trim().to_owned()).collect(),
        suspect: matches.get_flag("suspect"),
        remarks: matches.get_flag("strict"),
    };
    let workspace = super::workspace(settings);
    let verdict = match look(&workspace, &strictness) {
        Ok(verdict) if verdict.requirements == 0 => {
            note(
                "there is nothing to check: no requirement was found (`doctor` says where they are looked for)",
            );
            return Ok(ExitCode::from(NOTHING_CHECKED));
        }
        Ok(verdict) => verdict,
        Err(failure) => {
            note(&failure.text());
            return Ok(ExitCode::from(NOTHING_CHECKED));
        }
    };
    let format = matches.get_one::<String>("format").map_or("text", String::as_str);
    match if matches.get_flag("json") { "json" } else { format } {
        "json" => print(&serde_json::to_string_pretty(&verdict).unwrap_or_default()),
        "sarif" => {
            print(&serde_json::to_string_pretty(&findings(&verdict).sarif()).unwrap_or_default());
        }
        "junit" => print(&findings(&verdict).junit()),
        "github" => print(&findings(&verdict).github()),
        "markdown" => print(&findings(&verdict).markdown()),
        _ => show(&verdict),
    }
    Ok(if verdict.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn look(workspace: &Workspace, strictness: &Strictness) -> Result<Verdict, Failure> {
    let reviews = workspace.reviews()?;
    let verdict = workspace.read(&Work::endless(), |loaded| {
        let known = loaded.graph.config.levels.iter().map(|it| it.name.as_str());
        let known: Vec<&str> = known.chain(["all"]).collect();
        for level in &strictness.covered {
            if !known.iter().any(|it| it.eq_ignore_ascii_case(level)) {
                return Err(Error::refused(
                    format!("there is no level '{level}'"),
                    format!("Levels of this project: {}.", known.join(", ")),
                ));
            }
        }
        Ok(check(&loaded.graph, &reviews, strictness))
    })?;
    Ok(verdict.value)
}

/// For the forms that other programs read.
fn findings(verdict: &Verdict) -> Findings {
    let found = |fails: bool, it: &Finding| Found {
        rule: it.kind.to_owned(),
        fails,
        message: it.message.clone(),
        path: it.path.clone(),
        line: it.line,
    };
    let failures = verdict.failures.iter().map(|it| found(true, it));
    let notes = verdict.notes.iter().map(|it| found(false, it));
    Findings {
        tool: "elspais",
        version: env!("CARGO_PKG_VERSION"),
        found: failures.chain(notes).collect(),
    }
}

fn show(verdict: &Verdict) {
    let line = |word: &str, it: &Finding| {
        print(&format!("{}:{}: {word}: {} ({})", it.path, it.line, it.message, it.kind));
    };
    for finding in &verdict.failures {
        line("error", finding);
    }
    for finding in verdict.notes.iter().take(MOST_NOTES) {
        line("note", finding);
    }
    if let Some(more) = verdict.notes.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
        print(&format!("{more} more notes; --json has them all"));
    }
    for (level, sum) in &verdict.coverage {
        print(&format!(
            "{level}: {}, {} of {} covered",
            counted(sum.requirements, "requirement"),
            sum.covered,
            counted(sum.assertions, "assertion")
        ));
    }
    let all = counted(verdict.requirements, "requirement");
    print(&match verdict.failures.len() {
        0 => format!("{all}, nothing is wrong"),
        1 => format!("{all}, one thing is wrong"),
        count => format!("{all}, {count} things are wrong"),
    });
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
