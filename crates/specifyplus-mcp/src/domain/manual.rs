//! The documentation of one command: what it is for, what it wants, where it leads, an example.

use std::fmt::Write as _;

use serde_json::json;

use super::{Catalog, Command, INPUT_KIND};

/// A page of Markdown.
pub(crate) fn manual(command: &Command, catalog: &Catalog) -> String {
    let mut page = format!("# {}\n\n{}\n", command.name, command.description);
    page.push_str("\n## Input\n\n");
    if command.takes_input() {
        let _infallible = writeln!(page, "`arguments`: {INPUT_KIND}.");
        if let Some(hint) = &command.hint {
            let _infallible = writeln!(page, "What to give: {hint}");
        }
        page.push_str(if command.appends_input() {
            "It is put where the command has a place for it, and at the end where it has none, \
             exactly as it was given.\n"
        } else {
            "It is put wherever the command says `$ARGUMENTS`, exactly as it was given; left out, \
             those places are empty.\n"
        });
    } else {
        page.push_str("None: the command takes no input, and what is given is ignored.\n");
    }
    page.push_str("\n## Next\n\n");
    if command.handoffs.is_empty() {
        page.push_str("This command hands off to no other.\n");
    }
    for handoff in &command.handoffs {
        let _infallible = write!(page, "- `{}`: {}", handoff.agent, handoff.label);
        if !handoff.prompt.is_empty() {
            let _infallible = write!(page, ", with the input \"{}\"", handoff.prompt);
        }
        if handoff.send {
            page.push_str(", to be sent right away");
        }
        if !catalog.has(&handoff.agent) {
            page.push_str(" (there is no such command here)");
        }
        page.push('\n');
    }
    page.push_str("\n## Example\n\n");
    example(&mut page, command);
    page
}

fn example(page: &mut String, command: &Command) {
    let name = &command.name;
    let mut params = json!({ "name": name });
    if command.takes_input() {
        let input = command.hint.as_deref().unwrap_or("your input");
        params["arguments"] = json!({ "arguments": input });
        let _infallible = write!(
            page,
            "- VS Code: `/mcp.specifyplus.{name}`, which asks for the input\n\
             - Claude Code: `Run the command {name}: {input}`, because \
             `/mcp__specifyplus__{name}` passes on one word only\n"
        );
    } else {
        let _infallible = write!(
            page,
            "- VS Code: `/mcp.specifyplus.{name}`\n- Claude Code: `/mcp__specifyplus__{name}`\n"
        );
    }
    let _infallible =
        write!(page, "- As a request: `prompts/get` with\n\n```json\n{params:#}\n```\n");
}
