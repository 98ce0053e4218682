//! Finds the executables under test, and builds them when nobody said where they are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// What one of the five servers calls itself.
#[derive(Clone, Copy, Debug)]
pub struct Server {
    /// The executable, e.g. `acm-mcp`.
    pub binary: &'static str,
    /// The name it gives as `serverInfo.name`.
    pub name: &'static str,
    pub version: &'static str,
}

impl Server {
    /// The built executable.
    pub fn path(&self) -> PathBuf {
        server(self.binary)
    }
}

/// The five servers.
pub const SERVERS: [Server; 5] = [
    Server { binary: "preflights-mcp", name: "preflights", version: "1.0.0" },
    Server { binary: "elspais-mcp", name: "elspais", version: "1.0.0" },
    Server { binary: "specifyplus-mcp", name: "specifyplus", version: "1.0.0" },
    Server { binary: "reverse-spec-mcp", name: "reverse-spec", version: "2.0.0" },
    Server { binary: "acm-mcp", name: "acm", version: "1.0.0" },
];

/// `PLUMBLINE_BIN_DIR` if it is set; else the profile directory of this test, freshly built.
static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| {
    if let Some(given) = std::env::var_os("PLUMBLINE_BIN_DIR") {
        return PathBuf::from(given);
    }
    build(&PROFILE);
    PROFILE.clone()
});

/// A test lies in target/<profile>/deps.
static PROFILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let test = std::env::current_exe().expect("a running test has a path");
    test.ancestors().nth(2).expect("tests are built inside a target directory").to_owned()
});

/// The repository.
pub fn workspace() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the tests are a folder of the repository")
}

/// The target directory, for what tests keep between runs.
pub fn target() -> &'static Path {
    PROFILE.parent().expect("a profile lies in a target directory")
}

/// The executable of a server, by its binary name.
pub fn server(binary: &str) -> PathBuf {
    existing(&DIRECTORY.join(binary))
}

/// The executable of an example, by its name.
pub fn example(name: &str) -> PathBuf {
    existing(&DIRECTORY.join("examples").join(name))
}

fn existing(path: &Path) -> PathBuf {
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(path.is_file(), "there is no executable at {}", path.display());
    path
}

fn build(profile: &Path) {
    let mut cargo = cargo(workspace(), profile);
    cargo.args(["--locked", "--workspace", "--bins", "--examples"]);
    let status = cargo.status().expect("cargo can be started");
    assert!(status.success(), "the servers do not build");
}

/// Builds another workspace into our target directory, without a network, and returns the
/// executable of this name.
pub fn build_elsewhere(workspace: &Path, binary: &str) -> PathBuf {
    let mut cargo = cargo(workspace, &PROFILE);
    let output = cargo.arg("--offline").output().expect("cargo can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{binary} does not build:\n{said}");
    existing(&PROFILE.join(binary))
}

/// `cargo build` in a workspace, for this profile and into our target directory.
fn cargo(workspace: &Path, profile: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet"]).current_dir(workspace);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(target());
    cargo
}
