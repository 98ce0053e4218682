//! Asking inside the call, where the client can show a form. A refusal falls back to returning the
//! questions.

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Elicited, Halt};
use serde_json::{Map, Value, json};

use super::answer;
use crate::domain::clarify::{Asked, AskedKind, OTHER};
use crate::store::service::{Ask, Preview, Service};

/// Rounds of forms in one call; what is open after that is returned.
const MAX_ROUNDS: usize = 6;

pub(super) async fn clarify_by_form(
    call: &Call,
    service: Arc<Service>,
    mut ask: Ask,
) -> Result<Answer, Halt> {
    for round in 0..MAX_ROUNDS {
        let (worker, asked) = (service.clone(), ask);
        let (reply, back) = call
            .blocking(move |call| {
                let reply = worker.preview(&asked, call.work());
                (reply, asked)
            })
            .await;
        ask = back;
        let Preview::Questions(questions) = reply? else { break };
        let form = schema(&questions);
        let key = format!("questions_{round}");
        ask.shown.extend(questions.iter().cloned());
        match call.elicit(&key, "Some questions before work begins.", form).await? {
            Elicited::Accepted(given) => ask.answers.extend(answers(&questions, &given)),
            Elicited::Declined => {
                ask.declined = true;
                break;
            }
            Elicited::Unavailable => break,
        }
    }
    let reply = call.blocking(move |call| service.clarify(&ask, call.work()));
    answer(&reply.await?)
}

/// A flat object, one property per question.
fn schema(questions: &[Asked]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for asked in questions {
        let description = match &asked.error {
            Some(error) => format!("{} ({error})", asked.why),
            None => asked.why.clone(),
        };
        let title = asked.text.clone();
        let property = match asked.kind {
            AskedKind::FreeText => {
                json!({ "type": "string", "title": title, "description": description })
            }
            AskedKind::SingleChoice => {
                let mut options = asked.options.clone();
                options.push(crate::domain::clarify::LATER.to_owned());
                json!({ "type": "string", "title": title, "description": description, "enum": options })
            }
            AskedKind::MultiChoice => json!({
                "type": "array", "title": title, "description": description,
                "minItems": asked.min.unwrap_or(0), "items": { "type": "string", "enum": asked.options }
            }),
        };
        properties.insert(asked.id.clone(), property);
        if asked.options.iter().any(|it| it == OTHER) {
            let title = format!("Other: {}", asked.text);
            properties.insert(
                format!("{}__other", asked.id),
                json!({ "type": "string", "title": title, "description": "Only with the choice Other." }),
            );
        }
        if !asked.optional {
            required.push(asked.id.clone());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// What was filled in; an empty extra field was not.
fn answers(questions: &[Asked], given: &Value) -> Map<String, Value> {
    let mut answers = Map::new();
    for (key, value) in given.as_object().into_iter().flatten() {
        let is_question = questions.iter().any(|it| it.id == *key);
        let is_empty = value.as_str().is_some_and(|it| it.trim().is_empty());
        if is_question || !is_empty {
            answers.insert(key.clone(), value.clone());
        }
    }
    answers
}
