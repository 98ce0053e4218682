//! The commands for people: init, lint, doctor, config, tools, call.

use plumbline_tests::Fixture;
use serde_json::Value;

use super::{PROJECT, printed, run, said};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// One line for each of the five files, and the count.
const LINT: [&str; 6] = [
    ".claude/commands/bad.md:3: error: front matter: line 3, column 4: unclosed bracket '[' [malformed_front_matter]",
    ".claude/commands/handoff.md:4: warning: there is no command `nowhere` to hand off to [dangling_handoff]",
    ".claude/commands/handoff.md:7: warning: handoff 2 is left out: `agent` is missing [bad_handoff]",
    ".claude/commands/huge.md:1: error: it has 1048577 bytes, 1048576 are read at most [too_large]",
    ".claude/commands/nameless.md:1: warning: there is no `description`; the first heading or sentence stands in [missing_description]",
    "4 commands, 5 problems",
];

#[test]
fn init_lays_the_commands_down_and_they_are_without_fault() {
    let project = Fixture::empty();
    let shown = run(&project, &["init", "--diff"]);
    assert_eq!(printed(&shown).matches("missing").count(), 13);
    assert!(project.files().is_empty(), "--diff writes nothing");
    let output = run(&project, &["init"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(project.files().len(), 13);
    let lint = run(&project, &["lint"]);
    assert!(lint.status.success());
    assert_eq!(printed(&lint), "13 commands, no problems\n");
    let listed = json(&printed(&run(&project, &["tools", "--json"])));
    assert_eq!(listed["prompts"].as_array().expect("a list").len(), 13);
}

#[test]
fn init_never_changes_a_file_that_differs() {
    let project = Fixture::new("//- .claude/commands/sp.plan.md\nmy own plan\n");
    let shown = printed(&run(&project, &["init", "--diff"]));
    assert!(
        shown.contains("differs  .claude/commands/sp.plan.md") && shown.contains("-my own plan"),
        "{shown}"
    );
    for _ in 0..2 {
        assert!(run(&project, &["init"]).status.success());
        assert_eq!(project.read(".claude/commands/sp.plan.md"), "my own plan\n");
    }
    let project = Fixture::empty();
    assert!(run(&project, &["init", "--commands-dir", "a/b"]).status.success());
    assert!(project.has("a/b/sp.plan.md") && !project.has(".claude"));
}

#[test]
fn lint_names_every_problem_with_file_and_line() {
    let project = Fixture::new(PROJECT);
    let commands = |name: &str| format!(".claude/commands/{name}");
    project.write(&commands("bad.md"), "---\ndescription: d\nx: [\n---\n");
    project.write(&commands("nameless.md"), "# Heading\n");
    project.write(&commands("handoff.md"), "---\ndescription: d\nhandoffs:\n  - label: L\n    agent: nowhere\n    prompt: p\n  - label: L\n---\n");
    project.write(&commands("huge.md"), &"x".repeat(1024 * 1024 + 1));
    let output = run(&project, &["lint"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = printed(&output);
    assert_eq!(lines.lines().collect::<Vec<_>>(), LINT);
    assert_eq!(said(&output), "", "nothing is said twice");
    let output = run(&project, &["lint", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&printed(&output));
    assert_eq!(report["commands"], 4);
    assert_eq!(report["problems"].as_array().expect("a list").len(), 5);
    assert_eq!(report["problems"][0]["code"], "malformed_front_matter");
}

#[test]
fn without_the_directory_people_are_helped_not_refused() {
    let project = Fixture::empty();
    let lint = run(&project, &["lint"]);
    assert_eq!(lint.status.code(), Some(1));
    assert!(printed(&lint).contains("[missing_directory]"), "{}", printed(&lint));
    let doctor = run(&project, &["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(printed(&doctor).contains("specifyplus-mcp init"), "{}", printed(&doctor));
    assert_eq!(said(&doctor), "");
    assert!(run(&project, &["doctor", "--builtin"]).status.success());
    for client in ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini"] {
        let refused = run(&project, &["config", client]);
        assert!(said(&refused).contains("--builtin"), "{client}: {}", said(&refused));
        let entry = run(&project, &["config", client, "--builtin"]);
        assert!(entry.status.success(), "{client}");
        let with_tools = ["claude-code", "codex"].contains(&client);
        assert_eq!(printed(&entry).contains("--with-tools"), with_tools, "{client}");
    }
    let listed = json(&printed(&run(&project, &["tools", "--json", "--builtin"])));
    assert_eq!(listed["prompts"].as_array().expect("a list").len(), 13);
}

#[test]
fn doctor_counts_commands_and_problems() {
    let project = Fixture::new(PROJECT);
    let fine = run(&project, &["doctor"]);
    assert!(fine.status.success() && printed(&fine).contains("2 commands"), "{}", printed(&fine));
    project.write(".claude/commands/bad.md", "---\nx: [\n---\n");
    let bad = run(&project, &["doctor"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(printed(&bad).contains("1 command file skipped"), "{}", printed(&bad));
}

#[test]
fn the_shell_always_has_the_tools() {
    let project = Fixture::new(PROJECT);
    let got = run(&project, &["call", "get_command", "name=/sp_plan", "input=two words"]);
    assert!(got.status.success(), "{}", said(&got));
    assert_eq!(printed(&got), "Plan <two words>.\n");
    let listed = json(&printed(&run(&project, &["call", "list_commands", "--json"])));
    assert_eq!(listed["structuredContent"]["commands"][0]["name"], "sp.plan");
    let unknown = run(&project, &["call", "get_command", "name=sp.plam"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(said(&unknown).contains("Did you mean `sp.plan`?"), "{}", said(&unknown));
}
