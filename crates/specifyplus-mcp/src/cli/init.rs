//! `init`: lays down the commands that come with the server, and never touches a file that differs.

use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use mcp_core::cli::print;
use mcp_core::doors;
use mcp_core::failure::Failure;
use mcp_core::sandbox::{Change, Journal, RelPath, Root, State};
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use super::folder;
use crate::domain::builtin;

/// What its journals are kept under.
const SERVER: &str = "specifyplus";

pub(super) fn describe() -> Command {
    Command::new("init")
        .about("Lay down the 13 commands in the command directory")
        .after_help(
            "A file that exists is never changed. To get the built-in text of one back, delete it \
             and run this again.",
        )
        .arg(
            Arg::new("diff")
                .long("diff")
                .action(ArgAction::SetTrue)
                .help("Write nothing; show what is missing and how the files differ"),
        )
}

pub(super) fn run(settings: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let folders = folder::folders(settings);
    let Some(target) = folders.first() else {
        return Err(Failure::new("usage", "there is no directory to write to"));
    };
    let only_show = matches.get_flag("diff");
    let root = if only_show { target.open().ok() } else { Some(open_or_create(&target.path)?) };
    let report = lay_down(root.as_ref(), &target.label, only_show, &settings.state())?;
    print(&report);
    Ok(ExitCode::SUCCESS)
}

/// Writes what is missing, all of it or nothing: what a kill interrupts is settled by the next run.
/// One line per file, with the differences where they are asked for.
pub(crate) fn lay_down(
    root: Option<&Root>,
    label: &str,
    only_show: bool,
    state: &State,
) -> Result<String, Failure> {
    let Some(root) = root.filter(|_| !only_show) else {
        return Ok(compare(root, label, only_show)?.0);
    };
    let journal = Journal::of(state, SERVER, root);
    let commit = journal.lock(root, &Work::endless())?;
    let (report, missing) = compare(Some(root), label, only_show)?;
    commit.apply(&missing)?;
    Ok(report)
}

/// The report, and what is to be created.
fn compare(
    root: Option<&Root>,
    label: &str,
    only_show: bool,
) -> Result<(String, Vec<Change>), Failure> {
    let (mut report, mut missing) = (Vec::new(), Vec::new());
    for (name, text) in builtin::FILES {
        let path = RelPath::parse(&format!("{name}.md"))?;
        let shown = format!("{label}/{path}");
        let taken = match root {
            Some(root) if root.has_entry(&path)? => Some(root),
            _ => None,
        };
        report.push(match (taken, root) {
            (Some(root), _) => match root.read_text(&path) {
                Ok(present) if present == *text => format!("same     {shown}"),
                Ok(present) if only_show => difference(&present, text, &shown),
                _ => format!("kept     {shown} (differs; --diff shows how)"),
            },
            (None, Some(_)) if !only_show => {
                missing.push(Change::Create { path, bytes: text.as_bytes().to_vec() });
                format!("created  {shown}")
            }
            (None, _) => format!("missing  {shown} (init creates it)"),
        });
    }
    Ok((report.join("\n"), missing))
}

fn difference(present: &str, builtin: &str, path: &str) -> String {
    let diff = similar::TextDiff::from_lines(present, builtin);
    let unified = diff.unified_diff().header(path, "built in").to_string();
    format!("differs  {path} (init leaves it as it is)\n{}", unified.trim_end())
}

/// Opens the directory, made with what is missing above it.
fn open_or_create(path: &Path) -> Result<Root, Failure> {
    if let Ok(root) = doors::named_by_person(path) {
        return Ok(root);
    }
    for above in path.ancestors().skip(1) {
        let Ok(root) = doors::named_by_person(above) else { continue };
        let below = path.strip_prefix(above).unwrap_or(path);
        let below = RelPath::parse(&below.to_string_lossy())?;
        root.create_dir_all(&below)?;
        return Ok(root.below(&below)?);
    }
    Err(Failure::new("not_found", format!("{} lies in no directory that exists", path.display())))
}
