//! The measurements: starts, memory, single calls, pipelines. All of them interleaved.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::stats::{median, percentile};
use super::work::{BareRequest, Request, Work, echo};
use crate::Result;
use crate::session::Session;

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
        call_rounds: 40,
        calls_per_round: 200,
        pipeline_rounds: 11,
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
    pub(super) rate_at_least: f64,
    pub(super) rows: Vec<CallFigures>,
}

pub(super) struct CallFigures {
    pub(super) subject: &'static str,
    pub(super) answer_bytes: usize,
    /// The median of the rounds' medians.
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
            let session = open(subjects[idx], dir)?;
            let took = started.elapsed();
            session.finish()?;
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
            let session = open(subjects[idx], dir)?;
            std::thread::sleep(SETTLE);
            let Some(kilobytes) = resident_kilobytes(session.pid()) else { return Ok(None) };
            samples[idx].push(kilobytes);
            session.finish()?;
        }
    }
    Ok(Some(samples.iter_mut().map(|samples| median(samples)).collect()))
}

pub(super) fn resident_kilobytes(pid: u32) -> Option<f64> {
    kilobytes(pid, "VmRSS:")
}

/// One of the sizes the system keeps of a process.
pub(super) fn kilobytes(pid: u32, name: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
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
    let against = match work.bare {
        BareRequest::Same => Runner::new(bare, (work.request)(), dir)?,
        BareRequest::EchoOfEqualSize => {
            let wanted = runners.first().map_or(0, |runner| runner.answer_bytes);
            let empty = Runner::new(bare, echo(0), dir)?.answer_bytes;
            let sized = Runner::new(bare, echo(wanted.saturating_sub(empty)), dir)?;
            if runners.iter().any(|runner| runner.answer_bytes != sized.answer_bytes) {
                return Err(format!("{}: the answers are not of one size", work.name).into());
            }
            sized
        }
    };
    runners.insert(0, against);
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
    let rows = runners.into_iter().map(Runner::figures).collect();
    Ok(WorkFigures { name: work.name, rate_at_least: work.rate_at_least, rows })
}

/// One contestant with what was measured so far.
///
/// Every round is a session of its own: where the system happens to place a process can double the
/// time of all its calls, and only a fresh process gets a fresh place.
struct Runner<'a> {
    subject: &'a Subject,
    dir: &'a Path,
    request: Request,
    answer_bytes: usize,
    calls: Vec<Duration>,
    p50s: Vec<Duration>,
    rates: Vec<f64>,
}

const WARM_UP: usize = 50;

impl<'a> Runner<'a> {
    fn new(subject: &'a Subject, request: Request, dir: &'a Path) -> Result<Self> {
        let (calls, p50s, rates) = (Vec::new(), Vec::new(), Vec::new());
        let mut runner = Self { subject, dir, request, answer_bytes: 0, calls, p50s, rates };
        runner.warm_session()?.finish()?;
        Ok(runner)
    }

    fn warm_session(&mut self) -> Result<Session> {
        let mut session = open(self.subject, self.dir)?;
        self.timed_calls(&mut session, WARM_UP)?;
        Ok(session)
    }

    fn calls(&mut self, n_calls: usize) -> Result {
        let mut session = self.warm_session()?;
        let mut samples = self.timed_calls(&mut session, n_calls)?;
        session.finish()?;
        self.p50s.push(percentile(&mut samples, 50));
        self.calls.append(&mut samples);
        Ok(())
    }

    fn timed_calls(&mut self, session: &mut Session, n_calls: usize) -> Result<Vec<Duration>> {
        let line = self.request.line(1);
        let mut answer = Vec::new();
        let mut samples = Vec::with_capacity(n_calls);
        for _ in 0..n_calls {
            let started = Instant::now();
            session.exchange(&line, &mut answer)?;
            samples.push(started.elapsed());
            succeeded(self.subject.name, &answer)?;
        }
        self.answer_bytes = answer.len();
        Ok(samples)
    }

    fn pipeline(&mut self, n_calls: usize) -> Result {
        let requests: Vec<u8> = (1..=n_calls).flat_map(|id| self.request.line(id)).collect();
        let mut session = self.warm_session()?;
        let started = Instant::now();
        let answers = session.pipeline(&requests, n_calls)?;
        let took = started.elapsed();
        session.finish()?;
        let mut ids = BTreeSet::new();
        for line in answers.split_inclusive(|byte| *byte == b'\n') {
            ids.insert(succeeded(self.subject.name, line)?);
        }
        if ids.len() != n_calls {
            let name = self.subject.name;
            return Err(format!("{name} answered {} of {n_calls} calls", ids.len()).into());
        }
        self.rates.push(f64::from(u32::try_from(n_calls)?) / took.as_secs_f64());
        Ok(())
    }

    fn figures(mut self) -> CallFigures {
        CallFigures {
            subject: self.subject.name,
            answer_bytes: self.answer_bytes,
            p50: percentile(&mut self.p50s, 50),
            p99: percentile(&mut self.calls, 99),
            rate: median(&mut self.rates),
        }
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

fn open(subject: &Subject, dir: &Path) -> Result<Session> {
    let mut command = Command::new(&subject.executable);
    command.current_dir(dir);
    Ok(Session::open(command, LIMIT)?.0)
}

/// Everybody's turn, beginning with another one each round: who follows whom changes too little
/// otherwise.
pub(super) fn turn(n_subjects: usize, round: usize) -> impl Iterator<Item = usize> {
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
