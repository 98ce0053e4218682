//! Instructions instead of time: the same on a busy machine and on a quiet one, so that a change of
//! a few per cent shows.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::measure::Subject;
use super::work::{BareRequest, Request, WORKS, Work};
use crate::{Result, run};

/// Calls that one is computed from; what is done but once hardly shows among them.
const CALLS: usize = 200;

/// What one server takes for one thing.
pub(super) struct Count {
    what: &'static str,
    subject: &'static str,
    instructions: u64,
    /// Of the bare server, where it does the very same.
    bare: Option<u64>,
}

/// Nothing where there is no valgrind to count with.
pub(super) fn measure(bare: &Subject, subjects: &[Subject], dir: &Path) -> Result<Vec<Count>> {
    if run::quietly(Command::new("valgrind").arg("--version")).is_err() {
        println!("valgrind is not installed: no instructions are counted");
        return Ok(Vec::new());
    }
    println!("counting instructions");
    let mut counts = Vec::new();
    let mut start_of_bare = None;
    for subject in std::iter::once(bare).chain(subjects) {
        let start = collected(subject, &[], dir)?;
        let against = *start_of_bare.get_or_insert(start);
        let what = "start → initialize";
        counts.push(Count {
            what,
            subject: subject.name,
            instructions: start,
            bare: Some(against),
        });
    }
    for work in WORKS {
        let alike = work.bare == BareRequest::Same;
        let takes_part = |it: &&Subject| work.servers.is_none_or(|name| name == it.name);
        let against = if alike { Some(per_call(bare, work, dir)?) } else { None };
        for subject in subjects.iter().filter(takes_part) {
            let instructions = per_call(subject, work, dir)?;
            counts.push(Count {
                what: work.name,
                subject: subject.name,
                instructions,
                bare: against,
            });
        }
    }
    Ok(counts)
}

/// The difference that calls make, so that the start is not in it.
fn per_call(subject: &Subject, work: &Work, dir: &Path) -> Result<u64> {
    let request: Request = (work.request)();
    let few: Vec<Vec<u8>> = (1..=CALLS).map(|id| request.line(id)).collect();
    let many: Vec<Vec<u8>> = (1..=2 * CALLS).map(|id| request.line(id)).collect();
    let (few, many) = (collected(subject, &few, dir)?, collected(subject, &many, dir)?);
    Ok(many.saturating_sub(few) / u64::try_from(CALLS)?)
}

/// All instructions of a process that is greeted, asked and left.
fn collected(subject: &Subject, requests: &[Vec<u8>], dir: &Path) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let mut child = command
        .arg(&subject.executable)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let hello = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "xtask", "version": env!("CARGO_PKG_VERSION") },
        },
    });
    let mut input = format!("{hello}\n").into_bytes();
    if !requests.is_empty() {
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(input, "{ready}")?;
        input.extend(requests.iter().flatten());
    }
    // Dropping the pipe tells the server that its client has gone.
    child.stdin.take().ok_or("valgrind has no input")?.write_all(&input)?;
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let name = subject.name;
    total(&said).ok_or_else(|| format!("valgrind counted nothing for {name}:\n{said}").into())
}

fn total(said: &str) -> Option<u64> {
    said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

pub(super) fn table(counts: &[Count]) -> String {
    let mut out =
        "| what | server | instructions | beside the bare server |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for Count { what, subject, instructions, bare } in counts {
        #[expect(clippy::cast_precision_loss, reason = "ratios are shown with two digits")]
        let ratio = bare.map_or_else(String::new, |bare| {
            format!("{:.2}×", *instructions as f64 / bare.max(1) as f64)
        });
        let _ = writeln!(out, "| {what} | {subject} | {instructions} | {ratio} |");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_found_among_what_valgrind_and_the_server_say() {
        let said = "INFO ready\n==7== Events    : Ir\n==7== Collected : 1769777\n==7==\n";
        assert_eq!(total(said), Some(1_769_777));
        assert_eq!(total("==7== Command: x\n"), None);
    }

    #[test]
    fn a_ratio_stands_only_where_the_bare_server_does_the_same() {
        let count = |bare| Count { what: "ping", subject: "acm", instructions: 300, bare };
        let table = table(&[count(Some(200)), count(None)]);
        assert!(table.contains("| ping | acm | 300 | 1.50× |\n| ping | acm | 300 |  |"), "{table}");
    }
}
