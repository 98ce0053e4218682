//! The shell's clarification, its prompts, and lint.

use plumbline_tests::Fixture;
use serde_json::{Map, Value, json};

use super::prompt;
use super::shell::Shell;
use crate::domain::clarify::AskedKind;
use crate::error::Error;
use crate::tests::{clock, newest_record, repository, service};

fn shell(fixture: &Fixture) -> Shell {
    Shell::open(service(fixture, clock())).unwrap()
}

fn answers(value: Value) -> Map<String, Value> {
    let Value::Object(answers) = value else { panic!() };
    answers
}

#[test]
fn a_clarification_goes_on_in_the_next_command_and_leaves_a_prompt_for_the_agent() {
    let fixture = repository("");
    let started = shell(&fixture).start("Add authentication", None, false).unwrap();
    assert_eq!(started.questions().unwrap().len(), 2);
    assert!(
        started.lines().contains("preflights-mcp answer auth_strategy=…"),
        "{}",
        started.lines()
    );
    assert!(fixture.read(".preflights/.gitignore").contains("session.json"));
    let status = shell(&fixture).status().unwrap().unwrap();
    assert_eq!(status.json()["progress"], json!({ "asked_so_far": 2, "answered": 0 }));
    let half = shell(&fixture).answer(&answers(json!({ "auth_strategy": "OAuth" }))).unwrap();
    assert_eq!(half.questions().unwrap().len(), 1);
    let done = shell(&fixture).answer(&answers(json!({ "auth_library": "3" }))).unwrap();
    assert_eq!(done.json()["status"], "completed");
    assert!(!fixture.has(".preflights/session.json"));
    let (record, _) = newest_record(&fixture);
    assert!(fixture.read("docs/AGENT_PROMPT.md").contains(&record));
    assert!(shell(&fixture).status().unwrap().is_none());
}

#[test]
fn one_clarification_at_a_time_until_it_is_reset() {
    let fixture = repository("");
    shell(&fixture).start("Add authentication", None, false).unwrap();
    let error = shell(&fixture).start("Add caching", None, false).err().unwrap();
    assert!(error.to_string().contains("in progress"), "{error}");
    assert!(shell(&fixture).reset().unwrap());
    assert!(!shell(&fixture).reset().unwrap());
    let error = shell(&fixture).answer(&Map::new()).err().unwrap();
    assert!(matches!(error, Error::SessionNotFound { .. }));
}

#[test]
fn a_broken_session_file_is_named_and_can_be_reset() {
    let fixture = repository("//- .preflights/session.json\n{\n");
    let error = shell(&fixture).answer(&Map::new()).err().unwrap();
    assert!(error.to_string().contains(".preflights/session.json"), "{error}");
    assert!(shell(&fixture).reset().unwrap());
}

#[test]
fn numbers_texts_and_an_end_of_input_are_understood() {
    let fixture = repository("");
    let started = shell(&fixture).start("Add OAuth login", None, false).unwrap();
    let questions = started.questions().unwrap();
    assert_eq!(questions[1].kind, AskedKind::MultiChoice);
    let given = prompt::ask(questions, &mut "2\n1, Other: Codeberg\n".as_bytes(), &|_| {}).unwrap();
    let expected =
        json!({ "auth_library": "passport", "oauth_providers": ["Google", "Other: Codeberg"] });
    assert_eq!(Value::Object(given), expected);
    assert_eq!(prompt::ask(questions, &mut "2\n".as_bytes(), &|_| {}), None);
}

fn remarks(fixture: &Fixture) -> Vec<String> {
    shell(fixture).lint().unwrap().iter().map(super::as_line).collect()
}

#[test]
fn what_the_server_wrote_is_in_order() {
    let fixture = repository("");
    assert_eq!(remarks(&fixture), [""; 0]);
    shell(&fixture).start("Add OAuth login", None, false).unwrap();
    let given = json!({ "auth_library": "custom", "oauth_providers": ["Google"] });
    shell(&fixture).answer(&answers(given)).unwrap();
    shell(&fixture).start("Use SAML for authentication instead of OAuth", None, false).unwrap();
    shell(&fixture).answer(&answers(json!({ "auth_saml_idp": "Keycloak" }))).unwrap();
    assert_eq!(remarks(&fixture), [""; 0]);
}

#[test]
fn everything_that_is_wrong_is_named_with_file_and_line() {
    let fixture = repository(
        "//- docs/adr/0001-notes.md\nx\n//- docs/adr/20250106T143512.237Z-A001_a.md\n<!-- Previous: 20240101T000000.000Z -->\n## PART 1\n\n### A\n\n- **B**: c\n- **D**: e\n\n## PART 2\n\nSee [x](gone.md).\n//- docs/adr/20250107T143512.237Z-A001_b.md\n<!-- Previous: 20250106T143512.237Z-A001 -->\n## PART 1\n\n### A\n\n- **B**: c\n//- docs/ARCHITECTURE_STATE.md\nold\n//- docs/CURRENT_TASK.md\n<!-- UID: 20250107T143512.237Z-A002 -->\n<!-- Related ADR: 20250101T000000.000Z -->\n\n## Allowlist\n\n- `docs/adr/`\n//- .preflights/questions.toml\nnonsense\n",
    );
    insta::assert_snapshot!(remarks(&fixture).join("\n"));
}

#[test]
fn a_record_that_cannot_be_read_does_not_hide_the_others() {
    let fixture = repository(
        "//- docs/adr/20250106T143512.237Z-A001_a.md\nx\n//- docs/adr/20250107T143512.237Z-A001_b.md\ny\n//- docs/adr/20250107T143512.237Z-A001_c.md\nz\n",
    );
    let remarks = remarks(&fixture);
    assert_eq!(remarks.len(), 3, "{remarks:?}");
    assert!(remarks.iter().all(|it| it.contains(": error: ")), "{remarks:?}");
}

#[test]
fn what_the_older_tool_wrote_is_in_order_as_well() {
    let uid = "20250106T120000.001Z-A000";
    let fixture = repository(&format!(
        "//- docs/adr/{uid}_infra_hosting__vercel.md\n<!-- UID: {uid} -->\n<!-- Category: Infra -->\n<!-- Date: 2025-01-06 -->\n<!-- Previous: None -->\n\n# ADR: Infra: Hosting = Vercel\n\n**Category:** Infra\n**Date:** 2025-01-06\n**Status:** Accepted\n**Previous:** _None_\n\n## Changes in This Version\n\n- Added: Infra.Hosting = Vercel\n\n## Architecture Snapshot\n\n### Infra\n- **Hosting**: Vercel (ADR {uid})\n\n//- docs/ARCHITECTURE_STATE.md\n<!-- UID: {uid} -->\n<!-- Schema: v1 -->\n\n# Architecture State\n\nA sentence.\n\n## Categories\n\n### Infra\n- **Hosting**: Vercel (ADR {uid})\n\n//- docs/CURRENT_TASK.md\n<!-- UID: 20250106T120000.002Z-A000 -->\n<!-- Created: 2025-01-06T12:00:00Z -->\n<!-- Related ADR: {uid} -->\n\n# Deploy\n\n## Objective\n\nx\n\n## Allowlist\n\n- `src/`\n"
    ));
    assert_eq!(remarks(&fixture), [""; 0]);
    let old = fixture.read("docs/ARCHITECTURE_STATE.md");
    fixture.write("docs/ARCHITECTURE_STATE.md", &old.replace("Vercel", "Netlify"));
    let remarks = remarks(&fixture);
    assert!(remarks[0].contains("it is not what the records say"), "{remarks:?}");
}
