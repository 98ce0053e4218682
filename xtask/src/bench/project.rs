//! Work on a whole project: what `prepare` costs beside the least that reading its files can cost.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::files::{self, Scratch};
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{Result, run};

/// At this size the budget counts.
const BUDGET_AT: usize = 5_000;
/// Processor time, in times that of the floor.
const AT_MOST: f64 = 1.5;
const PATIENCE: Duration = Duration::from_mins(10);
/// What is laid down again and again: every kind of declaration, and ordinary code.
const SOURCES: [(&str, &str); 8] = [
    ("ts", "crates/reverse-spec-mcp/src/domain/languages/typescript/tests/sample.ts"),
    ("rs", "crates/mcp-core/src/wire.rs"),
    ("rs", "crates/mcp-core/src/server/handler.rs"),
    ("rs", "crates/mcp-core/src/sandbox/commit.rs"),
    ("rs", "crates/mcp-core/src/schema.rs"),
    ("py", "crates/reverse-spec-mcp/src/domain/languages/python/tests/sample.py"),
    ("go", "crates/reverse-spec-mcp/src/domain/languages/go/tests/sample.go"),
    ("java", "crates/reverse-spec-mcp/src/domain/languages/java/tests/Sample.java"),
];

/// What a project of one size costs.
pub(super) struct ProjectFigures {
    pub(super) files: usize,
    /// Processor seconds.
    pub(super) ours: f64,
    pub(super) floor: f64,
    /// The most memory the server ever held.
    pub(super) peak_mb: f64,
    /// The whole result as it is written to the disk.
    pub(super) result_mb: f64,
}

/// What is measured.
pub(super) struct Contest<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) server: &'a Path,
    pub(super) floor: &'a Path,
    pub(super) rounds: usize,
}

/// Nothing where the system does not say how much time its processes took.
pub(super) fn measure(contest: &Contest<'_>, sizes: &[usize]) -> Result<Vec<ProjectFigures>> {
    if spent_by_children().is_none() {
        return Ok(Vec::new());
    }
    sizes.iter().map(|files| measure_one(contest, *files)).collect()
}

fn measure_one(contest: &Contest<'_>, files: usize) -> Result<ProjectFigures> {
    println!("measuring prepare of {files} files");
    let project = Scratch::new("project")?;
    lay(contest.workspace, project.path(), files)?;
    let (mut ours, mut least) = (Vec::new(), Vec::new());
    for _ in 0..contest.rounds {
        least.push(spent(Command::new(contest.floor).arg(project.path()))?);
        let call = ["call", "prepare", "targetPath=."];
        ours.push(spent(Command::new(contest.server).args(call).current_dir(project.path()))?);
    }
    let (peak_mb, result_mb) = memory(contest.server, project.path())?;
    // Other work on the machine only ever adds: the least of each is the least disturbed.
    let least_of = |seconds: &[f64]| seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let (ours, floor) = (least_of(&ours), least_of(&least));
    Ok(ProjectFigures { files, ours, floor, peak_mb, result_mb })
}

/// The most a serving process held for one call, and how large its result is.
fn memory(server: &Path, project: &Path) -> Result<(f64, f64)> {
    let mut command = Command::new(server);
    command.args(["--call-timeout", "600"]).current_dir(project);
    let (mut session, _) = Session::open(command, PATIENCE)?;
    let answer = session.call("prepare", &json!({ "targetPath": "." }))?;
    let peak = super::measure::kilobytes(session.pid(), "VmHWM:").unwrap_or_default() / 1024.0;
    session.finish()?;
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    let told: Value = serde_json::from_str(text)?;
    let kept = told["fullResultPath"].as_str();
    let kept = kept.ok_or("prepare kept no whole result: its answer was not shortened")?;
    let bytes = std::fs::metadata(project.join(kept))?.len();
    #[expect(clippy::cast_precision_loss, reason = "sizes of results are small numbers")]
    let result = bytes as f64 / 1024.0 / 1024.0;
    Ok((peak, result))
}

pub(super) fn lay(workspace: &Workspace, project: &Path, count: usize) -> Result {
    files::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let mut texts = Vec::new();
    for (extension, path) in SOURCES {
        texts.push((extension, files::read_text(&workspace.root.join(path))?));
    }
    for index in 0..count {
        let (extension, text) = &texts[index % texts.len()];
        let path = format!("src/part{}/file{index}.{extension}", index / 100);
        files::write(&project.join(path), text)?;
    }
    Ok(())
}

impl ProjectFigures {
    fn ratio(&self) -> f64 {
        self.ours / self.floor
    }

    fn is_over(&self) -> bool {
        self.files == BUDGET_AT && self.ratio() > AT_MOST
    }
}

pub(super) fn over(rows: &[ProjectFigures]) -> usize {
    rows.iter().filter(|it| it.is_over()).count()
}

pub(super) fn table(rows: &[ProjectFigures]) -> String {
    let mut out = format!(
        "| files | prepare beside walk, read, hash and parse (at most {AT_MOST:.1}×) | processor time | of that the floor | most memory | whole result |\n\
         | --- | --- | --- | --- | --- | --- |\n"
    );
    for row in rows {
        let ProjectFigures { files, ours, floor, peak_mb, result_mb } = row;
        let verdict = match (*files == BUDGET_AT, row.is_over()) {
            (false, _) => "",
            (true, false) => " ok",
            (true, true) => " **over**",
        };
        let _ = writeln!(
            out,
            "| {files} | {:.2}×{verdict} | {ours:.2} s | {floor:.2} s | {peak_mb:.0} MB | {result_mb:.0} MB |",
            row.ratio()
        );
    }
    out
}

/// Processor seconds that a command takes.
pub(super) fn spent(command: &mut Command) -> Result<f64> {
    let before = spent_by_children().unwrap_or_default();
    run::quietly(command)?;
    Ok(spent_by_children().unwrap_or_default() - before)
}

/// Processor seconds of all children so far, from the system's own account.
pub(super) fn spent_by_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything; fields are counted from after it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
    // The kernel gives these in hundredths of a second on every system we know.
    Some(ticks / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_counts_at_the_size_it_is_for() {
        let row = |files, ours| ProjectFigures {
            files,
            ours,
            floor: 2.0,
            peak_mb: 180.0,
            result_mb: 87.0,
        };
        let rows = [row(1_250, 9.0), row(BUDGET_AT, 3.3), row(BUDGET_AT, 3.0)];
        assert_eq!(over(&rows), 1);
        let table = table(&rows);
        assert!(table.contains("| 5000 | 1.65× **over** | 3.30 s | 2.00 s | 180 MB | 87 MB |"));
        assert!(table.contains("| 5000 | 1.50× ok |") && table.contains("| 1250 | 4.50× |"));
    }
}
