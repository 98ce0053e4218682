//! Whether the key artifacts are well formed: present, with front matter, with their sections.

use super::structure::Finding;
use super::{Artifact, RULES};
use crate::domain::document::{self, Front};

#[derive(Debug)]
pub(crate) struct Health {
    pub(crate) groups: Vec<Group>,
}

#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) checks: Vec<Check>,
}

#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) file: String,
    /// What was found, or what is wrong; nothing more to say of a file that is there.
    pub(crate) note: Option<String>,
    pub(crate) ok: bool,
}

impl Check {
    fn line(&self) -> String {
        let mark = if self.ok { '✓' } else { '✗' };
        let note = self.note.as_ref().map(|it| format!(" — {it}")).unwrap_or_default();
        format!("{mark} {}{note}", self.file)
    }
}

impl Group {
    pub(crate) fn passed(&self) -> usize {
        self.checks.iter().filter(|it| it.ok).count()
    }
}

impl Health {
    pub(crate) fn passed(&self) -> usize {
        self.groups.iter().map(Group::passed).sum()
    }

    pub(crate) fn total(&self) -> usize {
        self.groups.iter().map(|it| it.checks.len()).sum()
    }

    pub(crate) fn is_healthy(&self) -> bool {
        self.passed() == self.total()
    }
}

/// An artifact of a project: where it was found, and its text or why it cannot be read.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: Result<String, String>,
}

/// Judges the structure of a project and its artifacts, which come in the order of the rules.
pub(crate) fn check(structure: Vec<Finding>, artifacts: &[Option<Found<'_>>]) -> Health {
    let presence = structure.into_iter().map(present).collect();
    let (mut fronts, mut sections) = (Vec::new(), Vec::new());
    for (artifact, found) in RULES.artifacts.iter().zip(artifacts) {
        match found {
            Some(Found { path, text: Ok(text) }) => {
                fronts.push(front_matter(path, text));
                sections.extend(required_sections(artifact, path, text));
            }
            Some(Found { path, text: Err(problem) }) => {
                fronts.push(failed(path, problem.clone()));
                sections.extend(unread(artifact, path, problem));
            }
            None => {
                let path = artifact.paths.first().map_or("", String::as_str);
                let problem = match artifact.paths.as_slice() {
                    [_] => "file missing".to_owned(),
                    paths => format!("file missing (looked for {})", paths.join(", then ")),
                };
                fronts.push(failed(path, problem));
                sections.extend(unread(artifact, path, "file missing"));
            }
        }
    }
    Health {
        groups: vec![
            Group { name: "File Presence", checks: presence },
            Group { name: "Frontmatter Validation", checks: fronts },
            Group { name: "Required Sections", checks: sections },
        ],
    }
}

fn present(finding: Finding) -> Check {
    Check { file: finding.path, ok: finding.problem.is_none(), note: finding.problem }
}

fn passed(file: &str, note: String) -> Check {
    Check { file: file.to_owned(), note: Some(note), ok: true }
}

fn failed(file: &str, note: String) -> Check {
    Check { file: file.to_owned(), note: Some(note), ok: false }
}

fn front_matter(path: &str, text: &str) -> Check {
    match Front::of(text) {
        Front::Fields(_) => passed(path, "valid frontmatter".to_owned()),
        Front::None => failed(path, "no frontmatter".to_owned()),
        Front::Empty => failed(path, "empty frontmatter".to_owned()),
        Front::Invalid(problem) => failed(path, format!("invalid frontmatter: {problem}")),
    }
}

fn required_sections(artifact: &Artifact, path: &str, text: &str) -> Vec<Check> {
    let body = document::body(text);
    let look = |it: &super::RequiredSection| {
        if document::has_section(body, &it.any_of, &it.none_of) {
            passed(path, format!("has {}", it.name))
        } else {
            failed(path, format!("missing {}", it.name))
        }
    };
    artifact.sections.iter().map(look).collect()
}

fn unread(artifact: &Artifact, path: &str, problem: &str) -> Vec<Check> {
    let look =
        |it: &super::RequiredSection| failed(path, format!("cannot check {}: {problem}", it.name));
    artifact.sections.iter().map(look).collect()
}

pub(crate) fn render(project: &str, health: &Health) -> String {
    let mut lines = vec![format!("Project Health Check: {project}")];
    for group in &health.groups {
        lines.extend([String::new(), format!("### {}", group.name)]);
        lines.extend(group.checks.iter().map(Check::line));
    }
    lines.extend([String::new(), "---".to_owned()]);
    let total = |it: &Group| format!("{}: {}/{}", it.name, it.passed(), it.checks.len());
    lines.extend(health.groups.iter().map(total));
    lines.push(verdict(health));
    lines.join("\n")
}

fn verdict(health: &Health) -> String {
    let (passed, total) = (health.passed(), health.total());
    if health.is_healthy() {
        return format!("Overall: healthy, {passed}/{total} checks passed.");
    }
    format!(
        "Overall: unhealthy, {passed}/{total} checks passed. Repair the lines marked ✗: \
         get_artifact_stub has a template and get_artifact_spec the rules of each artifact."
    )
}
