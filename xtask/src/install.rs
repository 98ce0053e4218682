//! `cargo xtask install`: the chosen servers into cargo's bin directory, and how to wire them.

use std::path::PathBuf;
use std::process::Command;

use crate::args::Args;
use crate::dist::cargo_home;
use crate::workspace::{Workspace, executable_in, select};
use crate::{Result, run};

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let servers = select(&args.words)?;
    for server in &servers {
        let mut command = workspace.cargo();
        command.args(["install", "--locked", "--path", &format!("crates/{}", server.package)]);
        run::visibly(&mut command)?;
    }
    let bin = bin_dir()?;
    for server in &servers {
        let executable = executable_in(&bin, server.package);
        let entry = run::quietly(Command::new(executable).args(["config", "claude-code"]))?;
        println!("\n{} for Claude Code (.mcp.json):\n{}", server.package, entry.trim_end());
    }
    println!(
        "\nother clients: <server> config claude-desktop|cursor|vscode|codex|gemini [--write]"
    );
    if !on_path(&bin) {
        println!("notice: {} is not on your PATH", bin.display());
    }
    Ok(())
}

/// Where `cargo install` puts executables.
fn bin_dir() -> Result<PathBuf> {
    let given = std::env::var_os("CARGO_INSTALL_ROOT").map(PathBuf::from);
    let root = given.or_else(cargo_home).ok_or("cannot tell where cargo installs to")?;
    Ok(root.join("bin"))
}

fn on_path(dir: &PathBuf) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|entry| entry == *dir)
}
