//! The golden path in the shell: start, answer, status, reset; and what keeps to it: check, hook,
//! regenerate, lint.

mod guard;
mod prompt;
mod shell;
#[cfg(test)]
mod tests;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{Command, Finding, note, on_interrupt, print};
use mcp_core::failure::Failure;
use mcp_core::settings::Settings;
use serde_json::{Map, Value, json};

use crate::domain::lint::Remark;
use crate::error::{self, Error};
use crate::store::lint;
use crate::store::model::Setting;
use crate::store::service::Service;
use prompt::Talk;
use shell::{Progress, Shell};

pub(crate) const COMMANDS: &[Command] = &[
    Command { describe: describe_start, run: |settings, matches| run(settings, matches, start) },
    Command { describe: describe_answer, run: |settings, matches| run(settings, matches, answer) },
    Command { describe: describe_status, run: |settings, matches| run(settings, matches, status) },
    Command { describe: describe_reset, run: |settings, matches| run(settings, matches, reset) },
    Command {
        describe: guard::describe_check,
        run: |settings, matches| run(settings, matches, guard::check),
    },
    Command {
        describe: guard::describe_hook,
        run: |settings, matches| run(settings, matches, guard::hook),
    },
    Command {
        describe: guard::describe_regenerate,
        run: |settings, matches| run(settings, matches, guard::regenerate),
    },
    Command { describe: describe_lint, run: |settings, matches| run(settings, matches, check) },
];

fn json_flag() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON and ask nothing")
}

fn describe_start() -> clap::Command {
    clap::Command::new("start")
        .about("Clarify a request: asks on a terminal, prints the questions elsewhere")
        .arg(
            Arg::new("intention")
                .value_name("REQUEST")
                .required(true)
                .num_args(1..)
                .help("What is wanted, in plain words, with or without quotes"),
        )
        .arg(
            Arg::new("context")
                .long("context")
                .value_name("TEXT")
                .help("What else is known about it"),
        )
        .arg(
            Arg::new("force-adr")
                .long("force-adr")
                .action(ArgAction::SetTrue)
                .help("Write a decision record in any case"),
        )
        .arg(json_flag())
}

fn describe_answer() -> clap::Command {
    clap::Command::new("answer")
        .about("Answer the questions of the clarification in progress")
        .after_help("Several choices are joined by commas. `decide later` leaves a question open, `Other: text` is a choice of your own, and `reason=…` says why.")
        .arg(Arg::new("answers").value_name("ID=VALUE").num_args(0..).help("Question id and answer, or answers alone in the order of the questions"))
        .arg(json_flag())
}

fn describe_status() -> clap::Command {
    clap::Command::new("status").about("Show the clarification in progress").arg(json_flag())
}

fn describe_reset() -> clap::Command {
    clap::Command::new("reset").about("Forget the clarification in progress").arg(json_flag())
}

fn describe_lint() -> clap::Command {
    clap::Command::new("lint")
        .about("Check decision records, links, projection and task; fails when something is wrong")
        .arg(json_flag())
}

type Run = fn(&Shell, &ArgMatches) -> Result<ExitCode, Error>;

fn run(settings: &Settings, matches: &ArgMatches, command: Run) -> Result<ExitCode, Failure> {
    let outcome =
        Shell::open(Service::from_settings(settings)).and_then(|shell| command(&shell, matches));
    match outcome {
        Ok(code) => Ok(code),
        Err(error) if matches.get_flag("json") => {
            print(&format!("{:#}", error::envelope(&error.into())));
            Ok(ExitCode::FAILURE)
        }
        Err(error) => Err(error.into()),
    }
}

fn start(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let words = matches.get_many::<String>("intention").into_iter().flatten();
    let intention = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let progress = shell.start(&intention, text("context"), matches.get_flag("force-adr"))?;
    carry_on(shell, matches, progress)
}

fn answer(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    let given = matches.get_many::<String>("answers").into_iter().flatten();
    let mut answers = Map::new();
    let open = shell.open_ids()?;
    for (index, one) in given.enumerate() {
        // A number or a text alone answers the questions in their order.
        let alone =
            open.get(index).filter(|_| !one.contains('=')).map(|id| (id.as_str(), one.as_str()));
        let Some((key, value)) = one.split_once('=').or(alone) else {
            let message = format!("`{one}` is not of the form id=value");
            return Err(Error::refused(
                message,
                "Write for example auth_strategy=OAuth, or a number for each open question in its order.",
            ));
        };
        let list = value.trim_start().starts_with('[').then(|| serde_json::from_str(value).ok());
        let value = list.flatten().unwrap_or_else(|| Value::from(value));
        answers.insert(key.trim().to_owned(), value);
    }
    let progress = shell.answer(&answers)?;
    carry_on(shell, matches, progress)
}

const KEPT: &str = "The clarification is kept: go on with `preflights-mcp answer`, or forget it with `preflights-mcp reset`.";

/// Asks on a terminal until nothing is open; elsewhere shows where things stand.
fn carry_on(
    shell: &Shell,
    matches: &ArgMatches,
    mut progress: Progress,
) -> Result<ExitCode, Error> {
    let interactive = !matches.get_flag("json")
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal();
    if interactive && progress.questions().is_some() {
        on_interrupt(KEPT);
    }
    while interactive && let Some(questions) = progress.questions() {
        print(&progress.known());
        let before = progress.answered();
        match prompt::ask(questions, before, &mut std::io::stdin().lock(), &print) {
            Talk::Answers(answers) => progress = shell.answer(&answers)?,
            Talk::Quit(answers) => {
                shell.answer(&answers)?;
                print(KEPT);
                return Ok(ExitCode::SUCCESS);
            }
            Talk::Ended => {
                print(KEPT);
                break;
            }
        }
    }
    if matches.get_flag("json") {
        print(&format!("{:#}", progress.json()));
    } else {
        print(&progress.lines());
    }
    Ok(ExitCode::SUCCESS)
}

fn status(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    match shell.status()? {
        Some(progress) if matches.get_flag("json") => print(&format!("{:#}", progress.json())),
        Some(progress) => print(&progress.lines()),
        None if matches.get_flag("json") => print(&format!("{:#}", json!({ "status": "idle" }))),
        None => print("No clarification is in progress."),
    }
    Ok(ExitCode::SUCCESS)
}

fn reset(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    let had_one = shell.reset()?;
    if matches.get_flag("json") {
        print(&format!("{:#}", json!({ "status": "reset", "had_session": had_one })));
    } else {
        print(if had_one {
            "The clarification is forgotten."
        } else {
            "There was nothing to forget."
        });
    }
    Ok(ExitCode::SUCCESS)
}

fn check(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    let remarks = shell.lint()?;
    if matches.get_flag("json") {
        let remarks: Vec<Value> = remarks.iter().map(as_json).collect();
        print(&format!("{:#}", json!({ "findings": remarks })));
    } else if remarks.is_empty() {
        print("Nothing to remark.");
    } else {
        for remark in &remarks {
            print(&as_line(remark));
        }
    }
    let failed = remarks.iter().any(|it| it.is_error);
    if failed && !matches.get_flag("json") {
        note("There are errors to repair.");
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn as_json(remark: &Remark) -> Value {
    let severity = if remark.is_error { "error" } else { "warning" };
    let (path, line, message) = (&remark.path, remark.line, &remark.message);
    json!({ "severity": severity, "path": path, "line": line, "message": message })
}

fn as_line(remark: &Remark) -> String {
    let severity = if remark.is_error { "error" } else { "warning" };
    format!("{}:{}: {severity}: {}", remark.path, remark.line, remark.message)
}

/// What `doctor` finds out about the repository.
pub(crate) fn doctor(settings: &Settings) -> Vec<Finding> {
    let service = Service::from_settings(settings);
    let mut findings = vec![doctor_of_model(&service.model)];
    findings.extend(doctor_of_files(&service));
    findings
}

fn doctor_of_model(model: &Setting) -> Finding {
    match model {
        Setting::Off => Finding::fine("no language model is configured; none is needed"),
        Setting::Ready { client, .. } => {
            Finding::fine(format!("language model: {}", client.config().describe()))
        }
        Setting::Unusable(error) => {
            let hint = "Correct the variable, or set PREFLIGHTS_LLM_PROVIDER=mock to do without.";
            Finding::problem(format!("language model: {error}"), hint)
        }
    }
}

fn doctor_of_files(service: &Service) -> Vec<Finding> {
    let repository = match service.places.find(None) {
        Ok(repository) => repository,
        Err(error) => {
            return vec![Finding::remark(
                error.to_string(),
                "Start it in a git repository, or name one with --root.",
            )];
        }
    };
    match lint::lint(&repository.tree, service.clock.now()) {
        Ok(remarks) if remarks.is_empty() => {
            vec![Finding::fine("records, projection, task and questions are in order")]
        }
        Ok(remarks) => remarks
            .iter()
            .map(|it| {
                if it.is_error {
                    Finding::problem(as_line(it), "Repair the file, or restore it from git.")
                } else {
                    Finding::remark(as_line(it), "")
                }
            })
            .collect(),
        Err(error) => vec![Finding::problem(error.to_string(), "Check the permissions of docs/.")],
    }
}
