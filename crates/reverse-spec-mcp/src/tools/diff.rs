//! `diff`: where code has drifted from its specification.

use std::sync::Arc;
use std::time::Instant;

use mcp_core::server::{Answer, Call, Halt, RESULT_BUDGET, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::{Setting, arguments};
use crate::store::drift::{DriftReport, Narrowing, check};

/// Left for everything but the items of a report.
const REST: usize = 4_000;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    spec_path: String,
    source_path: String,
}

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::read_only(
        "diff",
        "Spec 漂移检测. Compares a specification with the source it was generated from and reports every change a caller would notice, by severity, with what to update.",
    )
    .title("Find drift between a specification and its code");
    let asks = setting.reads_texts() && setting.semantic;
    let tool = if asks { tool.open_world() } else { tool };
    tool.input_schema(|| arguments::schema(include_str!("../../assets/schemas/diff.json")))
        .objecting(arguments::objection)
        .run_blocking(move |call, arguments| run(call, &setting, &arguments))
}

fn run(call: &Call, setting: &Setting, arguments: &Arguments) -> Result<Answer, Halt> {
    let Arguments { spec_path, source_path } = arguments;
    let (narrowing, work) = (Narrowing::default(), call.work());
    let until = Instant::now() + setting.call_timeout;
    let (places, clock) = (&setting.places, &setting.clock);
    let mut checked = check(places, spec_path, source_path, &narrowing, clock, work)?;
    if let Some(model) = setting.judge(work, &Handle::current(), until) {
        checked.review(&model)?;
    }
    Ok(super::answer(within(&checked.report, RESULT_BUDGET), None))
}

/// The report with as many items as an answer has room for, the gravest first.
fn within(report: &DriftReport, budget: usize) -> Value {
    let mut json = serde_json::to_value(report).unwrap_or_default();
    if json.to_string().len() <= budget {
        return json;
    }
    let mut left_out = 0;
    for (field, room) in [("items", budget - REST), ("warnings", REST / 2)] {
        let Some(Value::Array(items)) = json.get_mut(field) else { continue };
        let mut used = 0;
        let fits = |it: &&Value| {
            used += it.to_string().len() + 1;
            used <= room
        };
        let kept = items.iter().take_while(fits).count();
        if field == "items" {
            left_out = items.len() - kept;
        }
        items.truncate(kept);
    }
    if let Value::Object(fields) = &mut json {
        fields.insert("itemsLeftOut".to_owned(), json!(left_out));
        let note = "The summary counts all changes; the least grave are left out of items. Compare a smaller sourcePath to see them.";
        fields.insert("note".to_owned(), note.into());
    }
    json
}
