//! The figures as ratios against the bare server, beside the budgets, and as a page.

use std::fmt::Write as _;
use std::time::Duration;

use super::growth::{self, Growth};
use super::heavy::{self, HeavyFigure};
use super::http::{self, HttpFigures};
use super::instructions::{self, Count};
use super::measure::{CallFigures, WorkFigures};
use super::peers::{self, PeerFigure};
use super::project::{self, ProjectFigures};

/// The budgets every server has to keep.
const START_AT_MOST: f64 = 1.5;
const MEMORY_AT_MOST_KB: f64 = 12.0 * 1024.0;
const CALL_AT_MOST: f64 = 1.5;

/// In every list the bare server comes first.
#[derive(Default)]
pub(super) struct Report {
    pub(super) names: Vec<&'static str>,
    pub(super) starts: Vec<Duration>,
    pub(super) memory: Option<Vec<f64>>,
    pub(super) works: Vec<WorkFigures>,
    pub(super) heavy: Vec<HeavyFigure>,
    /// Empty where the system does not count processor time.
    pub(super) projects: Vec<ProjectFigures>,
    pub(super) growth: Vec<Growth>,
    /// Empty where there is nothing to count with.
    pub(super) instructions: Vec<Count>,
    pub(super) http: Vec<HttpFigures>,
    pub(super) peers: Vec<PeerFigure>,
}

/// One contestant's figures of a work with the bare server's beside them.
struct Contest<'a> {
    work: &'static str,
    rate_at_least: f64,
    bare: &'a CallFigures,
    row: &'a CallFigures,
}

impl Report {
    /// The ratios and whether each is within its budget.
    pub(super) fn ratios(&self) -> String {
        let mut out = format!(
            "| server | start → initialize (at most {START_AT_MOST:.1}×) | idle memory (at most 12 MB) |\n\
             | --- | --- | --- |\n"
        );
        for (idx, name) in self.names.iter().enumerate().skip(1) {
            let start = at_most(self.start_ratio(idx), START_AT_MOST);
            let memory = self.memory.as_ref().map_or_else(
                || "not measured on this system".to_owned(),
                |memory| format!("{} {}", megabytes(memory[idx]), verdict(fits(memory[idx]))),
            );
            let _ = writeln!(out, "| {name} | {start} | {memory} |");
        }
        let _ = write!(
            out,
            "\n| call | server | bytes | p50 (at most {CALL_AT_MOST:.1}×) | pipelined rate |\n\
             | --- | --- | --- | --- | --- |\n"
        );
        for Contest { work, rate_at_least, bare, row } in self.contests() {
            let p50 = at_most(ratio(row.p50, bare.p50), CALL_AT_MOST);
            let rate = row.rate / bare.rate;
            let rate = format!(
                "{rate:.2}× (at least {rate_at_least:.1}×) {}",
                verdict(rate >= rate_at_least)
            );
            let (subject, bytes) = (row.subject, row.answer_bytes);
            let _ = writeln!(out, "| {work} | {subject} | {bytes} | {p50} | {rate} |");
        }
        if !self.heavy.is_empty() {
            let _ = write!(out, "\n{}", heavy::table(&self.heavy));
        }
        out
    }

    pub(super) fn verdict(&self) -> String {
        let starts = (1..self.names.len()).filter(|idx| self.start_ratio(*idx) > START_AT_MOST);
        let memory = self.memory.iter().flatten().skip(1).filter(|kilobytes| !fits(**kilobytes));
        let calls = self.contests().map(|Contest { rate_at_least, bare, row, .. }| {
            usize::from(ratio(row.p50, bare.p50) > CALL_AT_MOST)
                + usize::from(row.rate / bare.rate < rate_at_least)
        });
        let heavy = self.heavy.iter().filter(|it| it.is_over());
        let calls = calls.sum::<usize>();
        let grown = growth::over(&self.growth) + project::over(&self.projects);
        let grown = grown + http::over(&self.http);
        match starts.count() + memory.count() + calls + heavy.count() + grown {
            0 => "all within budget".to_owned(),
            over => format!("{over} over budget"),
        }
    }

    /// `docs/benchmarks.md`.
    pub(super) fn page(&self) -> String {
        let mut out = format!(
            "# Benchmarks\n\n\
             Written by `cargo xtask bench`; do not edit by hand.\n\n\
             Every figure is taken beside the bare server of `crates/mcp-core/examples/bare`, \
             plain rmcp without anything of ours, in the same interleaved run.\n\
             The ratios are what counts: they carry over to other machines, the absolute figures do not.\n\n\
             ## Ratios against the bare server\n\n{}\n{}.\n\n\
             ## Absolute figures of this run\n\n\
             On {}.\n\n\
             | server | start → initialize, p50 | idle memory |\n| --- | --- | --- |\n",
            self.ratios(),
            capitalised(&self.verdict()),
            machine(),
        );
        for (idx, name) in self.names.iter().enumerate() {
            let memory = self.memory.as_ref().map_or_else(String::new, |it| megabytes(it[idx]));
            let _ = writeln!(out, "| {name} | {:.2} ms | {memory} |", millis(self.starts[idx]));
        }
        out.push_str(
            "\n| call | server | bytes | p50 | p99 | pipelined |\n\
             | --- | --- | --- | --- | --- | --- |\n",
        );
        for work in &self.works {
            for row in &work.rows {
                let CallFigures { subject, answer_bytes, p50, p99, rate } = row;
                let (p50, p99) = (millis(*p50) * 1000.0, millis(*p99) * 1000.0);
                let _ = writeln!(
                    out,
                    "| {} | {subject} | {answer_bytes} | {p50:.0} µs | {p99:.0} µs | {rate:.0}/s |",
                    work.name
                );
            }
        }
        if !self.instructions.is_empty() {
            let _ = write!(
                out,
                "\n## Instructions of the hot paths\n\n\
                 Counted by callgrind, the same on a busy machine and on a quiet one; \
                 `cargo xtask bench --instructions` counts them alone.\n\n{}",
                instructions::table(&self.instructions)
            );
        }
        if !self.http.is_empty() {
            let _ = write!(
                out,
                "\n## Over HTTP\n\n\
                 Beside `crates/mcp-core/examples/bare_http`, rmcp's own HTTP server. \
                 The clients share the machine with the server and take most of the time, \
                 for all servers alike; processor time is the server's alone. \
                 `cargo xtask bench --http` measures it alone.\n\n{}",
                http::table(&self.http)
            );
        }
        if !self.peers.is_empty() {
            let _ = write!(
                out,
                "\n## Beside tools of others\n\n\
                 The same files for all, each from a process of its own, the least of three rounds; \
                 `cargo xtask bench --peers` installs and measures them alone.\n\n{}",
                peers::table(&self.peers)
            );
        }
        if !self.projects.is_empty() {
            let _ = write!(
                out,
                "\n## Preparing a project as it grows\n\n\
                 The budget counts at 5,000 files. The floor is `crates/reverse-spec-mcp/examples/floor.rs`; \
                 both use all cores, and processor time is what they took together.\n\n{}",
                project::table(&self.projects)
            );
        }
        if !self.growth.is_empty() {
            let _ = write!(
                out,
                "\n## The requirements graph as it grows\n\n\
                 The budgets count at 50,000 requirements; p50 of each call as a client sees it.\n\n{}",
                growth::table(&self.growth)
            );
        }
        out
    }

    fn start_ratio(&self, idx: usize) -> f64 {
        ratio(self.starts[idx], self.starts[0])
    }

    /// Every contestant's row with the bare server's beside it.
    fn contests(&self) -> impl Iterator<Item = Contest<'_>> {
        self.works.iter().flat_map(|work| {
            let (bare, rest) = work.rows.split_at(1.min(work.rows.len()));
            let (name, rate_at_least) = (work.name, work.rate_at_least);
            bare.iter().flat_map(move |bare| {
                rest.iter().map(move |row| Contest { work: name, rate_at_least, bare, row })
            })
        })
    }
}

fn ratio(value: Duration, bare: Duration) -> f64 {
    value.as_secs_f64() / bare.as_secs_f64()
}

fn at_most(ratio: f64, budget: f64) -> String {
    format!("{ratio:.2}× {}", verdict(ratio <= budget))
}

fn fits(kilobytes: f64) -> bool {
    kilobytes <= MEMORY_AT_MOST_KB
}

fn verdict(within: bool) -> &'static str {
    if within { "ok" } else { "over" }
}

fn megabytes(kilobytes: f64) -> String {
    format!("{:.1} MB", kilobytes / 1024.0)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned());
    format!("{model}, {cores} cores, {}", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::measure::{CallFigures, WorkFigures};
    use super::Report;

    fn row(subject: &'static str, micros: u64, rate: f64) -> CallFigures {
        let p50 = Duration::from_micros(micros);
        CallFigures { subject, answer_bytes: 40, p50, p99: p50 * 2, rate }
    }

    fn report() -> Report {
        let rows = vec![row("bare", 100, 20_000.0), row("acm", 160, 16_000.0)];
        Report {
            names: vec!["bare", "acm"],
            starts: vec![Duration::from_millis(2), Duration::from_millis(3)],
            memory: Some(vec![5_000.0, 20_000.0]),
            works: vec![WorkFigures { name: "ping", rate_at_least: 0.7, rows }],
            ..Report::default()
        }
    }

    #[test]
    fn ratios_stand_beside_their_budgets() {
        let ratios = report().ratios();
        assert!(ratios.contains("| acm | 1.50× ok | 19.5 MB over |"), "{ratios}");
        assert!(
            ratios.contains("| ping | acm | 40 | 1.60× over | 0.80× (at least 0.7×) ok |"),
            "{ratios}"
        );
    }

    #[test]
    fn the_verdict_counts_what_is_over() {
        assert_eq!(report().verdict(), "2 over budget");
    }

    #[test]
    fn the_page_gives_ratios_before_absolute_figures() {
        let page = report().page();
        let ratios = page.find("1.50× ok").unwrap();
        let absolute = page.find("| ping | bare | 40 | 100 µs | 200 µs | 20000/s |").unwrap();
        assert!(ratios < absolute);
    }
}
