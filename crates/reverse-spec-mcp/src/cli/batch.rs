//! `batch` in the shell, and what it would do.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{note, print};
use mcp_core::failure::Failure;

use super::progress::Bar;
use super::{FOUND, directory_argument, json_flag, may_write, project, written};
use crate::store::batch::{Batch, BatchResult, Plan, Wishes};
use crate::tools::Setting;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("batch")
        .about("Write the specifications of every module of a project")
        .after_help("The exit code is 0 when all is well, 1 when a module failed, 2 when nothing could be done.")
        .arg(directory_argument())
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Write unchanged modules too"),
        )
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Only list the modules in order, with an estimate of the tokens"),
        )
        .arg(json_flag())
}

pub(crate) fn run(setting: &Setting, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let plans = matches.get_flag("dry-run");
    if !plans {
        may_write(setting, "specifications are")?;
    }
    let target = project(setting, matches)?;
    let bar = Bar::new("files parsed");
    let batch = Batch::read(target, plans || setting.reads_texts(), &bar.work())?;
    drop(bar);
    let json = matches.get_flag("json");
    if plans {
        show_plan(&batch.plan(setting.words, setting.token_budget)?, json);
        return Ok(ExitCode::SUCCESS);
    }
    let wishes = Wishes { force: matches.get_flag("force"), out_of_time: &|| false };
    let bar = Bar::new("modules written");
    let result = written(setting, |style| batch.run(style, wishes, &bar.work()))?;
    drop(bar);
    if json {
        print(&serde_json::to_string(&result).unwrap_or_default());
    } else {
        show(&result);
    }
    Ok(if result.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

fn show(result: &BatchResult) {
    for warning in &result.warnings {
        note(warning);
    }
    for path in &result.successful {
        print(&format!("written  {path}"));
    }
    for failed in &result.failed {
        print(&format!("failed   {}: {}", failed.path, failed.error.replace('\n', " ")));
    }
    print(&format!(
        "{}: {} written, {} unchanged, {} failed; {}",
        modules(result.total_modules),
        result.successful.len(),
        result.skipped.len(),
        result.failed.len(),
        result.summary_log_path
    ));
}

fn show_plan(plan: &Plan, json: bool) {
    if json {
        print(&serde_json::to_string(plan).unwrap_or_default());
        return;
    }
    for module in &plan.modules {
        let state = if module.unchanged { "unchanged" } else { "to write" };
        print(&format!(
            "{:>3}  {state:<9}  {:>5} files  {:>9} tokens  {}",
            module.level, module.files, module.estimated_tokens, module.path
        ));
    }
    print(&format!(
        "{}, {} to write: about {} tokens for a model to read, {} with --force",
        modules(plan.modules.len()),
        plan.modules.iter().filter(|it| !it.unchanged).count(),
        plan.estimated_tokens_to_write,
        plan.estimated_tokens
    ));
}

fn modules(count: usize) -> String {
    if count == 1 { "1 module".to_owned() } else { format!("{count} modules") }
}
