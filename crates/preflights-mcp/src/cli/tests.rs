//! The shell's clarification, its prompts, and lint.

use plumbline_tests::Fixture;
use serde_json::{Map, Value, json};

use super::guard;
use super::prompt::{self, Talk};
use super::shell::Shell;
use crate::domain::check::Kind;
use crate::domain::clarify::AskedKind;
use crate::error::Error;
use crate::store::changed::Since;
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
    let talk = |typed: &str| {
        let said = std::cell::RefCell::new(String::new());
        let print = |line: &str| said.borrow_mut().extend([line, "\n"]);
        let talk = prompt::ask(questions, 0, &mut typed.as_bytes(), &print);
        (talk, said.into_inner())
    };
    let (Talk::Answers(given), said) = talk("2\n1, Other: Codeberg\n") else { panic!() };
    let expected =
        json!({ "auth_library": "passport", "oauth_providers": ["Google", "Other: Codeberg"] });
    assert_eq!(Value::Object(given), expected);
    assert!(said.contains("[1 of 2]") && said.contains("[2 of 2]"), "{said}");
    assert!(matches!(talk("2\n").0, Talk::Ended));
    // What does not fit is asked again at once; one can go back, skip, ask for help and stop.
    let (Talk::Answers(given), said) = talk("9\n?\n1\nback\n2\nskip\n") else { panic!() };
    assert!(said.contains("none of the numbers 1 to 4") && said.contains("`back`"), "{said}");
    let expected = json!({ "auth_library": "passport", "oauth_providers": "decide later" });
    assert_eq!(Value::Object(given), expected);
    let (Talk::Quit(given), _) = talk("1\nquit\n") else { panic!() };
    assert_eq!(given.len(), 1);
}

#[test]
fn status_shows_the_request_and_how_far_it_is() {
    let fixture = repository("");
    shell(&fixture).start("Add authentication", None, false).unwrap();
    assert_eq!(shell(&fixture).open_ids().unwrap(), ["auth_strategy", "auth_library"]);
    let lines = shell(&fixture).status().unwrap().unwrap().lines();
    assert!(lines.contains("Request: Add authentication"), "{lines}");
    assert!(lines.contains("Progress: 0 of 2 answered"), "{lines}");
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
    let given = json!({ "auth_saml_idp": "Keycloak", "cutover": "1" });
    shell(&fixture).answer(&answers(given)).unwrap();
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

fn git(fixture: &Fixture, args: &[&str]) {
    let run = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(args)
        .current_dir(fixture.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

const TASK: &str = "<!-- UID: 20250108T143512.237Z-A001 -->\n\n# T\n\n## Allowlist\n\n- `src/a.ts` (named in the request)\n- `package.json` (dependencies are named there)\n\n## Forbidden\n\n- `docs/adr/`\n- `.env`\n";

fn at_work() -> Fixture {
    let fixture = Fixture::new(
        "//- src/a.ts\nx\n//- src/b.ts\nx\n//- .env\nx\n//- package.json\n{\"dependencies\": {}}\n//- docs/adr/20250106T120000.001Z-A000_a.md\n## PART 1\n\n### Cache\n\n- **Store**: Redis\n",
    );
    fixture.write("docs/CURRENT_TASK.md", TASK);
    git(&fixture, &["init", "-q"]);
    git(&fixture, &["add", "-A"]);
    git(&fixture, &["commit", "-q", "-m", "one"]);
    fixture
}

#[test]
fn a_change_is_held_against_the_task_and_the_decisions() {
    let fixture = at_work();
    fixture.write("src/a.ts", "y\n");
    fixture.write("src/b.ts", "y\n");
    fixture.write(".env", "y\n");
    fixture.write("package.json", "{\"dependencies\": {\"redis\": \"5\", \"left-pad\": \"1\"}}\n");
    let found = shell(&fixture).check(&Since::LastCommit).unwrap();
    let found: Vec<(&str, Kind)> = found.iter().map(|it| (it.path.as_str(), it.kind)).collect();
    assert_eq!(
        found,
        [
            (".env", Kind::Forbidden),
            ("package.json", Kind::Dependency),
            ("src/b.ts", Kind::Outside)
        ]
    );
    git(&fixture, &["add", "src/b.ts"]);
    let staged = shell(&fixture).check(&Since::Staged).unwrap();
    assert_eq!(staged.len(), 1, "{staged:?}");
    git(&fixture, &["commit", "-q", "-a", "-m", "two"]);
    assert!(shell(&fixture).check(&Since::LastCommit).unwrap().is_empty());
    assert_eq!(shell(&fixture).check(&Since::Commit("HEAD~1")).unwrap().len(), 3);
}

#[test]
fn a_record_edited_after_its_commit_is_found_by_lint_and_check() {
    let fixture = at_work();
    let path = "docs/adr/20250106T120000.001Z-A000_a.md";
    fixture.write(path, &(fixture.read(path) + "\nMore.\n"));
    let remarks = shell(&fixture).lint().unwrap();
    assert!(
        remarks.iter().any(|it| it.is_error && it.message.contains("edited after")),
        "{remarks:?}"
    );
    let found = shell(&fixture).check(&Since::LastCommit).unwrap();
    assert_eq!(found[0].kind, Kind::Forbidden);
}

#[test]
fn a_record_edited_in_an_earlier_commit_is_found_until_it_says_again_what_it_said() {
    let fixture = at_work();
    let path = "docs/adr/20250106T120000.001Z-A000_a.md";
    let first = fixture.read(path);
    fixture.write(path, &format!("{first}\nMore.\n"));
    fixture.write("docs/adr/0001-theirs.md", "# Theirs\n\n## Status\nAccepted\n");
    git(&fixture, &["add", "-A"]);
    git(&fixture, &["commit", "-q", "-m", "two"]);
    fixture.write("docs/adr/0001-theirs.md", "# Theirs\n\n## Status\nSuperseded\n");
    git(&fixture, &["commit", "-q", "-a", "-m", "three"]);
    let edited = || {
        let remarks = shell(&fixture).lint().unwrap().into_iter();
        let edits = remarks.filter(|it| it.is_error && it.message.contains("edited it after"));
        edits.map(|it| it.path).collect::<Vec<String>>()
    };
    assert_eq!(edited(), [path]);
    fixture.write(path, &first);
    git(&fixture, &["commit", "-q", "-a", "-m", "four"]);
    assert_eq!(edited(), Vec::<String>::new());
}

#[test]
fn the_hook_asks_before_a_write_outside_of_the_task_and_says_nothing_else() {
    let fixture = at_work();
    let shell = shell(&fixture);
    let judge = |path: &str| {
        let path = fixture.path().join(path);
        let event = json!({ "tool_name": "Write", "tool_input": { "file_path": path } });
        guard::verdict(&shell, &event).unwrap()
    };
    assert_eq!(judge("src/a.ts"), None);
    let asked = judge("src/b.ts").unwrap();
    assert_eq!(asked["hookSpecificOutput"]["permissionDecision"], "ask");
    // What the server writes is no place for an agent's own hand, there already or not.
    assert!(judge("docs/adr/0099-new.md").is_some());
    assert_eq!(guard::verdict(&shell, &json!({})).unwrap(), None);
    assert!(guard::settings().to_string().contains("hook claude-code --event"));
}

#[test]
fn the_projection_is_written_anew_from_the_records() {
    let fixture = at_work();
    assert_eq!(shell(&fixture).regenerate().unwrap(), Some("docs/ARCHITECTURE_STATE.md"));
    assert!(fixture.read("docs/ARCHITECTURE_STATE.md").contains("Redis"));
    assert_eq!(shell(&repository("")).regenerate().unwrap(), None);
}
