//! What a kind of project needs, and whether a project has it.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::{self, object};
use super::{MakeTool, PATH_ALIASES};
use crate::domain::catalog::{self, CATALOG};
use crate::domain::check::health::{self, Health};
use crate::domain::check::structure::{self, Finding};
use crate::domain::guidance::{self, Classification};
use crate::store::project::Project;
use crate::store::surroundings::Surroundings;

pub(super) const TOOLS: &[MakeTool] =
    &[get_project_type_guidance, check_project_structure, check_project_health];

const PROJECT_TYPES: &str = "project_types";

#[derive(Deserialize, JsonSchema)]
struct GetProjectTypeGuidanceParams {
    /// Project type
    #[schemars(schema_with = "arguments::project_types")]
    r#type: String,
    /// Project scale modifier
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "arguments::scales")]
    scale: Option<String>,
    /// Project scope modifier
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "arguments::scopes")]
    scope: Option<String>,
}

fn get_project_type_guidance(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "get_project_type_guidance",
        "Get ACM guidance for a project type classification. Use during Discover or Design to understand what outputs, review focus, and structure a project type requires.",
    )
    .title("Project type guidance")
    .document()
    .aliases(&[("project_type", "type")])
    .objecting(object)
    .run_sync(move |_, params: GetProjectTypeGuidanceParams| {
        let path = catalog::file_of(&CATALOG.artifacts, PROJECT_TYPES).unwrap_or_default();
        let spec = surroundings.process()?.read(path)?;
        let wanted = Classification {
            kind: &params.r#type,
            scale: params.scale.as_deref(),
            scope: params.scope.as_deref(),
        };
        Ok(Answer::document(guidance::guide(&spec, &CATALOG.project_types, wanted)))
    })
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

#[derive(Deserialize, JsonSchema)]
struct CheckProjectParams {
    /// Project root path. Defaults to cwd.
    project_path: Option<String>,
}

fn check_project_structure(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "check_project_structure",
        "Validate a project's folder structure against ACM spec. Checks for required directories and files. Use when auditing a project or after scaffolding.",
    )
    .title("Project structure check")
    .output::<StructureReport>()
    .aliases(PATH_ALIASES)
    .objecting(object)
    .run_blocking(move |_, params: CheckProjectParams| {
        let project = Project::new(surroundings.project(params.project_path.as_deref())?);
        let findings = project.structure();
        let text = structure::render(&project.path(), &findings);
        let report = structure_report(project.path(), findings);
        let all_passed = report.missing.is_empty();
        Ok(verdict(all_passed, Answer::data(&report)?.with_text(text)))
    })
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

fn check_project_health(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "check_project_health",
        "Run structural health checks on an ACM project. Checks file presence, frontmatter validity, and required sections in key artifacts. Does NOT perform semantic analysis. Use for project audits or pre-review validation.",
    )
    .title("Project health check")
    .output::<HealthReport>()
    .aliases(PATH_ALIASES)
    .objecting(object)
    .run_blocking(move |_, params: CheckProjectParams| {
        let project = Project::new(surroundings.project(params.project_path.as_deref())?);
        let health = project.health();
        let text = health::render(&project.path(), &health);
        let report = health_report(project.path(), health);
        let answer = Answer::data(&report)?.with_text(text);
        Ok(verdict(report.healthy, answer))
    })
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
