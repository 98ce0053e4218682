//! Where things are: the five servers, their versions, the target directory, their executables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Result, nearest, run};

/// One of the five servers.
pub(crate) struct Server {
    /// The package, its folder in `crates/` and its executable have one name.
    pub(crate) package: &'static str,
    /// The name it gives itself in `serverInfo`.
    pub(crate) name: &'static str,
    pub(crate) purpose: &'static str,
}

pub(crate) const SERVERS: [Server; 5] = [
    Server {
        package: "preflights-mcp",
        name: "preflights",
        purpose: "clarify before building, and keep the decisions",
    },
    Server {
        package: "elspais-mcp",
        name: "elspais",
        purpose: "requirements as a graph to query, trace and change",
    },
    Server {
        package: "specifyplus-mcp",
        name: "specifyplus",
        purpose: "a folder of command files as prompts",
    },
    Server {
        package: "reverse-spec-mcp",
        name: "reverse-spec",
        purpose: "code into specs, and where they drifted apart",
    },
    Server {
        package: "acm-mcp",
        name: "acm",
        purpose: "process knowledge: stages, artifacts, prompts, checks",
    },
];

/// Picks servers by package or server name; no names means all.
pub(crate) fn select(names: &[String]) -> Result<Vec<&'static Server>> {
    if names.is_empty() {
        return Ok(SERVERS.iter().collect());
    }
    let find = |name: &String| {
        SERVERS.iter().find(|server| server.package == name || server.name == name).ok_or_else(
            || {
                let known: Vec<&str> = SERVERS.iter().map(|server| server.package).collect();
                nearest::unknown("server", name, &known).into()
            },
        )
    };
    names.iter().map(find).collect()
}

#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
    /// Soon built, for a first look.
    Fast,
}

impl Profile {
    fn dir(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "release",
            Self::Fast => "fast",
        }
    }
}

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    versions: BTreeMap<String, String>,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let mut command = cargo(Path::new(env!("CARGO_MANIFEST_DIR")));
        command.args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"]);
        let metadata: Value = serde_json::from_str(&run::quietly(&mut command)?)?;
        let path = |key: &str| metadata[key].as_str().map(PathBuf::from);
        let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let versions = packages
            .iter()
            .filter_map(|package| {
                let text = |key: &str| package[key].as_str().map(str::to_owned);
                Some((text("name")?, text("version")?))
            })
            .collect();
        Ok(Self {
            root: path("workspace_root").ok_or("cargo metadata names no workspace root")?,
            target: path("target_directory").ok_or("cargo metadata names no target directory")?,
            versions,
        })
    }

    /// Cargo, in the workspace root.
    pub(crate) fn cargo(&self) -> Command {
        cargo(&self.root)
    }

    pub(crate) fn version(&self, package: &str) -> Result<&str> {
        let version = self.versions.get(package).map(String::as_str);
        version.ok_or_else(|| format!("the workspace has no package `{package}`").into())
    }

    pub(crate) fn profile_dir(&self, profile: Profile) -> PathBuf {
        self.target.join(profile.dir())
    }

    pub(crate) fn executable(&self, profile: Profile, name: &str) -> PathBuf {
        executable_in(&self.profile_dir(profile), name)
    }

    /// Builds the executables of the five servers.
    pub(crate) fn build_servers(&self, profile: Profile) -> Result {
        if matches!(profile, Profile::Release) {
            return each_alone(|| {
                let mut command = self.cargo();
                command.args(["build", "--locked", "--bins", "--release"]);
                command
            });
        }
        let mut command = self.cargo();
        command.args(["build", "--locked", "--bins"]);
        for server in &SERVERS {
            command.args(["--package", server.package]);
        }
        if matches!(profile, Profile::Fast) {
            command.args(["--profile", profile.dir()]);
        }
        run::visibly(&mut command)
    }

    /// The same with one line that says how far it is.
    pub(crate) fn build_servers_quietly(&self, profile: Profile) -> Result {
        let mut command = self.cargo();
        command.args(["build", "--locked", "--bins", "--profile", profile.dir()]);
        for server in &SERVERS {
            command.args(["--package", server.package]);
        }
        run::with_progress(&mut command, "building the servers")
    }
}

/// Builds the servers one after another. Cargo gives what is built together the features that any of
/// it asks for; alone each holds no more than it needs, as it does when it is installed.
pub(crate) fn each_alone(build: impl Fn() -> Command) -> Result {
    for server in &SERVERS {
        run::visibly(build().args(["--package", server.package]))?;
    }
    Ok(())
}

pub(crate) fn executable_in(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn cargo(dir: &Path) -> Command {
    // `cargo run` tells us which cargo it is; without it the one on the path will do.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(dir);
    // What `cargo run` says of this package would be taken by build scripts for theirs, and make
    // them run again each time cargo is called the other way.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        // A machine that builds once gains nothing from incremental files or colours.
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_TERM_COLOR", "never");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::{SERVERS, Workspace, select};

    #[test]
    fn every_server_is_a_package_of_the_workspace() {
        let workspace = Workspace::load().unwrap();
        for server in &SERVERS {
            assert!(workspace.version(server.package).is_ok(), "{}", server.package);
            assert!(workspace.root.join("crates").join(server.package).is_dir());
        }
    }

    #[test]
    fn a_server_is_found_by_either_name() {
        let chosen = select(&["acm".to_owned(), "elspais-mcp".to_owned()]).unwrap();
        let packages: Vec<&str> = chosen.iter().map(|server| server.package).collect();
        assert_eq!(packages, ["acm-mcp", "elspais-mcp"]);
        assert_eq!(select(&[]).unwrap().len(), 5);
    }

    #[test]
    fn an_unknown_server_gets_the_nearest_name_and_the_list() {
        let Err(error) = select(&["preflight-mcp".to_owned()]) else {
            panic!("an unknown server was accepted");
        };
        let message = error.to_string();
        assert!(message.contains("did you mean `preflights-mcp`?"));
        assert!(message.contains("specifyplus-mcp, reverse-spec-mcp"));
    }
}
