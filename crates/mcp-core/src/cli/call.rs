//! `call`: one tool from the shell, as a client would call it.

use std::io::{IsTerminal as _, Read as _};
use std::process::ExitCode;

use clap::ArgMatches;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use super::outline;
use crate::console::{self, note, print};
use crate::failure::Failure;
use crate::schema::JsonObject;
use crate::server::{DirectAnswer, Server, ShowProgress};
use crate::text;

pub(super) fn run(server: &Server, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let name = matches.get_one::<String>("tool").map(String::as_str).unwrap_or_default();
    let given: Vec<&str> =
        matches.get_many::<String>("arguments").into_iter().flatten().map(String::as_str).collect();
    let arguments = arguments(&schema_of(server, name), &given)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Failure::INTERNAL, format!("no runtime: {error}")))?;
    let on_terminal = std::io::stderr().is_terminal();
    let show = on_terminal.then_some(console::show_progress as ShowProgress);
    let result = runtime.block_on(server.call_directly(name, arguments, show));
    if on_terminal {
        console::end_progress();
    }
    let DirectAnswer { result, passed } = result?;
    let for_people = matches.get_flag("text");
    let failed = result.is_error == Some(true);
    if matches.get_flag("json") {
        print(&format!("{:#}", serde_json::to_value(&result).unwrap_or_default()));
    } else if failed {
        note(&readable(&result, for_people || std::io::stderr().is_terminal()));
    } else {
        let for_people = for_people || std::io::stdout().is_terminal();
        console::print_document(&readable(&result, for_people));
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn schema_of(server: &Server, name: &str) -> Value {
    let described = server.describe();
    let tools = described["tools"].as_array().cloned().unwrap_or_default();
    let tool = tools.into_iter().find(|tool| tool["name"] == name);
    tool.map(|tool| tool["inputSchema"]["properties"].clone()).unwrap_or_default()
}

fn arguments(properties: &Value, given: &[&str]) -> Result<JsonObject, Failure> {
    match given {
        ["-"] => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| {
                Failure::new("usage", format!("standard input cannot be read: {error}"))
            })?;
            whole(&text)
        }
        [one] if one.trim_start().starts_with('{') => whole(one),
        pairs => pairs.iter().map(|pair| argument(properties, pair)).collect(),
    }
}

fn whole(text: &str) -> Result<JsonObject, Failure> {
    serde_json::from_str(text).map_err(|error| {
        Failure::new("usage", format!("the arguments are not a JSON object: {error}"))
            .hint("Give an object such as {\"name\": \"value\"}, or name=value pairs.")
    })
}

fn argument(properties: &Value, pair: &str) -> Result<(String, Value), Failure> {
    let Some((name, value)) = pair.split_once('=') else {
        let message = format!("`{}` is not of the form name=value", text::one_line(pair));
        return Err(Failure::new("usage", message)
            .hint("Write name=value, name:=JSON, or one JSON object."));
    };
    let wrong = |error: serde_json::Error| {
        let name = name.trim_end_matches(':');
        Failure::new("usage", format!("the value of `{name}` is not JSON: {error}"))
    };
    if let Some(name) = name.strip_suffix(':') {
        return Ok((name.to_owned(), serde_json::from_str(value).map_err(wrong)?));
    }
    let kind = properties[name]["type"].as_str().unwrap_or("string");
    let value = match kind {
        // A list of words is easier to type than a JSON array.
        "array" if !value.trim_start().starts_with('[') => {
            value.split(',').map(|item| Value::from(item.trim())).collect()
        }
        "array" | "integer" | "number" | "boolean" | "object" => {
            serde_json::from_str(value).map_err(wrong)?
        }
        _ => Value::from(value),
    };
    Ok((name.to_owned(), value))
}

/// The answer as it is read: its text as it is, and data as an outline on a terminal, as JSON with
/// line breaks elsewhere.
fn readable(result: &CallToolResult, on_terminal: bool) -> String {
    let parts: Vec<String> = result.content.iter().map(readable_block).collect();
    let joined = parts.join("\n");
    let is_data = |it: &Value| it.is_object() || it.is_array();
    match serde_json::from_str::<Value>(&joined) {
        Ok(value) if is_data(&value) && on_terminal => outline::of(&value),
        Ok(value) if is_data(&value) => format!("{value:#}"),
        _ => joined,
    }
}

fn readable_block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(content) => content.text.clone(),
        ContentBlock::Image(image) => format!("[image, {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio, {}]", audio.mime_type),
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents { uri, .. } => format!("[binary, {uri}]"),
            _ => "[resource]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[{}]", link.uri),
        _ => "[content of another kind]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_read_as_the_schema_says() {
        let properties = json!({
            "text": {"type": "string"}, "count": {"type": "integer"},
            "tags": {"type": "array"}, "deep": {"type": "boolean"},
        });
        let read = |given: &[&str]| arguments(&properties, given).map(Value::Object);
        assert_eq!(
            read(&["text=7", "count=7", "tags=a, b", "deep=true", "raw:={\"x\":1}", "other=a=b"])
                .unwrap(),
            json!({"text": "7", "count": 7, "tags": ["a", "b"], "deep": true, "raw": {"x": 1}, "other": "a=b"})
        );
        assert_eq!(read(&["{\"count\": 1}"]).unwrap(), json!({"count": 1}));
        assert_eq!(read(&[]).unwrap(), json!({}));
        for wrong in ["count=many", "text", "{\"count\": "] {
            assert_eq!(read(&[wrong]).unwrap_err().code, "usage", "{wrong}");
        }
    }
}
