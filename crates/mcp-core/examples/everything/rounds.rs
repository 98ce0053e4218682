//! Tools that take several rounds and keep nothing in between: the client carries the state.
//!
//! They write the modern era's result by hand, because a question with state is more than
//! `Call::elicit` asks.

use std::collections::BTreeMap;

use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Call, Halt, Tool};
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ErrorData, InputRequest, InputRequiredResult,
    RequestStateCodec, SealOptions,
};
use serde_json::{Value, json};

use crate::Nothing;
use crate::elicitation::one;

/// A server with something to protect would draw its key when it starts.
const KEY: &[u8] = b"known to everybody, good enough for a test";

const REQUEST_STATE: &str = "test_input_required_result_request_state";
const TAMPERED_STATE: &str = "test_input_required_result_tampered_state";
const MULTI_ROUND: &str = "test_input_required_result_multi_round";

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        Tool::read_only(REQUEST_STATE, "Asks for a confirmation and checks its own state.")
            .run_sync(|call, Nothing {}| confirm(call, REQUEST_STATE)),
        Tool::read_only(TAMPERED_STATE, "Asks for a confirmation and refuses a changed state.")
            .run_sync(|call, Nothing {}| confirm(call, TAMPERED_STATE)),
        Tool::read_only(MULTI_ROUND, "Asks for a name, then for a colour.")
            .run_sync(|call, Nothing {}| two_questions(call)),
    ]
}

fn confirm(call: &Call, tool: &str) -> Result<Answer, Halt> {
    let state = open(call, tool)?;
    if state.is_some() && call.input_responses().contains_key("confirm") {
        return Ok(Answer::text("state-ok"));
    }
    let form = json!({
        "type": "object",
        "properties": { "ok": { "type": "boolean" } },
        "required": ["ok"],
    });
    Err(question(call, "confirm", "Please confirm", form, &seal(tool, "asked")?))
}

fn two_questions(call: &Call) -> Result<Answer, Halt> {
    let answered = |key, field| {
        let response = call.input_responses().get(key)?;
        Some(response["content"][field].as_str()?.to_owned())
    };
    // The name comes in the second round and travels in the state from then on.
    let name = open(call, MULTI_ROUND)?.and_then(|state| match state.strip_prefix("name: ") {
        Some(name) => Some(name.to_owned()),
        None => answered("step1", "name"),
    });
    let Some(name) = name else {
        let message = "Step 1: What is your name?";
        return Err(question(call, "step1", message, one("name"), &seal(MULTI_ROUND, "asked")?));
    };
    if let Some(color) = answered("step2", "color") {
        return Ok(Answer::text(format!("{name} likes {color}.")));
    }
    let state = seal(MULTI_ROUND, &format!("name: {name}"))?;
    Err(question(call, "step2", "Step 2: What is your favorite color?", one("color"), &state))
}

fn question(call: &Call, key: &str, message: &str, form: Value, state: &str) -> Halt {
    if !call.can_elicit() {
        return Failure::new("no_elicitation", "the client cannot ask its user").into();
    }
    let requested_schema = match serde_json::from_value(form) {
        Ok(schema) => schema,
        Err(error) => return internal(&error).into(),
    };
    let message = message.to_owned();
    let form = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    let request = InputRequest::Elicitation(ElicitRequest::new(form));
    let requests = BTreeMap::from([(key.to_owned(), request)]);
    let result = InputRequiredResult::new(Some(requests), Some(state.to_owned()));
    Halt::InputRequired(Box::new(result))
}

fn codec() -> Result<RequestStateCodec, Failure> {
    RequestStateCodec::try_new(KEY).map_err(|error| internal(&error))
}

fn internal(error: &impl ToString) -> Failure {
    Failure::new(Failure::INTERNAL, error.to_string())
}

/// State of one tool is of no use to another.
fn seal(tool: &str, state: &str) -> Result<String, Failure> {
    let options = SealOptions::new().associated_data(tool.as_bytes());
    Ok(codec()?.seal_with(state.as_bytes(), &options))
}

/// The state that the client sent back; `None` in the first round.
fn open(call: &Call, tool: &str) -> Result<Option<String>, Halt> {
    let Some(sealed) = call.request_state() else { return Ok(None) };
    let refused = || {
        let message = "`requestState` is not what this server sent";
        Halt::Refused(Box::new(ErrorData::invalid_params(message, None)))
    };
    let opened = codec()?.open_with(sealed, tool.as_bytes());
    let state = String::from_utf8(opened.map_err(|_| refused())?).map_err(|_| refused())?;
    Ok(Some(state))
}
