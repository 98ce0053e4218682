//! `init`: lays down the commands that come with the server, and never touches a file that differs.

use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use mcp_core::cli::{Settings, print};
use mcp_core::failure::Failure;
use mcp_core::sandbox::{RelPath, Root};

use super::folder;
use crate::builtin;

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
    let report = lay_down(root.as_ref(), &target.label, only_show)?;
    print(&report);
    Ok(ExitCode::SUCCESS)
}

/// One line per file, with the differences where they are asked for.
pub(crate) fn lay_down(
    root: Option<&Root>,
    label: &str,
    only_show: bool,
) -> Result<String, Failure> {
    let mut report = Vec::new();
    for (name, text) in builtin::FILES {
        let path = RelPath::parse(&format!("{name}.md"))?;
        let shown = format!("{label}/{path}");
        let taken = root.filter(|root| root.has_entry(&path));
        report.push(match (taken, root) {
            (Some(root), _) => match root.read_text(&path) {
                Ok(present) if present == *text => format!("same     {shown}"),
                Ok(present) if only_show => difference(&present, text, &shown),
                _ => format!("kept     {shown} (differs; --diff shows how)"),
            },
            (None, Some(root)) if !only_show => {
                root.create_new(&path, text.as_bytes())?;
                format!("created  {shown}")
            }
            (None, _) => format!("missing  {shown} (init creates it)"),
        });
    }
    Ok(report.join("\n"))
}

fn difference(present: &str, builtin: &str, path: &str) -> String {
    let diff = similar::TextDiff::from_lines(present, builtin);
    let unified = diff.unified_diff().header(path, "built in").to_string();
    format!("differs  {path} (init leaves it as it is)\n{}", unified.trim_end())
}

/// Opens the directory, made with what is missing above it.
fn open_or_create(path: &Path) -> Result<Root, Failure> {
    if let Ok(root) = Root::open(path) {
        return Ok(root);
    }
    for above in path.ancestors().skip(1) {
        let Ok(root) = Root::open(above) else { continue };
        let below = path.strip_prefix(above).unwrap_or(path);
        let below = RelPath::parse(&below.to_string_lossy())?;
        root.create_dir_all(&below)?;
        return Ok(root.below(&below)?);
    }
    Err(Failure::new("not_found", format!("{} lies in no directory that exists", path.display())))
}
