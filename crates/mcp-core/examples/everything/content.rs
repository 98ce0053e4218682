//! Tools that answer with each kind of content, with an error, with progress, or with a schema.

use std::time::Duration;

use mcp_core::schema::JsonObject;
use mcp_core::server::{Answer, Call, Halt, Tool};
use rmcp::model::{ContentBlock, ResourceContents};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::samples::{PNG, WAV};
use crate::{Anything, Nothing};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Mirrored {
    /// A value that a client sends in a header as well.
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        Tool::read_only("test_simple_text", "Answers with one text.").run_sync(|_, Nothing {}| {
            Ok(Answer::text("This is a simple text response for testing."))
        }),
        Tool::read_only("test_image_content", "Answers with one image.")
            .run_sync(|_, Nothing {}| Ok(Answer::blocks(vec![image()]))),
        Tool::read_only("test_audio_content", "Answers with one sound.").run_sync(
            |_, Nothing {}| Ok(Answer::blocks(vec![ContentBlock::audio(WAV, "audio/wav")])),
        ),
        Tool::read_only("test_embedded_resource", "Answers with one embedded resource.").run_sync(
            |_, Nothing {}| {
                let text = "This is an embedded resource content.";
                let resource = ResourceContents::text(text, "test://embedded-resource");
                Ok(Answer::blocks(vec![ContentBlock::resource(resource)]))
            },
        ),
        Tool::read_only(
            "test_multiple_content_types",
            "Answers with a text, an image and an embedded resource at once.",
        )
        .run_sync(|_, Nothing {}| Ok(mixed())),
        Tool::read_only("test_error_handling", "Always fails.").run_sync(|_, Nothing {}| {
            Ok(Answer::text("This tool intentionally returns an error for testing").failed())
        }),
        Tool::read_only("test_tool_with_progress", "Reports progress three times.").run(progress),
        Tool::read_only(
            "test_reconnection",
            "Answers on the stream it was asked on: no stream is closed while a call runs.",
        )
        .run_sync(|_, Nothing {}| Ok(Answer::text("The stream stayed open."))),
        Tool::read_only("json_schema_2020_12_tool", "Takes what a rich schema allows.")
            .input_schema(rich_schema)
            .run_sync(|_, Anything {}| Ok(Answer::text("The schema is the point."))),
        Tool::read_only("test_x_mcp_header", "Takes a value that a header repeats.")
            .run_sync(|_, params: Mirrored| Ok(Answer::text(format!("region: {}", params.region)))),
    ]
}

fn image() -> ContentBlock {
    ContentBlock::image(PNG, "image/png")
}

fn mixed() -> Answer {
    let text = json!({ "test": "data", "value": 123 }).to_string();
    let resource = ResourceContents::text(text, "test://mixed-content-resource")
        .with_mime_type("application/json");
    let introduction = ContentBlock::text("Multiple content types test:");
    Answer::blocks(vec![introduction, image(), ContentBlock::resource(resource)])
}

async fn progress(call: Call, Nothing {}: Nothing) -> Result<Answer, Halt> {
    for done in [0.0, 50.0, 100.0] {
        call.report_all(done, Some(100.0), "").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(Answer::text("Reported progress three times."))
}

/// Every keyword in it has to reach the client unchanged, references included.
fn rich_schema() -> JsonObject {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"],
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    });
    schema.as_object().cloned().unwrap_or_default()
}
