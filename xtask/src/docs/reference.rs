//! Renders what `tools --json` prints as Markdown. Text in, text out.

use std::fmt::Write as _;

use serde_json::Value;

pub(crate) fn render(offered: &Value) -> String {
    let mut out = String::new();
    section(&mut out, "Tools", &offered["tools"], tool);
    section(&mut out, "Prompts", &offered["prompts"], prompt);
    section(&mut out, "Resources", &offered["resources"], |item| resource(item, "uri"));
    section(&mut out, "Resource templates", &offered["resourceTemplates"], |item| {
        resource(item, "uriTemplate")
    });
    if out.is_empty() {
        out.push_str("This version declares no tools, prompts or resources.\n");
    }
    out
}

fn section(out: &mut String, title: &str, items: &Value, render: impl Fn(&Value) -> String) {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "## {title}");
    for item in items {
        let _ = write!(out, "\n{}", render(item));
    }
}

fn tool(tool: &Value) -> String {
    let mut out = heading(tool, "name");
    let schema = &tool["inputSchema"];
    let properties = schema["properties"].as_object();
    if let Some(properties) = properties.filter(|properties| !properties.is_empty()) {
        out.push_str("\n| parameter | type | required | meaning |\n| --- | --- | --- | --- |\n");
        let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (name, property) in properties {
            let kind = cell(&type_of(property, schema));
            let needed = if required.iter().any(|it| it == name) { "yes" } else { "no" };
            let meaning = cell(property["description"].as_str().unwrap_or_default());
            let _ = writeln!(out, "| `{name}` | {kind} | {needed} | {meaning} |");
        }
    } else {
        out.push_str("\nNo parameters.\n");
    }
    let hints = hints(&tool["annotations"]);
    if !hints.is_empty() {
        let _ = writeln!(out, "\nHints: {hints}.");
    }
    out
}

fn prompt(prompt: &Value) -> String {
    let mut out = heading(prompt, "name");
    let arguments = prompt["arguments"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !arguments.is_empty() {
        out.push_str("\n| argument | required | meaning |\n| --- | --- | --- |\n");
    }
    for argument in arguments {
        let name = argument["name"].as_str().unwrap_or_default();
        let needed = if argument["required"] == true { "yes" } else { "no" };
        let meaning = cell(argument["description"].as_str().unwrap_or_default());
        let _ = writeln!(out, "| `{name}` | {needed} | {meaning} |");
    }
    out
}

fn resource(resource: &Value, key: &str) -> String {
    let mut out = heading(resource, key);
    if let Some(mime) = resource["mimeType"].as_str() {
        let _ = writeln!(out, "\nType: `{mime}`.");
    }
    out
}

fn heading(item: &Value, key: &str) -> String {
    let mut out = format!("### `{}`\n", item[key].as_str().unwrap_or_default());
    if let Some(description) = item["description"].as_str() {
        let _ = writeln!(out, "\n{}", description.trim());
    }
    out
}

/// The type of a parameter in a few words: `string`, `array of integer`, `"a" or "b"`.
fn type_of(property: &Value, schema: &Value) -> String {
    if let Some(target) = property["$ref"].as_str().and_then(|link| link.strip_prefix('#')) {
        return schema.pointer(target).map_or_else(String::new, |it| type_of(it, schema));
    }
    if let Some(values) = property["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        return values.join(" or ");
    }
    if let Some(value) = property.get("const") {
        return format!("`{value}`");
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = property[key].as_array() {
            let choices: Vec<String> = choices.iter().map(|it| type_of(it, schema)).collect();
            return choices.join(" or ");
        }
    }
    match &property["type"] {
        Value::String(kind) if kind == "array" && property["items"].is_object() => {
            format!("array of {}", type_of(&property["items"], schema))
        }
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => "any".to_owned(),
    }
}

fn hints(annotations: &Value) -> String {
    let words = [
        ("readOnlyHint", "read-only", "writes"),
        ("destructiveHint", "destructive", "not destructive"),
        ("idempotentHint", "idempotent", "not idempotent"),
        ("openWorldHint", "reaches beyond this machine", "stays on this machine"),
    ];
    let said = words.iter().filter_map(|(key, yes, no)| {
        annotations[*key].as_bool().map(|set| if set { *yes } else { *no })
    });
    said.collect::<Vec<_>>().join(", ")
}

/// Text that fits one table cell.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::render;

    #[test]
    fn a_server_without_offers_says_so() {
        let empty = json!({ "tools": [], "prompts": [], "resources": [], "resourceTemplates": [] });
        assert_eq!(render(&empty), "This version declares no tools, prompts or resources.\n");
    }

    #[test]
    fn a_tool_shows_description_parameters_and_hints() {
        let offered = json!({ "tools": [{
            "name": "search",
            "description": "Finds requirements.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": { "type": "string", "description": "Words to look for,\n a|b." },
                    "fields": { "type": "array", "items": { "$ref": "#/$defs/Field" } },
                },
                "required": ["query"],
                "$defs": { "Field": { "type": "string", "enum": ["id", "title"] } },
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        }, { "name": "ping", "inputSchema": { "type": "object" } }] });
        let expected = r#"## Tools

### `search`

Finds requirements.

| parameter | type | required | meaning |
| --- | --- | --- | --- |
| `query` | string | yes | Words to look for, a\|b. |
| `fields` | array of `"id"` or `"title"` | no |  |

Hints: read-only, stays on this machine.

### `ping`

No parameters.
"#;
        assert_eq!(render(&offered), expected);
    }

    #[test]
    fn prompts_and_resources_have_their_own_sections() {
        let offered = json!({
            "tools": [],
            "prompts": [{ "name": "plan", "arguments": [{ "name": "arguments", "required": false }] }],
            "resources": [{ "uri": "acm://stages", "mimeType": "text/markdown" }],
            "resourceTemplates": [{ "uriTemplate": "acm://stage/{name}", "description": "One stage." }],
        });
        let expected = "## Prompts

### `plan`

| argument | required | meaning |
| --- | --- | --- |
| `arguments` | no |  |

## Resources

### `acm://stages`

Type: `text/markdown`.

## Resource templates

### `acm://stage/{name}`

One stage.
";
        assert_eq!(render(&offered), expected);
    }
}
