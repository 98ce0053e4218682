//! `batch`: the specifications of every module of a project.

use std::sync::Arc;
use std::time::Instant;

use mcp_core::server::{Answer, Call, Halt, Tool};
use tokio::runtime::Handle;

use super::arguments::Given;
use super::{Setting, described, with_writer};
use crate::analysis::Watch;
use crate::batch::{Batch, Wishes};

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::writing(
        "batch",
        "批量 Spec 生成. Writes the specification of every module of a project into its specs directory, in dependency order, with an index and an architecture page; unchanged modules are skipped, and a call that runs out of time names what remains.",
    )
    .title("Generate all specifications")
    .idempotent()
    .open_world();
    described(tool, "batch", include_str!("../../assets/schemas/batch.json"), setting, run)
}

/// The steps that each of the two stages has on the scale of progress.
const STAGE: usize = 50;

fn share(done: usize, of: usize) -> usize {
    (done * STAGE).checked_div(of).unwrap_or(STAGE)
}

fn run(call: &Call, setting: &Setting, given: &Given) -> Result<Answer, Halt> {
    let begun = Instant::now();
    let until = begun + setting.call_timeout;
    // A module under way has to end, and the pages about all of them are written last.
    let last_start = begun + setting.call_timeout.mul_f64(0.7);
    let out_of_time = || Instant::now() >= last_start;
    let target = setting.places.project(&given.text("projectRoot").unwrap_or_default())?;
    let stop = || call.is_cancelled();
    // Two stages on one scale: progress may only grow, and there are more files than modules.
    let reading = |done: usize, of: usize| {
        super::report(call, share(done, of), 2 * STAGE, &format!("{done} of {of} files parsed"));
    };
    let watch = Watch { stop: &stop, progress: &reading };
    with_writer(Some(call), &Handle::current(), setting, until, |style| {
        let batch = Batch::read(target, setting.reads_texts(), &watch)?;
        let writing = |done: usize, of: usize| {
            let words = format!("{done} of {of} modules written");
            super::report(call, STAGE + share(done, of), 2 * STAGE, &words);
        };
        let watch = Watch { stop: &stop, progress: &writing };
        let wishes = Wishes { force: given.flag("force"), out_of_time: &out_of_time };
        let result = batch.run(style, wishes, &watch)?;
        let all_failed = !result.failed.is_empty()
            && result.failed.len() == result.total_modules - result.remaining.len();
        let json = serde_json::to_value(&result).unwrap_or_default();
        if all_failed {
            let first = result.failed.first().map_or("", |failed| failed.error.as_str());
            let text = format!("batch 失败: {first}\n{json}");
            return Ok(Answer::text(text).failed());
        }
        Ok(super::answer(json, None))
    })
}
