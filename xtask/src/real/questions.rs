//! `cargo xtask real questions DIR`: five questions that an agent asks of an application first, on clones
//! of real ones. What answers them was found with plain searches and stands in `questions.json`; here it
//! is looked for in what `prepare` gives a model to read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{Profile, Workspace};
use crate::{Result, run};

/// By repository and question: texts, or pairs of a name and a file.
const QUESTIONS: &str = include_str!("questions.json");
/// Of a hundred facts, as many have to be there.
const AT_LEAST: usize = 90;

pub(super) fn run(workspace: &Workspace, clones: &Path) -> Result {
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--bins", "--package", "reverse-spec-mcp"]);
    run::visibly(&mut build)?;
    let server = workspace.executable(Profile::Debug, "reverse-spec-mcp");
    let repositories: BTreeMap<String, BTreeMap<String, Vec<Value>>> =
        serde_json::from_str(QUESTIONS)?;
    let mut all: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (repository, questions) in &repositories {
        let Some(clone) = clone_of(clones, repository) else {
            println!("{repository}: there is no clone of it in {}", clones.display());
            continue;
        };
        let mut prepare = Command::new(&server);
        prepare.args(["prepare", "."]).current_dir(&clone).env("REVERSE_SPEC_LLM", "off");
        let context = run::quietly(&mut prepare)?;
        for (question, facts) in questions {
            let missing: Vec<&Value> =
                facts.iter().filter(|it| !is_there(&context, question, it)).collect();
            let found = facts.len() - missing.len();
            let sums = all.entry(question).or_default();
            (sums.0, sums.1) = (sums.0 + found, sums.1 + facts.len());
            let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
            let lacks = if missing.is_empty() { "" } else { "; missing " };
            println!(
                "{repository}: {question} {found}/{}{lacks}{}",
                facts.len(),
                missing.join(", ")
            );
        }
    }
    let mut low = Vec::new();
    for (question, (found, of)) in all {
        println!("{question}: {found} of {of}");
        if found * 100 < of * AT_LEAST {
            low.push(question);
        }
    }
    if low.is_empty() { Ok(()) } else { Err(format!("too little about {}", low.join(", ")).into()) }
}

/// `owner+name`, `owner/name` or `name` in the directory.
fn clone_of(clones: &Path, repository: &str) -> Option<PathBuf> {
    let name = repository.rsplit('/').next().unwrap_or(repository);
    let names = [repository.replacen('/', "+", 1), repository.to_owned(), name.to_owned()];
    names.into_iter().map(|it| clones.join(it)).find(|it| it.join(".git").exists())
}

fn is_there(context: &str, question: &str, fact: &Value) -> bool {
    match fact {
        Value::String(text) => context.contains(text.as_str()),
        Value::Array(pair) => {
            let [Value::String(name), Value::String(file)] = &pair[..] else { return false };
            if question == "callers" {
                let start = format!("- {name} (");
                let mut lines = context.lines();
                return lines.any(|it| it.starts_with(&start) && it.contains(file.as_str()));
            }
            context.contains(name.as_str()) && context.contains(file.as_str())
        }
        _ => false,
    }
}
