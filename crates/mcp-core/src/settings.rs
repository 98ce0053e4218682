//! What the user set, read once: the environment and the working directory are looked at nowhere
//! else.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::ArgMatches;

use crate::doors::{self, Reach, Spot};
use crate::failure::Failure;
use crate::sandbox::{Root, State};
use crate::server::{Limits, Selection};
use crate::stray::Stray;

/// The command line and the environment, as every part of a server sees them.
#[derive(Debug, Clone)]
pub struct Settings {
    roots: Vec<PathBuf>,
    root_given: bool,
    working_directory: PathBuf,
    astray: Stray,
    confined: bool,
    serving: bool,
    selection: Selection,
    timeout: Duration,
    log: Option<String>,
    log_file: Option<PathBuf>,
    audit: Option<PathBuf>,
    matches: Arc<ArgMatches>,
}

impl Settings {
    pub(crate) fn from_matches(matches: &ArgMatches) -> Result<Self, Failure> {
        let working_directory = working_directory()?;
        let given: Vec<PathBuf> =
            values(matches, "root").into_iter().map(|root| working_directory.join(root)).collect();
        let file = |name: &str| {
            let given = matches.get_one::<String>(name).filter(|it| !it.is_empty());
            given.map(|file| working_directory.join(file))
        };
        let root_given = !given.is_empty();
        let roots = if root_given { given } else { vec![working_directory.clone()] };
        Ok(Self {
            roots,
            root_given,
            astray: Stray::default(),
            confined: false,
            serving: false,
            selection: Selection {
                read_only: matches.get_flag("read-only"),
                tools: values(matches, "tools"),
                exclude: values(matches, "exclude-tools"),
                toolsets: values(matches, "toolsets"),
            },
            timeout: Duration::from_secs(
                matches.get_one::<u64>("call-timeout").copied().unwrap_or(60),
            ),
            log: matches.get_one::<String>("log").cloned().filter(|it| !it.is_empty()),
            log_file: file("log-file"),
            audit: file("audit"),
            matches: Arc::new(matches.clone()),
            working_directory,
        })
    }

    /// Where writes are recorded; never with `--read-only`, which writes nothing at all.
    pub(crate) fn audit(&self) -> Option<&Path> {
        self.audit.as_deref().filter(|_| !self.selection.read_only)
    }

    /// For a server that clients connect to. Those over HTTP are not the user at this terminal:
    /// paths stay beneath the roots.
    pub(crate) fn for_serving(&self, over_http: bool) -> Self {
        Self { serving: true, confined: over_http, ..self.clone() }
    }

    /// With roots that were looked for, and why the main one is no project.
    pub(crate) fn at(&self, roots: Vec<PathBuf>, astray: Stray) -> Self {
        Self { roots, astray, ..self.clone() }
    }

    /// Whether a root was given by its whole path, which is then meant as it is written.
    pub(crate) fn is_written_out(&self, index: usize) -> bool {
        let written = values(&self.matches, "root");
        written.get(index).is_some_and(|it| Path::new(it).is_absolute())
    }

    /// Why the main root is no project, where a client or a plugin host started the server in a
    /// directory of its own.
    pub fn astray(&self) -> Option<&Failure> {
        self.astray.why()
    }

    pub(crate) fn stray(&self) -> Stray {
        self.astray.clone()
    }

    /// The directories of the project, the first of which is the main one.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Gives the main root: the first `--root`, or the working directory.
    pub fn root(&self) -> &Path {
        // There is always one: the working directory, if no other.
        self.roots.first().unwrap_or(&self.working_directory)
    }

    /// Opens the main root; do it anew for each call.
    pub fn open_root(&self) -> Result<Root, Failure> {
        Ok(doors::start(self.root())?)
    }

    /// The main root as a place to climb from, as far as the way up is open.
    pub fn start(&self) -> Result<Spot, Failure> {
        Ok(Spot::start(self.root(), self.confined)?)
    }

    /// Where paths in arguments may lead: relative ones are tried from `bases` on, in that order.
    pub fn reach(&self, bases: Vec<PathBuf>) -> Reach {
        if self.confined { Reach::below(bases, self.roots.clone()) } else { Reach::anywhere(bases) }
    }

    /// Where lock and journal of a project are kept: never in the project.
    pub fn state(&self) -> State {
        let home = |name: &str, below: &str| {
            let home = environment(name).map(PathBuf::from).filter(|it| it.is_absolute());
            home.map(|home| home.join(below))
        };
        let usual = if cfg!(windows) {
            home("LOCALAPPDATA", "plumbline")
        } else if cfg!(target_vendor = "apple") {
            home("HOME", "Library/Application Support/plumbline")
        } else {
            home("XDG_STATE_HOME", "plumbline").or_else(|| home("HOME", ".local/state/plumbline"))
        };
        let state =
            home("PLUMBLINE_STATE_DIR", "").or(usual).map_or_else(State::nowhere, State::at);
        #[cfg(unix)]
        let among_others = format!("plumbline-{}", rustix::process::geteuid().as_raw());
        #[cfg(not(unix))]
        let among_others = "plumbline";
        state.or_among_others(std::env::temp_dir().join(among_others))
    }

    /// Tells whether there was a `--root`, rather than the working directory in its place.
    pub fn root_was_given(&self) -> bool {
        self.root_given
    }

    /// Gives the directory the process was started in.
    pub fn working_directory(&self) -> &Path {
        &self.working_directory
    }

    /// Whether paths in arguments must stay beneath the roots, as over HTTP.
    pub fn is_confined(&self) -> bool {
        self.confined
    }

    /// Whether clients will connect, rather than one command run and end.
    pub fn is_serving(&self) -> bool {
        self.serving
    }

    /// Tells whether `--read-only` keeps every writing tool off.
    pub fn is_read_only(&self) -> bool {
        self.selection.read_only
    }

    pub(crate) fn selection(&self) -> Selection {
        self.selection.clone()
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { timeout: self.timeout, ..Limits::default() }
    }

    /// After this a call is stopped: work that can be resumed ends by itself before.
    pub fn call_timeout(&self) -> Duration {
        self.timeout
    }

    /// Where logs go besides stderr.
    pub(crate) fn log_file(&self) -> Option<&Path> {
        self.log_file.as_deref()
    }

    pub(crate) fn log(&self) -> Option<&str> {
        self.log.as_deref()
    }

    /// A flag of the server's own, by its name.
    pub fn flag(&self, name: &str) -> bool {
        self.matches.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or(false)
    }

    /// The values of a flag of the server's own.
    pub fn values(&self, name: &str) -> Vec<String> {
        values(&self.matches, name)
    }

    /// An environment variable; empty counts as unset.
    pub fn variable(&self, name: &str) -> Option<String> {
        environment(name)
    }
}

impl Settings {
    /// Those of `flags` that were given, on the command line or by their variable, as arguments.
    pub(crate) fn given(&self, flags: &[clap::Arg]) -> Vec<String> {
        use clap::parser::ValueSource::{CommandLine, EnvVariable};

        let mut given = Vec::new();
        for flag in flags {
            let (id, Some(name)) = (flag.get_id().as_str(), flag.get_long()) else { continue };
            if !matches!(self.matches.value_source(id), Some(CommandLine | EnvVariable)) {
                continue;
            }
            if matches!(flag.get_action(), clap::ArgAction::SetTrue) {
                if self.matches.get_flag(id) {
                    given.push(format!("--{name}"));
                }
                continue;
            }
            for value in self.matches.get_raw(id).into_iter().flatten() {
                given.push(format!("--{name}"));
                given.push(value.to_string_lossy().into_owned());
            }
        }
        given
    }

    /// The variables of the environment whose names begin like this, by name.
    #[expect(clippy::disallowed_methods, reason = "the environment is read here and nowhere else")]
    pub(crate) fn variables_beginning(prefix: &str) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, value)| name.starts_with(prefix) && !value.is_empty())
            .collect();
        found.sort();
        found
    }
}

/// The values of a list flag, empty ones left out.
pub(crate) fn values(matches: &ArgMatches, name: &str) -> Vec<String> {
    let given = matches.try_get_many::<String>(name).ok().flatten().into_iter().flatten();
    given.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// An environment variable; empty, or not UTF-8, counts as unset.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|it| !it.trim().is_empty())
}

#[expect(clippy::disallowed_methods, reason = "the one place that asks where we are")]
fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::new("working_directory", format!("the working directory is gone: {error}"))
            .hint("Start the server in an existing directory.")
    })
}
