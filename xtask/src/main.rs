//! The task runner behind `cargo xtask`: try, test, docs, bench, real, fuzz, soak, dist, install.

#![expect(clippy::print_stdout, reason = "a command line tool reports on stdout")]
#![expect(clippy::print_stderr, reason = "its failures go to stderr")]
#![expect(clippy::disallowed_methods, reason = "it builds, packs and drives what others sandbox")]

mod args;
mod bench;
mod dist;
mod docs;
mod files;
mod fuzz;
#[cfg(test)]
mod hosted;
mod install;
mod nearest;
mod real;
mod run;
mod sample;
mod session;
mod soak;
mod test;
mod try_out;
mod workspace;

use std::process::ExitCode;

use args::{Args, Spec};
use workspace::Workspace;

/// What every command returns: nothing, or a message for the person at the terminal.
type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A failure whose command has said everything itself, in the order that reads best.
#[derive(Debug)]
struct AlreadyReported;

impl std::fmt::Display for AlreadyReported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("see above")
    }
}

impl std::error::Error for AlreadyReported {}

struct Task {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    spec: Spec,
    run: fn(&Workspace, &Args) -> Result,
}

const TASKS: &[Task] = &[
    Task {
        name: "try",
        usage: "[--keep] [--json] [--web] [--built DIR]",
        about: "build the five servers and watch them work on a sample project",
        spec: Spec { flags: &["--keep", "--json", "--web"], options: &["--built"], ..Spec::NONE },
        run: try_out::run,
    },
    Task {
        name: "test",
        usage: "[--only STAGE]…",
        about: "every check there is: fmt, clippy, build, test, docs, deny",
        spec: Spec { options: &["--only"], ..Spec::NONE },
        run: test::run,
    },
    Task {
        name: "docs",
        usage: "[--check | --site]",
        about: "write references, examples, pictures and specifications in docs/ from the live servers",
        spec: Spec { flags: &["--check", "--site"], ..Spec::NONE },
        run: docs::run,
    },
    Task {
        name: "bench",
        usage: "[--quick] [--only SERVER | --graph | --project | --instructions | --http | --peers]",
        about: "measure the servers beside a bare rmcp server, into docs/benchmarks.md",
        spec: Spec {
            flags: &["--quick", "--graph", "--project", "--instructions", "--http", "--peers"],
            options: &["--only"],
            ..Spec::NONE
        },
        run: bench::run,
    },
    Task {
        name: "real",
        usage: "[reverse-spec [--repos DIR] | specifyplus | elspais PROJECT=RELEASE… | clients]",
        about: "packages and projects of others: their specifications, commands and requirements, \
                each beside its own tool where there is one",
        spec: Spec { options: &["--repos"], positional: true, ..Spec::NONE },
        run: real::run,
    },
    Task {
        name: "fuzz",
        usage: "[TARGET]… [--seconds N] [--sanitize]",
        about: "every parser under the fuzzer, 180 s each unless told otherwise",
        spec: Spec { flags: &["--sanitize"], options: &["--seconds"], positional: true },
        run: fuzz::run,
    },
    Task {
        name: "soak",
        usage: "[--calls N] [--only SERVER]",
        about: "a million calls a server, a thousand clients, kills, growing inputs",
        spec: Spec { options: &["--calls", "--only"], ..Spec::NONE },
        run: soak::run,
    },
    Task {
        name: "dist",
        usage: "[--check] [--fast] [--target TRIPLE]… [--built DIR] | --upload DIR",
        about: "pack archives and packages into dist/; --check installs each with the real installers",
        spec: Spec {
            flags: &["--check", "--fast"],
            options: &["--target", "--built", "--upload"],
            ..Spec::NONE
        },
        run: dist::run,
    },
    Task {
        name: "install",
        usage: "[SERVER]…",
        about: "install the chosen servers (default: all) and print their client entries",
        spec: Spec { positional: true, ..Spec::NONE },
        run: install::run,
    },
];

fn main() -> ExitCode {
    let raw: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&raw) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<AlreadyReported>() {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn dispatch(raw: &[String]) -> Result {
    let Some((name, rest)) = raw.split_first() else {
        println!("{}", overview());
        return Ok(());
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        println!("{}", overview());
        return Ok(());
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        let names: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        return Err(nearest::unknown("command", name, &names).into());
    };
    if rest.iter().any(|arg| arg == "--help" || arg == "-h") {
        println!("cargo xtask {} {}\n\n{}", task.name, task.usage, task.about);
        return Ok(());
    }
    let args = Args::parse(rest, &task.spec)?;
    (task.run)(&Workspace::load()?, &args)
}

fn overview() -> String {
    use std::fmt::Write as _;

    let mut text = "usage: cargo xtask COMMAND\n".to_owned();
    for task in TASKS {
        let call = format!("{} {}", task.name, task.usage);
        // Writing to a String cannot fail.
        let _ = write!(text, "\n  {call:<24} {}", task.about);
    }
    text
}
