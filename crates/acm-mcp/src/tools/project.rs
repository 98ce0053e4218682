//! What a kind of project needs, and whether a project has it.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::Serialize;

use super::{PATH_ALIASES, project_path, quick, thorough};
use crate::arguments::{Parameter, schema};
use crate::catalog::{self, CATALOG};
use crate::check::health::{self, Health};
use crate::check::structure::{self, Finding};
use crate::guidance::{self, Classification};
use crate::project::Project;
use crate::surroundings::Surroundings;

const PROJECT_TYPES: &str = "project_types";

pub(super) fn get_project_type_guidance(surroundings: Arc<Surroundings>) -> Tool {
    let words = |list: &'static [String]| list.iter().map(String::as_str).collect();
    let types = words(&CATALOG.project_types);
    let (scales, scopes) = (words(&CATALOG.scales), words(&CATALOG.scopes));
    let parameters = vec![
        Parameter::choice("type", "Project type", "type", types).required(),
        Parameter::choice("scale", "Project scale modifier", "scale", scales),
        Parameter::choice("scope", "Project scope modifier", "scope", scopes),
    ];
    Tool::read_only(
        "get_project_type_guidance",
        "Get ACM guidance for a project type classification. Use during Discover or Design to understand what outputs, review focus, and structure a project type requires.",
    )
    .title("Project type guidance")
    .document()
    .aliases(&[("project_type", "type")])
    .run_raw(&schema(&parameters), quick(parameters, move |given| {
        let path = catalog::file_of(&CATALOG.artifacts, PROJECT_TYPES).unwrap_or_default();
        let spec = surroundings.process()?.read(path)?;
        let wanted = Classification {
            kind: given.required("type"),
            scale: given.text("scale"),
            scope: given.text("scope"),
        };
        Ok(Answer::document(guidance::guide(&spec, &CATALOG.project_types, wanted)))
    }))
}

#[derive(Serialize, JsonSchema)]
struct StructureReport {
    /// The directory that was checked.
    project_path: String,
    passed: usize,
    total: usize,
    items: Vec<StructureItem>,
    /// The items that are not in order.
    missing: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct StructureItem {
    path: String,
    /// What it has to be: file or directory.
    kind: &'static str,
    ok: bool,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

pub(super) fn check_project_structure(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![project_path()];
    Tool::read_only(
        "check_project_structure",
        "Validate a project's folder structure against ACM spec. Checks for required directories and files. Use when auditing a project or after scaffolding.",
    )
    .title("Project structure check")
    .output::<StructureReport>()
    .aliases(PATH_ALIASES)
    .run_raw(&schema(&parameters), thorough(parameters, move |given| {
        let project = Project::new(surroundings.project(given.text("project_path"))?);
        let findings = structure::check(&project);
        let text = structure::render(&project.path(), &findings);
        let report = structure_report(project.path(), findings);
        let all_passed = report.missing.is_empty();
        Ok(verdict(all_passed, Answer::data(&report)?.with_text(text)))
    }))
}

fn structure_report(project_path: String, findings: Vec<Finding>) -> StructureReport {
    let missing: Vec<String> =
        findings.iter().filter(|it| it.problem.is_some()).map(|it| it.path.clone()).collect();
    let total = findings.len();
    let item = |it: Finding| StructureItem {
        path: it.path,
        kind: it.kind.name(),
        ok: it.problem.is_none(),
        problem: it.problem,
    };
    let items = findings.into_iter().map(item).collect();
    StructureReport { project_path, passed: total - missing.len(), total, items, missing }
}

#[derive(Serialize, JsonSchema)]
struct HealthReport {
    /// The directory that was checked.
    project_path: String,
    /// Whether every check passed.
    healthy: bool,
    passed: usize,
    total: usize,
    groups: Vec<HealthGroup>,
}

#[derive(Serialize, JsonSchema)]
struct HealthGroup {
    name: &'static str,
    passed: usize,
    total: usize,
    checks: Vec<HealthCheck>,
}

#[derive(Serialize, JsonSchema)]
struct HealthCheck {
    file: String,
    ok: bool,
    /// What was found, or what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub(super) fn check_project_health(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![project_path()];
    Tool::read_only(
        "check_project_health",
        "Run structural health checks on an ACM project. Checks file presence, frontmatter validity, and required sections in key artifacts. Does NOT perform semantic analysis. Use for project audits or pre-review validation.",
    )
    .title("Project health check")
    .output::<HealthReport>()
    .aliases(PATH_ALIASES)
    .run_raw(&schema(&parameters), thorough(parameters, move |given| {
        let project = Project::new(surroundings.project(given.text("project_path"))?);
        let health = health::check(&project);
        let text = health::render(&project.path(), &health);
        let report = health_report(project.path(), health);
        let answer = Answer::data(&report)?.with_text(text);
        Ok(verdict(report.healthy, answer))
    }))
}

fn health_report(project_path: String, health: Health) -> HealthReport {
    let (healthy, passed, total) = (health.is_healthy(), health.passed(), health.total());
    let group = |it: health::Group| HealthGroup {
        name: it.name,
        passed: it.passed(),
        total: it.checks.len(),
        checks: it
            .checks
            .into_iter()
            .map(|it| HealthCheck { file: it.file, ok: it.ok, note: it.note })
            .collect(),
    };
    let groups = health.groups.into_iter().map(group).collect();
    HealthReport { project_path, healthy, passed, total, groups }
}

fn verdict(passed: bool, answer: Answer) -> Answer {
    if passed { answer } else { answer.found_wanting() }
}
