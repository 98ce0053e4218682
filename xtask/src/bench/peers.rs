//! Heavy work beside its floor and beside the tools of others that do the same, in one
//! interleaved run. They are installed once, at versions that never change, below `target/`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{example, project, requirements};
use crate::files::Scratch;
use crate::workspace::{Profile, Workspace};
use crate::{Result, run};

const ROUNDS: usize = 3;
const N_FILES: usize = 1_250;
const N_REQUIREMENTS: usize = 1_000;

/// Where a peer comes from.
enum Source {
    /// By the package's name, which need not be the program's.
    Npm(&'static str),
    PyPi,
    /// Whatever version the system has; left out where it has none.
    System,
    /// Ours, of the release build.
    Server,
    /// What the work cannot cost less than.
    Floor,
}

struct Contestant {
    name: &'static str,
    version: &'static str,
    source: Source,
    /// What to run.
    program: &'static str,
    args: &'static [&'static str],
}

struct Contest {
    work: &'static str,
    lay: fn(&Workspace, &Path) -> Result,
    /// Ours first.
    contestants: &'static [Contestant],
}

const CONTESTS: &[Contest] = &[
    Contest {
        work: "what 1,250 source files declare",
        lay: |workspace, dir| project::lay(workspace, dir, N_FILES),
        contestants: &[
            Contestant {
                name: "reverse-spec-mcp prepare",
                version: "",
                source: Source::Server,
                program: "reverse-spec-mcp",
                args: &["call", "prepare", "targetPath=."],
            },
            Contestant {
                name: "walk, read, hash and parse",
                version: "",
                source: Source::Floor,
                program: super::FLOOR,
                args: &["."],
            },
            Contestant {
                name: "ctags",
                version: "",
                source: Source::System,
                program: "ctags",
                args: &["-R", "--fields=+nKS", "-f", "/dev/null", "."],
            },
            Contestant {
                name: "repomix --compress",
                version: "1.14.0",
                source: Source::Npm("repomix"),
                program: "repomix",
                args: &["--compress", "--quiet", "-o", "packed.xml"],
            },
            Contestant {
                name: "spectra-cli prepare",
                version: "4.2.0",
                source: Source::Npm("spectra-cli"),
                program: "spectra",
                args: &["prepare", "src"],
            },
        ],
    },
    Contest {
        work: "the graph of 1,000 requirements from nothing, and what is wrong with it",
        lay: |_, dir| requirements::lay(dir, N_REQUIREMENTS),
        contestants: &[
            Contestant {
                name: "elspais-mcp check",
                version: "",
                source: Source::Server,
                program: "elspais-mcp",
                args: &["check"],
            },
            Contestant {
                name: "walk, read and count lines",
                version: "",
                source: Source::Floor,
                program: super::READING_FLOOR,
                args: &["."],
            },
            Contestant {
                name: "elspais validate",
                version: "0.43.5",
                source: Source::PyPi,
                program: "elspais",
                args: &["validate"],
            },
        ],
    },
    Contest {
        work: "the first questions of a request",
        lay: |_, dir| {
            crate::sample::lay(dir)?;
            run::quietly(Command::new("git").args(["init", "--quiet"]).current_dir(dir)).map(drop)
        },
        contestants: &[
            Contestant {
                name: "preflights-mcp start",
                version: "",
                source: Source::Server,
                program: "preflights-mcp",
                args: &["start", "Add authentication", "--json"],
            },
            Contestant {
                name: "preflights start",
                version: "1.1.4",
                source: Source::PyPi,
                program: "preflights",
                args: &["start", "Add authentication", "--json"],
            },
        ],
    },
];

/// What one contestant took, if it could be had and did its work.
pub(super) struct PeerFigure {
    work: &'static str,
    name: String,
    seconds: std::result::Result<f64, String>,
    ours: f64,
}

/// Nothing where the system does not say how much time its processes took.
pub(super) fn measure(workspace: &Workspace) -> Vec<PeerFigure> {
    if project::spent_by_children().is_none() {
        return Vec::new();
    }
    let mut figures = Vec::new();
    for contest in CONTESTS {
        println!("measuring peers: {}", contest.work);
        let mut best = Vec::new();
        for contestant in contest.contestants {
            let ready = program(workspace, contestant).map_err(|error| error.to_string());
            best.push(ready.map(|program| (program, f64::INFINITY)));
        }
        for _ in 0..ROUNDS {
            for (contestant, best) in contest.contestants.iter().zip(&mut best) {
                let Ok((program, seconds)) = best else { continue };
                match round(workspace, contest, program, contestant.args) {
                    // Other work on the machine only ever adds.
                    Ok(took) => *seconds = seconds.min(took),
                    Err(error) => *best = Err(error.to_string()),
                }
            }
        }
        let ours = best.first().and_then(|it| it.as_ref().ok()).map_or(f64::NAN, |it| it.1);
        for (contestant, best) in contest.contestants.iter().zip(best) {
            let name = format!("{} {}", contestant.name, contestant.version).trim().to_owned();
            figures.push(PeerFigure {
                work: contest.work,
                name,
                seconds: best.map(|it| it.1),
                ours,
            });
        }
    }
    figures
}

/// Everybody finds the project as if it had just been checked out.
fn round(workspace: &Workspace, contest: &Contest, program: &Path, args: &[&str]) -> Result<f64> {
    let scratch = Scratch::new("peers")?;
    (contest.lay)(workspace, scratch.path())?;
    let before = project::spent_by_children().unwrap_or_default();
    let output = Command::new(program).args(args).current_dir(scratch.path()).output()?;
    let took = project::spent_by_children().unwrap_or_default() - before;
    // By 1 a check says that it found something.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let told = String::from_utf8_lossy(&output.stderr);
        let last = told.lines().rev().find(|it| !it.trim().is_empty()).unwrap_or_default();
        return Err(format!("ended with {}: {last}", output.status).into());
    }
    Ok(took)
}

/// The program, installed if need be.
fn program(workspace: &Workspace, contestant: &Contestant) -> Result<PathBuf> {
    let Contestant { name, version, program, .. } = contestant;
    let home = workspace.profile_dir(Profile::Debug).join(format!("peers/{program}-{version}"));
    match contestant.source {
        Source::Server => Ok(workspace.executable(Profile::Release, program)),
        Source::Floor => Ok(example(workspace, program)),
        Source::System => {
            run::quietly(Command::new(program).arg("--version"))
                .map_err(|_| format!("{name} is not installed"))?;
            Ok(PathBuf::from(program))
        }
        Source::Npm(package) => {
            let installed = home.join("bin").join(program);
            if !installed.exists() {
                let mut npm = Command::new("npm");
                npm.args(["install", "--global", "--silent", "--no-fund", "--prefix"]).arg(&home);
                run::quietly(npm.arg(format!("{package}@{version}")))?;
            }
            Ok(installed)
        }
        Source::PyPi => {
            let installed = home.join("bin").join(program);
            if !installed.exists() {
                run::quietly(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
                let mut pip = Command::new(home.join("bin/python"));
                pip.args(["-m", "pip", "install", "--quiet"]);
                run::quietly(pip.arg(format!("{program}=={version}")))?;
            }
            Ok(installed)
        }
    }
}

pub(super) fn table(figures: &[PeerFigure]) -> String {
    let mut out =
        "| work | by | processor time | beside ours |\n| --- | --- | --- | --- |\n".to_owned();
    for PeerFigure { work, name, seconds, ours } in figures {
        let _ = match seconds {
            Ok(seconds) => {
                writeln!(out, "| {work} | {name} | {seconds:.2} s | {:.1}× |", seconds / ours)
            }
            Err(why) => writeln!(out, "| {work} | {name} | none: {} | |", why.replace('|', "/")),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_comes_first_and_who_could_not_take_part_says_why() {
        for contest in CONTESTS {
            assert!(matches!(contest.contestants[0].source, Source::Server), "{}", contest.work);
        }
        let figure =
            |seconds| PeerFigure { work: "work", name: "x".to_owned(), seconds, ours: 0.5 };
        let table = table(&[figure(Ok(2.0)), figure(Err("not installed".to_owned()))]);
        assert!(table.contains("| work | x | 2.00 s | 4.0× |"), "{table}");
        assert!(table.contains("| work | x | none: not installed | |"), "{table}");
    }
}
