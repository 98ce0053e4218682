//! `generate`: the specification of a file or a directory.

use std::sync::Arc;
use std::time::Instant;

use mcp_core::server::{Answer, Call, Halt, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::runtime::Handle;

use super::{Setting, arguments, with_writer};
use crate::store::generate::{self, Material, Output};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    target_path: String,
    #[serde(default, deserialize_with = "arguments::flag")]
    deep: bool,
    output_dir: Option<String>,
}

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::writing(
        "generate",
        "完整 Spec 生成流水线. Writes the specification of a file or directory, with interface tables, data structures, constraints, diagrams and the baseline that diff compares with; text between <!-- keep --> markers survives.",
    )
    .title("Generate a specification")
    .idempotent();
    // Only a model is anywhere else.
    let tool = if setting.reads_texts() { tool.open_world() } else { tool };
    tool.input_schema(|| arguments::schema(include_str!("../../assets/schemas/generate.json")))
        .objecting(arguments::objection)
        .run_blocking(move |call, arguments| run(call, &setting, &arguments))
}

fn run(call: &Call, setting: &Setting, arguments: &Arguments) -> Result<Answer, Halt> {
    let until = Instant::now() + setting.call_timeout;
    let target = setting.places.target(&arguments.target_path)?;
    let wished = arguments.output_dir.as_deref();
    let output = Output::choose(&setting.places, &target, wished)?;
    with_writer(call.work(), &Handle::current(), setting, until, |style| {
        let material = Material::read(&target, arguments.deep, call.work())?;
        let generated = generate::write(&material, &output, style)?;
        let json = serde_json::to_value(&generated).unwrap_or_default();
        Ok(super::answer(json, None))
    })
}
