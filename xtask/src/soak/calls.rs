//! Very many calls of every kind on one connection.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Verdict;
use super::vitals::Vitals;
use crate::files::Scratch;
use crate::session::Session;
use crate::workspace::Server;
use crate::{Result, sample};

const PATIENCE: Duration = Duration::from_mins(10);
/// Sent at once, as eager clients do.
const CHUNK: usize = 500;

pub(super) fn soak(server: &Server, executable: &Path, calls: usize) -> Result<Verdict> {
    let scratch = Scratch::new("soak")?;
    sample::lay(scratch.path())?;
    let mut command = Command::new(executable);
    command.current_dir(scratch.path()).args(["--log", "error"]);
    command.env("PLUMBLINE_STATE_DIR", scratch.path().join(".state"));
    let (mut session, _) = Session::open(command, PATIENCE)?;
    let kinds = requests(&mut session)?;
    let started = Instant::now();
    let mut sent = 0;
    let mut early = None;
    while sent < calls {
        let mut lines = Vec::new();
        for n in sent..(sent + CHUNK).min(calls) {
            let (method, params) = &kinds[n % kinds.len()];
            let request =
                json!({ "jsonrpc": "2.0", "id": n + 1000, "method": method, "params": params });
            lines.extend_from_slice(request.to_string().as_bytes());
            lines.push(b'\n');
        }
        let count = CHUNK.min(calls - sent);
        session.pipeline(&lines, count)?;
        sent += count;
        // Caches and pools are full after a tenth.
        if early.is_none() && sent * 10 >= calls {
            early = Some(Vitals::of(session.pid()));
        }
    }
    let late = Vitals::of(session.pid());
    let early = early.unwrap_or(late);
    session.finish()?;
    Ok(Verdict {
        what: format!(
            "{}: {calls} calls of {} kinds in {} s; after a tenth {early}; at the end {late}",
            server.package,
            kinds.len(),
            started.elapsed().as_secs()
        ),
        held: late.is_flat_since(&early),
    })
}

/// Every tool that only reads and answers fast, with arguments that fit and with ones that do not,
/// and the other methods.
fn requests(session: &mut Session) -> Result<Vec<(&'static str, Value)>> {
    let listed = session.request("tools/list", json!({}))?;
    let mut kinds = vec![
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("prompts/list", json!({})),
        ("no/such/method", json!({})),
        ("tools/call", json!({ "name": "no_such_tool" })),
    ];
    for tool in listed["tools"].as_array().into_iter().flatten() {
        if tool["annotations"]["readOnlyHint"] != true {
            continue;
        }
        let arguments = arguments(&tool["inputSchema"]);
        let begun = Instant::now();
        let params = json!({ "name": tool["name"], "arguments": arguments });
        // What takes long would make the soak one of this tool alone.
        let fast = session.request("tools/call", params.clone()).is_ok()
            && begun.elapsed() < Duration::from_millis(20);
        if fast {
            kinds.push(("tools/call", params));
        }
        kinds.push(("tools/call", json!({ "name": tool["name"], "arguments": { "no_such": 1 } })));
    }
    Ok(kinds)
}

fn arguments(schema: &Value) -> Value {
    let mut given = serde_json::Map::new();
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let property = &schema["properties"][name];
        let value = match (property["enum"].get(0), property["type"].as_str()) {
            (Some(first), _) => first.clone(),
            (None, Some("array")) => json!(["todo"]),
            (None, Some("integer" | "number")) => json!(1),
            (None, Some("boolean")) => json!(false),
            _ => json!("todo"),
        };
        given.insert(name.to_owned(), value);
    }
    given.into()
}
