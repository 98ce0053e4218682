//! `cargo xtask docs`: the tool reference of each server, written from what it really offers.

mod reference;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::args::Args;
use crate::workspace::{Profile, SERVERS, Server, Workspace};
use crate::{Result, files, run};

const BEGIN: &str = "<!-- generated:tools -->";
const END: &str = "<!-- /generated:tools -->";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    workspace.build_servers(Profile::Debug)?;
    if args.has("--check") {
        return check(workspace);
    }
    for page in pages(workspace)? {
        let name = page.name();
        if page.now == page.wanted {
            println!("{name} is up to date");
        } else {
            files::write(&page.path, &page.wanted)?;
            println!("{name} written");
        }
    }
    Ok(())
}

/// Compares the pages with the executables in the debug directory, which must have been built.
pub(crate) fn check(workspace: &Workspace) -> Result {
    let stale: Vec<String> =
        pages(workspace)?.iter().filter(|page| page.now != page.wanted).map(Page::name).collect();
    if stale.is_empty() {
        println!("{} pages are up to date", SERVERS.len());
        return Ok(());
    }
    Err(format!("stale: {}\nto bring them up to date: cargo xtask docs", stale.join(", ")).into())
}

struct Page {
    path: PathBuf,
    now: String,
    wanted: String,
}

impl Page {
    fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or_default();
        format!("docs/{}", file.to_string_lossy())
    }
}

fn pages(workspace: &Workspace) -> Result<Vec<Page>> {
    SERVERS.iter().map(|server| page(workspace, server)).collect()
}

fn page(workspace: &Workspace, server: &Server) -> Result<Page> {
    let path = workspace.root.join("docs").join(format!("{}.md", server.name));
    let now = files::read_text(&path)?;
    let executable = workspace.executable(Profile::Debug, server.package);
    let offered = run::quietly(
        Command::new(&executable).args(["tools", "--json"]).current_dir(&workspace.root),
    )?;
    let offered: Value = serde_json::from_str(&offered).map_err(|error| {
        format!("`{} tools --json` printed no valid JSON: {error}", server.package)
    })?;
    let wanted = splice(&now, &reference::render(&offered))
        .ok_or_else(|| format!("{} has no `{BEGIN}` … `{END}` block", path.display()))?;
    Ok(Page { path, now, wanted })
}

/// Replaces what stands between the markers; everything else is hand-written and stays.
fn splice(page: &str, generated: &str) -> Option<String> {
    let (above, rest) = page.split_once(BEGIN)?;
    let (_, below) = rest.split_once(END)?;
    Some(format!("{above}{BEGIN}\n\n{generated}\n{END}{below}"))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, splice};

    #[test]
    fn splicing_keeps_the_hand_written_parts_and_settles() {
        let page = format!("# Title\n\nIntro.\n\n{BEGIN}\nold\n{END}\n\nMore.\n");
        let once = splice(&page, "new\n").unwrap();
        assert_eq!(once, format!("# Title\n\nIntro.\n\n{BEGIN}\n\nnew\n\n{END}\n\nMore.\n"));
        assert_eq!(splice(&once, "new\n").unwrap(), once);
    }

    #[test]
    fn a_page_without_both_markers_is_refused() {
        assert_eq!(splice("no markers", "new"), None);
        assert_eq!(splice(BEGIN, "new"), None);
    }
}
