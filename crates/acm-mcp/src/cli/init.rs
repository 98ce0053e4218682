//! `init`: writes the embedded trees, or the companion skill, to disk. What somebody has changed
//! is never overwritten.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, ValueHint};
use mcp_core::cli::{Command, print};
use mcp_core::doors;
use mcp_core::failure::Failure;
use mcp_core::sandbox::{self, Change, Journal, RelPath, Root};
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::error::{self, Error};
use crate::store::embedded::{self, Files};
use crate::store::place::{PROCESS, Place, REGISTRY};
use crate::store::surroundings::Surroundings;

/// What its journals are kept under.
const SERVER: &str = "acm";

pub(crate) const COMMAND: Command = Command { describe, run };

/// Where the registry goes when one directory is named for everything.
const REGISTRY_DIRECTORY: &str = "capabilities-registry";

fn describe() -> clap::Command {
    clap::Command::new("init")
        .about("Write the process tree and the capabilities registry to disk, to be edited")
        .after_help(
            "Files that exist and differ are left as they are.\n\
             Without DIR the trees go where the server looks for them: ACM_ROOT and \
             ACM_REGISTRY_ROOT, else ~/code/_shared/acm and ~/code/_shared/capabilities-registry.\n\
             With DIR the process tree goes there and the registry to DIR/capabilities-registry.\n\
             With --skill alone only the skill is written.",
        )
        .arg(
            Arg::new("directory")
                .value_name("DIR")
                .value_hint(ValueHint::DirPath)
                .help("Where to write the process tree"),
        )
        .arg(
            Arg::new("skill")
                .long("skill")
                .value_name("DIR")
                .value_hint(ValueHint::DirPath)
                .help("Write the acm-workflow skill into this directory, such as .claude/skills"),
        )
}

fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let surroundings = Surroundings::from_settings(settings);
    let directory = matches.get_one::<String>("directory").map(String::as_str);
    let skill = matches.get_one::<String>("skill").map(String::as_str);
    print(&install(&surroundings, directory, skill)?);
    Ok(ExitCode::SUCCESS)
}

/// Writes what was asked for and tells what happened.
pub(crate) fn install(
    surroundings: &Surroundings,
    directory: Option<&str>,
    skill: Option<&str>,
) -> Result<String, Error> {
    let mut report = String::new();
    if directory.is_some() || skill.is_none() {
        report.push_str(&install_trees(surroundings, directory)?);
    }
    if let Some(skill) = skill {
        let target = absolute(surroundings, skill)?.join("acm-workflow");
        report.push_str(&lay("acm-workflow skill", &target, embedded::SKILL, surroundings)?.tell());
        report.push_str(&snippet(&target));
    }
    Ok(report)
}

fn install_trees(surroundings: &Surroundings, directory: Option<&str>) -> Result<String, Error> {
    let (process, registry) = match directory {
        Some(directory) => {
            let process = absolute(surroundings, directory)?;
            let registry = process.join(REGISTRY_DIRECTORY);
            (process, registry)
        }
        None => (surroundings.target(&PROCESS)?, surroundings.target(&REGISTRY)?),
    };
    let mut report = lay(PROCESS.what, &process, PROCESS.files, surroundings)?.tell();
    report.push_str(&lay(REGISTRY.what, &registry, REGISTRY.files, surroundings)?.tell());
    let elsewhere =
        |place: &Place, path: &Path| surroundings.target(place).map_or(true, |it| it != path);
    if elsewhere(&PROCESS, &process) || elsewhere(&REGISTRY, &registry) {
        let set = |place: &Place, path: &Path| format!("  {}={}\n", place.variable, path.display());
        report.push_str("\nTo use them, set in the environment of the server:\n");
        report.push_str(&set(&PROCESS, &process));
        report.push_str(&set(&REGISTRY, &registry));
    }
    Ok(report)
}

fn absolute(surroundings: &Surroundings, given: &str) -> Result<PathBuf, Error> {
    surroundings
        .resolve(given, &surroundings.working_directory)
        .map_err(|problem| not_written(Path::new(given), &problem))
}

struct Laid {
    what: &'static str,
    target: PathBuf,
    written: usize,
    unchanged: usize,
    kept: Vec<&'static str>,
}

impl Laid {
    fn tell(&self) -> String {
        let Self { what, target, written, unchanged, kept } = self;
        let target = target.display();
        let mut lines =
            vec![format!("{what}: {target} ({written} files written, {unchanged} already there)")];
        lines.extend(kept.iter().map(|path| format!("  kept as it is, it was changed: {path}")));
        lines.push(String::new());
        lines.join("\n")
    }
}

/// Writes what is missing, all of it or nothing: what a kill interrupts is settled by the next run.
fn lay(
    what: &'static str,
    target: &Path,
    files: Files,
    surroundings: &Surroundings,
) -> Result<Laid, Error> {
    let root = open_or_create(target)?;
    let failed = |error| not_written(target, &error::reason(&error));
    let journal = Journal::of(&surroundings.state, SERVER, &root);
    let commit = journal.lock(&root, &Work::endless()).map_err(failed)?;
    let told = |error: sandbox::Error| not_written(target, &error.to_string());
    let mut laid = Laid { what, target: target.to_owned(), written: 0, unchanged: 0, kept: vec![] };
    let mut missing = Vec::new();
    for (name, text) in files {
        let path = RelPath::parse(name).map_err(failed)?;
        if !root.has_entry(&path).map_err(told)? {
            missing.push(Change::Create { path, bytes: text.as_bytes().to_vec() });
        } else if root.read(&path).is_ok_and(|it| it == text.as_bytes()) {
            laid.unchanged += 1;
        } else {
            laid.kept.push(name);
        }
    }
    laid.written = missing.len();
    commit.apply(&missing).map_err(told)?;
    Ok(laid)
}

/// The sandbox only makes directories beneath an open one, so we start from what exists.
fn open_or_create(target: &Path) -> Result<Root, Error> {
    if let Ok(root) = doors::named_by_person(target) {
        return Ok(root);
    }
    for ancestor in target.ancestors().skip(1) {
        let Ok(root) = doors::named_by_person(ancestor) else { continue };
        let rest = target.strip_prefix(ancestor).ok().and_then(Path::to_str).unwrap_or_default();
        let failed = |error| not_written(target, &error::reason(&error));
        let rest = RelPath::parse(rest).map_err(failed)?;
        root.create_dir_all(&rest).map_err(failed)?;
        return root.below(&rest).map_err(failed);
    }
    Err(not_written(target, "no directory above it can be opened"))
}

fn not_written(path: &Path, problem: &str) -> Error {
    Error::Install {
        problem: format!("Cannot write to {}: {problem}.", path.display()),
        fix: "Name a directory you may write to.".to_owned(),
    }
}

/// What a project's CLAUDE.md says so that its agents know of the skill.
fn snippet(target: &Path) -> String {
    format!(
        "\nAdd this to the project's .claude/CLAUDE.md:\n\n\
         ## ACM Integration\n\n\
         This project uses ACM for project management.\n\
         See: {}\n",
        target.join("SKILL.md").display()
    )
}
