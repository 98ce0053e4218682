//! preflights with very many decision records: reading them cold and warm, and adding to them.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::heavy::{Budget, HeavyFigure};
use super::stats::percentile;
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::{Result, run};

const MANY: usize = 10_000;
const MANY_ENOUGH_TO_TRY: usize = 2_000;

/// The shape of the architecture that the records tell: each changes one field of it.
const CATEGORIES: usize = 20;
const FIELDS: usize = 4;

/// Each decides something nobody has decided before.
const INTENTIONS: [&str; 11] = [
    "Add authentication",
    "Add caching",
    "Add a database",
    "Add search",
    "Add payments",
    "Add file uploads",
    "Add rate limiting",
    "Add background jobs",
    "Send e-mails with Postmark",
    "Set up CI",
    "Deploy on Fly.io",
];

const LIMIT: Duration = Duration::from_mins(5);
/// After this the directory counts as quiet.
const SETTLE: Duration = Duration::from_millis(200);

pub(super) fn measure(executable: &Path, quick: bool) -> Result<Vec<HeavyFigure>> {
    let (n_records, rounds) =
        if quick { (MANY_ENOUGH_TO_TRY, 5) } else { (MANY, INTENTIONS.len()) };
    let scratch = Scratch::new("records")?;
    lay(scratch.path(), n_records)?;
    let (mut plain, mut cold, mut warm, mut flow) = (vec![], vec![], vec![], vec![]);
    for intention in INTENTIONS.iter().take(rounds) {
        plain.push(timed(|| read_plainly(scratch.path()))?.0);
        let mut command = Command::new(executable);
        command.arg("--root").arg(scratch.path()).current_dir(scratch.path());
        let (mut session, _) = Session::open(command, LIMIT)?;
        cold.push(timed(|| read(&mut session))?.0);
        std::thread::sleep(SETTLE);
        // The first look after the quiet sets up the watch.
        read(&mut session)?;
        for _ in 0..20 {
            warm.push(timed(|| read(&mut session))?.0);
        }
        flow.push(timed(|| clarify(&mut session, intention))?.0);
        session.finish()?;
    }
    let of = |work: &str| format!("preflights, {n_records} records: {work}");
    Ok(vec![
        HeavyFigure {
            name: of("read_architecture, warm"),
            took: percentile(&mut warm, 50),
            budget: Budget::AtMost(Duration::from_millis(2)),
        },
        HeavyFigure {
            name: of("read_architecture, the first"),
            took: percentile(&mut cold, 50),
            budget: Budget::Times {
                at_most: 2.0,
                plain: percentile(&mut plain, 50),
                of: "listing and reading the directory",
            },
        },
        HeavyFigure {
            name: of("a request, its questions, answers and files"),
            took: percentile(&mut flow, 50),
            budget: Budget::AtMost(Duration::from_millis(10)),
        },
    ])
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(Duration, T)> {
    let started = Instant::now();
    let outcome = work()?;
    Ok((started.elapsed(), outcome))
}

/// What any program has to do that wants to know all records.
fn read_plainly(root: &Path) -> Result<usize> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(root.join("docs/adr"))? {
        bytes += std::fs::read_to_string(entry?.path())?.len();
    }
    Ok(bytes)
}

fn read(server: &mut Session) -> Result<Value> {
    call(server, "read_architecture", &json!({}))
}

/// From the request over its questions to the files, with first options.
fn clarify(server: &mut Session, intention: &str) -> Result<()> {
    let arguments = json!({ "user_intention": intention });
    let mut answer = call(server, "require_clarification", &arguments)?;
    while answer["status"] == "needs_clarification" {
        let session = &answer["session_id"];
        let answers = first_options(&answer["questions"]);
        let arguments =
            json!({ "user_intention": intention, "session_id": session, "answers": answers });
        answer = call(server, "require_clarification", &arguments)?;
    }
    if answer["artifacts_created"][0]["type"] != "adr" {
        return Err(format!("no record was written: {answer}").into());
    }
    Ok(())
}

fn first_options(questions: &Value) -> Value {
    let mut answers = serde_json::Map::new();
    for question in questions.as_array().into_iter().flatten() {
        let first = question["options"].get(0).cloned();
        let value = if question["type"] == "multi_choice" { json!([first]) } else { json!(first) };
        let value = if first_is_missing(&value) { json!("As usual") } else { value };
        answers.insert(question["id"].as_str().unwrap_or_default().to_owned(), value);
    }
    Value::Object(answers)
}

/// A free text has no options.
fn first_is_missing(value: &Value) -> bool {
    value.is_null() || value.get(0).is_some_and(Value::is_null)
}

fn call(server: &mut Session, tool: &str, arguments: &Value) -> Result<Value> {
    Ok(server.call(tool, arguments)?["structuredContent"].take())
}

/// A repository in which `n_records` decisions were taken, one after the other.
fn lay(root: &Path, n_records: usize) -> Result {
    run::visibly(Command::new("git").args(["init", "--quiet"]).arg(root))?;
    let mut values = vec![0; CATEGORIES * FIELDS];
    let mut previous = "None".to_owned();
    for index in 0..n_records {
        let changed = index * 7 % values.len();
        let is_new = values[changed] == 0;
        values[changed] += 1;
        let uid = uid(index);
        let name = |place: usize| (place / FIELDS, place % FIELDS);
        let mut text = format!(
            "<!-- UID: {uid} -->\n<!-- Category: Part{0} -->\n<!-- Date: 2024-01-01 -->\n<!-- Previous: {previous} -->\n\n# ADR: Part{0}\n\n## PART 1: Architecture after this decision\n",
            name(changed).0
        );
        for (place, value) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
            let (category, field) = name(place);
            if !text.contains(&format!("\n### Part{category}\n")) {
                let _ = write!(text, "\n### Part{category}\n\n");
            }
            let _ = writeln!(text, "- **Field{field}**: value {value} (ADR {uid})");
        }
        let (category, field) = name(changed);
        let value = values[changed];
        let change = if is_new {
            format!("Added: Part{category}.Field{field} = value {value}")
        } else {
            format!(
                "Modified: Part{category}.Field{field} = value {value} (was: value {})",
                value - 1
            )
        };
        let _ = write!(
            text,
            "\n## PART 2: The decision\n\n### Context\n\n> Something had to be decided.\n\n### Changes\n\n- {change}\n"
        );
        files::write(&root.join(format!("docs/adr/{uid}_part{category}.md")), text)?;
        previous = uid;
    }
    Ok(())
}

fn uid(index: usize) -> String {
    let (seconds, minutes) = (index % 60, index / 60 % 60);
    let (hours, days) = (index / 3600 % 24, index / 86_400);
    format!("202401{:02}T{hours:02}{minutes:02}{seconds:02}.000Z-{:04X}", days + 1, index % 0xFFFF)
}
