//! `prepare`: skeletons and a context for a file or a directory.

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Halt, RESULT_BUDGET, Tool};

use super::arguments::Given;
use super::{Setting, described};
use crate::analysis::Watch;
use crate::prepare::{Request, prepare};

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::read_only(
        "prepare",
        "AST 预处理 + 上下文组装. Parses a file or directory (TypeScript, JavaScript, Rust, Python, Go, Java) and returns its code skeletons, all of them merged, and a context that fits a model's budget.",
    )
    .title("Prepare code for a specification");
    described(tool, "prepare", include_str!("../../assets/schemas/prepare.json"), setting, run)
}

fn run(call: &Call, setting: &Setting, given: &Given) -> Result<Answer, Halt> {
    let request = Request {
        target_path: given.text("targetPath").unwrap_or_default(),
        deep: given.flag("deep"),
        token_budget: setting.token_budget,
    };
    let stop = || call.is_cancelled();
    let progress = |done: usize, of: usize| super::report(call, done, of, "files parsed");
    let watch = Watch { stop: &stop, progress: &progress };
    let prepared = prepare(&setting.places, &request, &setting.clock, &watch)?;
    let reply = prepared.reply(request.deep, RESULT_BUDGET, !setting.read_only);
    Ok(super::answer(reply.json, reply.full.as_deref()))
}
