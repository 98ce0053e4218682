//! Whether the key artifacts are well formed: present, with front matter, with their sections.

use super::structure::Finding;
use super::{Artifact, RULES};
use crate::domain::document::{self, Front};

#[derive(Debug)]
pub(crate) struct Health {
    /// Whether the project follows the process at all.
    pub(crate) is_ours: bool,
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
    /// Whether it fails only because of a missing file that an earlier group names already.
    pub(crate) fn is_repeated(&self) -> bool {
        self.unchecked().is_some() || self.note.as_deref() == Some(MISSING)
    }

    /// The section that was not looked for because there is no file.
    fn unchecked(&self) -> Option<&str> {
        let note = self.note.as_deref()?.strip_prefix("cannot check ")?;
        note.strip_suffix(MISSING)?.strip_suffix(": ")
    }

    fn line(&self) -> String {
        let mark = if self.ok { '✓' } else { '✗' };
        let note = self.note.as_ref().map(|it| format!(" — {it}")).unwrap_or_default();
        format!("{mark} {}{note}", self.file)
    }
}

impl Group {
    /// A line for each check; those that one missing file makes impossible share a line.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut rest = self.checks.as_slice();
        while let Some((check, after)) = rest.split_first() {
            rest = after;
            let Some(first) = check.unchecked() else {
                lines.push(check.line());
                continue;
            };
            let mut names = vec![first];
            while let Some((next, after)) = rest.split_first()
                && next.file == check.file
                && let Some(name) = next.unchecked()
            {
                names.push(name);
                rest = after;
            }
            lines.push(match names[..] {
                [_] => check.line(),
                _ => format!("✗ {} — cannot check {}: {MISSING}", check.file, names.join(", ")),
            });
        }
        lines
    }

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

/// Why the sections of a file that is not there are not checked; its absence is said elsewhere.
const MISSING: &str = "file missing";

/// How to begin, where a project does not follow the process.
const NOT_OURS: &str = "This is not an ACM project: it has none of the files that the process asks \
    for. To start one, write docs/intent.md, docs/brief.md and status.md from get_artifact_stub, \
    then check again; get_stage(stage=\"discover\") says what comes first.";

/// What stands in the place of an artifact.
#[derive(Debug)]
pub(crate) struct Looked<'a> {
    pub(crate) found: Option<Found<'a>>,
    /// The file whose sections are checked where there is none.
    pub(crate) instead: Option<Found<'a>>,
}

/// Judges the structure of a project and its artifacts, which come in the order of the rules.
pub(crate) fn check(is_ours: bool, structure: Vec<Finding>, artifacts: &[Looked<'_>]) -> Health {
    let presence = structure.into_iter().map(present).collect();
    let (mut fronts, mut sections) = (Vec::new(), Vec::new());
    for (artifact, found) in RULES.artifacts.iter().zip(artifacts) {
        match &found.found {
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
                sections.extend(match &found.instead {
                    Some(Found { path, text: Ok(text) }) => required_sections(artifact, path, text),
                    Some(Found { path, text: Err(problem) }) => unread(artifact, path, problem),
                    None => unread(artifact, path, MISSING),
                });
            }
        }
    }
    Health {
        is_ours,
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
    let mut lines = Vec::new();
    if !health.is_ours {
        lines.extend([NOT_OURS.to_owned(), String::new()]);
    }
    lines.push(format!("Project Health Check: {project}"));
    for group in &health.groups {
        lines.extend([String::new(), format!("### {}", group.name)]);
        lines.extend(group.lines());
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
