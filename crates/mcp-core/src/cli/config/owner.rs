//! Whose entry it is that already stands in a client's file.

use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;

/// Refuses to touch an entry of another server, or of this one for another project.
pub(super) fn check(
    existing: &Value,
    binary: &str,
    root: &Path,
    name: &str,
) -> Result<(), Failure> {
    let mut words = Vec::new();
    collect(existing, &mut words);
    let refused = |what: String| {
        Failure::new("entry_taken", what).hint(
            "Keep both by giving this one another name with --name, or replace it with --force.",
        )
    };
    if !words.iter().any(|word| is_called(word, binary)) {
        return Err(refused(format!("the entry `{name}` there starts something else")));
    }
    match root_in(&words) {
        Some(other) if Path::new(other).is_absolute() && Path::new(other) != root => {
            Err(refused(format!("the entry `{name}` there belongs to the project {other}")))
        }
        _ => Ok(()),
    }
}

/// Every text in an entry, in its order.
fn collect<'a>(value: &'a Value, words: &mut Vec<&'a str>) {
    match value {
        Value::String(word) => words.push(word),
        Value::Array(items) => items.iter().for_each(|it| collect(it, words)),
        Value::Object(members) => members.values().for_each(|it| collect(it, words)),
        _ => {}
    }
}

/// Whether a word names the program: by its path, or as a package with a scope and a version.
fn is_called(word: &str, binary: &str) -> bool {
    let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let last = last.strip_suffix(".exe").unwrap_or(last);
    let last = last.split_once('@').map_or(last, |(name, _)| name);
    last == binary
}

fn root_in<'a>(words: &[&'a str]) -> Option<&'a str> {
    let behind = words.windows(2).find(|pair| pair[0] == "--root").map(|pair| pair[1]);
    behind.or_else(|| words.iter().find_map(|word| word.strip_prefix("--root=")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checked(existing: &Value) -> Result<(), String> {
        check(existing, "probe-mcp", Path::new("/here"), "probe").map_err(|it| it.message)
    }

    #[test]
    fn an_entry_of_this_server_for_this_project_may_be_changed() {
        for entry in [
            json!({"command": "probe-mcp", "args": ["--root", "."]}),
            json!({"command": "/usr/bin/probe-mcp", "args": ["--root", "/here"]}),
            json!({"command": "C:\\bin\\probe-mcp.exe", "args": []}),
            json!({"command": "npx", "args": ["-y", "@example/probe-mcp@1.0.0", "--root=/here"]}),
            json!({"type": "local", "command": ["probe-mcp", "--root", "${workspaceFolder}"]}),
            json!({"transport": {"command": "probe-mcp", "args": ["--root", "/here"]}}),
        ] {
            assert_eq!(checked(&entry), Ok(()), "{entry}");
        }
    }

    #[test]
    fn one_of_another_project_or_another_server_may_not() {
        for entry in [
            json!({"command": "probe-mcp", "args": ["--root", "/elsewhere"]}),
            json!({"command": ["probe-mcp", "--root=/elsewhere"]}),
        ] {
            assert!(checked(&entry).unwrap_err().contains("/elsewhere"), "{entry}");
        }
        for entry in [json!({"url": "https://example.com/mcp"}), json!({"command": "my-probe-mcp"})]
        {
            assert!(checked(&entry).unwrap_err().contains("something else"), "{entry}");
        }
    }
}
