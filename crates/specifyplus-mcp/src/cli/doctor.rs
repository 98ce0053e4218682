//! What `doctor` says about the command files.

use mcp_core::cli::Finding;
use mcp_core::settings::Settings;

use super::counted;
use super::flags::{BUILTIN, WITH_TOOLS};
use super::folder;
use crate::domain::Kind;

pub(crate) fn doctor(settings: &Settings) -> Vec<Finding> {
    let library = folder::library(settings);
    let snapshot = library.refresh_quietly();
    let mut findings = Vec::new();
    let opened: Vec<_> = library.folders().iter().map(|it| (it, it.open())).collect();
    // That there is none at all is said by whoever tried to build the server.
    let some = opened.iter().any(|(_, opened)| opened.is_ok()) || settings.flag(BUILTIN);
    for (folder, opened) in &opened {
        match opened {
            Ok(_) => {
                let what = format!("command directory {}", folder.path.display());
                findings.push(Finding::fine(what));
            }
            Err(error) if some => {
                let fix = "Create it when it is wanted, or leave it out of --commands-dir.";
                findings.push(Finding::remark(folder::unopened(folder, error), fix));
            }
            Err(_) => {}
        }
    }
    match snapshot.catalog.commands().count() {
        0 if !some => {}
        0 => findings.push(Finding::remark(
            "there are no commands",
            "Add .md files, or run `specifyplus-mcp init`.",
        )),
        count => findings.push(Finding::fine(counted(count, "command"))),
    }
    let in_files =
        snapshot.problems.iter().filter(|located| located.problem.kind != Kind::NoDirectory);
    let lost = in_files.clone().filter(|it| it.problem.kind.loses_command()).count();
    let tolerated = in_files.count() - lost;
    if lost > 0 {
        let what = format!("{} skipped", counted(lost, "command file"));
        findings.push(Finding::problem(what, "`specifyplus-mcp lint` names each with its line."));
    }
    if tolerated > 0 {
        let what = format!("{} put up with", counted(tolerated, "problem"));
        findings.push(Finding::remark(what, "`specifyplus-mcp lint` names each with its line."));
    }
    if !settings.flag(WITH_TOOLS) {
        findings.push(Finding::remark(
            "clients get prompts only",
            "For a client without prompts (Codex, Copilot), or for Claude Code, which passes on one word, start with --with-tools.",
        ));
    }
    findings
}
