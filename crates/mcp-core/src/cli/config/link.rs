//! Deep links: an address that makes a client ask its user whether to add the server.

use serde_json::{Map, Value};

use super::client::Client;
use super::entry::Entry;
use crate::encoding::{UNRESERVED, base64, percent};
use crate::failure::Failure;

/// The link for a client that has such links.
pub(super) fn to(client: &Client, entry: &Entry) -> Result<String, Failure> {
    let mut members = entry.members(client);
    match client.id.as_str() {
        "cursor" => {
            let config = base64(Value::Object(members).to_string().as_bytes());
            Ok(format!(
                "cursor://anysphere.cursor-deeplink/mcp/install?name={}&config={}",
                encoded(&entry.name),
                encoded(&config)
            ))
        }
        "vscode" => {
            let mut named = Map::new();
            named.insert("name".to_owned(), Value::from(entry.name.as_str()));
            named.append(&mut members);
            Ok(format!("vscode:mcp/install?{}", encoded(&Value::Object(named).to_string())))
        }
        _ => Err(Failure::new("usage", format!("{} has no links", client.title))
            .hint("--link is for cursor and vscode; leave it out to see the entry.")),
    }
}

fn encoded(text: &str) -> String {
    percent(text, UNRESERVED)
}
