//! Whether others read what we export: sphinx-needs our `needs.json`, `StrictDoc` our `ReqIF`, both as
//! `PyPI` has them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{Profile, Workspace};
use crate::{Result, files, run};

const PACKAGES: [&str; 3] = ["sphinx==9.0.4", "sphinx-needs==9.1.0", "strictdoc==0.30.4"];
/// Every kind of node, and whatever has a meaning in some format.
const PROJECT: [(&str, &str); 7] = [
    (".elspais.toml", "[project]\nname = \"A <small> & \\\"odd\\\" project\"\n"),
    ("spec/a.md", include_str!("odd.md")),
    ("src/a.py", "# Implements: REQ-d00001-A\ndef work():\n    pass\n"),
    ("tests/test_a.py", "# Verifies: REQ-o00001-A\ndef test_work():\n    pass\n"),
    (
        "specs/001-login/spec.md",
        "# Feature Specification: Login\n\n**Status**: Draft\n\n### User Story 1 - Sign in (Priority: P1)\n\nAs somebody who comes back.\n\n**Acceptance Scenarios**:\n\n1. **Given** a user, **When** 1 < 2 & \"yes\", **Then** they are in\n\n### Functional Requirements\n\n- **FR-001**: System MUST <accept> \"quotes\" & such.\n",
    ),
    (
        "openspec/specs/cap/spec.md",
        "# Cap\n\n## Requirements\n\n### Requirement: Ein & <odd> \"title\"\nThe system SHALL hold.\n\n#### Scenario: One\n- **WHEN** this\n- **THEN** that\n",
    ),
    (
        ".kiro/specs/feature/requirements.md",
        "# Requirements\n\n### Requirement 1\n\n**User Story:** As a reader, I want pages, so that I read.\n\n#### Acceptance Criteria\n\n1. WHEN a page opens THEN the system SHALL show <it> & nothing else\n",
    ),
];

pub(super) fn run(workspace: &Workspace, server: &Path) -> Result {
    let bin = environment(workspace)?;
    let scratch = files::Scratch::new("interchange")?;
    let project = scratch.path().join("project");
    for (path, text) in PROJECT {
        files::write(&project.join(path), text)?;
    }
    let export = |form: &str| {
        let mut command = Command::new(server);
        run::quietly(command.args(["export", "--format", form]).current_dir(&project))
    };
    let needs: Value = serde_json::from_str(&export("needs")?)?;
    let ours = needs["versions"]["1"]["needs"].clone();
    let found = sphinx_needs(&bin, &scratch.path().join("sphinx"), &needs)?;
    let json: Value = serde_json::from_str(&export("json")?)?;
    let documents = strictdoc(&bin, &scratch.path().join("strictdoc"), &export("reqif")?)?;
    let wrong: Vec<String> =
        compare_needs(&ours, &found).into_iter().chain(compare_nodes(&json, &documents)).collect();
    let count = ours.as_object().map_or(0, serde_json::Map::len);
    println!("\nsphinx-needs reads {count} needs, StrictDoc {} requirements", documents.len());
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("others read something else:\n  {}", wrong.join("\n  ")).into())
}

fn environment(workspace: &Workspace) -> Result<PathBuf> {
    let dir = workspace.profile_dir(Profile::Debug).join("real-elspais-interchange");
    let bin = dir.join("bin");
    if !bin.join("strictdoc").exists() {
        run::quietly(Command::new("python3").args(["-m", "venv"]).arg(&dir))?;
        let mut install = Command::new(bin.join("python"));
        run::visibly(install.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    }
    Ok(bin)
}

/// The needs as sphinx-needs has them once it has imported them.
fn sphinx_needs(bin: &Path, dir: &Path, needs: &Value) -> Result<Value> {
    files::write(&dir.join("needs.json"), needs.to_string())?;
    let conf = "project = \"Import\"\nextensions = [\"sphinx_needs\"]\nneeds_id_regex = \".*\"\n";
    files::write(&dir.join("conf.py"), conf)?;
    files::write(&dir.join("index.rst"), "Import\n======\n\n.. needimport:: needs.json\n")?;
    let mut build = Command::new(bin.join("sphinx-build"));
    let said = build.args(["-q", "-b", "needs"]).arg(dir).arg(dir.join("out")).output()?;
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    // What it says of the texts is a matter of reStructuredText, which ours are not.
    let complaints: Vec<&str> = said.lines().filter(|it| it.contains("[needs.")).collect();
    if !complaints.is_empty() {
        return Err(format!("sphinx-needs complains:\n  {}", complaints.join("\n  ")).into());
    }
    let built: Value = serde_json::from_str(&files::read_text(&dir.join("out/needs.json"))?)?;
    let version = built["current_version"].as_str().unwrap_or_default();
    Ok(built["versions"][version]["needs"].clone())
}

fn compare_needs(ours: &Value, theirs: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (id, need) in ours.as_object().into_iter().flatten() {
        for field in ["id", "title", "type", "status", "content", "tags", "links"] {
            let other = &theirs[id][field];
            if need[field] != *other {
                wrong.push(format!("sphinx-needs, {id}: {field} {} as {other}", need[field]));
            }
        }
    }
    wrong
}

/// A requirement as `StrictDoc` writes it down: its fields by name.
type Node = BTreeMap<String, String>;

fn strictdoc(bin: &Path, dir: &Path, reqif: &str) -> Result<Vec<Node>> {
    let file = dir.join("project.reqif");
    files::write(&file, reqif)?;
    let mut convert = Command::new(bin.join("strictdoc"));
    convert.args(["convert", "--input-format", "reqif-sdoc", "--output-format", "sdoc"]);
    run::quietly(convert.arg(&file).arg(dir.join("out")))?;
    let mut nodes = Vec::new();
    for path in files::tree(&dir.join("out"))?.keys() {
        let text = files::read_text(&dir.join("out").join(path))?;
        nodes.extend(text.split("\n[REQUIREMENT]\n").skip(1).map(fields));
    }
    Ok(nodes)
}

/// `NAME: value` and `NAME: >>>` up to `<<<`; relations by their values.
fn fields(node: &str) -> Node {
    let mut found = Node::new();
    let mut lines = node.lines();
    while let Some(line) = lines.next() {
        let Some((name, value)) = line.split_once(": ") else { continue };
        if value == ">>>" {
            let text: Vec<&str> = lines.by_ref().take_while(|it| *it != "<<<").collect();
            found.insert(name.to_owned(), text.join("\n"));
        } else if name.trim() == "VALUE" {
            let list = found.entry("RELATIONS".to_owned()).or_default();
            list.push_str(value);
            list.push(' ');
        } else {
            found.insert(name.to_owned(), value.to_owned());
        }
    }
    found
}

fn compare_nodes(ours: &Value, theirs: &[Node]) -> Vec<String> {
    let mut wrong = Vec::new();
    for it in ours["requirements"].as_array().into_iter().flatten() {
        let text = |key: &str| it[key].as_str().unwrap_or_default().trim().to_owned();
        let id = text("id");
        let Some(node) = theirs.iter().find(|node| node.get("UID") == Some(&id)) else {
            wrong.push(format!("StrictDoc, {id}: it is not there"));
            continue;
        };
        for (key, name) in
            [("title", "TITLE"), ("body", "STATEMENT"), ("level", "LEVEL"), ("status", "STATUS")]
        {
            let (wanted, found) = (text(key), node.get(name).cloned().unwrap_or_default());
            // It strips every paragraph.
            if squeezed(&wanted) != squeezed(&found) {
                wrong.push(format!("StrictDoc, {id}: {key} {wanted:?} as {found:?}"));
            }
        }
        for link in it["links"].as_array().into_iter().flatten() {
            let target = link["target"].as_str().unwrap_or_default();
            let said = node.get("RELATIONS").map_or("", String::as_str);
            if !said.split(' ').any(|it| it == target) {
                wrong.push(format!("StrictDoc, {id}: no relation to {target}"));
            }
        }
    }
    wrong
}

fn squeezed(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|it| !it.is_empty()).collect()
}
