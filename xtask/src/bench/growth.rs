//! How the requirements graph grows: what each kind of call costs at several sizes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::project::spent;
use super::{requirements, stats};
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::{Result, run};

/// At this size the budgets count.
const BUDGET_AT: usize = 50_000;
const PATIENCE: Duration = Duration::from_mins(10);
/// Calls of each kind.
const REPEATS: usize = 21;

/// Name and budget at 50,000 requirements, in milliseconds.
const CALLS: [(&str, f64); 12] = [
    ("cold build", 2000.0),
    ("search", 15.0),
    ("lookup", 1.0),
    ("mutate", 2.0),
    ("undo", 2.0),
    ("refresh after one file", 100.0),
    ("get_all_keywords", 50.0),
    ("find_by_keywords", 50.0),
    ("find_assertions_by_keywords", 50.0),
    ("get_suspect_links", 50.0),
    ("get_subtree", 50.0),
    ("get_uncovered_assertions", 50.0),
];
/// Of those, tools that look through the whole graph.
const WIDE: usize = 6;

/// Processor time of a cold build, in times that of the floor.
const BUILD_AT_MOST: f64 = 6.0;
/// Builds and floors that are held against each other.
const BUILDS: usize = 5;
const MEMORY_MB: f64 = 600.0;

/// The figures of one size.
pub(super) struct Growth {
    requirements: usize,
    megabytes_on_disk: f64,
    /// As in `CALLS`.
    calls: Vec<Duration>,
    resident_mb: Option<f64>,
    /// Of the build and of the floor, in seconds.
    processor: (f64, f64),
}

/// What is measured, and the least that reading the same files takes.
pub(super) struct Contest<'a> {
    pub(super) server: &'a Path,
    pub(super) floor: &'a Path,
}

pub(super) fn measure(contest: &Contest<'_>, sizes: &[usize]) -> Result<Vec<Growth>> {
    sizes.iter().map(|size| measure_one(contest, *size)).collect()
}

fn measure_one(contest: &Contest<'_>, requirements: usize) -> Result<Growth> {
    let executable = contest.server;
    println!("measuring the graph of {requirements} requirements");
    let scratch = Scratch::new("graph")?;
    requirements::lay(scratch.path(), requirements)?;
    // One look at all files, so that the disk is not what is measured.
    let bytes: usize = files::tree(scratch.path())?.values().map(|(size, _)| size).sum();
    let mut command = Command::new(executable);
    command.args(["--call-timeout", "600", "--toolsets", "all"]).current_dir(scratch.path());
    println!("  {}", run::describe(&command));
    let started = Instant::now();
    let (mut session, _) = Session::open(command, PATIENCE)?;
    session.call("get_graph_status", &json!({}))?;
    let cold = started.elapsed();
    let mut samples: Vec<Vec<Duration>> = vec![Vec::new(); CALLS.len() - 1];
    let file = scratch.path().join("spec/part000/file00000.md");
    let text = files::read_text(&file)?;
    for n in 0..REPEATS {
        let id = format!("REQ-d{:06}", 1 + n * requirements / (REPEATS * 2));
        let mut timed = |at: usize, tool: &str, arguments: &Value| -> Result {
            let started = Instant::now();
            session.call(tool, arguments)?;
            samples[at].push(started.elapsed());
            Ok(())
        };
        timed(0, "search", &json!({ "query": "gateway quota ledger" }))?;
        timed(1, "get_requirement", &json!({ "req_id": id }))?;
        let change =
            json!({ "assertion_id": format!("{id}-A"), "new_text": format!("Turn {n} SHALL be.") });
        timed(2, "mutate_update_assertion", &change)?;
        timed(3, "undo_last_mutation", &json!({}))?;
        files::write(&file, format!("{text}\nTurn {n}.\n"))?;
        timed(4, "refresh_graph", &json!({}))?;
        let words = json!({ "keywords": ["gateway", "ledger"] });
        for (at, (tool, _)) in CALLS.iter().enumerate().skip(WIDE) {
            let takes_words = tool.ends_with("_by_keywords");
            timed(at - 1, tool, if takes_words { &words } else { &Value::Null })?;
        }
    }
    let resident_mb = super::measure::resident_kilobytes(session.pid()).map(|it| it / 1024.0);
    session.finish()?;
    let calls = std::iter::once(cold)
        .chain(samples.iter_mut().map(|it| stats::percentile(it, 50)))
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "sizes of projects are small numbers")]
    let megabytes_on_disk = bytes as f64 / 1e6;
    let processor = processor_time(contest, scratch.path())?;
    Ok(Growth { requirements, megabytes_on_disk, calls, resident_mb, processor })
}

/// What a build and the floor take, by turns; other work on the machine only ever adds.
fn processor_time(contest: &Contest<'_>, project: &Path) -> Result<(f64, f64)> {
    let (mut build, mut floor) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..BUILDS {
        floor = floor.min(spent(Command::new(contest.floor).arg(project))?);
        let mut call = Command::new(contest.server);
        call.args(["call", "get_graph_status"]).current_dir(project);
        build = build.min(spent(&mut call)?);
    }
    Ok((build, floor))
}

/// A row per size, with the budgets beside the size they count for.
pub(super) fn table(rows: &[Growth]) -> String {
    let mut out = "| requirements | files".to_owned();
    for (name, budget) in CALLS {
        let _ = write!(out, " | {name} (at most {budget} ms)");
    }
    let _ = write!(
        out,
        " | memory (at most {MEMORY_MB} MB) | build beside walk, read, UTF-8 and line breaks (at most {BUILD_AT_MOST:.0}×) |\n| --- | ---{} | --- | --- |\n",
        " | ---".repeat(CALLS.len())
    );
    for row in rows {
        let _ = write!(out, "| {} | {:.0} MB", row.requirements, row.megabytes_on_disk);
        for (took, (_, budget)) in row.calls.iter().zip(CALLS) {
            let millis = took.as_secs_f64() * 1000.0;
            let _ = write!(out, " | {millis:.1} ms{}", verdict(row, millis <= budget));
        }
        let memory = row.resident_mb.map_or_else(
            || "not measured".to_owned(),
            |it| format!("{it:.0} MB{}", verdict(row, it <= MEMORY_MB)),
        );
        let (build, floor) = row.processor;
        let _ = writeln!(
            out,
            " | {memory} | {:.1}×{} ({build:.2} s, {floor:.2} s) |",
            row.build_ratio(),
            verdict(row, row.build_ratio() <= BUILD_AT_MOST)
        );
    }
    out
}

impl Growth {
    fn build_ratio(&self) -> f64 {
        self.processor.0 / self.processor.1.max(0.001)
    }
}

fn verdict(row: &Growth, within: bool) -> &'static str {
    match (row.requirements == BUDGET_AT, within) {
        (false, _) => "",
        (true, true) => " ok",
        (true, false) => " **over**",
    }
}

/// How many figures are over their budget.
pub(super) fn over(rows: &[Growth]) -> usize {
    let counted = rows.iter().filter(|row| row.requirements == BUDGET_AT);
    counted
        .map(|row| {
            let calls = row.calls.iter().zip(CALLS);
            let slow = calls.filter(|(took, (_, budget))| took.as_secs_f64() * 1000.0 > *budget);
            slow.count()
                + usize::from(row.resident_mb.is_some_and(|it| it > MEMORY_MB))
                + usize::from(row.build_ratio() > BUILD_AT_MOST)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_held_against_the_size_they_are_for() {
        let row = |requirements, millis| Growth {
            requirements,
            megabytes_on_disk: 1.0,
            calls: vec![Duration::from_millis(millis); CALLS.len()],
            resident_mb: Some(700.0),
            processor: (7.0, 1.0),
        };
        let rows = [row(1_000, 5_000), row(BUDGET_AT, 60)];
        assert_eq!(over(&rows), 12);
        let table = table(&rows);
        assert!(table.contains("| 50000 | 1 MB | 60.0 ms ok | 60.0 ms **over**"), "{table}");
        assert!(!table.contains("5000.0 ms **over**"));
    }
}
