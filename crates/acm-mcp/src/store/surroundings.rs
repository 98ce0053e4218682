//! Where things lie: the two roots, the project, and the rules by which a path in text becomes a
//! directory. Decided anew for each call, each root on its own.

use std::path::{Component, Path, PathBuf};

use mcp_core::doors::{self, Named, Reach};
use mcp_core::sandbox::{self, RelPath, Root, State};
use mcp_core::settings::Settings;
use mcp_core::text;

use crate::error::{self, Error};
use crate::store::place::{PROCESS, Place, REGISTRY, Role};
use crate::store::tree::{Chosen, Tree};

/// Everything around the process that decides what a call sees.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub(crate) process_root: Option<String>,
    pub(crate) registry_root: Option<String>,
    pub(crate) home: Option<PathBuf>,
    /// What relative roots are relative to.
    pub(crate) working_directory: PathBuf,
    /// The project, and further directories that clients over HTTP may name.
    pub(crate) project_roots: Vec<PathBuf>,
    /// Whether projects must lie beneath the project roots.
    pub(crate) confined: bool,
    /// Where `init` keeps its lock and journal.
    pub(crate) state: State,
}

impl Surroundings {
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        let home = settings.variable("HOME").or_else(|| settings.variable("USERPROFILE"));
        Self {
            process_root: settings.variable(PROCESS.variable),
            registry_root: settings.variable(REGISTRY.variable),
            home: home.map(PathBuf::from),
            working_directory: settings.working_directory().to_owned(),
            project_roots: settings.roots().to_vec(),
            confined: settings.is_confined(),
            state: settings.state(),
        }
    }

    pub(crate) fn process(&self) -> Result<Tree, Error> {
        self.open(&PROCESS)
    }

    pub(crate) fn registry(&self) -> Result<Tree, Error> {
        self.open(&REGISTRY)
    }

    /// The variable when it is set, else the default directory when it exists, else what we carry.
    pub(crate) fn open(&self, place: &Place) -> Result<Tree, Error> {
        if let Some(given) = self.given(place) {
            let path = self.resolve(given, &self.working_directory);
            let path = path.map_err(|problem| unavailable(place, given, &problem))?;
            return match doors::configured(&path) {
                Ok(root) => Ok(Tree::disk(place, Chosen::ByVariable, root)),
                Err(error) => {
                    let problem = format!("{}: {}", path.display(), error::reason(&error));
                    Err(unavailable(place, given, &problem))
                }
            };
        }
        let Some(path) = self.default_path(place) else { return Ok(Tree::embedded(place)) };
        match doors::configured(&path) {
            Ok(root) => Ok(Tree::disk(place, Chosen::ByDefault, root)),
            Err(error) if is_absent(&error) => Ok(Tree::embedded(place)),
            Err(error) => Err(Error::RootUnavailable {
                problem: format!(
                    "The {} at {} cannot be opened: {}.",
                    place.what,
                    path.display(),
                    error::reason(&error)
                ),
                fix: format!("Make it readable, or set {} to another directory.", place.variable),
            }),
        }
    }

    fn given(&self, place: &Place) -> Option<&str> {
        let given = match place.role {
            Role::Process => &self.process_root,
            Role::Registry => &self.registry_root,
        };
        given.as_deref().filter(|it| !it.trim().is_empty())
    }

    pub(crate) fn default_path(&self, place: &Place) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(place.default))
    }

    /// Where the tree of a place belongs, whether it exists or not.
    pub(crate) fn target(&self, place: &Place) -> Result<PathBuf, Error> {
        match self.given(place) {
            Some(given) => self
                .resolve(given, &self.working_directory)
                .map_err(|problem| unavailable(place, given, &problem)),
            None => self.default_path(place).ok_or_else(|| Error::Install {
                problem: "The home directory is not known.".to_owned(),
                fix: "Name the directory: acm-mcp init DIR.".to_owned(),
            }),
        }
    }

    /// Opens the project a caller means: the path given, else the project root.
    pub(crate) fn project(&self, given: Option<&str>) -> Result<Root, Error> {
        let main = self.project_roots.first().unwrap_or(&self.working_directory);
        let given = given.filter(|it| !it.trim().is_empty());
        let path = match given {
            None => main.clone(),
            Some(given) => self.resolve(given, main).map_err(|problem| {
                let given = text::one_line(text::cut(given, 200));
                no_project(&format!("'{given}' ({problem})"))
            })?,
        };
        if self.confined && given.is_some() {
            return self.project_beneath_roots(&path);
        }
        if given.is_some_and(climbs) && !self.is_beneath_a_root(&path) {
            return Err(Error::Project {
                problem: format!("{} leaves the project root by `..`.", path.display()),
                fix: "Pass a project_path beneath the project root, an absolute one without `..`, \
                      or start the server with --root for the other project."
                    .to_owned(),
            });
        }
        let failed = |problem: &str| no_project(&format!("{} ({problem})", path.display()));
        if given.is_none() {
            return doors::start(&path).map_err(|error| failed(&error::reason(&error)));
        }
        let named = Reach::anywhere(vec![main.clone()]).look(&path.to_string_lossy());
        match named.map_err(|error| failed(&error::reason(&error)))? {
            Some(Named { spot, file: None }) => Ok(spot.root),
            Some(_) => Err(failed("it is not a directory")),
            None => Err(failed("it does not exist")),
        }
    }

    fn is_beneath_a_root(&self, path: &Path) -> bool {
        self.project_roots.iter().any(|root| path.starts_with(normalised(root)))
    }

    /// The kernel keeps such a project beneath the root, links included.
    fn project_beneath_roots(&self, path: &Path) -> Result<Root, Error> {
        for root in &self.project_roots {
            let Ok(rest) = path.strip_prefix(normalised(root)) else { continue };
            let problem = |error: &sandbox::Error| {
                no_project(&format!("{} ({})", path.display(), error::reason(error)))
            };
            let opened = doors::start(root).map_err(|error| problem(&error))?;
            let Some(rest) = rest.to_str().filter(|it| !it.is_empty()) else { return Ok(opened) };
            let rest = RelPath::parse(rest).map_err(|error| problem(&error))?;
            return opened.below(&rest).map_err(|error| problem(&error));
        }
        Err(Error::Project {
            problem: format!("{} lies outside the served project.", path.display()),
            fix: "Pass a project_path beneath the server's --root, or leave it out to check the \
                  root itself."
                .to_owned(),
        })
    }

    /// Tilde, then relative to `base`, then `.` and `..` taken out.
    pub(crate) fn resolve(&self, given: &str, base: &Path) -> Result<PathBuf, String> {
        if given.contains('\0') {
            return Err("it holds a NUL character".to_owned());
        }
        let beneath_home = match given {
            "~" => Some(""),
            _ => given.strip_prefix("~/"),
        };
        let path = match (beneath_home, &self.home) {
            (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
            (Some(_), None) => return Err("the home directory is not known".to_owned()),
            (None, _) => PathBuf::from(given),
        };
        Ok(normalised(&self.working_directory.join(base).join(path)))
    }
}

fn climbs(given: &str) -> bool {
    Path::new(given).components().any(|it| it == Component::ParentDir)
}

fn normalised(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            other => resolved.push(other),
        }
    }
    resolved
}

fn is_absent(error: &sandbox::Error) -> bool {
    use sandbox::RootProblem::{Missing, NotADirectory};
    matches!(error, sandbox::Error::Root { problem: Missing | NotADirectory, .. })
}

fn unavailable(place: &Place, given: &str, problem: &str) -> Error {
    let Place { variable, what, .. } = place;
    let given = text::one_line(text::cut(given, 200));
    Error::RootUnavailable {
        problem: format!("{variable} is set to '{given}', but there is no {what} at {problem}."),
        fix: format!(
            "Set {variable} to an existing directory, or unset it to use the default. \
             `acm-mcp init DIR` writes a tree to start from."
        ),
    }
}

fn no_project(what: &str) -> Error {
    Error::Project {
        problem: format!("No project directory at {what}."),
        fix: "Pass the project's root directory as project_path: absolute, relative to the \
              server's project root, or starting with ~/."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_is_given_becomes_an_absolute_path_without_dots(given in "(\\.|\\.\\.|/|~|a|é| |\\x00){0,12}") {
            let surroundings = Surroundings {
                process_root: None,
                registry_root: None,
                home: Some(PathBuf::from("/home/x")),
                working_directory: PathBuf::from("/here"),
                project_roots: vec![],
                confined: false,
                state: State::nowhere(),
            };
            if let Ok(path) = surroundings.resolve(&given, Path::new("/base")) {
                prop_assert!(path.is_absolute());
                prop_assert!(!path.components().any(|it| matches!(it, Component::ParentDir | Component::CurDir)));
            } else {
                prop_assert!(given.contains('\0'));
            }
        }
    }
}
