//! `cargo xtask docs`: of each server the reference of its tools, a worked example and a picture of
//! it, made from what it really offers and answers.

mod picture;
mod reference;
mod specs;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::args::Args;
use crate::workspace::{Profile, SERVERS, Server, Workspace};
use crate::{Result, files, run, try_out};

const TOOLS: &str = "tools";
const EXAMPLE: &str = "example";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    if args.has("--site") {
        return site(workspace);
    }
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
    specs::write(workspace)
}

/// Compares the pages with the executables in the debug directory, which must have been built.
pub(crate) fn check(workspace: &Workspace) -> Result {
    let stale: Vec<String> =
        pages(workspace)?.iter().filter(|page| page.now != page.wanted).map(Page::name).collect();
    if stale.is_empty() {
        println!("{} pages and pictures are up to date", 2 * SERVERS.len());
        return specs::check(workspace);
    }
    Err(format!("stale: {}\nto bring them up to date: cargo xtask docs", stale.join(", ")).into())
}

/// The pages as a site, where mdBook is installed.
fn site(workspace: &Workspace) -> Result {
    let mut command = Command::new("mdbook");
    if run::quietly(command.arg("--version")).is_err() {
        return Err("mdBook is not installed; `cargo install mdbook` brings it".into());
    }
    run::visibly(Command::new("mdbook").arg("build").arg(workspace.root.join("docs")))
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

/// The page of each server, and its picture.
fn pages(workspace: &Workspace) -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for server in &SERVERS {
        let told = try_out::transcript(&workspace.profile_dir(Profile::Debug), server.name)?;
        pages.push(page(workspace, server, &told)?);
        let path = workspace.root.join("docs/pictures").join(format!("{}.svg", server.name));
        let now = files::read_text(&path).unwrap_or_default();
        pages.push(Page { path, now, wanted: picture::of(server.package, &told) });
    }
    Ok(pages)
}

fn page(workspace: &Workspace, server: &Server, told: &str) -> Result<Page> {
    let path = workspace.root.join("docs").join(format!("{}.md", server.name));
    let now = files::read_text(&path)?;
    let executable = workspace.executable(Profile::Debug, server.package);
    let offered = run::quietly(
        Command::new(&executable).args(["tools", "--json"]).current_dir(&workspace.root),
    )?;
    let offered: Value = serde_json::from_str(&offered).map_err(|error| {
        format!("`{} tools --json` printed no valid JSON: {error}", server.package)
    })?;
    let example = format!("````text\n{}\n````\n", told.trim_matches('\n'));
    let missing = |part: &str| format!("{} has no block `generated:{part}`", path.display());
    let wanted = splice(&now, TOOLS, &reference::render(&offered)).ok_or_else(|| missing(TOOLS))?;
    let wanted = splice(&wanted, EXAMPLE, &example).ok_or_else(|| missing(EXAMPLE))?;
    Ok(Page { path, now, wanted })
}

/// Replaces what stands between the markers; everything else is hand-written and stays.
fn splice(page: &str, part: &str, generated: &str) -> Option<String> {
    let (begin, end) =
        (format!("<!-- generated:{part} -->"), format!("<!-- /generated:{part} -->"));
    let (above, rest) = page.split_once(&begin)?;
    let (_, below) = rest.split_once(&end)?;
    Some(format!("{above}{begin}\n\n{generated}\n{end}{below}"))
}

#[cfg(test)]
mod tests {
    use super::{TOOLS, splice};

    const BEGIN: &str = "<!-- generated:tools -->";
    const END: &str = "<!-- /generated:tools -->";

    #[test]
    fn splicing_keeps_the_hand_written_parts_and_settles() {
        let page = format!("# Title\n\nIntro.\n\n{BEGIN}\nold\n{END}\n\nMore.\n");
        let once = splice(&page, TOOLS, "new\n").unwrap();
        assert_eq!(once, format!("# Title\n\nIntro.\n\n{BEGIN}\n\nnew\n\n{END}\n\nMore.\n"));
        assert_eq!(splice(&once, TOOLS, "new\n").unwrap(), once);
    }

    #[test]
    fn a_page_without_both_markers_is_refused() {
        assert_eq!(splice("no markers", TOOLS, "new"), None);
        assert_eq!(splice(BEGIN, TOOLS, "new"), None);
    }
}
