//! `cargo xtask dist`: archives and packages of a release, the same bytes for the same sources and toolchain.

mod archive;
mod bundle;
mod container;
mod installers;
mod npm;
mod package;
mod picture;
mod platform;
mod plugins;
mod registry;
mod release;
mod sbom;
mod verify;
mod wheel;
mod zip;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use archive::{Archive, Member};
use package::{File, Package};
use release::Release;
use sbom::Bill;

use crate::args::Args;
use crate::files::Scratch;
use crate::workspace::{SERVERS, Server, Workspace, each_alone, executable_in};
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
    if let Some(packed) = args.values("--upload").first() {
        return upload(Path::new(packed));
    }
    let host = host_target()?;
    let mut targets = vec![host.clone()];
    targets.extend(args.values("--target").into_iter().map(str::to_owned));
    let release = Release::read(workspace)?;
    let dir = workspace.root.join("dist");
    // A file of an earlier version would not be in the sums and be published by mistake.
    files::remove_dir(&dir)?;
    let mut sums = String::new();
    let mut pages = None;
    for target in &targets {
        let built = match args.values("--built").first() {
            Some(given) => PathBuf::from(given),
            None => build(workspace, &release, target, args.has("--fast"))?,
        };
        // Man pages and completions come from executables that run here.
        let pages = pages.get_or_insert_with(|| built.clone());
        let archives = pack(workspace, target, &built, pages)?;
        let packages = packages(workspace, target, &built)?;
        let made = packed(&release, &packages)?;
        let written = archives.iter().map(|it| (it.file_name(), it.bytes.as_slice()));
        let made_too = made.iter().map(|it| (it.path.clone(), it.bytes.as_slice()));
        for (file, bytes) in written.chain(made_too) {
            files::write(&dir.join(&file), bytes)?;
            let _ = writeln!(sums, "{}  {file}", files::sha256(bytes));
            if !file.starts_with("plugins/") {
                println!("dist/{file}  {:.1} MB", megabytes(bytes.len()));
            }
        }
        if args.has("--check") && *target == host {
            println!("\nchecking {}", dir.display());
            files::write(&dir.join(SUMS), &sums)?;
            let again = pack(workspace, target, &built, pages)?;
            verify::packing_again_gives_the_same(&archives, &again)?;
            verify::archives_work(workspace, &dir, &archives)?;
            check_packages(&release, &packages)?;
        }
    }
    files::write(&dir.join(SUMS), sums)?;
    println!("dist/{SUMS}");
    let missing = release.missing();
    if !missing.is_empty() {
        println!("\n[workspace.metadata.release] has no {}.", missing.join(", no "));
        println!("Left out for that: npm packages, .mcpb bundles, server.json, plugins.");
    }
    Ok(())
}

/// Attaches what the jobs of a release packed to the release of the tag, all sums in one file.
fn upload(packed: &Path) -> Result {
    let tag = std::env::var("TAG").map_err(|_| "TAG names no release")?;
    let tree = files::tree(packed)?;
    let mut sums: Vec<String> = Vec::new();
    let mut attached = Vec::new();
    for path in tree.keys() {
        let path = packed.join(path);
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned());
        match name.as_deref() {
            Some(SUMS) => sums.extend(files::read_text(&path)?.lines().map(str::to_owned)),
            // A plugin is a tree, which comes with the sources.
            Some(_) if path.components().any(|it| it.as_os_str() == "plugins") => {}
            _ => attached.push(path),
        }
    }
    sums.sort();
    sums.dedup();
    let all = packed.join(SUMS);
    files::write(&all, sums.join("\n") + "\n")?;
    attached.push(all);
    let mut command = Command::new("gh");
    command.args(["release", "create", &tag, "--verify-tag", "--generate-notes"]).args(attached);
    run::visibly(&mut command)
}

/// The plugins as they would be under names that are reserved for examples.
pub(crate) fn example_plugins(workspace: &Workspace) -> Result<Vec<(String, Vec<u8>)>> {
    let platform = platform::of(&host_target()?)?;
    let read = |server| Package::read(workspace, server, platform, Vec::new());
    let packages: Vec<Package> = SERVERS.iter().map(read).collect::<Result<_>>()?;
    let made = plugins::all(&Release::example(), &packages.iter().collect::<Vec<_>>())?;
    Ok(made.into_iter().map(|it| (it.path, it.bytes)).collect())
}

fn packages(workspace: &Workspace, target: &str, built: &Path) -> Result<Vec<Package>> {
    let platform = platform::of(target)?;
    let one = |server: &'static Server| {
        let executable = built.join(format!("{}{}", server.package, platform.ending));
        Package::read(workspace, server, platform, files::read(&executable)?)
    };
    SERVERS.iter().map(one).collect()
}

/// Everything besides the archives, as far as it is known who releases.
fn packed(release: &Release, packages: &[Package]) -> Result<Vec<File>> {
    let known = release.missing().is_empty().then_some(release);
    let mut made = Vec::new();
    for package in packages {
        made.push(wheel::pack(known, package)?);
        made.push(container::file(known, package));
        if let Some(release) = known {
            made.extend(npm::pack(release, package)?);
            let bundle = bundle::pack(release, package)?;
            made.push(registry::entry(release, package, &[&bundle])?);
            made.push(bundle);
        }
    }
    if let Some(release) = known {
        made.extend(plugins::all(release, &packages.iter().collect::<Vec<_>>())?);
    }
    Ok(made)
}

/// Installs every kind of package from its files. Where nobody releases yet, they are made under
/// names that are reserved for examples.
fn check_packages(release: &Release, packages: &[Package]) -> Result {
    let release = if release.missing().is_empty() { release } else { &Release::example() };
    let made = packed(release, packages)?;
    let again = packed(release, packages)?;
    if made.iter().zip(&again).any(|(one, other)| one.bytes != other.bytes) {
        return Err("packing twice gave different packages".into());
    }
    println!("{} more files packed twice: identical", made.len());
    let scratch = Scratch::new("packages")?;
    for file in &made {
        files::write(&scratch.path().join(&file.path), &file.bytes)?;
    }
    installers::all(release, packages, scratch.path())
}

/// The platform we run on: the archives' man pages and completions come from the executables
/// themselves, so they have to run here.
fn host_target() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = run::quietly(Command::new(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".into())
}

fn build(workspace: &Workspace, release: &Release, target: &str, fast: bool) -> Result<PathBuf> {
    let profile = if fast { "fast" } else { "release" };
    let command = || {
        let mut command = workspace.cargo();
        // With an explicit target the flags reach our crates only, not build scripts and macros,
        // which cannot be linked statically.
        command.args(["build", "--profile", profile, "--locked", "--bins", "--target", target]);
        if !release.homepage.is_empty() {
            command.env("PLUMBLINE_HOMEPAGE", &release.homepage);
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", rustflags(workspace, target).join("\u{1f}"));
        command
    };
    if fast {
        let packages = SERVERS.iter().flat_map(|server| ["--package", server.package]);
        run::visibly(command().args(packages))?;
    } else {
        each_alone(command)?;
    }
    Ok(workspace.target.join(target).join(profile))
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

fn pack(workspace: &Workspace, target: &str, built: &Path, pages: &Path) -> Result<Vec<Archive>> {
    let ending = platform::of(target)?.ending;
    let mut common = Vec::new();
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        common.push(Member::text(name, files::read(&workspace.root.join(name))?));
    }
    let mut archives = Vec::new();
    let mut all = common.clone();
    let bill = Bill::read(workspace, target)?;
    for server in &SERVERS {
        let mut own = members(server, built, pages, ending)?;
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
fn members(server: &Server, built: &Path, pages: &Path, ending: &str) -> Result<Vec<Member>> {
    let name = server.package;
    let file = format!("{name}{ending}");
    let mut members = vec![Member::executable(&file, files::read(&built.join(&file))?)];
    let executable = executable_in(pages, name);
    let man = run::quietly(Command::new(&executable).arg("man"))?;
    members.push(Member::text(&format!("man/{name}.1"), man.into_bytes()));
    for (shell, before, after) in SHELLS {
        let script = run::quietly(Command::new(&executable).args(["completions", shell]))?;
        let path = format!("completions/{before}{name}{after}");
        members.push(Member::text(&path, script.into_bytes()));
    }
    Ok(members)
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests;
