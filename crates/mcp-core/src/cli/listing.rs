//! `tools`: what the server offers, for people or as JSON, and one tool with its parameters.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::ArgMatches;
use serde_json::Value;

use super::print;
use crate::failure::Failure;
use crate::server::Server;
use crate::text;

const KINDS: [(&str, &str, &str); 4] = [
    ("tools", "Tools", "name"),
    ("prompts", "Prompts", "name"),
    ("resources", "Resources", "uri"),
    ("resourceTemplates", "Resource templates", "uriTemplate"),
];

pub(super) fn run(server: &Server, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let described = server.describe();
    if let Some(name) = matches.get_one::<String>("name") {
        let tool = find(&described, name)?;
        let is_json = matches.get_flag("json");
        print(&if is_json { format!("{tool:#}") } else { page_of(tool) });
        return Ok(ExitCode::SUCCESS);
    }
    if matches.get_flag("json") {
        print(&format!("{described:#}"));
    } else {
        print(&table(&described));
    }
    Ok(ExitCode::SUCCESS)
}

fn table(described: &Value) -> String {
    let server = &described["server"];
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut page = format!("{} {}\n", word(&server["name"]), word(&server["version"]));
    for (key, title, name) in KINDS {
        let items = described[key].as_array().map(Vec::as_slice).unwrap_or_default();
        if items.is_empty() {
            continue;
        }
        let width = items.iter().map(|item| word(&item[name]).chars().count()).max().unwrap_or(0);
        let _infallible = writeln!(page, "\n{title}");
        for item in items {
            let writes = item["annotations"]["readOnlyHint"] == Value::Bool(false);
            let mark = if writes { "writes  " } else { "" };
            let summary = summary(item);
            let _infallible = writeln!(page, "  {:width$}  {mark}{summary}", word(&item[name]));
        }
    }
    page
}

fn find<'a>(described: &'a Value, name: &str) -> Result<&'a Value, Failure> {
    let tools = described["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    if let Some(tool) = tools.iter().find(|tool| tool["name"] == name) {
        return Ok(tool);
    }
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let nearest = text::nearest(name, names.iter().copied());
    let hint = match nearest {
        Some(nearest) => format!("Did you mean `{nearest}`?"),
        None => format!("There are {}.", text::list_of_names(names)),
    };
    let shown = text::one_line(text::cut(name, 100));
    Err(Failure::new("unknown_tool", format!("no tool is called `{shown}`")).hint(hint))
}

/// One tool: what it is for, and what it takes.
fn page_of(tool: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let writes = tool["annotations"]["readOnlyHint"] == Value::Bool(false);
    let kind = if writes { "writes" } else { "reads only" };
    let mut page = format!("{}: {} ({kind})\n", word(&tool["name"]), word(&tool["title"]));
    let _infallible = writeln!(page, "\n{}", wrapped(&word(&tool["description"]), 0));
    let schema = &tool["inputSchema"];
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let properties = schema["properties"].as_object().filter(|it| !it.is_empty());
    let Some(properties) = properties else {
        page.push_str("\nIt takes no parameters.\n");
        return page;
    };
    page.push_str("\nParameters\n");
    for (name, property) in properties {
        let need =
            if required.contains(&Value::from(name.as_str())) { "required" } else { "optional" };
        let _infallible = writeln!(page, "  {name} ({}, {need})", kind_of(property));
        let about = word(&property["description"]);
        if !about.is_empty() {
            let _infallible = writeln!(page, "{}", wrapped(&about, 6));
        }
        if let Some(values) = property["enum"].as_array() {
            let values: Vec<String> = values.iter().map(word).collect();
            let _infallible =
                writeln!(page, "{}", wrapped(&format!("One of {}.", values.join(", ")), 6));
        }
    }
    page
}

fn kind_of(property: &Value) -> String {
    match &property["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
            kinds.join(" or ")
        }
        _ => "any".to_owned(),
    }
}

/// Lines of a width that is easy to read, each paragraph on its own.
fn wrapped(text: &str, indent: usize) -> String {
    const WIDTH: usize = 88;
    let margin = " ".repeat(indent);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = margin.clone();
        for word in paragraph.split_whitespace() {
            if line.trim().is_empty() {
                line.push_str(word);
            } else if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::replace(&mut line, format!("{margin}{word}")));
            } else {
                line.push(' ');
                line.push_str(word);
            }
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// The first sentence; where a contract has it in another script, the English title before it.
fn summary(item: &Value) -> String {
    let sentence = first_sentence(item["description"].as_str().unwrap_or_default());
    let is_other_script = |it: char| it.is_alphabetic() && it >= '\u{2e80}';
    match item["title"].as_str() {
        Some(title) if sentence.contains(is_other_script) => format!("{title}. {sentence}"),
        _ => sentence,
    }
}

fn first_sentence(description: &str) -> String {
    let line = text::one_line(description);
    match line.find(". ") {
        Some(end) => line[..=end].to_owned(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_tool_is_shown_with_its_parameters() {
        let tool = json!({
            "name": "greet", "title": "Greeting", "description": "Returns a greeting.",
            "annotations": {"readOnlyHint": true},
            "inputSchema": {"required": ["name"], "properties": {
                "name": {"type": "string", "description": "Who is greeted."},
                "tone": {"type": ["string", "null"], "enum": ["kind", "dry"]},
            }},
        });
        insta::assert_snapshot!("one_tool", page_of(&tool));
        let described = json!({ "tools": [tool] });
        let failure = find(&described, "great").unwrap_err();
        assert_eq!(failure.hint.as_deref(), Some("Did you mean `greet`?"));
    }

    #[test]
    fn a_summary_in_another_script_has_its_title_before_it() {
        let item = json!({"title": "Find drift", "description": "Spec 漂移检测. Compares."});
        assert_eq!(summary(&item), "Find drift. Spec 漂移检测.");
        let item = json!({"title": "Find drift", "description": "Compares – both. More."});
        assert_eq!(summary(&item), "Compares – both.");
    }
}
