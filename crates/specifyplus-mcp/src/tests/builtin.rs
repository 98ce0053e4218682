//! The thirteen commands that come with the server.

use std::collections::BTreeSet;

use mcp_core::doors;
use mcp_core::sandbox::State;
use plumbline_tests::Fixture;
use plumbline_tests::bins::workspace;

use crate::cli::lay_down;
use crate::domain::Command;
use crate::domain::builtin::{FILES, commands};

// Verifies: PLB-d04001-H
#[test]
fn there_are_thirteen_without_a_single_problem() {
    assert_eq!(commands().len(), 13);
    for (name, text) in FILES {
        let (command, problems) = Command::parse(name, text).unwrap();
        assert_eq!(problems, [], "{name}");
        let without_input = ["sp.git.commit_pr", "sp.reverse-engineer"].contains(name);
        assert_eq!(command.takes_input(), !without_input, "{name}");
        assert_eq!(command.hint.is_some(), !without_input, "{name}");
        for heading in ["## Purpose", "## Steps", "## Output", "## Checks"] {
            assert!(text.contains(heading), "{name} has no {heading}");
        }
        let lines: Vec<&str> = text.lines().filter(|line| line.trim_end() != *line).collect();
        assert_eq!(lines, [""; 0], "{name}");
    }
}

#[test]
fn the_description_of_specify_is_the_promised_sentence() {
    let commands = commands();
    let specify = commands.iter().find(|command| command.name == "sp.specify").unwrap();
    let promised =
        "Create or update the feature specification from a natural language feature description";
    assert!(specify.summary.contains(promised));
    assert!(specify.summary.contains("sp.plan"), "the next step is visible where people look");
}

#[test]
fn the_handoffs_lead_from_one_command_to_the_next() {
    let commands = commands();
    let mut edges = Vec::new();
    for command in &commands {
        for handoff in &command.handoffs {
            let send = if handoff.send { " (send)" } else { "" };
            edges.push(format!("{} -> {}: {}{send}", command.name, handoff.agent, handoff.label));
        }
    }
    insta::assert_snapshot!("handoffs", edges.join("\n"));
    let names: BTreeSet<&str> = commands.iter().map(|command| command.name.as_str()).collect();
    let targets = commands.iter().flat_map(|command| &command.handoffs);
    assert!(targets.clone().all(|handoff| names.contains(handoff.agent.as_str())));
}

#[test]
fn the_way_from_the_constitution_to_the_pull_request_is_open_and_goes_round() {
    let commands = commands();
    let mut reached = BTreeSet::from(["sp.constitution"]);
    while let Some(next) = commands
        .iter()
        .filter(|command| reached.contains(command.name.as_str()))
        .flat_map(|command| &command.handoffs)
        .find(|handoff| !reached.contains(handoff.agent.as_str()))
    {
        reached.insert(&next.agent);
    }
    for step in ["specify", "clarify", "plan", "tasks", "analyze", "implement", "git.commit_pr"] {
        assert!(reached.contains(format!("sp.{step}").as_str()), "{step}");
    }
    let last = commands.iter().find(|it| it.name == "sp.git.commit_pr").unwrap();
    assert_eq!(last.handoffs[0].agent, "sp.specify");
}

#[test]
fn the_feature_in_work_is_recorded_once_and_read_by_all_others() {
    for (name, text) in FILES {
        let works_on_one =
            ["spec.md", "plan.md", "tasks.md"].iter().any(|document| text.contains(document));
        assert_eq!(
            text.contains(".specify/feature.json"),
            works_on_one || ["sp.phr", "sp.git.commit_pr"].contains(name),
            "{name}"
        );
    }
    let text = |wanted: &str| FILES.iter().find(|(name, _)| *name == wanted).unwrap().1;
    // What implement asks for, specify leaves behind.
    assert!(text("sp.specify").contains("`checklists/requirements.md`"));
    assert!(text("sp.implement").contains("`checklists/`"));
}

#[test]
fn every_command_that_a_text_mentions_exists() {
    let names: BTreeSet<&str> = FILES.iter().map(|(name, _)| *name).collect();
    for (name, text) in FILES {
        for mention in text.split("`/").skip(1).filter_map(|rest| rest.split('`').next()) {
            assert!(names.contains(mention), "{name} mentions /{mention}");
        }
    }
}

#[test]
fn the_repository_uses_the_commands_it_ships() {
    let directory = workspace().join(".claude/commands");
    for (name, text) in FILES {
        let committed = std::fs::read_to_string(directory.join(format!("{name}.md"))).unwrap();
        assert_eq!(committed, *text, "{name}: copy it from crates/specifyplus-mcp/assets/commands");
    }
    assert_eq!(std::fs::read_dir(directory).unwrap().count(), FILES.len());
}

#[test]
fn laying_them_down_keeps_what_is_there_and_says_so() {
    let project = Fixture::new("//- sp.plan.md\nmine\n");
    let home = Fixture::empty();
    let state = State::at(home.path());
    let root = doors::named_by_person(project.path()).unwrap();
    let shown = lay_down(Some(&root), "commands", true, &state).unwrap();
    assert!(shown.contains("-mine\n+---"), "{shown}");
    assert_eq!(project.files().len(), 1, "showing writes nothing");
    let report = lay_down(Some(&root), "commands", false, &state).unwrap();
    insta::assert_snapshot!("init", report);
    assert_eq!(project.read("sp.plan.md"), "mine\n");
    assert_eq!(project.files().len(), 13);
    let again = lay_down(Some(&root), "commands", false, &state).unwrap();
    assert_eq!(again.matches("same").count(), 12);
}

#[test]
fn a_link_in_the_place_of_a_command_is_not_written_through() {
    let (project, outside) = (Fixture::empty(), Fixture::new("//- target.md\nprecious\n"));
    let link = project.path().join("sp.plan.md");
    std::os::unix::fs::symlink(outside.path().join("target.md"), link).unwrap();
    let home = Fixture::empty();
    let state = State::at(home.path());
    let root = doors::named_by_person(project.path()).unwrap();
    let report = lay_down(Some(&root), "commands", false, &state).unwrap();
    assert!(report.contains("kept     commands/sp.plan.md"), "{report}");
    assert_eq!(outside.read("target.md"), "precious\n");
}
