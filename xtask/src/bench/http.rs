//! The servers over HTTP beside rmcp's own HTTP server: one client, many at a time, a thousand.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use plumbline_tests::http::{Connection, HttpServer, Session};
use serde_json::json;
use tokio::task::JoinSet;

use super::measure::{Subject, resident_kilobytes, turn};
use super::stats::{median, percentile};
use crate::Result;

/// What a call may take beside the bare server's, and how many of them are answered.
const CALL_AT_MOST: f64 = 1.3;
const RATE_AT_LEAST: f64 = 0.8;
/// What many clients that come at once may take beside the same.
const CLIENTS_AT_MOST: f64 = 1.5;
const VERSION: &str = "2025-11-25";
/// Clients that call without a pause for the rate.
const AT_A_TIME: usize = 32;

/// How much is measured.
pub(super) struct HttpScale {
    rounds: usize,
    calls: usize,
    clients: usize,
}

impl HttpScale {
    pub(super) const FULL: Self = Self { rounds: 7, calls: 4_000, clients: 1_000 };
    pub(super) const QUICK: Self = Self { rounds: 1, calls: 400, clients: 100 };
}

/// What one server takes; the bare one comes first in every list.
pub(super) struct HttpFigures {
    subject: &'static str,
    /// One client that waits for each answer.
    p50: Duration,
    /// Calls per second of all clients that call at a time.
    rate: f64,
    /// Processor time of the server per call at that rate, in microseconds.
    per_call: Option<f64>,
    n_clients: usize,
    /// Until all clients have connected, opened a session and read the list of tools.
    clients: Duration,
    /// What the server holds while they are all there.
    kilobytes: Option<f64>,
}

#[derive(Default)]
struct Samples {
    p50s: Vec<Duration>,
    rates: Vec<f64>,
    per_call: Vec<f64>,
    clients: Vec<f64>,
    kilobytes: Vec<f64>,
}

pub(super) fn measure(
    subjects: &[&Subject],
    scale: &HttpScale,
    dir: &Path,
) -> Result<Vec<HttpFigures>> {
    let n_clients = scale.clients.min(most_clients());
    println!("measuring {n_clients} clients over HTTP");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut samples: Vec<Samples> = subjects.iter().map(|_| Samples::default()).collect();
    for round in 0..scale.rounds {
        for idx in turn(subjects.len(), round) {
            runtime.block_on(one_round(
                subjects[idx],
                (scale.calls, n_clients),
                dir,
                &mut samples[idx],
            ))?;
        }
    }
    let figures = subjects.iter().zip(&mut samples).map(|(subject, samples)| HttpFigures {
        subject: subject.name,
        p50: percentile(&mut samples.p50s, 50),
        rate: median(&mut samples.rates),
        per_call: some_median(&mut samples.per_call),
        n_clients,
        clients: Duration::from_secs_f64(median(&mut samples.clients)),
        kilobytes: some_median(&mut samples.kilobytes),
    });
    Ok(figures.collect())
}

/// A process of its own per round, as in the measurements over pipes.
async fn one_round(
    subject: &Subject,
    (n_calls, n_clients): (usize, usize),
    dir: &Path,
    samples: &mut Samples,
) -> Result {
    let running = HttpServer::start_in(&subject.executable, &["--log", "error"], &[], dir).await;
    let pid = running.process().id();
    let mut only = opened(running.authority()).await;
    let mut took = Vec::with_capacity(n_calls);
    for _ in 0..n_calls {
        let started = Instant::now();
        ping(&mut only).await;
        took.push(started.elapsed());
    }
    samples.p50s.push(percentile(&mut took, 50));

    let mut many = Vec::new();
    for _ in 0..AT_A_TIME {
        many.push(opened(running.authority()).await);
    }
    let each = n_calls / AT_A_TIME;
    let calls = f64::from(u32::try_from(each * AT_A_TIME)?);
    let (before, started) = (processor_micros(pid), Instant::now());
    together(many.into_iter().map(|mut session| async move {
        for _ in 0..each {
            ping(&mut session).await;
        }
        session
    }))
    .await?;
    samples.rates.push(calls / started.elapsed().as_secs_f64());
    if let (Some(before), Some(after)) = (before, processor_micros(pid)) {
        samples.per_call.push((after - before) / calls);
    }

    let started = Instant::now();
    let crowd = together((0..n_clients).map(|_| {
        let authority = running.authority().to_owned();
        async move {
            let mut session = opened(&authority).await;
            session.request("tools/list", json!({})).await.result();
            session
        }
    }))
    .await?;
    samples.clients.push(started.elapsed().as_secs_f64());
    samples.kilobytes.extend(resident_kilobytes(pid));
    drop(crowd);
    Ok(())
}

async fn opened(authority: &str) -> Session {
    Session::open(Connection::open(authority).await, VERSION, json!({})).await
}

async fn ping(session: &mut Session) {
    session.request("ping", json!({})).await.result();
}

/// Lets them all run at a time, and gives back what they still hold.
async fn together<T: Send + 'static>(
    all: impl Iterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Result<Vec<T>> {
    let mut running: JoinSet<T> = all.collect();
    let mut done = Vec::new();
    while let Some(one) = running.join_next().await {
        done.push(one?);
    }
    Ok(done)
}

/// What a process has taken of the processors so far; nothing where the system has no /proc.
fn processor_micros(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything; fields are counted from after it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks * 10_000.0)
}

/// How many clients the limit of open files leaves room for, here and in the server, which keeps
/// half of its own for the work on their calls.
fn most_clients() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let files = files.and_then(|it| it.split_whitespace().next()?.parse::<usize>().ok());
    files.unwrap_or(256) / 4
}

fn some_median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(median(values)) }
}

/// How many figures are past their budget.
pub(super) fn over(rows: &[HttpFigures]) -> usize {
    let Some((bare, rest)) = rows.split_first() else { return 0 };
    rest.iter().map(|row| row.ratios(bare).filter(|(_, fits)| !fits).count()).sum()
}

impl HttpFigures {
    /// Those that have a budget, each with whether it is within.
    fn ratios(&self, bare: &Self) -> impl Iterator<Item = (f64, bool)> {
        let clients = self.clients.as_secs_f64() / bare.clients.as_secs_f64();
        let p50 = self.p50.as_secs_f64() / bare.p50.as_secs_f64();
        let rate = self.rate / bare.rate;
        [
            (p50, p50 <= CALL_AT_MOST),
            (rate, rate >= RATE_AT_LEAST),
            (clients, clients <= CLIENTS_AT_MOST),
        ]
        .into_iter()
    }
}

pub(super) fn table(rows: &[HttpFigures]) -> String {
    let Some(bare) = rows.first() else { return String::new() };
    let n_clients = bare.n_clients;
    let mut out = format!(
        "| server | ping, p50 (at most {CALL_AT_MOST:.1}×) | calls per second of {AT_A_TIME} clients (at least {RATE_AT_LEAST:.1}×) | \
         server's processor time per call | {n_clients} clients there, each with its list of tools (at most {CLIENTS_AT_MOST:.1}×) | memory with them |\n\
         | --- | --- | --- | --- | --- | --- |\n"
    );
    let beside = |(ratio, fits): (f64, bool), is_bare: bool| match (is_bare, fits) {
        (true, _) => String::new(),
        (false, true) => format!(", {ratio:.2}× ok"),
        (false, false) => format!(", {ratio:.2}× over"),
    };
    for (idx, row) in rows.iter().enumerate() {
        let mut ratios = row.ratios(bare).map(|ratio| beside(ratio, idx == 0));
        let mut next = || ratios.next().unwrap_or_default();
        let _ = writeln!(
            out,
            "| {} | {:.0} µs{} | {:.0}{} | {} | {:.0} ms{} | {} |",
            row.subject,
            row.p50.as_secs_f64() * 1e6,
            next(),
            row.rate,
            next(),
            row.per_call.map_or_else(String::new, |micros| format!("{micros:.0} µs")),
            row.clients.as_secs_f64() * 1e3,
            next(),
            row.kilobytes.map_or_else(String::new, |it| format!("{:.1} MB", it / 1024.0)),
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_stands_beside_the_bare_server() {
        let row = |subject, micros, rate, millis| HttpFigures {
            subject,
            p50: Duration::from_micros(micros),
            rate,
            per_call: Some(40.0),
            n_clients: 1_000,
            clients: Duration::from_millis(millis),
            kilobytes: None,
        };
        let rows = [row("bare", 100, 9_000.0, 400), row("acm", 120, 4_500.0, 500)];
        let table = table(&rows);
        assert!(table.contains("| bare | 100 µs | 9000 | 40 µs | 400 ms |  |"), "{table}");
        let ours = "| acm | 120 µs, 1.20× ok | 4500, 0.50× over | 40 µs | 500 ms, 1.25× ok |  |";
        assert!(table.contains(ours), "{table}");
        assert_eq!(over(&rows), 1);
    }
}
