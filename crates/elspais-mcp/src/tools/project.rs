//! The project as a whole: where it is, how it is configured, how it stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Serialize;

use super::query::NoParams;
use super::serialize::rounded;
use super::{CORE, look};
use crate::domain::annotate::{CoverageCounts, count_by_coverage, count_by_level};
use crate::domain::dialect::Dialect;
use crate::store::workspace::{ChangeCounts, Loaded, Workspace};

#[derive(Debug, Serialize, JsonSchema)]
struct WorkspaceOutput {
    repo_path: String,
    project_name: String,
    /// Null where there is none and the defaults count.
    config_file: Option<String>,
    config_summary: ConfigOutput,
    /// Forms of requirements other than the tool's own that were found, e.g. `spec-kit`.
    dialects: Vec<&'static str>,
    /// Files that were read, by what they are read as.
    scanned: BTreeMap<&'static str, usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ConfigOutput {
    prefix: String,
    id_example: String,
    levels: Vec<String>,
    spec_directories: Vec<String>,
    code_directories: Vec<String>,
    test_directories: Vec<String>,
    testing_enabled: bool,
    label_style: String,
    /// Whether a local file is merged over the configuration.
    local_config: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SummaryOutput {
    requirements_by_level: LevelsOutput,
    coverage: CoverageOutput,
    changes: ChangesOutput,
    /// Which lines of code the tests reached, where a report of that is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_coverage: Option<LineCoverageOutput>,
    total_nodes: usize,
    /// Requirements that satisfy a template, once for each (`A::B`); not among the requirements.
    instance_count: usize,
    orphan_count: usize,
    broken_reference_count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LineCoverageOutput {
    /// Files of the project that the reports speak of.
    files: usize,
    /// Lines that can be reached.
    lines: usize,
    reached: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LevelsOutput {
    /// Those that are not retired.
    active: BTreeMap<String, usize>,
    all: BTreeMap<String, usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CoverageOutput {
    /// Requirements.
    total: usize,
    full_coverage: usize,
    partial_coverage: usize,
    no_coverage: usize,
    failing: usize,
    assertions: usize,
    covered_assertions: usize,
    tested_assertions: usize,
    validated_assertions: usize,
    /// Assertions that are deliberately not implemented; never counted as covered.
    excepted_assertions: usize,
    coverage_pct: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangesOutput {
    /// Requirements that differ from the last commit.
    uncommitted: usize,
    /// Requirements that differ from where the branch began.
    branch_changed: usize,
    /// Why there are no figures, where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![get_workspace_info(workspace.clone()), get_project_summary(workspace.clone())]
}

fn get_workspace_info(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_workspace_info",
        "Returns which project is served: its path and name, the configuration in short, and how many files were read as specs, code, tests and test results.",
    )
    .title("Which project this is")
    .toolset(CORE)
    .output::<WorkspaceOutput>()
    .run_blocking(move |call, _: NoParams| {
        look(&workspace, call, |loaded| Ok(workspace_info(&workspace, loaded)))
    })
}

fn workspace_info(workspace: &Workspace, loaded: &Loaded) -> WorkspaceOutput {
    let config = &loaded.graph.config;
    WorkspaceOutput {
        repo_path: workspace.place().display().to_string(),
        project_name: workspace.project_name(config.name.as_deref()),
        config_file: config.files.first().map(|it| (*it).to_owned()),
        config_summary: ConfigOutput {
            prefix: config.namespace.clone(),
            id_example: loaded.graph.grammar.example(),
            levels: config.levels.iter().map(|it| it.name.clone()).collect(),
            spec_directories: config.spec.directories.clone(),
            code_directories: config.code.directories.clone(),
            test_directories: config
                .test
                .as_ref()
                .map(|it| it.directories.clone())
                .unwrap_or_default(),
            testing_enabled: config.test.is_some(),
            label_style: config.labels.style.as_str().to_owned(),
            local_config: config.files.contains(&crate::domain::config::LOCAL_FILE),
        },
        dialects: Dialect::ALL
            .into_iter()
            .filter(|it| loaded.graph.grammar.scopes().has(*it))
            .map(Dialect::as_str)
            .collect(),
        scanned: loaded.snapshot.counts_by_role(),
    }
}

fn get_project_summary(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_project_summary",
        "Returns how the project stands: requirements by level, how far their assertions are covered by requirements, code and tests, what differs from git, and how many references are broken.",
    )
    .title("How the project stands")
    .toolset(CORE)
    .meta("ui", serde_json::json!({ "resourceUri": crate::tools::resources::REPORT }))
    .output::<SummaryOutput>()
    .run_blocking(move |call, _: NoParams| {
        // A list that cannot be read is the concern of those who ask for it.
        let reviews = workspace.reviews().unwrap_or_default();
        look(&workspace, call, |loaded| {
            let graph = &loaded.graph;
            let is_there = |id: &str| graph.get_node(id).is_some();
            let excepted = reviews.exceptions().filter(|(id, _)| is_there(id)).count();
            let levels = count_by_level(graph);
            Ok(SummaryOutput {
                requirements_by_level: LevelsOutput { active: levels.active, all: levels.all },
                coverage: CoverageOutput {
                    excepted_assertions: excepted,
                    ..count_by_coverage(graph).into()
                },
                changes: workspace.count_changes(loaded, call.work()).into(),
                line_coverage: graph.reached_lines().map(|(files, count)| LineCoverageOutput {
                    files,
                    lines: count.lines,
                    reached: count.reached,
                }),
                total_nodes: graph.total_nodes(),
                instance_count: graph.totals().instances,
                orphan_count: graph.orphans().len(),
                broken_reference_count: graph.totals().broken,
            })
        })
    })
}

impl From<CoverageCounts> for CoverageOutput {
    fn from(it: CoverageCounts) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts of assertions are small")]
        let share =
            if it.assertions == 0 { 0.0 } else { it.covered as f64 * 100.0 / it.assertions as f64 };
        Self {
            total: it.total,
            full_coverage: it.full,
            partial_coverage: it.partial,
            no_coverage: it.none,
            failing: it.failing,
            assertions: it.assertions,
            covered_assertions: it.covered,
            tested_assertions: it.tested,
            validated_assertions: it.validated,
            excepted_assertions: 0,
            coverage_pct: rounded(share),
        }
    }
}

impl From<Result<ChangeCounts, crate::error::Error>> for ChangesOutput {
    fn from(counts: Result<ChangeCounts, crate::error::Error>) -> Self {
        match counts {
            Ok(counts) => Self {
                uncommitted: counts.uncommitted,
                branch_changed: counts.branch_changed,
                note: None,
            },
            Err(error) => Self { uncommitted: 0, branch_changed: 0, note: Some(error.to_string()) },
        }
    }
}
