//! The measurements: starts, memory, single calls, pipelines. All of them interleaved.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::stats::{median, percentile};
use super::work::{BareRequest, Request, Work, echo};
use crate::Result;
use crate::client::Client;

pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) executable: PathBuf,
}

/// How much is measured.
pub(super) struct Scale {
    pub(super) starts: usize,
    memory_rounds: usize,
    call_rounds: usize,
    calls_per_round: usize,
    pipeline_rounds: usize,
    pipeline: usize,
}

impl Scale {
    pub(super) const FULL: Self = Self {
        starts: 60,
        memory_rounds: 5,
        call_rounds: 20,
        calls_per_round: 200,
        pipeline_rounds: 3,
        pipeline: 20_000,
    };
    pub(super) const QUICK: Self = Self {
        starts: 10,
        memory_rounds: 1,
        call_rounds: 2,
        calls_per_round: 100,
        pipeline_rounds: 1,
        pipeline: 2_000,
    };
}

/// One work's figures: the bare server first, then the contestants.
pub(super) struct WorkFigures {
    pub(super) name: &'static str,
    pub(super) rows: Vec<CallFigures>,
}

pub(super) struct CallFigures {
    pub(super) subject: &'static str,
    pub(super) answer_bytes: usize,
    pub(super) p50: Duration,
    pub(super) p99: Duration,
    /// Calls per second when all are sent at once.
    pub(super) rate: f64,
}

/// A session may take this long; past it something hangs.
const LIMIT: Duration = Duration::from_mins(5);

/// After the handshake a server may still finish what it does in the background.
const SETTLE: Duration = Duration::from_millis(200);

/// Median time from starting the process to the answer to `initialize`.
pub(super) fn starts(subjects: &[&Subject], scale: &Scale, dir: &Path) -> Result<Vec<Duration>> {
    let mut samples = vec![Vec::new(); subjects.len()];
    // The first round only brings the executables into memory.
    for round in 0..=scale.starts {
        for idx in turn(subjects.len(), round) {
            let started = Instant::now();
            let client = open(subjects[idx], dir)?;
            let took = started.elapsed();
            client.finish()?;
            if round > 0 {
                samples[idx].push(took);
            }
        }
    }
    Ok(samples.iter_mut().map(|samples| percentile(samples, 50)).collect())
}

/// Median resident memory in kB shortly after the handshake; `None` where the system has no /proc.
pub(super) fn memory(subjects: &[&Subject], scale: &Scale, dir: &Path) -> Result<Option<Vec<f64>>> {
    let mut samples = vec![Vec::new(); subjects.len()];
    for round in 0..scale.memory_rounds {
        for idx in turn(subjects.len(), round) {
            let client = open(subjects[idx], dir)?;
            std::thread::sleep(SETTLE);
            let Some(kilobytes) = resident_kilobytes(client.pid()) else { return Ok(None) };
            samples[idx].push(kilobytes);
            client.finish()?;
        }
    }
    Ok(Some(samples.iter_mut().map(|samples| median(samples)).collect()))
}

fn resident_kilobytes(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

pub(super) fn work(
    work: &Work,
    bare: &Subject,
    contestants: &[&Subject],
    scale: &Scale,
    dir: &Path,
) -> Result<WorkFigures> {
    let mut runners = Vec::new();
    for subject in contestants {
        runners.push(Runner::new(subject, (work.request)(), dir)?);
    }
    let request = match work.bare {
        BareRequest::Same => (work.request)(),
        BareRequest::EchoOfEqualSize => {
            let wanted = runners.first().map_or(0, |runner| runner.answer_bytes);
            let empty = Runner::new(bare, echo(0), dir)?.answer_bytes;
            echo(wanted.saturating_sub(empty))
        }
    };
    runners.insert(0, Runner::new(bare, request, dir)?);
    let sizes: BTreeSet<usize> = runners.iter().map(|runner| runner.answer_bytes).collect();
    if sizes.len() > 1 {
        return Err(format!("{}: answers of unequal size {sizes:?}", work.name).into());
    }
    for round in 0..scale.call_rounds {
        for idx in turn(runners.len(), round) {
            runners[idx].calls(scale.calls_per_round)?;
        }
    }
    for round in 0..scale.pipeline_rounds {
        for idx in turn(runners.len(), round) {
            runners[idx].pipeline(scale.pipeline)?;
        }
    }
    let rows = runners.into_iter().map(Runner::figures).collect::<Result<_>>()?;
    Ok(WorkFigures { name: work.name, rows })
}

/// One open session with what it measured so far.
struct Runner {
    subject: &'static str,
    client: Client,
    request: Request,
    answer_bytes: usize,
    calls: Vec<Duration>,
    rates: Vec<f64>,
}

const WARM_UP: usize = 50;

impl Runner {
    fn new(subject: &Subject, request: Request, dir: &Path) -> Result<Self> {
        let client = open(subject, dir)?;
        let (subject, calls, rates) = (subject.name, Vec::new(), Vec::new());
        let mut runner = Self { subject, client, request, answer_bytes: 0, calls, rates };
        runner.calls(WARM_UP)?;
        runner.calls.clear();
        Ok(runner)
    }

    fn calls(&mut self, n_calls: usize) -> Result {
        let line = self.request.line(1);
        let mut answer = Vec::new();
        for _ in 0..n_calls {
            let started = Instant::now();
            self.client.exchange(&line, &mut answer)?;
            self.calls.push(started.elapsed());
            succeeded(self.subject, &answer)?;
        }
        self.answer_bytes = answer.len();
        Ok(())
    }

    fn pipeline(&mut self, n_calls: usize) -> Result {
        let requests: Vec<u8> = (1..=n_calls).flat_map(|id| self.request.line(id)).collect();
        let started = Instant::now();
        let answers = self.client.pipeline(&requests, n_calls)?;
        let took = started.elapsed();
        let mut ids = BTreeSet::new();
        for line in answers.split_inclusive(|byte| *byte == b'\n') {
            ids.insert(succeeded(self.subject, line)?);
        }
        if ids.len() != n_calls {
            let subject = self.subject;
            return Err(format!("{subject} answered {} of {n_calls} calls", ids.len()).into());
        }
        self.rates.push(f64::from(u32::try_from(n_calls)?) / took.as_secs_f64());
        Ok(())
    }

    fn figures(mut self) -> Result<CallFigures> {
        self.client.finish()?;
        Ok(CallFigures {
            subject: self.subject,
            answer_bytes: self.answer_bytes,
            p50: percentile(&mut self.calls, 50),
            p99: percentile(&mut self.calls, 99),
            rate: median(&mut self.rates),
        })
    }
}

/// The id of an answer that carries a result and no complaint.
fn succeeded(subject: &str, answer: &[u8]) -> Result<u64> {
    let message: Value = serde_json::from_slice(answer)?;
    let fine = message["result"].is_object() && message["result"]["isError"] != true;
    match message["id"].as_u64().filter(|_| fine) {
        Some(id) => Ok(id),
        None => Err(format!("{subject} answered {message}").into()),
    }
}

fn open(subject: &Subject, dir: &Path) -> Result<Client> {
    let mut client = Client::start(Command::new(&subject.executable).current_dir(dir), LIMIT)?;
    client.initialize()?;
    Ok(client)
}

/// Everybody's turn, beginning with another one each round: who follows whom changes too little
/// otherwise.
fn turn(n_subjects: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..n_subjects).map(move |idx| (idx + round) % n_subjects)
}

#[cfg(test)]
mod tests {
    use super::{succeeded, turn};

    #[test]
    fn everybody_has_one_turn_per_round_and_the_first_one_changes() {
        assert_eq!(turn(3, 0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(turn(3, 4).collect::<Vec<_>>(), [1, 2, 0]);
    }

    #[test]
    fn an_error_or_a_failed_tool_is_not_a_measured_call() {
        let check = |line: &str| succeeded("x", line.as_bytes());
        assert_eq!(check(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#).unwrap(), 3);
        assert!(check(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":""}}"#).is_err());
        assert!(check(r#"{"jsonrpc":"2.0","id":3,"result":{"isError":true}}"#).is_err());
    }
}
