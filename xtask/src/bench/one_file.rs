//! One enormous file of requirements: what a change of one title and a save of it cost.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::heavy::{Budget, HeavyFigure};
use super::stats::percentile;
use super::{measure, requirements};
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::{Result, run};

/// So many make about 98 MB.
const REQUIREMENTS: usize = 75_000;
const ENOUGH_TO_TRY: usize = 5_000;
const ROUNDS: usize = 5;
const LIMIT: Duration = Duration::from_mins(5);
const FILE: &str = "spec/all.md";

pub(super) fn measure(executable: &Path, quick: bool) -> Result<Vec<HeavyFigure>> {
    let scratch = Scratch::new("one-file")?;
    let count = if quick { ENOUGH_TO_TRY } else { REQUIREMENTS };
    requirements::lay_in_one(scratch.path(), FILE, count)?;
    let text = files::read(&scratch.path().join(FILE))?.len();
    let mut command = Command::new(executable);
    command.args(["--call-timeout", "600", "--toolsets", "all"]).current_dir(scratch.path());
    println!("  {}", run::describe(&command));
    let (mut session, _) = Session::open(command, LIMIT)?;
    session.call("get_graph_status", &Value::Null)?;
    // What is made behind the first answers is not what is measured.
    session.call("search", &json!({ "query": "gateway" }))?;
    let (mut titles, mut saves) = (Vec::new(), Vec::new());
    let mut resident: f64 = 0.0;
    for round in 0..ROUNDS {
        let change = json!({ "node_id": "REQ-d000100", "new_title": format!("Title {round}") });
        let started = Instant::now();
        session.call("mutate_update_title", &change)?;
        titles.push(started.elapsed());
        resident = resident.max(measure::resident_kilobytes(session.pid()).unwrap_or_default());
        let started = Instant::now();
        session.call("save_mutations", &Value::Null)?;
        saves.push(started.elapsed());
        resident = resident.max(measure::resident_kilobytes(session.pid()).unwrap_or_default());
    }
    session.finish()?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "files have few bytes beside what a float holds"
    )]
    let of = text as f64 / 1e6;
    let name = |what: &str| format!("one file of {of:.0} MB: {what}");
    Ok(vec![
        HeavyFigure {
            name: name("a title is changed"),
            took: percentile(&mut titles, 50),
            budget: Budget::AtMost(Duration::from_millis(100)),
        },
        HeavyFigure {
            name: name("saved"),
            took: percentile(&mut saves, 50),
            budget: Budget::AtMost(Duration::from_millis(500)),
        },
        HeavyFigure {
            name: name("memory, with a change pending or saved"),
            took: Duration::ZERO,
            budget: Budget::Room { at_most: 4.0, megabytes: resident * 1024.0 / 1e6, of },
        },
    ])
}
