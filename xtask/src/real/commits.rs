//! `cargo xtask real reverse-spec --repos DIR`: the last commits of real applications, each compared
//! with the one before it, and what is told as grave listed to be read.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::workspace::{Profile, Workspace};
use crate::{Result, run};

/// Commits of each repository that are looked at.
const COMMITS: usize = 20;
/// More than a person reads.
const MAX_SHOWN: usize = 50;

pub(super) fn run(workspace: &Workspace, repositories: &Path) -> Result {
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--bins", "--package", "reverse-spec-mcp"]);
    run::visibly(&mut build)?;
    let server = workspace.executable(Profile::Debug, "reverse-spec-mcp");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut entries: Vec<_> = std::fs::read_dir(repositories)?.collect::<std::io::Result<_>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut wrong = 0;
    for entry in entries {
        let path = entry.path();
        if !path.join(".git").exists() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let commits = commits(&path)?;
        let (mut high, mut breaking) = (Vec::new(), 0);
        for commit in &commits {
            // A state differs from itself in nothing.
            let same = compare(&server, &path, commit, commit)?;
            if !same.is_empty() {
                wrong += 1;
                println!("{name} {commit}: differs from itself\n{}", same.join("\n"));
            }
            let told = compare(&server, &path, &format!("{commit}~1"), commit)?;
            breaking += usize::from(!told.is_empty());
            let short = commit.get(..9).unwrap_or(commit);
            high.extend(told.into_iter().map(|it| format!("{short} {it}")));
        }
        println!(
            "{name}: {} commits, {breaking} with something grave, {} of it in all",
            commits.len(),
            high.len()
        );
        found.insert(name, high);
    }
    if found.is_empty() {
        return Err(format!("{} holds no clone", repositories.display()).into());
    }
    println!("\nTo be read and judged:");
    // Some of each, so that none stands for all.
    let each = (MAX_SHOWN / found.len()).max(1);
    for (name, high) in &found {
        for line in high.iter().take(each) {
            println!("  {name} {line}");
        }
    }
    if wrong > 0 {
        return Err(format!("{wrong} commits differ from themselves").into());
    }
    Ok(())
}

/// The newest commits that have one parent, the newest first.
fn commits(repository: &Path) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    let count = format!("--max-count={COMMITS}");
    git.args(["log", "--no-merges", "--min-parents=1", &count, "--format=%H"]);
    let said = run::quietly(git.current_dir(repository))?;
    Ok(said.lines().map(str::to_owned).collect())
}

/// The lines of a comparison that are grave.
fn compare(server: &Path, repository: &Path, from: &str, to: &str) -> Result<Vec<String>> {
    let mut command = Command::new(server);
    command.args(["diff", "--between", from, to, "--fail-on", "never"]);
    let said = run::quietly(command.current_dir(repository).env("REVERSE_SPEC_LLM", "off"))?;
    let high = said.lines().filter_map(|it| it.trim_start().strip_prefix("HIGH"));
    Ok(high.map(|it| it.trim_start().to_owned()).collect())
}
