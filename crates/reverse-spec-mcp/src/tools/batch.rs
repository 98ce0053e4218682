//! `batch`: the specifications of every module of a project.

use std::sync::Arc;
use std::time::Instant;

use mcp_core::server::{Answer, Call, Halt, Tool};
use mcp_core::work::Work;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::runtime::Handle;

use super::{Setting, arguments, with_writer};
use crate::store::batch::{Batch, Wishes};

/// The steps that each of the two stages has on the scale of progress.
const STAGE: u32 = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(default)]
    project_root: String,
    #[serde(default, deserialize_with = "arguments::flag")]
    force: bool,
}

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::writing(
        "batch",
        "批量 Spec 生成. Writes the specification of every module of a project into its specs directory, in dependency order, with an index and an architecture page; unchanged modules are skipped, and a call that runs out of time names what remains.",
    )
    .title("Generate all specifications")
    .idempotent();
    // Only a model is anywhere else.
    let tool = if setting.reads_texts() { tool.open_world() } else { tool };
    tool.input_schema(|| arguments::schema(include_str!("../../assets/schemas/batch.json")))
        .objecting(arguments::objection)
        .run_blocking(move |call, arguments| run(call, &setting, &arguments))
}

/// One of the two stages on the scale of both: progress may only grow, and there are more files
/// than modules.
fn stage(work: &Work, before: u32) -> Work {
    let whole = work.clone();
    work.clone().telling(move |done, of, what| {
        let of = of.unwrap_or(done);
        let share = if of > 0.0 { done / of } else { 1.0 };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between nothing and all of a stage"
        )]
        let share = (share.clamp(0.0, 1.0) * f64::from(STAGE)) as u32;
        let (done_of_all, all) = ((before + share) as usize, 2 * STAGE as usize);
        whole.report(done_of_all, Some(all), &format!("{done} of {of} {what}"));
    })
}

fn run(call: &Call, setting: &Setting, arguments: &Arguments) -> Result<Answer, Halt> {
    let begun = Instant::now();
    let until = begun + setting.call_timeout;
    // A module under way has to end, and the pages about all of them are written last.
    let last_start = begun + setting.call_timeout.mul_f64(0.7);
    let out_of_time = || Instant::now() >= last_start;
    // As in the shell: the root that the server was started with, unless a directory is named.
    let target = setting.project(Some(&arguments.project_root))?;
    let work = call.work();
    with_writer(work, &Handle::current(), setting, until, |style| {
        let batch = Batch::read(target, setting.reads_texts(), &stage(work, 0))?;
        let wishes = Wishes { force: arguments.force, out_of_time: &out_of_time };
        let result = batch.run(style, wishes, &stage(work, STAGE))?;
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
