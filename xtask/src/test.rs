//! `cargo xtask test`: every check in order, cheapest first, stopping at the first failure.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::args::Args;
use crate::workspace::{Profile, Workspace};
use crate::{AlreadyReported, Result, docs, nearest, run};

enum Outcome {
    Passed,
    Skipped(&'static str),
}

struct Stage {
    name: &'static str,
    /// The stage drives executables that the build stage makes.
    needs_build: bool,
    run: fn(&Workspace) -> Result<Outcome>,
}

const STAGES: &[Stage] = &[
    Stage { name: "fmt", needs_build: false, run: fmt },
    Stage { name: "clippy", needs_build: false, run: clippy },
    Stage { name: BUILD, needs_build: false, run: build },
    Stage { name: "test", needs_build: true, run: test },
    Stage { name: "docs", needs_build: true, run: docs_are_current },
    Stage { name: "deny", needs_build: false, run: deny },
];

const BUILD: &str = "build";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let mut rows = Vec::new();
    let mut failure = None;
    for stage in chosen(&args.values("--only"))? {
        println!("\n== {} ==", stage.name);
        let started = Instant::now();
        let outcome = (stage.run)(workspace);
        let (word, stop) = match outcome {
            Ok(Outcome::Passed) => ("passed".to_owned(), false),
            Ok(Outcome::Skipped(why)) => (format!("skipped: {why}"), false),
            Err(error) => {
                failure = Some((stage.name, error));
                ("failed".to_owned(), true)
            }
        };
        rows.push(Row { stage: stage.name, took: started.elapsed(), word });
        if stop {
            break;
        }
    }
    println!("\n{}", table(&rows));
    if let Some((stage, error)) = &failure {
        println!("\n{error}\nto run only this stage: cargo xtask test --only {stage}\n");
    }
    println!("{}", tally(&rows));
    if failure.is_some() { Err(AlreadyReported.into()) } else { Ok(()) }
}

/// The stages asked for, in their order, with the build in front of those that need it.
fn chosen(only: &[&str]) -> Result<Vec<&'static Stage>> {
    let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(name)) {
        return Err(nearest::unknown("stage", unknown, &names).into());
    }
    let asked = |stage: &Stage| only.is_empty() || only.contains(&stage.name);
    let build_is_needed = STAGES.iter().any(|stage| asked(stage) && stage.needs_build);
    Ok(STAGES
        .iter()
        .filter(|stage| asked(stage) || (stage.name == BUILD && build_is_needed))
        .collect())
}

struct Row {
    stage: &'static str,
    took: Duration,
    word: String,
}

fn table(rows: &[Row]) -> String {
    let lines = rows.iter().map(|row| {
        let Row { stage, took, word } = row;
        format!("{stage:<8} {:>9}  {word}", run::seconds(*took))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn tally(rows: &[Row]) -> String {
    let count = |word: &str| rows.iter().filter(|row| row.word == word).count();
    format!("{} passed, {} failed", count("passed"), count("failed"))
}

fn fmt(workspace: &Workspace) -> Result<Outcome> {
    cargo(workspace, &["fmt", "--all", "--check"])
}

fn clippy(workspace: &Workspace) -> Result<Outcome> {
    cargo(
        workspace,
        &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
    )
}

fn build(workspace: &Workspace) -> Result<Outcome> {
    cargo(workspace, &["build", "--workspace", "--bins", "--examples", "--locked"])
}

/// How many tests run at once.
const TEST_THREADS: &str = "RUST_TEST_THREADS";

/// The wire tests, among them the conformance suite and the real clients, are ordinary tests; they
/// only have to be told where the executables are.
fn test(workspace: &Workspace) -> Result<Outcome> {
    let mut command = workspace.cargo();
    command.args(["test", "--workspace", "--locked"]);
    command.env("PLUMBLINE_BIN_DIR", workspace.profile_dir(Profile::Debug));
    if std::env::var_os(TEST_THREADS).is_none() {
        // Many tests wait, for a process or for each other, and leave a core idle meanwhile.
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        command.env(TEST_THREADS, (2 * cores).to_string());
    }
    run::visibly(&mut command)?;
    Ok(Outcome::Passed)
}

fn docs_are_current(workspace: &Workspace) -> Result<Outcome> {
    docs::check(workspace)?;
    Ok(Outcome::Passed)
}

fn deny(workspace: &Workspace) -> Result<Outcome> {
    if !succeeds(workspace.cargo().args(["deny", "--version"])) {
        println!("notice: cargo-deny is not installed (cargo install cargo-deny --locked)");
        return Ok(Outcome::Skipped("cargo-deny is not installed"));
    }
    run::visibly(workspace.cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    advisories(workspace);
    Ok(Outcome::Passed)
}

/// Advisories older than this say too little of today.
const STALE_AFTER: Duration = Duration::from_hours(24 * 30);

/// An advisory published overnight must not stop unrelated work, so this part only informs; how old
/// its data is it says in any case.
fn advisories(workspace: &Workspace) {
    let fetched = succeeds(workspace.cargo().args(["deny", "fetch", "db"]));
    let Some(age) = age_of_advisories() else {
        println!("notice: advisories not checked: their database was never fetched");
        return;
    };
    let days = age.as_secs() / (24 * 60 * 60);
    let stale = if age > STALE_AFTER { ", too old to rely on" } else { "" };
    if fetched {
        println!("the advisories were fetched just now");
    } else {
        println!(
            "notice: the advisories are {days} days old{stale}: their database cannot be reached"
        );
    }
    let mut check = workspace.cargo();
    check.args(["deny", "check", "--disable-fetch", "advisories"]);
    if let Err(error) = run::visibly(&mut check) {
        println!("notice: {error}; see the advisories above");
    }
}

/// How long ago cargo-deny last fetched its database.
fn age_of_advisories() -> Option<Duration> {
    let databases = crate::dist::cargo_home()?.join("advisory-dbs");
    let ages = std::fs::read_dir(databases).ok()?.filter_map(|entry| {
        let git = entry.ok()?.path().join(".git");
        let fetched = ["FETCH_HEAD", "HEAD"].iter().find_map(|it| git.join(it).metadata().ok())?;
        fetched.modified().ok()?.elapsed().ok()
    });
    ages.min()
}

fn cargo(workspace: &Workspace, args: &[&str]) -> Result<Outcome> {
    run::visibly(workspace.cargo().args(args))?;
    Ok(Outcome::Passed)
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Row, chosen, table, tally};

    fn names(only: &[&str]) -> Vec<&'static str> {
        chosen(only).unwrap().iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn all_stages_run_cheapest_first() {
        assert_eq!(names(&[]), ["fmt", "clippy", "build", "test", "docs", "deny"]);
    }

    #[test]
    fn a_single_stage_brings_the_build_it_needs() {
        assert_eq!(names(&["docs"]), ["build", "docs"]);
        assert_eq!(names(&["deny", "fmt"]), ["fmt", "deny"]);
    }

    #[test]
    fn an_unknown_stage_is_refused_with_the_list() {
        let Err(error) = chosen(&["clipy"]) else { panic!("an unknown stage was accepted") };
        assert!(error.to_string().contains("did you mean `clippy`?"));
    }

    #[test]
    fn the_summary_counts_a_skipped_stage_as_neither() {
        let row = |stage, word: &str| Row {
            stage,
            took: Duration::from_millis(1500),
            word: word.to_owned(),
        };
        let rows = [row("fmt", "passed"), row("deny", "skipped: not there"), row("test", "failed")];
        assert_eq!(tally(&rows), "1 passed, 1 failed");
        assert_eq!(table(&rows[..1]), "fmt          1.5 s  passed");
    }
}
