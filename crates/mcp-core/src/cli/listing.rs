//! `tools`: what the server offers, for people or as JSON.

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

#[expect(clippy::unnecessary_wraps, reason = "all commands have the same shape")]
pub(super) fn run(server: &Server, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let described = server.describe();
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
            let summary = first_sentence(&word(&item["description"]));
            let _infallible = writeln!(page, "  {:width$}  {mark}{summary}", word(&item[name]));
        }
    }
    page
}

fn first_sentence(description: &str) -> String {
    let line = text::one_line(description);
    match line.find(". ") {
        Some(end) => line[..=end].to_owned(),
        None => line,
    }
}
