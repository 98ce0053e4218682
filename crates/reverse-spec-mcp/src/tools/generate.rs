//! `generate`: the specification of a file or a directory.

use std::sync::Arc;
use std::time::Instant;

use mcp_core::server::{Answer, Call, Halt, Tool};
use tokio::runtime::Handle;

use super::arguments::Given;
use super::{Setting, described, with_writer};
use crate::analysis::Watch;
use crate::generate::{self, Material, Output};

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::writing(
        "generate",
        "完整 Spec 生成流水线. Writes the specification of a file or directory, with interface tables, data structures, constraints, diagrams and the baseline that diff compares with; text between <!-- keep --> markers survives.",
    )
    .title("Generate a specification")
    .idempotent()
    .open_world();
    described(tool, "generate", include_str!("../../assets/schemas/generate.json"), setting, run)
}

fn run(call: &Call, setting: &Setting, given: &Given) -> Result<Answer, Halt> {
    let until = Instant::now() + setting.call_timeout;
    let target = setting.places.target(&given.text("targetPath").unwrap_or_default())?;
    let wished = given.text("outputDir");
    let output = Output::choose(&setting.places, target.project_root(), wished.as_deref())?;
    let stop = || call.is_cancelled();
    let progress = |done: usize, of: usize| super::report(call, done, of, "files parsed");
    let watch = Watch { stop: &stop, progress: &progress };
    with_writer(Some(call), &Handle::current(), setting, until, |style| {
        let material = Material::read(&target, given.flag("deep"), &watch)?;
        let generated = generate::write(&material, &output, style)?;
        let json = serde_json::to_value(&generated).unwrap_or_default();
        Ok(super::answer(json, None))
    })
}
