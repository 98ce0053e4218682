//! What `try` asks each server. To show more of a server, add steps to its table.

use serde_json::{Map, Value};

use crate::Result;

/// One request. In `params`, a string of the form `{{step/pointer}}` stands for a value out of an
/// earlier answer: `{{ask/structuredContent/session_id}}`.
pub(super) struct Step {
    /// What later steps call its answer.
    pub(super) name: &'static str,
    pub(super) method: &'static str,
    /// JSON text.
    pub(super) params: &'static str,
}

/// Asked of every server that declares the capability, before its own steps.
const LISTS: &[(&str, Step)] = &[
    ("tools", Step { name: "tools", method: "tools/list", params: "{}" }),
    ("prompts", Step { name: "prompts", method: "prompts/list", params: "{}" }),
    ("resources", Step { name: "resources", method: "resources/list", params: "{}" }),
    ("resources", Step { name: "templates", method: "resources/templates/list", params: "{}" }),
];

/// The tables of the servers, by server name.
const SCRIPTS: &[(&str, &[Step])] = &[
    ("preflights", PREFLIGHTS),
    ("elspais", ELSPAIS),
    ("specifyplus", SPECIFYPLUS),
    ("reverse-spec", REVERSE_SPEC),
    ("acm", ACM),
];

/// A clarification from the question to the files, and what is known afterwards.
const PREFLIGHTS: &[Step] = &[
    Step {
        name: "before",
        method: "tools/call",
        params: r#"{"name":"read_architecture","arguments":{}}"#,
    },
    Step {
        name: "ask",
        method: "tools/call",
        params: r#"{"name":"require_clarification","arguments":{"user_intention":"Store the todos in a database"}}"#,
    },
    Step {
        name: "answer",
        method: "tools/call",
        params: r#"{"name":"require_clarification","arguments":{"user_intention":"Store the todos in a database","session_id":"{{ask/structuredContent/session_id}}","answers":{"db_type":"SQLite","db_orm":"Drizzle","reason":"One file is enough for one machine."}}}"#,
    },
    Step {
        name: "typo",
        method: "tools/call",
        params: r#"{"name":"require_clarification","arguments":{"user_intention":"Fix a typo in README.md"}}"#,
    },
    Step {
        name: "after",
        method: "tools/call",
        params: r#"{"name":"read_architecture","arguments":{}}"#,
    },
    Step { name: "task", method: "resources/read", params: r#"{"uri":"preflights://task"}"# },
];

/// A requirement drafted, linked, shown as a difference, written, and found again.
const ELSPAIS: &[Step] = &[
    Step {
        name: "status",
        method: "tools/call",
        params: r#"{"name":"get_graph_status","arguments":{}}"#,
    },
    Step {
        name: "where",
        method: "tools/call",
        params: r#"{"name":"get_workspace_info","arguments":{}}"#,
    },
    Step {
        name: "product",
        method: "tools/call",
        params: r#"{"name":"mutate_add_requirement","arguments":{"req_id":"REQ-p00042","title":"Keeping to-dos","level":"PRD","target_file":"spec/todos.md"}}"#,
    },
    Step {
        name: "assertion",
        method: "tools/call",
        params: r#"{"name":"mutate_add_assertion","arguments":{"req_id":"REQ-p00042","label":"A","text":"A to-do SHALL survive a restart."}}"#,
    },
    Step {
        name: "detail",
        method: "tools/call",
        params: r#"{"name":"mutate_add_requirement","arguments":{"req_id":"REQ-d00042","title":"One file for all","level":"DEV","parent_id":"REQ-p00042-A"}}"#,
    },
    Step {
        name: "undone",
        method: "tools/call",
        params: r#"{"name":"undo_to_mutation","arguments":{"mutation_id":"{{detail/structuredContent/mutation/id}}"}}"#,
    },
    Step {
        name: "difference",
        method: "tools/call",
        params: r#"{"name":"save_mutations","arguments":{"dry_run":true}}"#,
    },
    Step {
        name: "saved",
        method: "tools/call",
        params: r#"{"name":"save_mutations","arguments":{}}"#,
    },
    Step {
        name: "found",
        method: "tools/call",
        params: r#"{"name":"search","arguments":{"query":"restart"}}"#,
    },
    Step {
        name: "requirement",
        method: "tools/call",
        params: r#"{"name":"get_requirement","arguments":{"req_id":"{{found/structuredContent/result/0/id}}"}}"#,
    },
    Step {
        name: "summary",
        method: "tools/call",
        params: r#"{"name":"get_project_summary","arguments":{}}"#,
    },
];

/// The sample project is a stranger to the process: it is measured, then shown the way.
const ACM: &[Step] = &[
    Step {
        name: "structure",
        method: "tools/call",
        params: r#"{"name":"check_project_structure","arguments":{}}"#,
    },
    Step {
        name: "health",
        method: "tools/call",
        params: r#"{"name":"check_project_health","arguments":{}}"#,
    },
    Step {
        name: "guidance",
        method: "tools/call",
        params: r#"{"name":"get_project_type_guidance","arguments":{"type":"app","scale":"personal","scope":"mvp"}}"#,
    },
    Step {
        name: "stub",
        method: "tools/call",
        params: r#"{"name":"get_artifact_stub","arguments":{"artifact":"brief"}}"#,
    },
    Step {
        name: "section",
        method: "tools/call",
        params: r#"{"name":"get_stage","arguments":{"stage":"discover","section":"Exit Criteria"}}"#,
    },
    Step {
        name: "review",
        method: "tools/call",
        params: r#"{"name":"get_review_prompt","arguments":{"stage":"discover","phase":"internal"}}"#,
    },
    Step {
        name: "knowledge",
        method: "tools/call",
        params: r#"{"name":"query_knowledge","arguments":{"query":"success criteria"}}"#,
    },
    Step {
        name: "capabilities",
        method: "tools/call",
        params: r#"{"name":"query_capabilities","arguments":{"query":"review"}}"#,
    },
    Step {
        name: "capability",
        method: "tools/call",
        params: r#"{"name":"get_capability_detail","arguments":{"capability_id":"{{capabilities/structuredContent/capabilities/0/id}}"}}"#,
    },
    Step { name: "article", method: "resources/read", params: r#"{"uri":"acm://kb/review-loop"}"# },
];

/// A command with the user's input in it, one that takes none, and what each leads to.
const SPECIFYPLUS: &[Step] = &[
    Step {
        name: "plan",
        method: "prompts/get",
        params: r#"{"name":"plan","arguments":{"arguments":"Let a to-do have a due date; keep ${FORMAT} and $ARGUMENTS as they are"}}"#,
    },
    Step { name: "review", method: "prompts/get", params: r#"{"name":"/review"}"# },
    Step { name: "graph", method: "resources/read", params: r#"{"uri":"specifyplus://commands"}"# },
    Step {
        name: "page",
        method: "resources/read",
        params: r#"{"uri":"specifyplus://commands/plan"}"#,
    },
];

/// The sample project as a model would get it, and what is said about paths that lead nowhere.
const REVERSE_SPEC: &[Step] = &[
    Step {
        name: "prepare",
        method: "tools/call",
        params: r#"{"name":"prepare","arguments":{"targetPath":"src"}}"#,
    },
    Step {
        name: "deep",
        method: "tools/call",
        params: r#"{"name":"prepare","arguments":{"targetPath":"src","deep":true}}"#,
    },
    Step {
        name: "generate",
        method: "tools/call",
        params: r#"{"name":"generate","arguments":{"targetPath":"src"}}"#,
    },
    Step {
        name: "diff",
        method: "tools/call",
        params: r#"{"name":"diff","arguments":{"specPath":"specs/src.spec.md","sourcePath":"src"}}"#,
    },
];

pub(super) fn steps(server: &str, capabilities: &Value) -> Vec<&'static Step> {
    let lists = LISTS.iter().filter(|(capability, _)| capabilities[*capability].is_object());
    let own = SCRIPTS.iter().filter(|(name, _)| *name == server).flat_map(|(_, steps)| *steps);
    lists.map(|(_, step)| step).chain(own).collect()
}

/// The parameters of a step with the references to earlier answers filled in.
pub(super) fn resolve(params: &str, answers: &Map<String, Value>) -> Result<Value> {
    let mut params = serde_json::from_str(params)
        .map_err(|error| format!("the parameters `{params}` are not JSON: {error}"))?;
    fill(&mut params, answers)?;
    Ok(params)
}

fn fill(value: &mut Value, answers: &Map<String, Value>) -> Result {
    match value {
        Value::String(text) => {
            let reference = text.strip_prefix("{{").and_then(|text| text.strip_suffix("}}"));
            let Some((step, pointer)) = reference.and_then(|text| text.split_once('/')) else {
                return Ok(());
            };
            let found = answers.get(step).and_then(|it| it.pointer(&format!("/{pointer}")));
            *value = found.cloned().ok_or_else(|| format!("no earlier answer has `{text}`"))?;
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill(item, answers)),
        Value::Object(members) => members.values_mut().try_for_each(|item| fill(item, answers)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{LISTS, SCRIPTS, resolve, steps};
    use crate::workspace::SERVERS;

    fn answers() -> Map<String, Value> {
        let answer = json!({ "structuredContent": { "session": { "id": 7 } } });
        [("ask".to_owned(), answer)].into_iter().collect()
    }

    #[test]
    fn a_reference_takes_its_value_from_an_earlier_answer() {
        let params =
            r#"{"name":"answer","arguments":{"id":["{{ask/structuredContent/session/id}}"]}}"#;
        let resolved = resolve(params, &answers()).unwrap();
        assert_eq!(resolved, json!({ "name": "answer", "arguments": { "id": [7] } }));
    }

    #[test]
    fn a_reference_to_nothing_is_an_error() {
        let error =
            resolve(r#"{"id":"{{ask/structuredContent/sesion}}"}"#, &answers()).unwrap_err();
        assert!(error.to_string().contains("ask/structuredContent/sesion"));
    }

    #[test]
    fn only_declared_capabilities_are_listed() {
        let asked: Vec<&str> =
            steps("acm", &json!({ "tools": {} })).iter().map(|step| step.method).collect();
        assert_eq!(asked[0], "tools/list");
        assert!(!asked.contains(&"prompts/list"));
    }

    #[test]
    fn every_script_is_valid_json_of_a_known_server_with_distinct_step_names() {
        for (server, own) in SCRIPTS {
            assert!(SERVERS.iter().any(|it| it.name == *server), "{server}");
            let mut names = Vec::new();
            for step in LISTS.iter().map(|(_, step)| step).chain(*own) {
                assert!(serde_json::from_str::<Value>(step.params).is_ok(), "{}", step.name);
                assert!(!names.contains(&step.name), "{}", step.name);
                names.push(step.name);
            }
        }
    }
}
