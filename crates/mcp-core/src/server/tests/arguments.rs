//! Schemas that a contract fixes, and a server's own words for what does not fit them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::failure::Failure;
use crate::schema::JsonObject;
use crate::server::{Answer, Tool, Wrong, WrongArgument};

#[derive(Deserialize, JsonSchema)]
struct Paint {
    #[serde(default)]
    colour: String,
    coats: Option<Value>,
    names: Option<Vec<String>>,
}

fn fixed() -> JsonObject {
    let schema = json!({
        "type": "object",
        "properties": {
            "colour": { "type": "string", "enum": ["red", "blue"] },
            "coats": { "type": "integer" },
            "names": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["colour"],
        "x-contract": true,
    });
    schema.as_object().cloned().unwrap_or_default()
}

fn object(it: &WrongArgument<'_>) -> Option<Failure> {
    let words = match &it.wrong {
        Wrong::Unknown { name } if name.starts_with('x') => return None,
        Wrong::Unknown { name } => format!("{name}: never heard of"),
        Wrong::Missing { name } => format!("{name}: missing"),
        Wrong::Kind { value: Value::String(_), .. } => return None,
        Wrong::Kind { name, value, required } => format!("{name}: {value} is no {required}"),
        Wrong::Choice { name, value, allowed } => format!("{name}: {value}, of {}", allowed.len()),
    };
    Some(Failure::new("mine", words).hint(it.expected()))
}

fn server() -> Server {
    probe().tool(
        Tool::read_only("paint", "Paints.").input_schema(fixed).objecting(object).run_sync(
            |_, it: Paint| Ok(Answer::text(format!("{} {:?} {:?}", it.colour, it.coats, it.names))),
        ),
    )
}

#[tokio::test]
async fn a_schema_fixed_by_contract_is_listed_to_the_letter() {
    let mut client = connect(server()).await;
    let listed = client.request("tools/list", json!({})).await;
    assert_eq!(listed.result()["tools"][0]["inputSchema"], Value::Object(fixed()));
}

#[tokio::test]
async fn wrong_arguments_are_refused_in_the_servers_own_words() {
    let mut client = connect(server()).await;
    for (given, words) in [
        (json!({}), "colour: missing"),
        (json!({"colour": null}), "colour: missing"),
        (json!({"colour": "green"}), "colour: \"green\", of 2"),
        (json!({"colour": "red", "coat": 1}), "coat: never heard of"),
        (json!({"colour": "red", "coats": 1.5}), "coats: 1.5 is no integer"),
        (json!({"colour": "red", "names": ["a", 1]}), "names: [\"a\",1] is no array"),
    ] {
        let reply = client.call_tool("paint", given.clone()).await;
        assert!(reply.is_tool_error() && reply.text().starts_with(words), "{given}: {reply:?}");
        assert!(reply.text().contains("`coats` (integer, optional)"), "{}", reply.text());
    }
}

#[tokio::test]
async fn what_the_server_lets_pass_is_read_by_the_parameter_struct() {
    let mut client = connect(server()).await;
    let given = json!({"colour": "red", "coats": "2", "x": 1, "names": null});
    let reply = client.call_tool("paint", given).await;
    assert_eq!(reply.text(), "red Some(String(\"2\")) None");
}
