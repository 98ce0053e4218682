//! Work on a whole project: what `prepare` costs beside the least that reading its files can cost.

use std::path::Path;
use std::process::Command;

use super::stats::median;
use crate::files::{self, Scratch};
use crate::workspace::Workspace;
use crate::{Result, run};

/// As many as the budget speaks of.
const FILES: usize = 5_000;
/// What is laid down again and again: every kind of declaration, and ordinary code.
const SOURCES: [(&str, &str); 8] = [
    ("ts", "crates/reverse-spec-mcp/src/extract/tests/samples/sample.ts"),
    ("rs", "crates/mcp-core/src/transport/wire.rs"),
    ("rs", "crates/mcp-core/src/server/handler.rs"),
    ("rs", "crates/mcp-core/src/sandbox/commit.rs"),
    ("rs", "crates/mcp-core/src/schema.rs"),
    ("py", "crates/reverse-spec-mcp/src/extract/tests/samples/sample.py"),
    ("go", "crates/reverse-spec-mcp/src/extract/tests/samples/sample.go"),
    ("java", "crates/reverse-spec-mcp/src/extract/tests/samples/Sample.java"),
];

/// Processor seconds, of `prepare` and of the floor beneath it.
pub(super) struct ProjectFigures {
    pub(super) files: usize,
    pub(super) ours: f64,
    pub(super) floor: f64,
}

/// None where the system does not say how much time its processes took.
pub(super) fn measure(
    workspace: &Workspace,
    server: &Path,
    floor: &Path,
    rounds: usize,
) -> Result<Option<ProjectFigures>> {
    if spent_by_children().is_none() {
        return Ok(None);
    }
    let project = Scratch::new("project")?;
    lay(workspace, project.path())?;
    let (mut ours, mut least) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        least.push(spent(Command::new(floor).arg(project.path()))?);
        let call = ["call", "prepare", "targetPath=."];
        ours.push(spent(Command::new(server).args(call).current_dir(project.path()))?);
    }
    let figures =
        ProjectFigures { files: FILES, ours: median(&mut ours), floor: median(&mut least) };
    Ok(Some(figures))
}

fn lay(workspace: &Workspace, project: &Path) -> Result {
    files::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let mut texts = Vec::new();
    for (extension, path) in SOURCES {
        texts.push((extension, files::read_text(&workspace.root.join(path))?));
    }
    for index in 0..FILES {
        let (extension, text) = &texts[index % texts.len()];
        let path = format!("src/part{}/file{index}.{extension}", index / 100);
        files::write(&project.join(path), text)?;
    }
    Ok(())
}

/// Processor seconds of one command.
fn spent(command: &mut Command) -> Result<f64> {
    let before = spent_by_children().unwrap_or_default();
    run::quietly(command)?;
    Ok(spent_by_children().unwrap_or_default() - before)
}

/// Processor seconds of all children so far, from the system's own account.
fn spent_by_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything; fields are counted from after it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
    // The kernel gives these in hundredths of a second on every system we know.
    Some(ticks / 100.0)
}
