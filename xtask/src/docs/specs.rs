//! What a server is built from: specifications of the core's public modules, written by
//! reverse-spec and written again when the code has left them.

use std::path::PathBuf;
use std::process::Command;

use crate::workspace::{Profile, Workspace};
use crate::{Result, run};

/// What somebody who writes a server meets first.
const MODULES: [&str; 6] =
    ["cli.rs", "failure.rs", "sandbox/root.rs", "server/tool.rs", "settings.rs", "work.rs"];

const FOLDER: &str = "docs/specs";

fn source(module: &str) -> String {
    format!("crates/mcp-core/src/{module}")
}

fn specification(module: &str) -> PathBuf {
    PathBuf::from(FOLDER).join(format!("{}.spec.md", source(module).replace('/', "__")))
}

fn server(workspace: &Workspace) -> Command {
    let mut command = Command::new(workspace.executable(Profile::Debug, "reverse-spec-mcp"));
    command.current_dir(&workspace.root).env("REVERSE_SPEC_LLM", "off");
    command.args(["--root", "."]);
    command
}

fn is_true(workspace: &Workspace, module: &str) -> Result {
    let spec = specification(module);
    if !workspace.root.join(&spec).is_file() {
        return Err(format!("{} is missing", spec.display()).into());
    }
    run::quietly(server(workspace).arg("diff").arg(spec).arg(source(module))).map(drop)
}

pub(super) fn write(workspace: &Workspace) -> Result {
    for module in MODULES {
        if is_true(workspace, module).is_err() {
            let mut command = server(workspace);
            run::quietly(command.args(["generate", &source(module), "--output", FOLDER]))?;
            println!("{} written", specification(module).display());
        }
    }
    Ok(())
}

pub(super) fn check(workspace: &Workspace) -> Result {
    for module in MODULES {
        is_true(workspace, module)
            .map_err(|error| format!("{error}\nto bring it up to date: cargo xtask docs"))?;
    }
    println!("{} specifications are true to the code", MODULES.len());
    Ok(())
}
