//! Tools for our own wire tests: quick, slow, blocking, failing, large and shortened answers.

use std::time::{Duration, Instant};

use mcp_core::cli::Settings;
use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Call, Halt, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::notes::Log;

/// How often blocking work looks whether it should stop.
const LOOK: Duration = Duration::from_millis(5);

/// Enough to be far beyond every limit on answers.
const MAX_BYTES: usize = 64 * 1024 * 1024;

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Echo {
    /// The text that comes back.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sleep {
    /// Milliseconds.
    ms: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Block {
    /// Milliseconds.
    ms: u64,
    /// A file beneath the root that gets a line when the work starts and when it ends: `started`, then `stopped` or `finished`.
    log: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Panic {
    /// What the panic says.
    message: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Big {
    /// How long the document is.
    bytes: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Count {
    /// How many numbers, from 1 on.
    count: u32,
}

#[derive(Serialize, JsonSchema)]
struct Numbers {
    /// The numbers, in order.
    numbers: Vec<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Steps {
    /// How many steps to report.
    steps: u32,
}

pub(crate) fn tools(settings: &Settings) -> Vec<Tool> {
    vec![
        Tool::read_only("echo", "Sends the text back.")
            .aliases(&[("message", "text")])
            .output::<Echo>()
            .run_sync(|_, echo: Echo| Ok(Answer::data(&echo)?)),
        Tool::read_only("sleep", "Waits without keeping a thread busy.").run(sleep),
        block(settings),
        Tool::read_only("panic", "Panics.")
            .run_sync(|_, params: Panic| panic!("{}", params.message)),
        Tool::read_only("big", "Answers with a document of the given length.")
            .document()
            .run_sync(|_, params: Big| big(params.bytes)),
        Tool::read_only("list_numbers", "Counts; a long list is shortened.")
            .output::<Numbers>()
            .run_sync(|_, params: Count| {
                let numbers = Numbers { numbers: (1..=params.count).collect() };
                Ok(Answer::data(&numbers)?.shorten("numbers").narrow("Ask for a smaller `count`."))
            }),
        Tool::read_only("progress", "Reports each step.").run(progress),
    ]
}

async fn sleep(_call: Call, params: Sleep) -> Result<Answer, Halt> {
    tokio::time::sleep(Duration::from_millis(params.ms)).await;
    Ok(Answer::text("slept"))
}

fn block(settings: &Settings) -> Tool {
    let log = Log::new(settings);
    Tool::writing("block", "Keeps a thread busy, and stops when it is told to.")
        .additive()
        .run_blocking(move |call, params: Block| {
            let note = |line| match &params.log {
                Some(path) => log.append(path, line),
                None => Ok(()),
            };
            note("started")?;
            let started = Instant::now();
            let length = Duration::from_millis(params.ms);
            while let Some(left) = length.checked_sub(started.elapsed()) {
                if call.is_cancelled() {
                    note("stopped")?;
                }
                call.work().check()?;
                std::thread::sleep(left.min(LOOK));
            }
            note("finished")?;
            Ok(Answer::text("finished"))
        })
}

fn big(bytes: usize) -> Result<Answer, Halt> {
    if bytes > MAX_BYTES {
        let message = format!("{bytes} bytes are too many, {MAX_BYTES} are allowed");
        return Err(Failure::new(Failure::INVALID_ARGUMENTS, message).into());
    }
    Ok(Answer::document("x".repeat(bytes)))
}

async fn progress(call: Call, params: Steps) -> Result<Answer, Halt> {
    let total = f64::from(params.steps);
    for step in 1..=params.steps {
        let message = format!("step {step} of {}", params.steps);
        call.report_all(f64::from(step), Some(total), &message).await;
    }
    Ok(Answer::text(format!("{} steps", params.steps)))
}
