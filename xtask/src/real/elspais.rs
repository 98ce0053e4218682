//! `cargo xtask real elspais PROJECT=RELEASE…`: real repositories, read by the public tool and by
//! ours, and what the public tool's own checks say of what we write.
//!
//! `PROJECT` is a checkout, or a directory of several, `RELEASE` a version on `PyPI` or the directory
//! of the tool's sources. Whatever differs is listed; why it does is written in
//! docs/decisions/elspais-compared.md. `cargo xtask real elspais interchange` has other programs
//! read what we export.

mod interchange;
mod outdated;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::args::Args;
use crate::session::Session;
use crate::workspace::{Profile, Workspace};
use crate::{Result, files, run};

const READER: &str = include_str!("elspais.py");
/// Requirements that are changed before the public checks look at them.
const CHANGED: usize = 3;
/// Differences that are listed one by one.
const MOST_LISTED: usize = 6;

pub(super) fn run(workspace: &Workspace, args: &Args) -> Result {
    let pairs: Vec<(&str, &str)> =
        args.words.iter().skip(1).filter_map(|it| it.split_once('=')).collect();
    let reads_exports = args.words.iter().any(|it| it == "interchange");
    if pairs.is_empty() && !reads_exports {
        return Err("name checkouts with the public release to compare with: \
                    cargo xtask real elspais path/to/project=0.118.42"
            .into());
    }
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--bins", "--package", "elspais-mcp"]);
    run::visibly(&mut build)?;
    let server = workspace.executable(Profile::Debug, "elspais-mcp");
    if reads_exports {
        interchange::run(workspace, &server)?;
    }
    let mut lacking = 0;
    for (project, release) in pairs {
        let python = environment(workspace, release)?;
        for project in projects(&PathBuf::from(project).canonicalize()?)? {
            println!("\n{} with {release}", project.display());
            lacking += one(&server, &python, &project)?;
        }
    }
    match lacking {
        0 => Ok(()),
        count => Err(format!("{count} requirements, assertions or links are not read").into()),
    }
}

/// Compares one project; returns how much of theirs ours lacks.
fn one(server: &Path, python: &Path, project: &Path) -> Result<usize> {
    let scratch = files::Scratch::new("compared")?;
    let copy = scratch.path().join("project");
    let mut project = project.to_owned();
    let theirs = match read_theirs(python, &project) {
        Err(error) => {
            outdated::copy(&project, &copy)?;
            project = copy;
            let refusal = error.to_string();
            let read = || read_theirs(python, &project);
            let Some(theirs) = outdated::until_read(&project, &refusal, read)? else {
                let last = refusal.lines().last().unwrap_or_default();
                println!("  the public tool does not read it: {last}");
                return Ok(0);
            };
            println!("  with its configuration brought up to date in a copy");
            theirs
        }
        Ok(theirs) => theirs,
    };
    let ours = read_ours(server, &project)?;
    let lacking = compare(&theirs, &ours);
    match check_writing(server, python, &project) {
        Ok(new) if new.is_empty() => println!("  its checks find nothing new in what we write"),
        Ok(new) => println!("  its checks find what we wrote: {}", new.join(", ")),
        Err(error) => println!("  what we write was not checked: {error}"),
    }
    Ok(lacking)
}

/// The project itself, or those that lie below a directory which is none.
fn projects(directory: &Path) -> Result<Vec<PathBuf>> {
    const CONFIG: &str = ".elspais.toml";
    if directory.join(CONFIG).is_file() {
        return Ok(vec![directory.to_owned()]);
    }
    let tree = files::tree(directory)?;
    let configured = tree.keys().filter_map(|it| it.strip_suffix(CONFIG));
    Ok(configured.map(|it| directory.join(it.trim_end_matches('/'))).collect())
}

/// An environment with that release, made once.
fn environment(workspace: &Workspace, release: &str) -> Result<PathBuf> {
    let is_source = Path::new(release).is_dir();
    let name = if is_source { "source" } else { release };
    let dir = workspace.profile_dir(Profile::Debug).join(format!("real-elspais-{name}"));
    let python = dir.join("bin/python");
    if !python.exists() {
        run::quietly(Command::new("python3").args(["-m", "venv"]).arg(&dir))?;
        let wanted = if is_source { release.to_owned() } else { format!("elspais=={release}") };
        run::quietly(Command::new(&python).args(["-m", "pip", "install", "--quiet", &wanted]))?;
    }
    Ok(python)
}

/// What one side read, by aspect.
type Reading = BTreeMap<&'static str, BTreeSet<String>>;

fn read_theirs(python: &Path, project: &Path) -> Result<Reading> {
    let scratch = files::Scratch::new("reader")?;
    let script = scratch.path().join("reader.py");
    files::write(&script, READER)?;
    let text = run::quietly(Command::new(python).arg(&script).arg(project))?;
    let value: Value = serde_json::from_str(text.lines().last().unwrap_or_default())?;
    let listed = |key: &str| -> BTreeSet<String> {
        let items = value[key].as_array().into_iter().flatten();
        items.filter_map(|it| it.as_str().map(str::to_owned)).collect()
    };
    let mut reading = Reading::from([
        ("links", listed("links")),
        ("citations", listed("citations")),
        ("broken", listed("broken")),
        ("roots", listed("roots")),
    ]);
    for (id, it) in value["requirements"].as_object().into_iter().flatten() {
        let text = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
        let hash = text("hash");
        let hash = if hash.chars().all(|it| it == '_') { String::new() } else { hash };
        record(
            &mut reading,
            id,
            [&text("title"), &text("level"), &text("status"), &hash, &text("path")],
        );
        for pair in it["assertions"].as_array().into_iter().flatten() {
            let part = |at: usize| pair[at].as_str().unwrap_or_default();
            assertion(&mut reading, id, part(0), part(1));
        }
        let labels = it["covered"].as_array().into_iter().flatten();
        let labels: Vec<&str> = labels.filter_map(Value::as_str).collect();
        cover(&mut reading, id, &text("level"), &labels);
    }
    Ok(reading)
}

/// Covered assertions one by one, and as a share of each level's.
fn cover(reading: &mut Reading, id: &str, level: &str, labels: &[&str]) {
    let level = level.to_lowercase();
    let all = reading.entry("covered").or_default();
    all.extend(labels.iter().map(|label| format!("{level} {id} {label}")));
}

fn read_ours(server: &Path, project: &Path) -> Result<Reading> {
    let text = run::quietly(
        Command::new(server).args(["export", "--format", "json"]).current_dir(project),
    )?;
    let value: Value = serde_json::from_str(&text)?;
    let mut reading = Reading::new();
    let mut put = |aspect: &'static str, it: String| {
        reading.entry(aspect).or_default().insert(it);
    };
    let labels = |it: &Value| -> Vec<String> {
        let all = it["labels"].as_array().into_iter().flatten();
        let all: Vec<String> = all.filter_map(|it| it.as_str().map(str::to_owned)).collect();
        if all.is_empty() { vec![String::new()] } else { all }
    };
    let word = |it: &Value, key: &str| it[key].as_str().unwrap_or_default().to_owned();
    let requirements = value["requirements"].as_array().cloned().unwrap_or_default();
    for it in &requirements {
        let id = word(it, "id");
        if it["is_root"] == true {
            put("roots", id.clone());
        }
        for link in it["links"].as_array().into_iter().flatten() {
            for label in labels(link) {
                let said = format!("{} {id} {} {label}", word(link, "kind"), word(link, "target"));
                put("links", said.trim_end().to_owned());
            }
        }
        for citer in it["cited_by"].as_array().into_iter().flatten() {
            if citer["node"] != "journey" {
                for label in labels(citer) {
                    put("citations", format!("{id} {label} {}", word(citer, "path")));
                }
            }
        }
    }
    for it in value["broken_references"].as_array().into_iter().flatten() {
        put("broken", word(it, "target"));
    }
    for it in &requirements {
        let id = word(it, "id");
        let fields = ["title", "level", "status", "hash", "path"].map(|key| word(it, key));
        record(&mut reading, &id, fields.each_ref().map(String::as_str));
        for one in it["assertions"].as_array().into_iter().flatten() {
            assertion(&mut reading, &id, &word(one, "label"), &word(one, "text"));
        }
        let assertions = it["assertions"].as_array().into_iter().flatten();
        let covered: Vec<&str> = assertions
            .filter(|one| one["covered"] == true)
            .filter_map(|one| one["label"].as_str())
            .collect();
        cover(&mut reading, &id, &word(it, "level"), &covered);
    }
    Ok(reading)
}

fn record(reading: &mut Reading, id: &str, fields: [&str; 5]) {
    let mut put = |aspect: &'static str, it: String| {
        reading.entry(aspect).or_default().insert(it);
    };
    let [title, level, status, hash, path] = fields;
    put("requirements", id.to_owned());
    put("titles", format!("{id} {}", plain(title)));
    put("levels", format!("{id} {}", level.to_lowercase()));
    put("statuses", format!("{id} {status}"));
    put("hashes", format!("{id} {hash}"));
    put("files", format!("{id} {path}"));
}

fn assertion(reading: &mut Reading, id: &str, label: &str, text: &str) {
    let said = format!("{id} {label} {}", plain(text));
    reading.entry("assertions").or_default().insert(said);
}

/// White space and the marks of terms aside: the public tool adds those when it reads.
fn plain(text: &str) -> String {
    let words = text.replace('*', "").to_lowercase();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints both sides; returns how much of theirs ours lacks.
fn compare(theirs: &Reading, ours: &Reading) -> usize {
    let none = BTreeSet::new();
    let mut lacking = 0;
    for aspect in [
        "requirements",
        "assertions",
        "titles",
        "levels",
        "statuses",
        "hashes",
        "files",
        "links",
        "roots",
        "citations",
        "covered",
        "broken",
    ] {
        let (left, right) =
            (theirs.get(aspect).unwrap_or(&none), ours.get(aspect).unwrap_or(&none));
        let missing: Vec<&String> = left.difference(right).collect();
        let extra: Vec<&String> = right.difference(left).collect();
        let verdict = if missing.is_empty() && extra.is_empty() { "the same" } else { "" };
        println!("  {aspect}: {} public, {} ours {verdict}", left.len(), right.len());
        for (word, list) in [("only public", &missing), ("only ours", &extra)] {
            for it in list.iter().take(MOST_LISTED) {
                println!("    {word}: {it}");
            }
            if let Some(more) = list.len().checked_sub(MOST_LISTED).filter(|it| *it > 0) {
                println!("    {word}: {more} more");
            }
        }
        if ["requirements", "assertions", "links"].contains(&aspect) {
            lacking += missing.len();
        }
    }
    for (level, [left, right]) in shares(theirs, ours) {
        println!("  {level}: {left:.1} % covered for the public tool, {right:.1} % for ours");
    }
    lacking
}

/// Of each level, how much of what both sides read each of them calls covered.
fn shares(theirs: &Reading, ours: &Reading) -> BTreeMap<String, [f64; 2]> {
    let none = BTreeSet::new();
    let mut found: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (at, reading) in [theirs, ours].into_iter().enumerate() {
        let levels = reading.get("levels").unwrap_or(&none).iter();
        let levels: BTreeMap<&str, &str> = levels.filter_map(|it| it.rsplit_once(' ')).collect();
        let mut totals: BTreeMap<&str, u32> = BTreeMap::new();
        for assertion in reading.get("assertions").unwrap_or(&none) {
            let id = assertion.split(' ').next().unwrap_or_default();
            *totals.entry(levels.get(id).copied().unwrap_or_default()).or_default() += 1;
        }
        for (level, total) in totals {
            let covered = reading.get("covered").unwrap_or(&none);
            let covered = covered.iter().filter(|it| it.split(' ').next() == Some(level)).count();
            #[expect(clippy::cast_precision_loss, reason = "counts of assertions are small")]
            let share = covered as f64 * 100.0 / f64::from(total);
            found.entry(level.to_owned()).or_default()[at] = share;
        }
    }
    found
}

/// Changes a copy of the project with ours; the public checks that fail only afterwards.
fn check_writing(server: &Path, python: &Path, project: &Path) -> Result<Vec<String>> {
    let scratch = files::Scratch::new("written")?;
    let copy = scratch.path().join("project");
    run::quietly(Command::new("cp").arg("-r").arg(project).arg(&copy))?;
    // Whoever writes a changelog has a name.
    for (key, value) in [("user.name", "Comparison"), ("user.email", "nobody@example.com")] {
        run::quietly(Command::new("git").args(["config", key, value]).current_dir(&copy))?;
    }
    let before = failing(python, &copy)?;
    let mut command = Command::new(server);
    command.current_dir(&copy).args(["--toolsets", "all"]);
    let (mut session, _) = Session::open(command, Duration::from_mins(1))?;
    let found = session.call("search", &json!({ "query": ".", "regex": true, "limit": 20 }))?;
    let found = found["structuredContent"]["result"].as_array().cloned().unwrap_or_default();
    let mut changed = 0;
    for it in &found {
        let id = it["id"].as_str().unwrap_or_default();
        let title = format!("{} anew", it["title"].as_str().unwrap_or_default());
        let arguments = json!({ "node_id": id, "new_title": title });
        // What is defined twice is refused, and others are there.
        if session.call("mutate_update_title", &arguments).is_err() {
            continue;
        }
        let one = session.call("get_requirement", &json!({ "req_id": id }))?;
        let assertion = &one["structuredContent"]["assertions"][0];
        if let (Some(name), Some(text)) = (assertion["id"].as_str(), assertion["text"].as_str()) {
            let text = format!("{text} At all times.");
            let arguments = json!({ "assertion_id": name, "new_text": text });
            session.call("mutate_update_assertion", &arguments)?;
        }
        changed += 1;
        if changed == CHANGED {
            break;
        }
    }
    if changed == 0 {
        return Err("nothing of it can be changed".into());
    }
    session.call("save_mutations", &json!({ "message": "Compared with the public tool" }))?;
    session.finish()?;
    let after = failing(python, &copy)?;
    Ok(after.difference(&before).cloned().collect())
}

fn failing(python: &Path, project: &Path) -> Result<BTreeSet<String>> {
    let tool = python.with_file_name("elspais");
    let name = if knows(&tool, "checks") { "checks" } else { "health" };
    // Older releases spell it otherwise.
    let report = said(&tool, &[name, "--format", "json"], project)
        .or_else(|_| said(&tool, &[name, "--json"], project))?;
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    let failed = checks.iter().filter(|it| it["passed"] == false);
    let mut failed: BTreeSet<String> =
        failed.filter_map(|it| it["name"].as_str().map(str::to_owned)).collect();
    // Where there is a command of its own for hashes and forms, its word counts as well.
    if knows(&tool, "validate") {
        let report = said(&tool, &["validate", "--json"], project)?;
        let found = ["errors", "warnings"].iter().filter_map(|it| report[it].as_array()).flatten();
        failed.extend(found.map(ToString::to_string));
    }
    Ok(failed)
}

/// What the tool reports. Its exit code says that something fails, which is what is asked.
fn said(tool: &Path, arguments: &[&str], project: &Path) -> Result<Value> {
    let output = Command::new(tool).args(arguments).current_dir(project).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let from = text.find('{').ok_or("the public tool printed no report")?;
    Ok(serde_json::from_str(&text[from..])?)
}

fn knows(tool: &Path, command: &str) -> bool {
    Command::new(tool).args([command, "--help"]).output().is_ok_and(|it| it.status.success())
}
