//! `cargo xtask real`: specifications of real packages, which must be true to the code they were
//! just written from and come out the same a second time.

mod bodies;
mod clients;
mod commits;
mod elspais;
mod questions;
mod specifyplus;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::args::Args;
use crate::workspace::{Profile, Workspace};
use crate::{Result, files, run};

/// A package at a version that its registry never changes.
struct Package {
    name: &'static str,
    from: Registry,
    version: &'static str,
}

enum Registry {
    Crates,
    Npm,
    PyPi,
    /// Sources of Go as Debian packs them; the version is the distribution's.
    Debian,
}

const PACKAGES: &[Package] = &[
    Package { name: "rxjs", from: Registry::Npm, version: "7.8.2" },
    Package { name: "zod", from: Registry::Npm, version: "4.1.12" },
    Package { name: "serde_json", from: Registry::Crates, version: "1.0.149" },
    Package { name: "toml_edit", from: Registry::Crates, version: "0.23.9" },
    Package { name: "flask", from: Registry::PyPi, version: "3.1.2" },
    Package { name: "golang-github-spf13-cobra-dev", from: Registry::Debian, version: "" },
];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    if let Some(repositories) = args.values("--repos").first() {
        return commits::run(workspace, Path::new(repositories));
    }
    match args.words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["reverse-spec"] => specifications(workspace),
        ["questions", clones] => questions::run(workspace, Path::new(clones)),
        ["bodies"] => bodies::run(workspace),
        ["clients"] => clients::run(workspace),
        ["specifyplus"] => specifyplus::run(workspace),
        ["elspais", ..] => elspais::run(workspace, args),
        _ => Err(
            "give `reverse-spec`, `bodies`, `questions DIR`, `specifyplus`, `elspais` or `clients`; nothing means the first"
                .into(),
        ),
    }
}

fn specifications(workspace: &Workspace) -> Result {
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--bins", "--package", "reverse-spec-mcp"]);
    run::visibly(&mut build)?;
    let server = workspace.executable(Profile::Debug, "reverse-spec-mcp");
    let mut wrong = 0;
    for package in PACKAGES {
        let scratch = files::Scratch::new("real")?;
        let verdict = package.fetch(scratch.path()).and_then(|project| check(&server, &project));
        match verdict {
            Ok(modules) => {
                println!("{}: {modules} specifications, true and repeatable", package.name);
            }
            Err(error) => {
                wrong += 1;
                println!("{}: {error}", package.name);
            }
        }
    }
    if wrong > 0 {
        return Err(
            format!("{wrong} of {} packages are not as they should be", PACKAGES.len()).into()
        );
    }
    Ok(())
}

impl Package {
    /// Downloads and unpacks it; the directory that holds its sources.
    fn fetch(&self, into: &Path) -> Result<PathBuf> {
        let Self { name, version, from } = self;
        let mut command = match from {
            Registry::Crates => {
                let mut command = Command::new("curl");
                let url = format!("https://static.crates.io/crates/{name}/{name}-{version}.crate");
                command.args(["--fail", "--silent", "--show-error", "--location", "-O", &url]);
                command
            }
            Registry::Npm => {
                let mut command = Command::new("npm");
                command.args(["pack", "--silent", &format!("{name}@{version}")]);
                command
            }
            Registry::PyPi => {
                let mut command = Command::new("python3");
                let wanted = format!("{name}=={version}");
                command.args([
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    "--no-binary",
                    ":all:",
                ]);
                command.arg(&wanted);
                command
            }
            Registry::Debian => {
                let mut command = Command::new("apt-get");
                command.args(["download", "-qq", name]);
                command
            }
        };
        run::quietly(command.current_dir(into))?;
        let archive = std::fs::read_dir(into)?.next().ok_or("nothing was downloaded")??.path();
        let is_deb = matches!(from, Registry::Debian);
        let project = into.join("project");
        std::fs::create_dir(&project)?;
        let mut unpack = Command::new(if is_deb { "dpkg-deb" } else { "tar" });
        if is_deb {
            unpack.arg("-x").arg(&archive).arg(&project);
        } else {
            unpack.arg("-xzf").arg(&archive).args(["--strip-components", "1", "-C"]).arg(&project);
        }
        run::quietly(&mut unpack)?;
        // What is built from the sources is ignored where they are developed.
        files::write(&project.join(".gitignore"), "dist\n")?;
        // What makes it a project of its own.
        run::quietly(Command::new("git").args(["init", "--quiet"]).arg(&project))?;
        Ok(project)
    }
}

/// Writes all specifications, compares them with the code, and writes them once more.
fn check(server: &Path, project: &Path) -> Result<usize> {
    let ask = |args: &[&str]| {
        let mut command = Command::new(server);
        command.args(args).current_dir(project).env("REVERSE_SPEC_LLM", "off");
        run::quietly(&mut command)
    };
    ask(&["batch"])?;
    // Fails from the first change on that a caller could notice.
    ask(&["diff", "--fail-on", "low"])?;
    let specs = project.join("specs");
    let first = texts(&specs)?;
    files::remove_dir(&specs)?;
    ask(&["batch"])?;
    let second = texts(&specs)?;
    if first.keys().ne(second.keys()) {
        return Err("a second run writes other files".into());
    }
    match first.iter().find(|(path, text)| second.get(*path) != Some(*text)) {
        Some((path, _)) => Err(format!("a second run writes {path} differently").into()),
        None => Ok(first.len()),
    }
}

/// Every file by name, without the one line that may differ.
fn texts(dir: &Path) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for path in files::tree(dir)?.into_keys() {
        let text = files::read_text(&dir.join(&path))?;
        let lines = text.lines().filter(|line| !line.starts_with("lastUpdated:"));
        let lines: Vec<&str> = lines.collect();
        texts.insert(path, lines.join("\n"));
    }
    Ok(texts)
}
