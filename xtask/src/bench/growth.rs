//! How the requirements graph grows: what each kind of call costs at several sizes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

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
const CALLS: [(&str, f64); 6] = [
    ("cold build", 2000.0),
    ("search", 50.0),
    ("lookup", 1.0),
    ("mutate", 2.0),
    ("undo", 2.0),
    ("refresh after one file", 100.0),
];
const MEMORY_MB: f64 = 600.0;

/// The figures of one size.
pub(super) struct Growth {
    requirements: usize,
    megabytes_on_disk: f64,
    /// As in `CALLS`.
    calls: Vec<Duration>,
    resident_mb: Option<f64>,
}

pub(super) fn measure(executable: &Path, sizes: &[usize]) -> Result<Vec<Growth>> {
    sizes.iter().map(|size| measure_one(executable, *size)).collect()
}

fn measure_one(executable: &Path, requirements: usize) -> Result<Growth> {
    println!("measuring the graph of {requirements} requirements");
    let scratch = Scratch::new("graph")?;
    requirements::lay(scratch.path(), requirements)?;
    // One look at all files, so that the disk is not what is measured.
    let bytes: usize = files::tree(scratch.path())?.values().map(|(size, _)| size).sum();
    let mut command = Command::new(executable);
    command.args(["--call-timeout", "600"]).current_dir(scratch.path());
    println!("  {}", run::describe(&command));
    let started = Instant::now();
    let (mut session, _) = Session::open(command, PATIENCE)?;
    session.call("get_graph_status", &json!({}))?;
    let cold = started.elapsed();
    let mut samples: Vec<Vec<Duration>> = vec![Vec::new(); 5];
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
    }
    let resident_mb = super::measure::resident_kilobytes(session.pid()).map(|it| it / 1024.0);
    session.finish()?;
    let calls = std::iter::once(cold)
        .chain(samples.iter_mut().map(|it| stats::percentile(it, 50)))
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "sizes of projects are small numbers")]
    let megabytes_on_disk = bytes as f64 / 1e6;
    Ok(Growth { requirements, megabytes_on_disk, calls, resident_mb })
}

/// A row per size, with the budgets beside the size they count for.
pub(super) fn table(rows: &[Growth]) -> String {
    let mut out = "| requirements | files".to_owned();
    for (name, budget) in CALLS {
        let _ = write!(out, " | {name} (at most {budget} ms)");
    }
    let _ = write!(
        out,
        " | memory (at most {MEMORY_MB} MB) |\n| --- | ---{} | --- |\n",
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
        let _ = writeln!(out, " | {memory} |");
    }
    out
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
            slow.count() + usize::from(row.resident_mb.is_some_and(|it| it > MEMORY_MB))
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
        };
        let rows = [row(1_000, 5_000), row(BUDGET_AT, 60)];
        assert_eq!(over(&rows), 5);
        let table = table(&rows);
        assert!(table.contains("| 50000 | 1 MB | 60.0 ms ok | 60.0 ms **over**"), "{table}");
        assert!(!table.contains("5000.0 ms **over**"));
    }
}
