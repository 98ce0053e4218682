//! Where the project begins: the directory the server was started in, or one above it that holds
//! commands, within the same repository.

use std::path::{Path, PathBuf};

use mcp_core::doors::{self, Spot};
use mcp_core::repository;
use mcp_core::settings::Settings;

/// The roots, each where its commands are. An absolute `--root` is meant as it is written; from
/// any other place without commands the way leads up, at most to the directory that holds `.git`,
/// and never to the home directory: what lies there belongs to no project.
pub(super) fn found(settings: &Settings, has_some: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let written = settings.values("root");
    let roots = settings.roots().iter().enumerate();
    roots
        .map(|(index, root)| {
            let is_absolute = written.get(index).is_some_and(|it| Path::new(it).is_absolute());
            let above = if is_absolute { None } else { above(settings, root, has_some) };
            above.unwrap_or_else(|| root.clone())
        })
        .collect()
}

fn above(settings: &Settings, root: &Path, has_some: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    if has_some(root) {
        return None;
    }
    let spot = Spot::start(root, settings.is_confined()).ok()?;
    let top = spot.climb(repository::is_top).ok()??.spot.root;
    let top = top.id();
    let home = settings.variable("HOME").and_then(|it| doors::start(Path::new(&it)).ok());
    let home = home.and_then(|it| it.id());
    // The climb ends at the first directory that fits, whether it is wanted or is the last.
    let end =
        spot.climb(|it| Ok(it.id() == top || (it.id() != home && has_some(it.path())))).ok()??;
    let end = end.spot.root;
    (end.id() != home && has_some(end.path())).then(|| end.path().to_owned())
}
