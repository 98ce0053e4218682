//! `cargo xtask dist --check`: the archives as a user would meet them.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use serde_json::json;

use super::SUMS;
use super::archive::Archive;
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::workspace::{Server, Workspace, executable_in};
use crate::{Result, run, sample};

const LIMIT: Duration = Duration::from_secs(30);

pub(super) fn packing_again_gives_the_same(first: &[Archive], second: &[Archive]) -> Result {
    for (one, other) in first.iter().zip(second) {
        if one.bytes != other.bytes {
            return Err(format!("packing {} twice gave different bytes", one.stem).into());
        }
    }
    println!("packed twice: identical");
    Ok(())
}

pub(super) fn archives_work(workspace: &Workspace, dir: &Path, archives: &[Archive]) -> Result {
    sums_hold(dir)?;
    for archive in archives {
        let started = Instant::now();
        let scratch = Scratch::new("dist")?;
        let packed = files::read(&dir.join(archive.file_name()))?;
        tar::Archive::new(GzDecoder::new(packed.as_slice())).unpack(scratch.path())?;
        let unpacked = scratch.path().join(&archive.stem);
        for server in &archive.servers {
            works(server, &unpacked, workspace.version(server.package)?)?;
        }
        let took = run::seconds(started.elapsed());
        let names: Vec<&str> = archive.servers.iter().map(|server| server.package).collect();
        println!("{}: unpacked and driven: {} ({took})", archive.stem, names.join(", "));
    }
    Ok(())
}

fn sums_hold(dir: &Path) -> Result {
    let sums = files::read_text(&dir.join(SUMS))?;
    for line in sums.lines() {
        let (sum, file) = line.split_once("  ").ok_or_else(|| format!("odd line: {line}"))?;
        if files::sha256(&files::read(&dir.join(file))?) != sum {
            return Err(format!("the checksum of dist/{file} does not match {SUMS}").into());
        }
    }
    println!("{SUMS}: {} sums match", sums.lines().count());
    Ok(())
}

fn works(server: &Server, unpacked: &Path, version: &str) -> Result {
    let executable = executable_in(unpacked, server.package);
    let printed = run::quietly(Command::new(&executable).arg("--version"))?;
    if !printed.split_whitespace().any(|word| word == version) {
        return Err(format!("{} --version printed {printed}", server.package).into());
    }
    let project = Scratch::new("project")?;
    sample::lay(project.path())?;
    let mut command = Command::new(&executable);
    command.current_dir(project.path());
    let (mut session, hello) = Session::open(command, LIMIT)?;
    let info = &hello["serverInfo"];
    if info["name"] != server.name || info["version"] != version {
        return Err(format!("{} introduces itself as {info}", server.package).into());
    }
    let listed = session.request("tools/list", json!({}))?;
    if !listed["tools"].is_array() {
        return Err(format!("{} lists its tools as {listed}", server.package).into());
    }
    session.finish()
}
