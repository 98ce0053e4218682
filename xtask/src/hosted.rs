//! The files that GitHub and pre-commit read, looked at without either of them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::files;
use crate::workspace::{SERVERS, Workspace};

fn yaml(path: &str) -> Value {
    let root = Workspace::load().unwrap().root;
    let text = files::read_text(&root.join(path)).unwrap();
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const WORKFLOWS: [&str; 2] = [".github/workflows/ci.yml", ".github/workflows/release.yml"];

fn steps(workflow: &Value) -> Vec<&Value> {
    let jobs = workflow["jobs"].as_object().unwrap().values();
    jobs.flat_map(|job| job["steps"].as_array().unwrap()).collect()
}

#[test]
fn workflows_call_xtask_and_nothing_else() {
    for path in WORKFLOWS {
        let workflow = yaml(path);
        let runs: Vec<&str> = steps(&workflow).iter().filter_map(|it| it["run"].as_str()).collect();
        assert!(!runs.is_empty(), "{path}");
        for run in runs {
            assert!(run.starts_with("cargo xtask ") && !run.contains('\n'), "{path}: {run}");
        }
    }
}

#[test]
fn workflows_may_do_nothing_by_default_and_use_actions_at_one_commit() {
    for path in WORKFLOWS {
        let workflow = yaml(path);
        assert_eq!(workflow["permissions"], serde_json::json!({}), "{path}");
        for job in workflow["jobs"].as_object().unwrap().values() {
            assert!(job["permissions"].is_object() && job["timeout-minutes"].is_number(), "{path}");
        }
        for step in steps(&workflow) {
            let Some(action) = step["uses"].as_str() else { continue };
            let (_, commit) = action.split_once('@').unwrap();
            assert_eq!(commit.len(), 40, "{path}: {action}");
            assert!(commit.chars().all(|it| it.is_ascii_hexdigit()), "{path}: {action}");
        }
    }
}

#[test]
fn the_three_systems_are_tested() {
    let systems = yaml(WORKFLOWS[0])["jobs"]["test"]["strategy"]["matrix"]["system"].clone();
    let systems: Vec<String> = serde_json::from_value(systems).unwrap();
    for system in ["ubuntu", "macos", "windows"] {
        assert!(systems.iter().any(|it| it.starts_with(system)), "{system}");
    }
}

#[test]
fn the_action_puts_no_input_into_a_script_and_declares_each_that_it_uses() {
    let action = yaml("action.yml");
    let declared: BTreeSet<&str> =
        action["inputs"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut used = BTreeSet::new();
    for step in action["runs"]["steps"].as_array().unwrap() {
        assert!(!step["run"].as_str().unwrap().contains("${{"), "{step}");
        for value in step["env"].as_object().unwrap().values() {
            let value = value.as_str().unwrap().trim_matches(['$', '{', '}', ' ']);
            used.extend(value.strip_prefix("inputs.").map(str::to_owned));
        }
    }
    assert_eq!(used.iter().map(String::as_str).collect::<BTreeSet<_>>(), declared);
}

#[test]
fn the_hooks_and_the_action_call_commands_that_exist() {
    let mut scripts: Vec<String> = Vec::new();
    for hook in yaml(".pre-commit-hooks.yaml").as_array().unwrap() {
        scripts.push(hook["entry"].as_str().unwrap().to_owned());
        assert_eq!(hook["pass_filenames"], false);
    }
    for step in yaml("action.yml")["runs"]["steps"].as_array().unwrap() {
        scripts.push(step["run"].as_str().unwrap().to_owned());
    }
    let all = scripts.join("\n");
    for call in [
        "elspais-mcp check",
        "reverse-spec-mcp diff",
        "preflights-mcp check",
        "specifyplus-mcp lint",
    ] {
        assert_eq!(all.matches(call).count(), 2, "{call}");
        let server = call.split(' ').next().unwrap();
        assert!(SERVERS.iter().any(|it| it.package == server), "{server}");
    }
}
