//! Inputs that grow by four and by sixteen: the instructions that reading them takes, counted under
//! valgrind, grow no faster.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Verdict;
use crate::files::{self, Scratch};
use crate::workspace::Server;
use crate::{Result, run};

/// Four times the input may take this many times the instructions; quadratic would be sixteen.
const ALLOWED: f64 = 5.5;

/// A file of some size, and the command that reads it.
struct Grown {
    what: &'static str,
    file: &'static str,
    text: fn(usize) -> String,
    args: &'static [&'static str],
    /// How many items the smallest has.
    smallest: usize,
}

fn grown(server: &Server) -> Vec<Grown> {
    match server.name {
        "elspais" => vec![
            Grown {
                what: "an array of its settings",
                file: ".elspais.toml",
                text: settings,
                args: &["doctor"],
                smallest: 4000,
            },
            Grown {
                what: "requirements in one file",
                file: "spec/a.md",
                text: requirements,
                args: &["check"],
                smallest: 200,
            },
        ],
        "preflights" => vec![Grown {
            what: "categories of questions",
            file: ".preflights/questions.toml",
            text: categories,
            args: &["lint"],
            smallest: 60,
        }],
        "specifyplus" => vec![Grown {
            what: "one command file",
            file: ".claude/commands/a.md",
            text: command,
            args: &["lint"],
            smallest: 2000,
        }],
        "reverse-spec" => vec![Grown {
            what: "functions in one file",
            file: "src/a.ts",
            text: functions,
            args: &["prepare", "src"],
            smallest: 300,
        }],
        _ => vec![Grown {
            what: "a project's documents",
            file: "docs/intent.md",
            text: document,
            args: &["call", "check_project_health", "project_path=."],
            smallest: 2000,
        }],
    }
}

pub(super) fn measure(server: &Server, executable: &Path) -> Result<Vec<Verdict>> {
    if run::quietly(Command::new("valgrind").arg("--version")).is_err() {
        return Ok(vec![Verdict {
            what: "growth not measured: valgrind is missing".to_owned(),
            held: true,
        }]);
    }
    grown(server).iter().map(|it| measure_one(server, executable, it)).collect()
}

fn measure_one(server: &Server, executable: &Path, grown: &Grown) -> Result<Verdict> {
    let mut counts = Vec::new();
    for times in [0, 1, 4, 16] {
        counts.push(instructions(executable, grown, grown.smallest * times)?);
    }
    // Starting costs the same every time.
    let start = counts.remove(0);
    #[expect(clippy::cast_precision_loss, reason = "ratios of large counts")]
    let net: Vec<f64> = counts.iter().map(|it| it.saturating_sub(start) as f64).collect();
    let ratios = [net[1] / net[0].max(1.0), net[2] / net[1].max(1.0)];
    Ok(Verdict {
        what: format!(
            "{}: {} at {}, x4, x16: {:.0}, {:.0}, {:.0} million instructions ({:.1}x, {:.1}x)",
            server.package,
            grown.what,
            grown.smallest,
            net[0] / 1e6,
            net[1] / 1e6,
            net[2] / 1e6,
            ratios[0],
            ratios[1]
        ),
        held: ratios.iter().all(|it| *it <= ALLOWED),
    })
}

fn instructions(executable: &Path, grown: &Grown, items: usize) -> Result<u64> {
    let scratch = Scratch::new("growth")?;
    files::write(&scratch.path().join(grown.file), (grown.text)(items))?;
    files::write(&scratch.path().join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let counted = scratch.path().join("counted");
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", counted.display()));
    command.arg(executable).args(grown.args).current_dir(scratch.path());
    command.env("PLUMBLINE_STATE_DIR", scratch.path().join(".state"));
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let said = command.output()?.stderr;
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().find_map(|it| it.split("Collected :").nth(1));
    line.and_then(|it| it.trim().parse().ok()).ok_or_else(|| format!("valgrind said {said}").into())
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, n| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", line(n));
        text
    })
}

fn settings(items: usize) -> String {
    format!("[scanning]\nskip = [{}]\n", repeated(items, |n| format!("\"folder{n}\",\n")))
}

fn requirements(items: usize) -> String {
    repeated(items, |n| {
        format!(
            "# REQ-d{n:05}: Title {n}\n\n**Level**: DEV | **Status**: Active | **Implements**: -\n\n## Assertions\n\nA. It SHALL do {n}.\n\n*End* *Title {n}* | **Hash**: 00000000\n\n"
        )
    })
}

fn categories(items: usize) -> String {
    repeated(items, |n| {
        format!(
            "[[category]]\nname = \"Own{n}\"\nwords = [\"word{n}\"]\n[[category.question]]\nid = \"own{n}\"\nfield = \"Field\"\ntype = \"single_choice\"\nask = \"Which?\"\nwhy = \"It matters.\"\nimpact = 5\noptions = [\"a\", \"b\"]\n\n"
        )
    })
}

fn command(items: usize) -> String {
    format!(
        "---\ndescription: Long\n---\n{}",
        repeated(items, |n| format!("Line {n} with $ARGUMENTS.\n"))
    )
}

fn functions(items: usize) -> String {
    repeated(items, |n| {
        format!(
            "/** Does {n}. */\nexport function f{n}(a: string, b = {n}): number {{ return a.length + b; }}\n"
        )
    })
}

fn document(items: usize) -> String {
    format!(
        "---\ntype: project\n---\n# Intent\n{}",
        repeated(items, |n| format!("## Section {n}\n\nText {n}.\n\n"))
    )
}
