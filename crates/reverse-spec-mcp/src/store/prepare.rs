//! Preparing a target for a model: every skeleton, all of them as one, and a context that fits.

mod cache;
mod shorten;

use mcp_core::clock::Clock;
use mcp_core::text;
use serde::Serialize;

use crate::domain::context::{self, AssembledContext, Parts};
use crate::domain::languages;
use crate::domain::place::Warning;
use crate::domain::skeleton::{self, CodeSkeleton};
use crate::error::Error;
use crate::store::analysis::{Analysis, Depth};
use crate::store::project::{Places, Target};
use mcp_core::work::Work;

/// What is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) target_path: String,
    pub(crate) deep: bool,
    /// Tokens of the context.
    pub(crate) token_budget: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrepareResult {
    pub(crate) skeletons: Vec<CodeSkeleton>,
    pub(crate) merged_skeleton: CodeSkeleton,
    pub(crate) context: AssembledContext,
    /// The text of each file without its secrets, under its path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) code_snippets: Vec<String>,
    pub(crate) file_paths: Vec<String>,
    /// What every path here is relative to.
    pub(crate) project_root: String,
    pub(crate) target_path: String,
    pub(crate) detected_languages: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) test_files: Vec<TestFile>,
    pub(crate) warnings: Vec<Warning>,
}

/// A file that tests others.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TestFile {
    pub(crate) file_path: String,
    pub(crate) tests: usize,
    /// The files of the project it imports.
    pub(crate) imports: Vec<String>,
}

/// A target that was prepared, and where it lies.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) target: Target,
    pub(crate) result: PrepareResult,
    /// The texts behind the snippets.
    texts: Vec<String>,
}

pub(crate) fn prepare(
    places: &Places,
    request: &Request,
    clock: &Clock,
    work: &Work,
) -> Result<Prepared, Error> {
    let target = places.target(&request.target_path)?;
    let depth = Depth { texts: request.deep, ..Depth::default() };
    let mut analysis = Analysis::of(&target, depth, work)?;
    analysis.refuse_if_nothing(request.deep)?;
    let now = clock.now().to_string();
    for skeleton in &mut analysis.skeletons {
        skeleton.analyzed_at = Some(now.clone());
    }
    let parts = Parts {
        instructions: "",
        dependencies: "",
        skeletons: &analysis.skeletons,
        texts: &analysis.texts,
    };
    let context = context::assemble(&parts, request.token_budget);
    let merged_skeleton = skeleton::merge(&analysis.skeletons);
    let file_paths: Vec<String> =
        analysis.skeletons.iter().map(|it| it.file_path.clone()).collect();
    let code_snippets =
        analysis.skeletons.iter().zip(&analysis.texts).map(|(it, text)| context::snippet(it, text));
    let code_snippets = code_snippets.collect();
    let result = PrepareResult {
        merged_skeleton,
        context,
        code_snippets,
        file_paths,
        project_root: text::one_line(&target.project_root().to_string_lossy()),
        target_path: target.shown().to_owned(),
        detected_languages: languages::names_of(analysis.skeletons.iter().map(|it| it.language)),
        test_files: analysis.tests.iter().map(TestFile::of).collect(),
        skeletons: analysis.skeletons,
        warnings: analysis.warnings,
    };
    Ok(Prepared { target, result, texts: analysis.texts })
}

impl TestFile {
    fn of(skeleton: &CodeSkeleton) -> Self {
        let mut imports: Vec<String> =
            skeleton.imports.iter().filter_map(|it| it.resolved_path.clone()).collect();
        imports.sort();
        imports.dedup();
        Self { file_path: skeleton.file_path.clone(), tests: skeleton.tests, imports }
    }
}
