//! Data for a person on a terminal: one member a line, nested ones further in.

use serde_json::Value;

pub(super) fn of(value: &Value) -> String {
    let mut lines = Vec::new();
    add(&mut lines, value, 0);
    lines.join("\n")
}

fn add(lines: &mut Vec<String>, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                labelled(lines, &format!("{indent}{name}:"), value, depth);
            }
        }
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Object(_) | Value::Array(_) => {
                        let first = lines.len();
                        add(lines, item, depth + 1);
                        if let Some(line) = lines.get_mut(first) {
                            *line = format!("{indent}- {}", line.trim_start());
                        }
                    }
                    item => labelled(lines, &format!("{indent}-"), item, depth),
                }
            }
        }
        value => lines.push(format!("{indent}{}", plain(value))),
    }
}

fn labelled(lines: &mut Vec<String>, label: &str, value: &Value, depth: usize) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            lines.push(label.to_owned());
            add(lines, value, depth + 1);
        }
        Value::Array(items) if !items.is_empty() => {
            lines.push(label.to_owned());
            add(lines, value, depth + 1);
        }
        Value::String(text) if text.trim_end().contains('\n') => {
            lines.push(label.to_owned());
            let indent = "  ".repeat(depth + 1);
            lines.extend(
                text.trim_end().lines().map(|it| format!("{indent}{it}").trim_end().to_owned()),
            );
        }
        value => lines.push(format!("{label} {}", plain(value)).trim_end().to_owned()),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim_end().to_owned(),
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(_) | Value::Object(_) => "none".to_owned(),
        number @ Value::Number(_) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_becomes_lines_that_a_person_reads() {
        let value = json!({
            "id": "REQ-1", "is_stale": false, "count": 3, "nothing": null, "empty": [],
            "text": "one\ntwo\n", "names": ["a", "b"],
            "assertions": [{"label": "A", "covered": true, "by": ["t"]}, {"label": "B"}],
        });
        insta::assert_snapshot!("outline", of(&value));
    }
}
