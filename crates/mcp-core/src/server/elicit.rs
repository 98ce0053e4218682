//! Asking the user through the client, in whichever way the client's protocol has for it.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    ErrorData, InputRequest, InputRequiredResult, InputResponses, ProtocolVersion,
};
use serde_json::Value;

use super::call::{Call, Halt};
use crate::failure::Failure;

/// No answer for so long is taken for a refusal.
const PATIENCE: Duration = Duration::from_mins(2);

/// What came of asking.
#[derive(Debug, Clone, PartialEq)]
pub enum Elicited {
    /// The form as the user filled it in.
    Accepted(Value),
    /// Refused, dismissed, or not answered in time.
    Declined,
    /// The client cannot ask its user.
    Unavailable,
}

impl Call {
    /// Whether the client declared that it can show a form to its user.
    pub fn can_elicit(&self) -> bool {
        let Some(request) = self.request() else { return false };
        let Some(capabilities) = request.client_capabilities() else { return false };
        // Neither mode named means forms: that is how the first revision declared it.
        capabilities.elicitation.is_some_and(|it| it.form.is_some() || it.url.is_none())
    }

    fn is_modern(&self) -> bool {
        let version = self.request().and_then(rmcp::service::RequestContext::protocol_version);
        version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
    }

    /// Asks the user to fill in a form; `schema` is a flat object of simple values.
    ///
    /// On the old era this waits for the answer. On the new one the call ends here, the client asks
    /// and calls again with the same arguments: whatever stands before this line runs twice, so it
    /// must not write. `key` tells several questions of one tool apart.
    pub async fn elicit(&self, key: &str, message: &str, schema: Value) -> Result<Elicited, Halt> {
        if !self.can_elicit() {
            return Ok(Elicited::Unavailable);
        }
        let form = form(message, schema)?;
        if self.is_modern() {
            let answers = self.answers_so_far()?;
            // What cannot be read is asked for again.
            let response = answers.get(key).cloned().map(serde_json::from_value::<ElicitResult>);
            if let Some(Ok(result)) = response {
                return Ok(judge(result));
            }
            let request = InputRequest::Elicitation(ElicitRequest::new(form));
            let requests = BTreeMap::from([(key.to_owned(), request)]);
            let state = (!answers.is_empty()).then(|| serde_json::json!(answers).to_string());
            let result = InputRequiredResult::new(Some(requests), state);
            return Err(Halt::InputRequired(Box::new(result)));
        }
        let Some(request) = self.request() else { return Ok(Elicited::Unavailable) };
        let answer = self.waiting_for_client(async {
            tokio::select! {
                answer = request.peer.create_elicitation_with_timeout(form, Some(PATIENCE)) => answer.ok(),
                () = self.connection_closing() => None,
            }
        });
        Ok(answer.await?.map_or(Elicited::Declined, judge))
    }

    /// The client sends only the answers to what it was asked last; earlier ones come back in the
    /// state. It could have sent those itself, so there is nothing in it to protect.
    fn answers_so_far(&self) -> Result<InputResponses, Halt> {
        let mut answers: InputResponses = match self.request_state() {
            None => BTreeMap::new(),
            Some(state) => serde_json::from_str(state).map_err(|_| {
                let message = "`requestState` is not what this server sent";
                Halt::Refused(Box::new(ErrorData::invalid_params(message, None)))
            })?,
        };
        answers.extend(self.input_responses().clone());
        Ok(answers)
    }
}

fn form(message: &str, schema: Value) -> Result<ElicitRequestParams, Failure> {
    let requested_schema: ElicitationSchema = serde_json::from_value(schema).map_err(|error| {
        Failure::new(Failure::INTERNAL, format!("the form to show is not one: {error}"))
    })?;
    let message = message.to_owned();
    Ok(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

fn judge(result: ElicitResult) -> Elicited {
    match (result.action, result.content) {
        (ElicitationAction::Accept, Some(content)) => Elicited::Accepted(content),
        _ => Elicited::Declined,
    }
}
