//! The folders of all agents: short files in the forms that toolkits lay down.

use std::os::unix::fs::symlink;

use plumbline_tests::Fixture;
use serde_json::json;

use super::{connected_whole, names, text, whole};
use crate::cli::Report;
use crate::domain::Kind;

const ARGUMENTS: &str = "arguments";

/// One file of each form, with what its agent calls it.
const FORMS: &str = "\
//- .claude/commands/flat.md
---
description: Flat
---
$ARGUMENTS and $1
//- .claude/commands/kiro/init.md
---
description: Begins
allowed-tools: Bash, Read
argument-hint: <feature:$1> [-y:$2]
---
Begin $1, flag $2.
//- .claude/skills/skilled/SKILL.md
---
name: skilled
description: A skill
---
First $0, second $1.
//- .claude/skills/skilled/references/more.md
More.
//- .agents/workflows/flow.md
---
description: Flows
---
Flow.
//- .github/prompts/ask.prompt.md
---
description: Asks
agent: agent
---
Ask for ${input:topic} in ${input:tone:friendly or not}.
//- .github/prompts/spec.plan.prompt.md
---
agent: spec.plan
---
//- .github/agents/spec.plan.agent.md
---
description: Plans
handoffs:
  - label: Ask
    agent: ask
    prompt: Ask
---
Plan: $ARGUMENTS
//- .gemini/commands/ns/tell.toml
description = \"Tells\"
prompt = \"\"\"
Tell {{args}}, not $1.
\"\"\"
//- .goose/recipes/cook.yaml
title: Cook it
description: Cooks
parameters:
- key: args
  input_type: string
  requirement: optional
prompt: |
  Cook {{args}} in {{OTHER}}.
//- .cursor/commands/meta.md
<meta>
description: Described in the text
argument-hint: <what>
</meta>

# Heading
Do $1.
//- .firebender/commands/fire.mdc
# Fire

Makes a fire.

$ARGUMENTS
//- .continue/prompts/go.prompt
---
description: Goes
---
Go.
//- .pi/prompts/pie.md
---
description: Bakes
---
Bake $@.
//- .forge/commands/forge.md
---
description: Forges
---
Forge {{parameters}}.
//- .hermes/skills/group/deep/SKILL.md
---
description: Deep
---
Deep {{DEEP_ARGS}}.
//- .newcomer/commands/new.md
---
description: New
---
New.
";

#[tokio::test]
async fn every_form_is_served_with_its_name_its_description_and_the_input_in_its_text() {
    let (mut client, _project) = connected_whole(FORMS).await;
    let listed = client.request("prompts/list", json!({})).await;
    let mut page = Vec::new();
    for prompt in listed.result()["prompts"].as_array().unwrap() {
        let name = prompt["name"].as_str().unwrap();
        let text = text(&mut client, name, json!({ ARGUMENTS: "a 'b c' d" })).await;
        page.push(format!("== {name}: {}\n{text}", prompt["description"]));
    }
    insta::assert_snapshot!("forms", page.join("\n"));
}

#[tokio::test]
async fn inputs_with_names_are_arguments_of_their_own() {
    let (mut client, _project) = connected_whole(FORMS).await;
    let listed = client.request("prompts/list", json!({})).await;
    let prompts = listed.result()["prompts"].as_array().unwrap();
    let ask = prompts.iter().find(|it| it["name"] == "ask").unwrap();
    let declared = ask["arguments"].as_array().unwrap().iter().map(|it| it["name"].clone());
    assert_eq!(declared.collect::<Vec<_>>(), ["topic", "tone"]);
    let page =
        client.request("resources/read", json!({ "uri": "specifyplus://commands/flow" })).await;
    let page = page.result()["contents"][0]["text"].as_str().unwrap().to_owned();
    assert!(page.contains("at the end where it has none"), "{page}");
    let arguments = json!({ "topic": "${input:tone}", "tone": "kind" });
    assert_eq!(text(&mut client, "ask", arguments).await, "Ask for ${input:tone} in kind.\n");
    let wrong = json!({ "name": "ask", "arguments": { "colour": "red" } });
    let reply = client.request("prompts/get", wrong).await;
    assert!(reply.error_text().contains("`topic` and `tone`"), "{}", reply.error_text());
}

#[tokio::test]
async fn a_command_in_several_folders_is_served_once_and_lint_says_which() {
    let project = Fixture::new(
        "//- .claude/commands/plan.md\n---\ndescription: d\n---\nflat\n//- .claude/commands/a/b.md\n---\ndescription: d\n---\nnested\n//- .agents/skills/a-b/SKILL.md\n---\ndescription: d\n---\nskill\n//- .cursor/commands/a.b.md\n---\ndescription: d\n---\ncursor\n//- .qwen/commands/plan.md\n---\ndescription: d\n---\nqwen\n",
    );
    let report = Report::of(&whole(&project));
    insta::assert_snapshot!("passed_over", report.lines());
    assert_eq!(report.problems.len(), 0);
    // The folders of the active agent go first, and there a command before a skill.
    project.write(".specify/integration.json", "{\"default_integration\": \"cursor-agent\"}");
    let text = |name: &str| whole(&project).find(name).unwrap().render("").unwrap();
    assert_eq!(text("a.b"), "cursor\n");
    assert_eq!(text("a:b"), "cursor\n", "every spelling leads to the one that is served");
    assert_eq!(text("plan"), "flat\n");
}

#[tokio::test]
async fn a_folder_that_the_project_names_is_served_and_none_outside_of_it() {
    let (mut client, project) =
        connected_whole("//- my/own/do.md\n---\ndescription: d\n---\nDo $ARGUMENTS.\n").await;
    let setting = |path: &str| {
        format!(
            "{{\"default_integration\": \"generic\", \"integration_settings\": {{\"generic\": {{\"parsed_options\": {{\"commands_dir\": \"{path}\"}}}}}}}}"
        )
    };
    project.write(".specify/integration.json", &setting("./my/own/"));
    assert_eq!(names(&mut client).await, ["do"]);
    assert_eq!(text(&mut client, "do", json!({ ARGUMENTS: "it" })).await, "Do it.\n");
    for outside in ["../other", "/etc", ""] {
        project.write(".specify/integration.json", &setting(outside));
        assert_eq!(names(&mut client).await, [""; 0], "{outside}");
    }
}

#[tokio::test]
async fn input_that_no_place_takes_stands_at_the_end() {
    let (mut client, _project) = connected_whole(
        "//- .claude/commands/flat.md\n---\ndescription: d\n---\nNothing.\n//- .agents/commands/none.md\n---\ndescription: d\n---\nNothing.\n//- .agents/commands/one.md\n---\ndescription: d\n---\nOne: $1, $2\n",
    )
    .await;
    let input = json!({ ARGUMENTS: "first $1 \"third one\"" });
    let ended = "Nothing.\n\nARGUMENTS: first $1 \"third one\"";
    assert_eq!(text(&mut client, "none", input.clone()).await, ended);
    assert_eq!(text(&mut client, "none", json!({})).await, "Nothing.\n");
    assert_eq!(text(&mut client, "flat", input.clone()).await, "Nothing.\n", "by the contract");
    let called = client.call_tool("get_command", json!({ "name": "flat", "input": "it" })).await;
    assert_eq!(called.text(), "Nothing.\n\nARGUMENTS: it", "a model would never know it was lost");
    let filled = text(&mut client, "one", input).await;
    assert_eq!(filled, "One: first, $1\n\nARGUMENTS: first $1 \"third one\"");
    assert_eq!(text(&mut client, "one", json!({ ARGUMENTS: "a b" })).await, "One: a, b\n");
    assert_eq!(text(&mut client, "one", json!({ ARGUMENTS: "a" })).await, "One: a, $2\n");
}

#[tokio::test]
async fn the_files_of_a_skill_are_resources() {
    let (mut client, project) = connected_whole(FORMS).await;
    let listed = client.request("resources/list", json!({})).await;
    let uris: Vec<&str> = listed.result()["resources"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["uri"].as_str().filter(|uri| uri.starts_with("skill:")))
        .collect();
    assert_eq!(uris, ["skill://skilled/references/more.md", "skill://skilled/SKILL.md"]);
    let read = |uri: &str| json!({ "uri": uri });
    let got = client.request("resources/read", read("skill://skilled/references/more.md")).await;
    assert_eq!(got.result()["contents"][0]["text"], "More.\n");
    let outside = Fixture::new("//- secret.md\nsecret\n");
    symlink(outside.path().join("secret.md"), project.path().join(".claude/skills/skilled/s.md"))
        .unwrap();
    for uri in [
        "skill://skilled/s.md",
        "skill://skilled/../../commands/flat.md",
        "skill://skilled/nothing",
        "skill://flat/flat.md",
        "skill://nobody/SKILL.md",
    ] {
        let reply = client.request("resources/read", read(uri)).await;
        assert!(reply.error().is_object(), "{uri}");
    }
}

#[tokio::test]
async fn clients_that_know_skills_get_them_with_every_file_and_others_see_no_difference() {
    let (mut client, project) = connected_whole(FORMS).await;
    let listed = client.request("skills/list", json!({})).await;
    insta::assert_json_snapshot!("skills_list", listed.result());
    let uri = json!({ "uri": "skill://skilled/SKILL.md" });
    let got = client.request("skills/get", uri.clone()).await;
    assert_eq!(got.result()["skill"], listed.result()["skills"][0]);
    let main = client.request("resources/read", uri).await;
    let file = project.read(".claude/skills/skilled/SKILL.md");
    assert_eq!(main.result()["contents"][0]["text"], file);
    let directory = json!({ "uri": "skill://skilled" });
    let children = client.request("resources/directory/read", directory).await;
    assert_eq!(children.result()["resources"][1]["mimeType"], "inode/directory");
    let unknown = client.request("skills/get", json!({ "uri": "skill://flat/SKILL.md" })).await;
    assert_eq!(unknown.code(), -32602);
}

#[test]
fn links_within_the_project_are_followed_and_others_are_not() {
    let outside = Fixture::new("//- out/x.md\n---\ndescription: d\n---\n");
    let project = Fixture::new(
        "//- ai/commands/do.md\n---\ndescription: d\n---\n//- kit/one/SKILL.md\n---\ndescription: d\n---\n//- .claude/skills/two/SKILL.md\n---\ndescription: d\n---\n",
    );
    symlink("ai", project.path().join(".cursor")).unwrap();
    symlink("../../kit/one", project.path().join(".claude/skills/one")).unwrap();
    symlink("..", project.path().join("ai/commands/round")).unwrap();
    symlink(outside.path().join("out"), project.path().join("ai/commands/out")).unwrap();
    symlink(outside.path(), project.path().join(".gemini")).unwrap();
    let snapshot = whole(&project).refresh();
    let names: Vec<&str> = snapshot.catalog.commands().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["do", "one", "two"]);
}

#[test]
fn front_matter_that_is_not_yaml_is_read_field_by_field_where_agents_do() {
    let broken = "---\ndescription: Fix: the bug\nargument-hint: [a] | --all\nhandoffs:\n  - label: L\n    agent: plan\n    prompt: p\n---\nbody\n";
    let beyond = "---\ndescription: d\n\tjust: [\nno field\n---\nbody\n";
    let project = Fixture::empty();
    project.write(".claude/commands/strict.md", broken);
    project.write(".claude/commands/ns/lenient.md", broken);
    project.write(".claude/commands/ns/beyond.md", beyond);
    project.write(
        ".claude/commands/hint.md",
        "---\ndescription: d\nargument-hint: [issue] [priority]\nallowed-tools: *\n---\n",
    );
    let snapshot = whole(&project).refresh();
    let names: Vec<&str> = snapshot.catalog.commands().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["hint", "ns:lenient"]);
    let lenient = snapshot.catalog.find("ns:lenient").unwrap();
    assert_eq!(lenient.description, "Fix: the bug");
    assert_eq!(lenient.hint.as_deref(), Some("[a] | --all"));
    assert_eq!(lenient.handoffs.len(), 1);
    let hint = snapshot.catalog.find("hint").unwrap();
    assert_eq!(hint.hint.as_deref(), Some("[issue] [priority]"));
    let lost = snapshot.problems.iter().filter(|it| it.problem.kind == Kind::FrontMatter);
    let lost: Vec<(&str, usize)> = lost.map(|it| (it.file.as_str(), it.problem.line)).collect();
    assert_eq!(lost, [(".claude/commands/strict.md", 2), (".claude/commands/ns/beyond.md", 2)]);
}

#[test]
fn what_is_only_passed_on_is_a_remark_and_no_problem() {
    let project = Fixture::new(
        "//- .claude/commands/a.md\n---\ndescription: d\n---\nState: !`git status`\nSee @docs/plan.md, ask @someone at me@example.org.\n//- .claude/commands/b.md\n---\ndescription: d\n---\nWrite to me@example.org, @team! `x!`y\n",
    );
    let library = whole(&project);
    let report = Report::of(&library);
    assert_eq!(report.problems.len(), 0);
    let kinds: Vec<Kind> = report.remarks.iter().map(|it| it.problem.kind).collect();
    assert_eq!(kinds, [Kind::ShellLine, Kind::FileMention]);
    let text = library.find("a").unwrap().render("").unwrap();
    assert!(text.contains("!`git status`") && text.contains("@docs/plan.md"));
}

#[test]
fn a_command_directory_is_missed_only_where_nothing_else_is() {
    let project = Fixture::new("//- .agents/skills/a/SKILL.md\n---\ndescription: d\n---\n");
    let kinds = || -> Vec<Kind> {
        whole(&project).refresh().problems.iter().map(|it| it.problem.kind).collect()
    };
    assert_eq!(kinds(), []);
    std::fs::remove_dir_all(project.path().join(".agents")).unwrap();
    assert_eq!(kinds(), [Kind::NoDirectory]);
}

#[tokio::test]
async fn the_next_request_sees_changes_in_every_folder() {
    let (mut client, project) = connected_whole(FORMS).await;
    assert_eq!(text(&mut client, "flow", json!({})).await, "Flow.\n");
    project.write(".agents/workflows/flow.md", "---\ndescription: Flows\n---\nFlaw.\n");
    assert_eq!(text(&mut client, "flow", json!({})).await, "Flaw.\n");
    project.write(".github/agents/spec.plan.agent.md", "---\ndescription: Plans\n---\nOther.\n");
    assert_eq!(text(&mut client, "spec.plan", json!({})).await, "Other.\n");
    // A folder that goes before appears.
    project.write(".claude/commands/flow.md", "---\ndescription: Flat\n---\nFlat.\n");
    assert_eq!(text(&mut client, "flow", json!({})).await, "Flat.\n");
    std::fs::remove_dir_all(project.path().join(".claude")).unwrap();
    assert_eq!(text(&mut client, "flow", json!({})).await, "Flaw.\n");
    project.write(".brandnew/skills/x/SKILL.md", "---\ndescription: d\n---\nx\n");
    assert!(names(&mut client).await.contains(&"x".to_owned()));
}
