//! `cargo xtask real specifyplus`: toolkits lay down their commands, and the server started there
//! without arguments must serve every one of them, with its name, its description, and the input
//! in its text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::session::Session;
use crate::workspace::{Profile, Workspace};
use crate::{Result, files, run};

/// Which toolkits at which versions, how each is run, and how many commands come of it.
const TOOLKITS: &str = include_str!("toolkits.json");

/// The folders whose files are commands, in whichever directory they lie.
const SHELVES: [&str; 5] = ["commands", "command", "prompts", "workflows", "recipes"];

/// What a file's name may end in, the longer first.
const ENDINGS: [&str; 6] = [".prompt.md", ".prompt", ".md", ".mdc", ".toml", ".yaml"];

/// The first word is what a placeholder for one word must show.
const INPUT: &str = "zq17-feature and more of it";
const FIRST_WORD: &str = "zq17-feature";

pub(super) fn run(workspace: &Workspace) -> Result {
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--bins", "--package", "specifyplus-mcp"]);
    run::visibly(&mut build)?;
    let server = workspace.executable(Profile::Debug, "specifyplus-mcp");
    let toolkits: Vec<Value> = serde_json::from_str(TOOLKITS)?;
    let bench = Bench::install(workspace, &toolkits)?;
    let (mut n_trees, mut n_commands, mut wrong) = (0, 0, 0);
    for toolkit in &toolkits {
        for tree in toolkit["trees"].as_array().into_iter().flatten() {
            let label = format!("{} {}", word(&toolkit["name"]), words(&tree["args"]).join(" "));
            n_trees += 1;
            match bench.lay_down(toolkit, tree).and_then(|it| check(&server, it.path(), tree)) {
                Ok(served) => n_commands += served,
                Err(error) => {
                    wrong += 1;
                    println!("{label}: {error}");
                }
            }
        }
        println!("{}: done", word(&toolkit["name"]));
    }
    println!("{} of {n_trees} trees served completely, {n_commands} commands", n_trees - wrong);
    if wrong > 0 {
        return Err(format!("{wrong} of {n_trees} trees are not served completely").into());
    }
    Ok(())
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The toolkits installed side by side, kept between runs.
struct Bench {
    programs: [PathBuf; 2],
    home: PathBuf,
}

impl Bench {
    fn install(workspace: &Workspace, toolkits: &[Value]) -> Result<Self> {
        let place = workspace.root.join("target/real/toolkits");
        let (python, node) = (place.join("python"), place.join("node"));
        let home = place.join("home");
        std::fs::create_dir_all(&home)?;
        std::fs::create_dir_all(&node)?;
        let wanted = |from: &str| -> Vec<&str> {
            toolkits.iter().map(|it| word(&it[from])).filter(|it| !it.is_empty()).collect()
        };
        if !python.join("bin/pip").exists() {
            run::visibly(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
        }
        let mut pip = Command::new(python.join("bin/pip"));
        run::visibly(pip.args(["install", "--quiet"]).args(wanted("pip")))?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]);
        run::visibly(npm.arg("--prefix").arg(&node).args(wanted("npm")))?;
        Ok(Self { programs: [python.join("bin"), node.join("node_modules/.bin")], home })
    }

    /// Lets a toolkit write its files into a directory of its own.
    fn lay_down(&self, toolkit: &Value, tree: &Value) -> Result<files::Scratch> {
        let scratch = files::Scratch::new("toolkit")?;
        let run = words(&toolkit["run"]);
        let (name, args) = run.split_first().ok_or("the toolkit has no `run`")?;
        let found = self.programs.iter().map(|it| it.join(name)).find(|it| it.exists());
        let mut command = Command::new(found.ok_or_else(|| format!("no program {name}"))?);
        command.args(args).args(words(&tree["args"])).current_dir(scratch.path());
        // Nothing of the user's is read or written, and nobody is told.
        command.env("HOME", &self.home).env("XDG_CONFIG_HOME", self.home.join(".config"));
        command.env("CI", "1").env("DO_NOT_TRACK", "1").env("OPENSPEC_TELEMETRY", "0");
        run::quietly(&mut command)?;
        Ok(scratch)
    }
}

/// Serves a tree and compares it with what lies there; how many commands there are.
fn check(server: &Path, tree: &Path, expected: &Value) -> Result<usize> {
    let mut command = Command::new(server);
    command.current_dir(tree);
    let (mut session, _) = Session::open(command, Duration::from_secs(20))?;
    let prompts = list(&mut session)?;
    let served: BTreeSet<String> = prompts.iter().map(|it| alike(word(&it["name"]))).collect();
    let lying: BTreeSet<String> = lying_there(tree)?.iter().map(|it| alike(it)).collect();
    if served != lying {
        let difference: Vec<&String> = served.symmetric_difference(&lying).take(5).collect();
        return Err(format!("files and prompts differ in {difference:?}").into());
    }
    let wanted = expected["commands"].as_u64().unwrap_or_default();
    if prompts.len() as u64 != wanted {
        return Err(format!("{} commands are served, not {wanted}", prompts.len()).into());
    }
    // Files directly in the command directory that name no input get none, by the contract.
    let by_contract = expected["contract"] == true;
    for prompt in &prompts {
        let name = word(&prompt["name"]);
        let description = word(&prompt["description"]);
        if description.is_empty() || description.starts_with("Runs the command") {
            return Err(format!("{name} has no description").into());
        }
        let params = json!({ "name": name, "arguments": { "arguments": INPUT } });
        let got = session.request("prompts/get", params)?;
        let text = word(&got["messages"][0]["content"]["text"]).to_owned();
        let gets_none = by_contract && prompt["arguments"].is_null();
        if !gets_none && !text.contains(FIRST_WORD) {
            return Err(format!("the input does not reach the text of {name}").into());
        }
    }
    session.finish()?;
    Ok(prompts.len())
}

/// All prompts, page by page.
fn list(session: &mut Session) -> Result<Vec<Value>> {
    let mut prompts = Vec::new();
    let mut params = json!({});
    loop {
        let page = session.request("prompts/list", params)?;
        prompts.extend(page["prompts"].as_array().cloned().unwrap_or_default());
        match page["nextCursor"].as_str() {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return Ok(prompts),
        }
    }
}

/// The names of one command are alike in all folders.
fn alike(name: &str) -> String {
    name.replace(['.', ':'], "-")
}

/// The names that the files themselves suggest: the directory of a skill, the path of any other.
fn lying_there(tree: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut open = vec![(tree.to_owned(), Vec::<String>::new())];
    while let Some((directory, parts)) = open.pop() {
        for entry in std::fs::read_dir(&directory)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path: Vec<String> = parts.iter().cloned().chain([name.clone()]).collect();
            if entry.path().is_dir() {
                if enters(&path) {
                    open.push((entry.path(), path));
                }
            } else {
                names.extend(name_of(&path));
            }
        }
    }
    Ok(names)
}

/// What lies in hidden directories, and in one that the project was told to use.
fn enters(path: &[String]) -> bool {
    let first = path.first().map(String::as_str).unwrap_or_default();
    let hidden = first.starts_with('.') && ![".git", ".specify"].contains(&first);
    (hidden || first == "my")
        && !path.iter().any(|it| it == "node_modules" || it == "get-shit-done")
}

fn name_of(path: &[String]) -> Option<String> {
    let (file, directories) = path.split_last()?;
    let skills = directories.iter().position(|it| it == "skills");
    if skills.is_some() {
        let directory = directories.last()?;
        return (file == "SKILL.md").then(|| directory.clone());
    }
    let shelf = directories.iter().position(|it| SHELVES.contains(&it.as_str()))?;
    let ending = ENDINGS.iter().find(|ending| file.ends_with(**ending))?;
    let stem = file.strip_suffix(ending)?;
    let below = directories.get(shelf + 1..)?.iter().map(String::as_str);
    Some(below.chain([stem]).collect::<Vec<_>>().join(":"))
}
