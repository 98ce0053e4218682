//! Skills over MCP, the extension `io.modelcontextprotocol/skills`: which skills a server has, what
//! files each consists of, and the files themselves as `skill://` resources.

mod uri;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rmcp::model::{Resource, ResourceContents};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;
use crate::schema::JsonObject;

/// What the extension is called among the capabilities.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// A larger skill is served file by file, without saying beforehand what there is.
const MAX_FILES: usize = 512;
const MAX_BYTES: u64 = 16 * 1024 * 1024;

const MAIN_FILE: &str = "SKILL.md";
const DIRECTORY: &str = "inode/directory";

/// A skill as clients learn of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// What its front matter calls it, which is also the name of its directory.
    pub name: String,
    /// The front matter of `SKILL.md`, as it is there.
    pub front_matter: JsonObject,
    /// Every file, `SKILL.md` included.
    pub files: Vec<SkillFile>,
}

/// One file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    /// From the skill's directory on, with slashes.
    pub path: String,
    size: u64,
    digest: String,
}

impl SkillFile {
    /// A file with its contents, of which only size and digest are kept.
    pub fn new(path: impl Into<String>, contents: &[u8]) -> Self {
        let mut digest = "sha256:".to_owned();
        for byte in Sha256::digest(contents) {
            let _infallible = write!(digest, "{byte:02x}");
        }
        Self { path: path.into(), size: contents.len() as u64, digest }
    }
}

/// Implemented by a server that has skills.
pub trait SkillSource: Send + Sync {
    /// Lists the skills there are, in the order in which clients see them.
    fn list(&self) -> Result<Vec<Skill>, Failure>;

    /// The bytes of one file of a skill; `None` where there is none.
    fn read(&self, skill: &str, path: &str) -> Option<Vec<u8>>;
}

/// Whether a skill may be called this: lower case letters, digits and single hyphens between them.
pub fn is_skill_name(name: &str) -> bool {
    let is_letter = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    (1..=64).contains(&name.len())
        && name.chars().all(is_letter)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

/// The URI of a file of a skill.
pub fn skill_uri(skill: &str, path: &str) -> String {
    uri::of(skill, path)
}

/// What kind of file a path names, by its ending; most files of skills are text.
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default() {
        "md" => "text/markdown",
        "json" => "application/json",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        _ => "text/plain",
    }
}

/// The skills that clients may rely on: called by the rules, each once, with its main file.
fn served(source: &dyn SkillSource) -> Result<Vec<Skill>, Failure> {
    let mut names = BTreeSet::new();
    let mut skills = source.list()?;
    skills.retain(|skill| {
        is_skill_name(&skill.name)
            && skill.front_matter.get("name").and_then(Value::as_str) == Some(&skill.name)
            && skill.front_matter.get("description").is_some_and(Value::is_string)
            && skill.files.iter().any(|file| file.path == MAIN_FILE)
            && names.insert(skill.name.clone())
    });
    Ok(skills)
}

fn entry(skill: &Skill) -> Value {
    let total: u64 = skill.files.iter().map(|file| file.size).sum();
    let resources = if skill.files.len() > MAX_FILES || total > MAX_BYTES {
        Value::from("dynamic")
    } else {
        let files = skill.files.iter().map(|file| {
            json!({
                "uri": uri::of(&skill.name, &file.path),
                "digest": file.digest,
                "size": file.size,
            })
        });
        files.collect()
    };
    json!({
        "uri": uri::of(&skill.name, MAIN_FILE),
        "frontmatter": skill.front_matter,
        "resources": resources,
    })
}

/// The answer to a method of the extension; `None` for any other method.
pub(super) fn answer(
    source: &dyn SkillSource,
    method: &str,
    params: &Value,
) -> Option<Result<Value, Failure>> {
    let answer = match method {
        "skills/list" => served(source)
            .map(|skills| json!({ "skills": skills.iter().map(entry).collect::<Value>() })),
        "skills/get" => get(source, params),
        "resources/directory/read" => directory(source, params),
        _ => return None,
    };
    Some(answer)
}

fn get(source: &dyn SkillSource, params: &Value) -> Result<Value, Failure> {
    let wanted = given_uri(params)?;
    let skills = served(source)?;
    let found = skills.iter().find(|skill| uri::of(&skill.name, MAIN_FILE) == wanted);
    let skill = found.ok_or_else(|| {
        let known: Vec<String> =
            skills.iter().map(|skill| uri::of(&skill.name, MAIN_FILE)).take(20).collect();
        unknown("skill", wanted).hint(match known.as_slice() {
            [] => "There are no skills.".to_owned(),
            known => format!("There is {}.", known.join(", ")),
        })
    })?;
    Ok(json!({ "skill": entry(skill) }))
}

/// What lies directly in a directory of a skill.
fn directory(source: &dyn SkillSource, params: &Value) -> Result<Value, Failure> {
    let wanted = given_uri(params)?;
    let not_there = || unknown("directory", wanted).hint("Give the URI of a skill's directory.");
    let (name, inside) = uri::parse(wanted.trim_end_matches('/')).ok_or_else(not_there)?;
    let skills = served(source)?;
    let skill = skills.iter().find(|skill| skill.name == name).ok_or_else(not_there)?;
    let prefix = if inside.is_empty() { String::new() } else { format!("{inside}/") };
    let below = skill.files.iter().filter_map(|file| file.path.strip_prefix(prefix.as_str()));
    let mut children: BTreeSet<(&str, bool)> = BTreeSet::new();
    for path in below {
        children.insert(match path.split_once('/') {
            Some((directory, _)) => (directory, true),
            None => (path, false),
        });
    }
    if children.is_empty() {
        return Err(not_there());
    }
    let resources = children.into_iter().map(|(child, is_directory)| {
        let mime = if is_directory { DIRECTORY } else { media_type(child) };
        let uri = uri::of(&name, &format!("{prefix}{child}"));
        json!({ "uri": uri, "name": child, "mimeType": mime })
    });
    Ok(json!({ "resources": resources.collect::<Value>() }))
}

/// The main file of each skill, as the list of resources shows it.
pub(super) fn resources(source: &dyn SkillSource) -> Result<Vec<Resource>, Failure> {
    let skills = served(source)?;
    let resource = |skill: &Skill| {
        let description = skill.front_matter.get("description").and_then(Value::as_str);
        Resource::new(uri::of(&skill.name, MAIN_FILE), &skill.name)
            .with_description(description.unwrap_or_default())
            .with_mime_type(media_type(MAIN_FILE))
    };
    Ok(skills.iter().map(resource).collect())
}

/// The contents of a `skill://` resource; `None` for any other URI, and where there is no file.
pub(super) fn read(source: &dyn SkillSource, wanted: &str) -> Option<ResourceContents> {
    let (name, path) = uri::parse(wanted)?;
    let bytes = source.read(&name, &path)?;
    let contents = match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, wanted),
        Err(error) => ResourceContents::blob(crate::encoding::base64(error.as_bytes()), wanted),
    };
    Some(contents.with_mime_type(media_type(&path)))
}

fn given_uri(params: &Value) -> Result<&str, Failure> {
    params["uri"].as_str().ok_or_else(|| {
        Failure::new("invalid_params", "the parameter `uri` is missing or no text")
            .hint("Give a URI such as skill://name/SKILL.md.")
    })
}

fn unknown(what: &str, uri: &str) -> Failure {
    let uri = crate::text::one_line(crate::text::cut(uri, 200));
    Failure::new("not_found", format!("no {what} has the URI `{uri}`"))
}

#[cfg(test)]
mod tests;
