//! What `doctor` says about the command files.

use mcp_core::cli::Finding;
use mcp_core::settings::Settings;

use super::counted;
use super::flags::{BUILTIN, WITH_TOOLS};
use super::folder;
use crate::domain::Kind;
use crate::store::library::{Located, Snapshot};
use crate::store::project::Project;

/// Files beyond these are counted, not listed.
const LISTED: usize = 10;

pub(crate) fn doctor(settings: &Settings) -> Vec<Finding> {
    let library = folder::library(settings);
    let snapshot = library.refresh_quietly();
    let mut findings = Vec::new();
    let opened: Vec<_> = library.folders().iter().map(|it| (it, it.open())).collect();
    // That there is none at all is said by whoever tried to build the server.
    let elsewhere = library.projects().iter().any(Project::has_folder);
    let some =
        opened.iter().any(|(_, opened)| opened.is_ok()) || elsewhere || settings.flag(BUILTIN);
    for (folder, opened) in &opened {
        match opened {
            Ok(_) => {
                let what = format!("command directory {}", folder.path.display());
                findings.push(Finding::fine(what));
            }
            // Where the folders of all agents are served, none of them has to be there.
            Err(_) if elsewhere => {}
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
    let in_files = snapshot.faults().filter(|located| located.problem.kind != Kind::NoDirectory);
    let (lost, tolerated): (Vec<&Located>, Vec<&Located>) =
        in_files.partition(|it| it.problem.kind.loses_command());
    let (lost, tolerated) = (lost.len(), tolerated.len());
    if lost > 0 {
        let what = format!("{} skipped", counted(lost, "command file"));
        findings.push(Finding::problem(what, "`specifyplus-mcp lint` names each with its line."));
    }
    if tolerated > 0 {
        let what = format!("{} put up with", counted(tolerated, "problem"));
        findings.push(Finding::remark(what, "`specifyplus-mcp lint` names each with its line."));
    }
    passed_over(&snapshot, &mut findings);
    if !settings.flag(WITH_TOOLS) {
        findings.push(Finding::remark(
            "clients get prompts only",
            "For a client without prompts (Codex, Copilot), or for Claude Code, which passes on one word, start with --with-tools.",
        ));
    }
    findings
}

/// What is not served because another file has the command.
fn passed_over(snapshot: &Snapshot, findings: &mut Vec<Finding>) {
    let mut passed = snapshot.problems.iter().filter(|it| it.problem.kind == Kind::PassedOver);
    for Located { file, problem } in passed.by_ref().take(LISTED) {
        let what = format!("{file}: {}", problem.message);
        findings.push(Finding::remark(what, "Delete one of the two, unless both are wanted."));
    }
    let more = passed.count();
    if more > 0 {
        let what = format!("{} passed over besides", counted(more, "file"));
        findings.push(Finding::remark(what, "`specifyplus-mcp lint` names each."));
    }
}
