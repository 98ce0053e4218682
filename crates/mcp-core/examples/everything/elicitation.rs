//! Tools that ask the user through the client, in the way of either era.

use mcp_core::server::{Answer, Call, Elicited, Halt, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Nothing;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Message {
    /// What the user is shown.
    message: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    /// What the user is asked.
    question: String,
}

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        Tool::read_only("test_elicitation", "Asks for a user name and an address.")
            .run(async |call, params: Message| report(&call, &params.message, contact()).await),
        Tool::read_only(
            "test_elicitation_sep1034_defaults",
            "Asks with a form whose fields have defaults.",
        )
        .run(async |call, Nothing {}| report(&call, "Check the values.", defaults()).await),
        Tool::read_only(
            "test_elicitation_sep1330_enums",
            "Asks with a form that has each kind of choice.",
        )
        .run(async |call, Nothing {}| report(&call, "Choose.", choices()).await),
        Tool::read_only(
            "test_streaming_elicitation",
            "Asks for a name; a modern client finds the question in the result.",
        )
        .run(async |call, Nothing {}| report(&call, "What is your name?", one("name")).await),
        Tool::read_only(
            "test_input_required_result_elicitation",
            "Asks for a name and greets with it.",
        )
        .run(greet),
        Tool::read_only("ask", "Asks the user a question and repeats the answer.").run(ask),
        Tool::read_only("ask_twice", "Asks two questions, one after the other.").run(ask_twice),
    ]
}

/// A form with one required field for text.
pub(crate) fn one(field: &str) -> Value {
    json!({
        "type": "object",
        "properties": { field: { "type": "string" } },
        "required": [field],
    })
}

async fn report(call: &Call, message: &str, form: Value) -> Result<Answer, Halt> {
    Ok(match call.elicit("form", message, form).await? {
        Elicited::Accepted(content) => {
            Answer::text(format!("Elicitation completed: action=accept, content={content}"))
        }
        Elicited::Declined => Answer::text("Elicitation completed: action=decline"),
        Elicited::Unavailable => Answer::text("The client cannot ask its user.").failed(),
    })
}

async fn greet(call: Call, Nothing {}: Nothing) -> Result<Answer, Halt> {
    Ok(match call.elicit("user_name", "What is your name?", one("name")).await? {
        Elicited::Accepted(content) => {
            let name = content["name"].as_str().unwrap_or("stranger");
            Answer::text(format!("Hello, {name}!"))
        }
        Elicited::Declined => Answer::text("Hello, whoever you are!"),
        Elicited::Unavailable => Answer::text("The client cannot ask its user.").failed(),
    })
}

async fn ask(call: Call, params: Question) -> Result<Answer, Halt> {
    Ok(match call.elicit("answer", &params.question, one("answer")).await? {
        Elicited::Accepted(content) => {
            let answer = content["answer"].as_str().unwrap_or_default();
            Answer::text(format!("accepted: {answer}"))
        }
        Elicited::Declined => Answer::text("declined"),
        Elicited::Unavailable => Answer::text("no elicitation"),
    })
}

/// A modern client answers only what it was asked last, so the first answer has to be kept for it.
async fn ask_twice(call: Call, Nothing {}: Nothing) -> Result<Answer, Halt> {
    let mut answers = Vec::new();
    for key in ["first", "second"] {
        match call.elicit(key, &format!("The {key} answer?"), one("answer")).await? {
            Elicited::Accepted(content) => {
                answers.push(content["answer"].as_str().unwrap_or_default().to_owned());
            }
            Elicited::Declined => return Ok(Answer::text("declined")),
            Elicited::Unavailable => return Ok(Answer::text("no elicitation")),
        }
    }
    Ok(Answer::text(format!("accepted: {}", answers.join(", "))))
}

fn contact() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    })
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn choices() -> Value {
    let plain = json!(["option1", "option2", "option3"]);
    let titled = json!([
        { "const": "value1", "title": "First" },
        { "const": "value2", "title": "Second" },
        { "const": "value3", "title": "Third" },
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        },
    })
}
