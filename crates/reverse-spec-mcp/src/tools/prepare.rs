//! `prepare`: skeletons and a context for a file or a directory.

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Halt, RESULT_BUDGET, Tool};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Setting, arguments};
use crate::domain::languages;
use crate::store::prepare::{Request, prepare};

fn description() -> String {
    format!(
        "AST 预处理 + 上下文组装. Parses a file or directory ({}) and returns its code skeletons, all of them merged, and a context that fits a model's budget.",
        languages::names().join(", ")
    )
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    target_path: String,
    #[serde(default, deserialize_with = "arguments::flag")]
    deep: bool,
}

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    Tool::read_only("prepare", "")
        .described(description)
        .title("Prepare code for a specification")
        .input_schema(|| arguments::schema(include_str!("../../assets/schemas/prepare.json")))
        .objecting(arguments::objection)
        .run_blocking(move |call, arguments| run(call, &setting, arguments))
}

fn run(call: &Call, setting: &Setting, arguments: Arguments) -> Result<Answer, Halt> {
    let Arguments { target_path, deep } = arguments;
    let request = Request { target_path, deep, token_budget: setting.token_budget };
    let prepared = prepare(&setting.places, &request, &setting.clock, call.work())?;
    let reply = prepared.reply(request.deep, RESULT_BUDGET, !setting.read_only);
    Ok(super::answer(reply.json, reply.full.as_deref()))
}
