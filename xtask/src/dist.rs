//! `cargo xtask dist`: the release archives, the same bytes for the same sources and toolchain.

mod archive;
mod sbom;
mod verify;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use archive::{Archive, Member};
use sbom::Bill;

use crate::args::Args;
use crate::workspace::{SERVERS, Server, Workspace, executable_in};
use crate::{Result, files, run};

const SUMS: &str = "SHA256SUMS";

/// Shells and the file names their completion systems look for.
const SHELLS: &[(&str, &str, &str)] = &[
    ("bash", "", ".bash"),
    ("elvish", "", ".elv"),
    ("fish", "", ".fish"),
    ("powershell", "_", ".ps1"),
    ("zsh", "_", ""),
];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let target = host_target()?;
    let built = build(workspace, &target)?;
    let archives = pack(workspace, &target, &built)?;
    let dir = workspace.root.join("dist");
    write(&dir, &archives)?;
    if args.has("--check") {
        println!("\nchecking {}", dir.display());
        verify::packing_again_gives_the_same(&archives, &pack(workspace, &target, &built)?)?;
        verify::archives_work(workspace, &dir, &archives)?;
    }
    Ok(())
}

/// The platform we run on: the archives' man pages and completions come from the executables
/// themselves, so they have to run here.
fn host_target() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = run::quietly(Command::new(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".into())
}

fn build(workspace: &Workspace, target: &str) -> Result<PathBuf> {
    let mut command = workspace.cargo();
    // With an explicit target the flags reach our crates only, not build scripts and macros,
    // which cannot be linked statically.
    command.args(["build", "--release", "--locked", "--bins", "--target", target]);
    for server in &SERVERS {
        command.args(["--package", server.package]);
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", rustflags(workspace, target).join("\u{1f}"));
    run::visibly(&mut command)?;
    Ok(workspace.target.join(target).join("release"))
}

fn rustflags(workspace: &Workspace, target: &str) -> Vec<String> {
    let mut flags = Vec::new();
    if target.ends_with("linux-gnu") {
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    // Panic messages name source files; where they lay on the building machine is no one's
    // business and would make the bytes differ.
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    if let Some(home) = cargo_home() {
        flags.push(remap(&home, "/cargo"));
    }
    flags.push(remap(&workspace.root, "/plumbline"));
    flags
}

/// Where cargo keeps its registry and, by default, what it installs.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    let given = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    given.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

fn pack(workspace: &Workspace, target: &str, built: &Path) -> Result<Vec<Archive>> {
    let mut common = Vec::new();
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        common.push(Member::text(name, files::read(&workspace.root.join(name))?));
    }
    let mut archives = Vec::new();
    let mut all = common.clone();
    let bill = Bill::read(workspace, target)?;
    for server in &SERVERS {
        let mut own = members(server, built)?;
        let path = format!("sbom/{}.cdx.json", server.package);
        own.push(Member::text(&path, bill.of(server.package)?.into_bytes()));
        all.extend(own.iter().cloned());
        let version = workspace.version(server.package)?;
        let stem = format!("{}-{version}-{target}", server.package);
        archives.push(Archive::pack(stem, &[server], [common.clone(), own].concat())?);
    }
    let stem = format!("plumbline-{}-{target}", workspace.version("mcp-core")?);
    archives.push(Archive::pack(stem, &SERVERS.each_ref(), all)?);
    Ok(archives)
}

/// What an archive holds for one server.
fn members(server: &Server, built: &Path) -> Result<Vec<Member>> {
    let name = server.package;
    let executable = executable_in(built, name);
    let file = executable_in(Path::new(""), name).display().to_string();
    let mut members = vec![Member::executable(&file, files::read(&executable)?)];
    let man = run::quietly(Command::new(&executable).arg("man"))?;
    members.push(Member::text(&format!("man/{name}.1"), man.into_bytes()));
    for (shell, before, after) in SHELLS {
        let script = run::quietly(Command::new(&executable).args(["completions", shell]))?;
        let path = format!("completions/{before}{name}{after}");
        members.push(Member::text(&path, script.into_bytes()));
    }
    Ok(members)
}

fn write(dir: &Path, archives: &[Archive]) -> Result {
    // An archive of an earlier version would not be in the sums and be published by mistake.
    files::remove_dir(dir)?;
    let mut sums = String::new();
    for archive in archives {
        let file = archive.file_name();
        files::write(&dir.join(&file), &archive.bytes)?;
        println!("dist/{file}  {:.1} MB", megabytes(archive.bytes.len()));
        let _ = writeln!(sums, "{}  {file}", files::sha256(&archive.bytes));
    }
    files::write(&dir.join(SUMS), sums)?;
    println!("dist/{SUMS}");
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
