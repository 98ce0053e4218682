//! Every kind of package, installed from its file into an empty place by the real installer, and a
//! tool driven through it. An installer that this machine does not have is named and skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::package::Package;
use super::release::Release;
use super::{bundle, npm};
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::workspace::Server;
use crate::{Result, run, sample};

const LIMIT: Duration = Duration::from_mins(1);

/// The version of the bundle tool that the check was written against.
const BUNDLE_TOOL: &str = "@anthropic-ai/mcpb@2.1.2";

pub(super) fn all(release: &Release, packages: &[Package], made: &Path) -> Result {
    for package in packages {
        each(package, "wheel (pip)", "python3", &|| wheel(package, made))?;
        each(package, "npm", "npm", &|| npm(release, package, made))?;
        each(package, "bundle (mcpb)", "npm", &|| bundle(package, made))?;
        each(package, "empty root (chroot)", "chroot", &|| empty_root(package))?;
        if docker_answers() {
            each(package, "container (docker)", "docker", &|| container(package, made))?;
        }
    }
    if !docker_answers() {
        println!("containers: not built, because no Docker daemon answers");
    }
    Ok(())
}

fn each(package: &Package, kind: &str, program: &str, check: &dyn Fn() -> Result) -> Result {
    let name = package.server.package;
    if !is_installed(program) {
        println!("{name}: {kind}: not checked, because `{program}` is not installed");
        return Ok(());
    }
    let started = Instant::now();
    check().map_err(|error| format!("{name}: {kind}: {error}"))?;
    println!("{name}: {kind}: installed and driven ({})", run::seconds(started.elapsed()));
    Ok(())
}

fn is_installed(program: &str) -> bool {
    find(program).is_some()
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|it| it.join(program)).find(|it| it.is_file())
}

fn file_in(folder: &Path, begin: &str) -> Result<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|it| it.file_name().is_some_and(|it| it.to_string_lossy().starts_with(begin)))
        .collect();
    found.sort();
    found.into_iter().next().ok_or_else(|| format!("no {begin}… in {}", folder.display()).into())
}

fn wheel(package: &Package, made: &Path) -> Result {
    let place = Scratch::new("pip")?;
    let begin = package.server.package.replace('-', "_");
    let file = file_in(&made.join("wheels"), &begin)?;
    let environment = place.path().join("venv");
    run::quietly(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let mut install = Command::new(bin.join("pip"));
    install.args(["install", "--no-index", "--no-deps", "--quiet"]).arg(file);
    run::quietly(&mut install)?;
    drive(package.server, Command::new(bin.join(package.executable_name())))
}

fn npm(release: &Release, package: &Package, made: &Path) -> Result {
    let place = Scratch::new("npm")?;
    files::write(&place.path().join("package.json"), "{\"private\": true}\n")?;
    let folder = made.join("npm");
    let (os, cpu) = package.platform.node;
    let binary = package.server.package;
    let platform = folder.join(format!("{binary}-{os}-{cpu}-{}.tgz", package.version));
    let wrapper = folder.join(format!("{binary}-{}.tgz", package.version));
    let mut install = Command::new("npm");
    install.current_dir(place.path()).args(["install", "--no-audit", "--no-fund", "--silent"]);
    run::quietly(install.arg(platform).arg(wrapper))?;
    let mut start = Command::new("npx");
    start.current_dir(place.path()).args(["--no-install", &npm::name(release, package)]);
    drive(package.server, start)
}

fn bundle(package: &Package, made: &Path) -> Result {
    let place = Scratch::new("mcpb")?;
    let file = made.join("mcpb").join(bundle::file_name(package));
    let tool = |args: &[&str]| {
        let mut command = Command::new("npx");
        command.args(["-y", BUNDLE_TOOL]).args(args);
        run::quietly(&mut command)
    };
    let unpacked = place.path().join("unpacked");
    let shown = |path: &Path| path.display().to_string();
    tool(&["unpack", &shown(&file), &shown(&unpacked)])?;
    tool(&["validate", &shown(&unpacked.join("manifest.json"))])?;
    tool(&["pack", &shown(&unpacked), &shown(&place.path().join("again.mcpb"))])?;
    let executable = unpacked.join("server").join(package.executable_name());
    make_executable(&executable)?;
    drive(package.server, Command::new(executable))
}

/// The container, without a daemon: a root directory with nothing in it but the executable.
fn empty_root(package: &Package) -> Result {
    let place = Scratch::new("root")?;
    let executable = place.path().join(package.executable_name());
    files::write(&executable, &package.executable)?;
    make_executable(&executable)?;
    files::write(&place.path().join("project/readme.md"), "# Empty\n")?;
    // By its path: nothing of our environment is passed on, the search for programs included.
    let mut command = Command::new(find("chroot").ok_or("no chroot")?);
    command.args(["--userspec=65532:65532"]).arg(place.path());
    command.arg(format!("/{}", package.executable_name())).args(["--root", "/project"]);
    command.args(extra(package.server)).env_clear();
    greet(package.server, command).map_err(|error| {
        format!("{error} (the executable must be static, and chroot needs to be root)").into()
    })
}

/// Whether there is a Docker that can build: its program alone does not tell.
fn docker_answers() -> bool {
    run::quietly(Command::new("docker").args(["version", "--format", "{{.Server.Version}}"]))
        .is_ok()
}

/// The container as its first lines say to build and start it, without a network.
fn container(package: &Package, made: &Path) -> Result {
    let name = package.server.package;
    let place = Scratch::new("docker")?;
    let executable = place.path().join("archive").join(name);
    files::write(&executable, &package.executable)?;
    make_executable(&executable)?;
    let project = place.path().join("project");
    files::write(&project.join("readme.md"), "# Empty\n")?;
    let tag = format!("plumbline-check-{name}");
    let mut build = Command::new("docker");
    build.args(["build", "--quiet", "--tag", &tag, "--file"]);
    build.arg(made.join("docker").join(format!("{name}.Dockerfile")));
    run::quietly(build.arg(place.path().join("archive")))?;
    let mut start = Command::new("docker");
    start.args(["run", "--interactive", "--rm", "--network", "none", "--volume"]);
    start.arg(format!("{}:/project", project.display())).arg(&tag).args(extra(package.server));
    let greeted = greet(package.server, start);
    run::quietly(Command::new("docker").args(["image", "rm", "--force", &tag]))?;
    greeted
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> Result {
    Ok(())
}

/// What a server needs to start in a project of any kind.
pub(super) fn extra(server: &Server) -> &'static [&'static str] {
    if server.name == "specifyplus" { &["--builtin", "--with-tools"] } else { &[] }
}

/// A tool of each server that answers in any project.
pub(super) fn first_call(server: &Server) -> (&'static str, serde_json::Value) {
    match server.name {
        "preflights" => ("read_architecture", json!({})),
        "elspais" => ("get_graph_status", json!({})),
        "specifyplus" => ("list_commands", json!({})),
        "reverse-spec" => ("prepare", json!({ "targetPath": "." })),
        _ => ("get_stage", json!({ "stage": "design" })),
    }
}

/// Starts it on the sample project and calls a tool.
fn drive(server: &Server, mut command: Command) -> Result {
    let project = Scratch::new("project")?;
    sample::lay(project.path())?;
    files::write(&project.path().join(".git/HEAD"), "ref: refs/heads/main\n")?;
    command.arg("--root").arg(project.path()).args(extra(server));
    if command.get_current_dir().is_none() {
        command.current_dir(project.path());
    }
    command.env("REVERSE_SPEC_LLM", "off");
    let (mut session, hello) = Session::open(command, LIMIT)?;
    if hello["serverInfo"]["name"] != server.name {
        return Err(format!("it introduces itself as {}", hello["serverInfo"]).into());
    }
    let (tool, mut arguments) = first_call(server);
    if server.name == "reverse-spec" {
        arguments["targetPath"] = project.path().display().to_string().into();
    }
    session.call(tool, &arguments)?;
    session.finish()
}

fn greet(server: &Server, command: Command) -> Result {
    let (mut session, hello) = Session::open(command, LIMIT)?;
    if hello["serverInfo"]["name"] != server.name {
        return Err(format!("it introduces itself as {}", hello["serverInfo"]).into());
    }
    session.request("tools/list", json!({}))?;
    session.finish()
}
