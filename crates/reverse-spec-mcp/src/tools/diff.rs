//! `diff`: where code has drifted from its specification.

use std::sync::Arc;
use std::time::Instant;

use mcp_core::server::{Answer, Call, Halt, RESULT_BUDGET, Tool};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::arguments::Given;
use super::{Setting, described};
use crate::analysis::Watch;
use crate::drift::{DriftReport, Narrowing, check};

/// Left for everything but the items of a report.
const REST: usize = 4_000;

pub(super) fn tool(setting: Arc<Setting>) -> Tool {
    let tool = Tool::read_only(
        "diff",
        "Spec 漂移检测. Compares a specification with the source it was generated from and reports every change a caller would notice, by severity, with what to update.",
    )
    .title("Find drift between a specification and its code")
    // A model is asked about bodies that changed, where there is one.
    .open_world();
    described(tool, "diff", include_str!("../../assets/schemas/diff.json"), setting, run)
}

fn run(call: &Call, setting: &Setting, given: &Given) -> Result<Answer, Halt> {
    let spec_path = given.text("specPath").unwrap_or_default();
    let source_path = given.text("sourcePath").unwrap_or_default();
    let stop = || call.is_cancelled();
    let progress = |done: usize, of: usize| super::report(call, done, of, "files compared");
    let watch = Watch { stop: &stop, progress: &progress };
    let narrowing = Narrowing::default();
    let until = Instant::now() + setting.call_timeout;
    let mut report =
        check(&setting.places, &spec_path, &source_path, &narrowing, &setting.clock, &watch)?;
    if let Some(model) = setting.model(Some(call), &Handle::current(), until) {
        report.review(&setting.places, &spec_path, &model)?;
    }
    Ok(super::answer(within(&report, RESULT_BUDGET), None))
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
