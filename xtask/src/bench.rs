//! `cargo xtask bench`: the servers beside a bare rmcp server, in one interleaved run.
//!
//! Figures of different runs or machines cannot be compared, ratios within one run can: every
//! round measures all contestants in turn, so that a busy moment hits them alike.

mod growth;
mod heavy;
mod http;
mod instructions;
mod measure;
mod one_file;
mod peers;
mod project;
mod records;
mod report;
mod requirements;
mod stats;
mod work;

use std::path::{Path, PathBuf};

use heavy::HeavyFigure;
use measure::{Scale, Subject};
use report::Report;

use crate::args::Args;
use crate::files::{self, Scratch};
use crate::workspace::{Profile, SERVERS, Workspace};
use crate::{Result, run, sample};

/// The server everything is measured against.
const BARE: &str = "bare";
/// The same one over HTTP.
const BARE_HTTP: &str = "bare_http";
/// The example that offers every kind of thing mcp-core can serve.
const EVERYTHING: &str = "everything";
/// The example that reads a project and keeps nothing, beneath what `prepare` can cost.
const FLOOR: &str = "floor";
const READING_FLOOR: &str = "reading_floor";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let quick = args.has("--quick");
    let only = args.values("--only");
    if !only.is_empty() {
        return only_heavy(workspace, &only, quick);
    }
    if args.has("--graph") {
        return graph_alone(workspace, quick);
    }
    if args.has("--project") {
        build_floor(workspace)?;
        let rows = projects(workspace, quick)?;
        println!("\n{}\n{} over budget", project::table(&rows), project::over(&rows));
        return Ok(());
    }
    let scale = if quick { Scale::QUICK } else { Scale::FULL };
    let examples = examples(workspace, quick);
    build(workspace, &examples)?;
    let bare = Subject { name: BARE, executable: example(workspace, BARE) };
    let mut subjects: Vec<Subject> = SERVERS
        .iter()
        .map(|server| Subject {
            name: server.name,
            executable: workspace.executable(Profile::Release, server.package),
        })
        .collect();
    subjects.extend(
        examples
            .iter()
            .copied()
            .filter(|name| *name != BARE)
            .map(|name| Subject { name, executable: example(workspace, name) }),
    );
    let scratch = Scratch::new("bench")?;
    sample::lay(scratch.path())?;
    if args.has("--instructions") {
        let counts = instructions::measure(&bare, &subjects, scratch.path())?;
        println!("\n{}", instructions::table(&counts));
        return Ok(());
    }
    let http = |quick| over_http(workspace, &subjects, quick, scratch.path());
    if args.has("--http") {
        let rows = http(quick)?;
        println!("\n{}\n{} over budget", http::table(&rows), http::over(&rows));
        return Ok(());
    }
    if args.has("--peers") {
        println!("\n{}", peers::table(&peers::measure(workspace)));
        return Ok(());
    }
    let mut report = measured(&bare, &subjects, &scale, &scratch)?;
    report.instructions = instructions::measure(&bare, &subjects, scratch.path())?;
    report.http = http(quick)?;
    for subject in &subjects {
        report.heavy.extend(heavy_figures(subject.name, &subject.executable, quick)?);
    }
    if !quick {
        report.peers = peers::measure(workspace);
    }
    report.projects = projects(workspace, quick)?;
    report.growth = graph_figures(workspace, quick)?;
    println!("\n{}", report.ratios());
    println!("{}", project::table(&report.projects));
    println!("{}", report.verdict());
    if quick {
        println!("a quick run is too short to publish: docs/benchmarks.md stays as it is");
        return Ok(());
    }
    files::write(&workspace.root.join("docs/benchmarks.md"), report.page())?;
    println!("docs/benchmarks.md written");
    Ok(())
}

/// The heavy work of some servers, for who works on it: nothing else is built or published.
fn only_heavy(workspace: &Workspace, names: &[&str], quick: bool) -> Result {
    let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
    let servers = crate::workspace::select(&names)?;
    let mut figures = Vec::new();
    for server in servers {
        let mut command = workspace.cargo();
        command.args(["build", "--locked", "--release", "--bins", "--package", server.package]);
        run::visibly(&mut command)?;
        let executable = workspace.executable(Profile::Release, server.package);
        figures.extend(heavy_figures(server.name, &executable, quick)?);
    }
    println!("\n{}", heavy::table(&figures));
    Ok(())
}

fn heavy_figures(server: &str, executable: &Path, quick: bool) -> Result<Vec<HeavyFigure>> {
    let mut figures = Vec::new();
    for heavy in heavy::HEAVY.iter().filter(|it| it.server == server) {
        println!("measuring the heavy work of {server}");
        figures.extend((heavy.measure)(executable, quick)?);
    }
    Ok(figures)
}

/// The sizes of graphs that are measured.
fn sizes(quick: bool) -> &'static [usize] {
    if quick { &[1_000, 10_000] } else { &[1_000, 10_000, 50_000, 200_000] }
}

fn graph_figures(workspace: &Workspace, quick: bool) -> Result<Vec<growth::Growth>> {
    let contest = growth::Contest {
        server: &workspace.executable(Profile::Release, "elspais-mcp"),
        floor: &example(workspace, READING_FLOOR),
    };
    growth::measure(&contest, sizes(quick))
}

/// elspais' server and the floor beneath its build.
fn build_graph_floor(workspace: &Workspace) -> Result {
    build_with_floor(workspace, "elspais-mcp", READING_FLOOR)
}

/// One after the other: built together, the server would get the features of the example's crates.
fn build_with_floor(workspace: &Workspace, package: &str, floor: &str) -> Result {
    for what in [&["--bins"][..], &["--example", floor]] {
        let mut command = workspace.cargo();
        command.args(["build", "--locked", "--release", "--package", package]);
        run::visibly(command.args(what))?;
    }
    Ok(())
}

/// Only the requirements graph, for whoever works on it.
fn graph_alone(workspace: &Workspace, quick: bool) -> Result {
    build_graph_floor(workspace)?;
    let rows = graph_figures(workspace, quick)?;
    println!("\n{}\n{} over budget", growth::table(&rows), growth::over(&rows));
    Ok(())
}

/// The examples that take part. A quick run makes do without the one that is not there.
fn examples(workspace: &Workspace, quick: bool) -> Vec<&'static str> {
    let dir = workspace.root.join("crates/mcp-core/examples");
    let exists = dir.join("everything.rs").is_file() || dir.join("everything/main.rs").is_file();
    if quick && !exists { vec![BARE] } else { vec![BARE, EVERYTHING] }
}

fn build(workspace: &Workspace, examples: &[&str]) -> Result {
    workspace.build_servers(Profile::Release)?;
    let mut command = workspace.cargo();
    command.args(["build", "--locked", "--release", "--package", "mcp-core"]);
    for example in examples.iter().chain(&[BARE_HTTP]) {
        command.args(["--example", example]);
    }
    run::visibly(&mut command)?;
    build_floor(workspace)?;
    build_graph_floor(workspace)
}

/// reverse-spec's server and the floor beneath it.
fn build_floor(workspace: &Workspace) -> Result {
    build_with_floor(workspace, "reverse-spec-mcp", FLOOR)
}

fn projects(workspace: &Workspace, quick: bool) -> Result<Vec<project::ProjectFigures>> {
    let contest = project::Contest {
        workspace,
        server: &workspace.executable(Profile::Release, "reverse-spec-mcp"),
        floor: &example(workspace, FLOOR),
        rounds: if quick { 1 } else { 5 },
    };
    project::measure(&contest, if quick { &[1_250] } else { &[1_250, 5_000, 20_000] })
}

fn example(workspace: &Workspace, name: &str) -> PathBuf {
    let dir = workspace.profile_dir(Profile::Release).join("examples");
    crate::workspace::executable_in(&dir, name)
}

fn measured(
    bare: &Subject,
    subjects: &[Subject],
    scale: &Scale,
    scratch: &Scratch,
) -> Result<Report> {
    let all: Vec<&Subject> = std::iter::once(bare).chain(subjects).collect();
    println!("\nmeasuring {} starts of each", scale.starts);
    let starts = measure::starts(&all, scale, scratch.path())?;
    println!("measuring idle memory");
    let memory = measure::memory(&all, scale, scratch.path())?;
    let mut works = Vec::new();
    for work in work::WORKS {
        let takes_part = |subject: &&Subject| work.servers.is_none_or(|it| it == subject.name);
        let contestants: Vec<&Subject> = subjects.iter().filter(takes_part).collect();
        if contestants.is_empty() {
            println!("{}: nobody to measure", work.name);
            continue;
        }
        println!("measuring {}", work.name);
        works.push(measure::work(work, bare, &contestants, scale, scratch.path())?);
    }
    let names = all.iter().map(|subject| subject.name).collect();
    Ok(Report { names, starts, memory, works, ..Report::default() })
}

fn over_http(
    workspace: &Workspace,
    subjects: &[Subject],
    quick: bool,
    dir: &Path,
) -> Result<Vec<http::HttpFigures>> {
    let bare = Subject { name: BARE, executable: example(workspace, BARE_HTTP) };
    let all: Vec<&Subject> = std::iter::once(&bare).chain(subjects).collect();
    let scale = if quick { http::HttpScale::QUICK } else { http::HttpScale::FULL };
    http::measure(&all, &scale, dir)
}
