//! Where things lie: the two roots, the project, and the rules by which a path in text becomes a
//! directory. Decided anew for each call, each root on its own.

use std::path::{Component, Path, PathBuf};

use mcp_core::cli::Settings;
use mcp_core::sandbox::{self, RelPath, Root};
use mcp_core::text;

use crate::embedded;
use crate::error::{self, Error};
use crate::tree::{Chosen, Tree};

pub(crate) const PROCESS: Place = Place {
    variable: "ACM_ROOT",
    default: "code/_shared/acm",
    what: "process tree",
    files: embedded::PROCESS,
    setting: |it| it.process_root.as_deref(),
};

pub(crate) const REGISTRY: Place = Place {
    variable: "ACM_REGISTRY_ROOT",
    default: "code/_shared/capabilities-registry",
    what: "capabilities registry",
    files: embedded::REGISTRY,
    setting: |it| it.registry_root.as_deref(),
};

/// One of the two trees the server reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) variable: &'static str,
    /// Beneath the home directory.
    pub(crate) default: &'static str,
    pub(crate) what: &'static str,
    pub(crate) files: embedded::Files,
    /// What the variable holds.
    setting: fn(&Surroundings) -> Option<&str>,
}

/// Everything outside of the process that decides what a call sees.
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
            return match Root::open(&path) {
                Ok(root) => Ok(Tree::disk(place, Chosen::ByVariable, root)),
                Err(error) => {
                    let problem = format!("{}: {}", path.display(), error::reason(&error));
                    Err(unavailable(place, given, &problem))
                }
            };
        }
        let Some(path) = self.default_path(place) else { return Ok(Tree::embedded(place)) };
        match Root::open(&path) {
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
        (place.setting)(self).filter(|it| !it.trim().is_empty())
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
        Root::open(&path)
            .map_err(|error| no_project(&format!("{} ({})", path.display(), error::reason(&error))))
    }

    /// The kernel keeps such a project beneath the root, links included.
    fn project_beneath_roots(&self, path: &Path) -> Result<Root, Error> {
        for root in &self.project_roots {
            let Ok(rest) = path.strip_prefix(normalised(root)) else { continue };
            let problem = |error: &sandbox::Error| {
                no_project(&format!("{} ({})", path.display(), error::reason(error)))
            };
            let opened = Root::open(root).map_err(|error| problem(&error))?;
            let Some(rest) = rest.to_str().filter(|it| !it.is_empty()) else { return Ok(opened) };
            let rest = RelPath::parse(rest).map_err(|error| problem(&error))?;
            return opened.below(&rest).map_err(|error| problem(&error));
        }
        Err(Error::Project {
            problem: format!("{} lies outside of the served project.", path.display()),
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
