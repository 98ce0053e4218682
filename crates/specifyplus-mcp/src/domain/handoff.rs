//! A handoff: which command to run next, and with what.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Handoff {
    /// What a person reads on the button.
    pub(crate) label: String,
    /// The command it leads to, as the file says it: it need not exist.
    pub(crate) agent: String,
    pub(crate) prompt: String,
    /// Whether a client may send the prompt without asking.
    pub(crate) send: bool,
}

impl Handoff {
    /// One item of the list in the front matter, or what is wrong with it.
    pub(super) fn from_item(item: &Value) -> Result<Self, String> {
        let Value::Object(fields) = item else {
            return Err("it is not a mapping with `label`, `agent` and `prompt`".to_owned());
        };
        let text = |name: &str| match fields.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(format!("`{name}` is not text")),
            None => Err(format!("`{name}` is missing")),
        };
        let word = |name: &str| match text(name)?.trim() {
            "" => Err(format!("`{name}` is empty")),
            word => Ok(word.to_owned()),
        };
        let send = match fields.get("send") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(send)) => *send,
            Some(_) => return Err("`send` is neither true nor false".to_owned()),
        };
        Ok(Self { label: word("label")?, agent: word("agent")?, prompt: text("prompt")?, send })
    }

    /// All of them with all their fields; null when there are none.
    pub(super) fn list_as_json(handoffs: &[Self]) -> Value {
        if handoffs.is_empty() {
            return Value::Null;
        }
        let fields = handoffs.iter().map(|Self { label, agent, prompt, send }| {
            json!({ "label": label, "agent": agent, "prompt": prompt, "send": send })
        });
        fields.collect()
    }
}
