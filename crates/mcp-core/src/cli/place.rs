//! Where the project is: a root that was not written out leads up to the project it lies in, and a
//! client's own directory is none.

use std::path::{Path, PathBuf};

use super::config::Client;
use super::{Product, Settings};
use crate::doors::{self, Spot};
use crate::failure::Failure;
use crate::repository;
use crate::sandbox::{self, DirectoryId, RelPath, Root};
use crate::stray::Stray;

/// What lies in the directory of a plugin or an extension.
const PLUGIN_MANIFESTS: [&str; 3] = [".claude-plugin", ".codex-plugin", "gemini-extension.json"];

/// What hosts tell a plugin about where it lies.
const PLUGIN_VARIABLES: [&str; 2] = ["CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"];

/// How a client's entry names the project, for those that do not tell.
const HOW_TO_NAME: &str = "Start the server with --root and the absolute path of the project: in the client's entry, or with `config CLIENT --write` in the project.";

/// The settings with every root that is relative, or only the working directory, moved up to the
/// project around it. An absolute `--root` is meant as it is written.
pub(super) fn found(product: &Product, settings: &Settings) -> Settings {
    let home = id_of(settings.variable("HOME").or_else(|| settings.variable("USERPROFILE")));
    let roots = settings.roots().iter().enumerate();
    let roots = roots.map(|(index, root)| {
        if settings.is_written_out(index) || !(product.climbs)(settings) {
            return root.clone();
        }
        let is_marked = |it: &Root, inside| is_marked(product, it, inside);
        let above = above(root, &is_marked, home);
        if let Some(above) = &above {
            let said = format!("the project of {} is {}", root.display(), above.display());
            // In the shell an answer is wanted, and a server's log is read when something is odd.
            if settings.is_serving() {
                tracing::info!("{said}");
            } else {
                tracing::debug!("{said}");
            }
        }
        above.unwrap_or_else(|| root.clone())
    });
    let roots: Vec<PathBuf> = roots.collect();
    let stray = match roots.first().cloned() {
        Some(root) if !settings.is_written_out(0) => {
            let settings = settings.clone();
            Stray::found_by(move || {
                let why = astray(&settings, &root);
                if let Some(why) = why.as_ref().filter(|_| settings.is_serving()) {
                    tracing::warn!("{}", why.text());
                }
                why
            })
        }
        _ => Stray::default(),
    };
    settings.at(roots, stray)
}

/// The nearest directory above that holds a landmark or is the top of a repository; `None` where
/// it is this one, and where there is none below the home directory.
fn above(
    root: &Path,
    is_marked: &dyn Fn(&Root, bool) -> bool,
    home: Option<DirectoryId>,
) -> Option<PathBuf> {
    let spot = Spot::start(root, false).ok()?;
    let owner = doors::owner_of(root);
    // What others could put above a project is none of it.
    let is_end = |it: &Root| {
        let is_home = home.is_some() && it.id() == home;
        is_home || it.path().parent().is_none() || doors::owner_of(it.path()) != owner
    };
    let top = spot.climb(|it| Ok(is_end(it) || repository::is_top(it)?)).ok()?;
    let in_repository = top.is_some_and(|it| !is_end(&it.spot.root));
    let is_project = |it: &Root| -> Result<bool, sandbox::Error> {
        Ok(is_marked(it, in_repository) || repository::is_top(it)?)
    };
    // The climb ends at the first directory that fits, whether it is wanted or is the last.
    let end = spot.climb(|it| Ok(is_end(it) || is_project(it)?)).ok()??;
    end.inside.as_ref()?;
    let end = end.spot.root;
    (!is_end(&end)).then(|| end.path().to_owned())
}

/// A landmark counts anywhere; what is told by more than its name, only within a repository.
fn is_marked(product: &Product, directory: &Root, in_repository: bool) -> bool {
    has_any(directory, product.landmarks)
        || (in_repository && (product.is_project)(directory.path()))
}

fn has_any(directory: &Root, names: &[&str]) -> bool {
    names
        .iter()
        .filter_map(|it| RelPath::parse(it).ok())
        .any(|it| directory.has_entry(&it).unwrap_or_default())
}

fn id_of(path: Option<String>) -> Option<DirectoryId> {
    doors::start(Path::new(&path?)).ok()?.id()
}

/// Why a directory is no project, where that is certain.
fn astray(settings: &Settings, root: &Path) -> Option<Failure> {
    let no_project = |what: &str| {
        let message = format!("the server was started in {}, which is {what}", root.display());
        Some(Failure::new("no_project", message).hint(HOW_TO_NAME))
    };
    let open = doors::start(root).ok()?;
    let real = open.real_path().unwrap_or_else(|| root.to_owned());
    if real.parent().is_none() {
        return no_project("no project");
    }
    let lies_in = |directory: &Path| {
        let real = doors::start(directory).ok().and_then(|it| it.real_path());
        real.is_some_and(|it| root_lies_in(&open, &it))
    };
    for variable in PLUGIN_VARIABLES {
        if settings.variable(variable).is_some_and(|it| lies_in(Path::new(&it))) {
            return no_project("the directory of a plugin");
        }
    }
    for client in Client::all() {
        if client.homes(settings).iter().any(|home| lies_in(home)) {
            return no_project(&format!("a directory of {}'s own", client.title));
        }
    }
    if has_any(&open, &PLUGIN_MANIFESTS) && !repository::is_top(&open).unwrap_or_default() {
        return no_project("the directory of a plugin");
    }
    None
}

fn root_lies_in(root: &Root, directory: &Path) -> bool {
    root.real_path().is_some_and(|it| it.starts_with(directory))
}

/// Refuses roots that cannot be the project: nothing is there, or a client left its own words in.
pub(super) fn check(settings: &Settings) -> Result<(), Failure> {
    settings.roots().iter().try_for_each(|root| look(root).map(drop))
}

/// Opens one root, or says why it is none.
pub(super) fn look(root: &Path) -> Result<Root, Failure> {
    let shown = root.display();
    if root.to_string_lossy().contains("${") {
        let message = format!("the root {shown} holds a word that the client did not fill in");
        return Err(Failure::new("unexpanded_root", message)
            .hint("Write the path of the project in its place, or leave --root out."));
    }
    doors::start(root).map_err(|error| {
        Failure::from(error).hint("Name an existing directory with --root.".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    fn climbed(fixture: &Fixture, start: &str, home: &str) -> Option<String> {
        let home = id_of(Some(fixture.path().join(home).display().to_string()));
        let top = doors::start(fixture.path()).unwrap().real_path().unwrap();
        let found =
            above(&fixture.path().join(start), &|it, _| has_any(it, &["docs/intent.md"]), home)?;
        Some(found.strip_prefix(top).unwrap().display().to_string())
    }

    #[test]
    fn the_nearest_landmark_or_repository_is_the_project() {
        let fixture = Fixture::new(
            "//- home/p/.git/HEAD\nx\n//- home/p/a/docs/intent.md\nx\n//- home/p/a/b/c.rs\nx\n//- home/p/d/e.rs\nx\n",
        );
        let at = |start: &str| climbed(&fixture, start, "home");
        assert_eq!(at("home/p/a/b").as_deref(), Some("home/p/a"));
        assert_eq!(at("home/p/d").as_deref(), Some("home/p"));
        assert_eq!(at("home/p"), None, "it is the project itself");
        assert_eq!(at("home/p/a"), None, "so is this");
    }

    #[test]
    fn the_way_up_ends_before_the_home_directory() {
        let fixture = Fixture::new("//- home/.git/HEAD\nx\n//- home/p/a.rs\nx\n//- .git/HEAD\nx\n");
        assert_eq!(climbed(&fixture, "home/p", "home"), None);
        assert_eq!(climbed(&fixture, "home/p", "elsewhere").as_deref(), Some("home"));
    }

    #[test]
    fn a_root_that_is_not_there_or_was_not_filled_in_is_refused() {
        let fixture = Fixture::empty();
        assert!(look(fixture.path()).is_ok());
        let missing = look(&fixture.path().join("gone")).unwrap_err();
        assert!(missing.hint.unwrap().contains("--root"));
        let literal = look(&fixture.path().join("${CLAUDE_PROJECT_DIR:-.}")).unwrap_err();
        assert_eq!(literal.code, "unexpanded_root");
    }
}
