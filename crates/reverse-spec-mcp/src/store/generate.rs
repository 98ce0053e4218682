//! From a target to its specification on disk.

mod place;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashSet;

use mcp_core::clock::Clock;
use mcp_core::sandbox::{RelPath, Root};
use serde::Serialize;

use crate::domain::context::{self, AssembledContext, Parts};
use crate::domain::languages;
use crate::domain::place::Warning;
use crate::domain::prose::{Prompt, Recovered, recover};
use crate::domain::skeleton::{self, CodeSkeleton};
use crate::domain::spec::standing::{self, ToWrite};
use crate::domain::spec::{Confidence, Document, Facts, Narrative, Words, file_name};
use crate::error::{Error, NO_KEY};
use crate::store::analysis::{Analysis, Depth};
use crate::store::model::Model;
use crate::store::project::{SourceFile, Target};
use crate::store::redact;
use mcp_core::work::Work;

pub(crate) use place::Output;

/// Where the prose comes from.
#[derive(Clone, Copy)]
pub(crate) enum Writer<'a> {
    Model(&'a dyn Model),
    /// Switched off: the code alone, as wished.
    Off,
    /// Nobody is there to write it: the code alone, with a warning.
    Nobody,
}

/// How specifications are written in one run.
#[derive(Clone, Copy)]
pub(crate) struct Style<'a> {
    pub(crate) writer: Writer<'a>,
    pub(crate) words: &'a Words,
    pub(crate) clock: &'a Clock,
    /// Tokens of what a model is given.
    pub(crate) token_budget: usize,
}

/// What `generate` answers.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Generated {
    pub(crate) spec_path: String,
    /// What `specPath` is relative to, where it is.
    pub(crate) spec_path_base: String,
    pub(crate) token_usage: u64,
    pub(crate) confidence: &'static str,
    pub(crate) warnings: Vec<String>,
    /// False where the file that was there says the same already.
    pub(crate) changed: bool,
    /// What is left to whoever reads the code: to be written into the file, which keeps it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) to_write: Vec<ToWrite>,
}

/// A target as it was read, with the tests that import it.
#[derive(Debug)]
pub(crate) struct Material {
    pub(crate) target: String,
    pub(crate) skeletons: Vec<CodeSkeleton>,
    pub(crate) merged: CodeSkeleton,
    pub(crate) tests: Vec<CodeSkeleton>,
    pub(crate) texts: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
}

impl Material {
    /// Reads a target, and the project's test files for those that import it.
    pub(crate) fn read(target: &Target, deep: bool, work: &Work) -> Result<Self, Error> {
        let scan = target.scan(work)?;
        let own: Vec<String> = scan.files.iter().map(|file| file.path.to_string()).collect();
        let depth = Depth { texts: deep, reach: true, ..Depth::default() };
        let has_sources = scan.files.iter().any(|file| !file.is_test);
        let mut files = scan.files;
        if has_sources {
            files.extend(project_tests(target, work)?);
            files.sort();
            files.dedup_by(|one, other| one.path == other.path);
        }
        let mut analysis = Analysis::of_files(&target.root, &files, depth, work)?;
        // What is wrong with tests elsewhere is no matter of this target.
        analysis.warnings.retain(|warning| warning.is_about(&own));
        analysis.warnings.splice(0..0, scan.warnings);
        let tests = std::mem::take(&mut analysis.tests);
        Self::of(target.shown(), analysis, &tests)
    }

    /// Of what was read already; of `tests`, those that import it.
    pub(crate) fn of(
        target: &str,
        analysis: Analysis,
        tests: &[CodeSkeleton],
    ) -> Result<Self, Error> {
        analysis.refuse_if_nothing(false)?;
        let Analysis { skeletons, texts, warnings, .. } = analysis;
        let merged = skeleton::merge(&skeletons);
        let own: HashSet<&str> = skeletons.iter().map(|it| it.file_path.as_str()).collect();
        let packages: HashSet<String> =
            skeletons.iter().filter_map(languages::package_of).collect();
        let imports_us = |test: &&CodeSkeleton| {
            let mut paths = test.imports.iter().filter_map(|it| it.resolved_path.as_deref());
            paths.any(|path| own.contains(path))
                || languages::package_of(test).is_some_and(|it| packages.contains(&it))
        };
        let tests = tests.iter().filter(imports_us).cloned().collect();
        Ok(Self { target: target.to_owned(), skeletons, merged, tests, texts, warnings })
    }

    /// What a model is given to read.
    pub(crate) fn context(&self, token_budget: usize) -> AssembledContext {
        let parts = Parts {
            instructions: "",
            dependencies: "",
            skeletons: &self.skeletons,
            texts: &self.texts,
        };
        context::assemble(&parts, token_budget)
    }

    pub(crate) fn facts(&self) -> Facts<'_> {
        Facts {
            target: &self.target,
            skeletons: &self.skeletons,
            merged: &self.merged,
            tests: &self.tests,
        }
    }
}

/// Every test file of the project.
fn project_tests(target: &Target, work: &Work) -> Result<Vec<SourceFile>, Error> {
    let whole = target.whole_project()?;
    match whole.scan(work) {
        Ok(scan) => Ok(scan.files.into_iter().filter(|file| file.is_test).collect()),
        Err(Error::NoSources { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Writes the specification of what was read. Where a model was to write and failed, nothing is
/// written.
pub(crate) fn write(
    material: &Material,
    output: &Output,
    style: Style<'_>,
) -> Result<Generated, Error> {
    let mut warnings: Vec<String> = material.warnings.iter().map(ToString::to_string).collect();
    let (narrative, confidence, tokens) = match style.writer {
        Writer::Model(model) => {
            let (narrative, confidence, tokens) = ask(material, model, style, &mut warnings)?;
            (Some(narrative), confidence, tokens)
        }
        Writer::Nobody => {
            warnings.push(format!(
                "{NO_KEY}: no language model is configured, so the specification was written from the code alone. Set ANTHROPIC_API_KEY, set REVERSE_SPEC_LLM_PROVIDER=claude to use the `claude` command line, or set REVERSE_SPEC_LLM=off to have this on purpose."
            ));
            (None, Confidence::Low, 0)
        }
        Writer::Off => (None, Confidence::Low, 0),
    };
    let document = Document {
        facts: material.facts(),
        words: style.words,
        narrative: narrative.as_ref(),
        confidence,
    };
    let path = output.file(&file_name(&material.target))?;
    let existing = existing(&output.root, &path)?;
    let now = style.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let written = document.write(existing.as_deref(), &now);
    if written.is_new {
        output.root.write(&path, written.text.as_bytes())?;
    }
    let (spec_path, spec_path_base) = output.shown(&path);
    let confidence = document.confidence_with(existing.as_deref().unwrap_or_default());
    let to_write = match narrative {
        Some(_) => Vec::new(),
        None => standing::to_write(
            &written.text,
            existing.as_deref(),
            &material.skeletons,
            &spec_path,
            style.words,
        ),
    };
    Ok(Generated {
        spec_path,
        spec_path_base,
        token_usage: tokens,
        confidence: confidence.word(),
        warnings,
        changed: written.is_new,
        to_write,
    })
}

/// A specification may be larger than other files: its baseline is one line of all declarations.
pub(crate) const MAX_SPEC_BYTES: u64 = 64 * 1024 * 1024;

fn existing(root: &Root, path: &RelPath) -> Result<Option<String>, Error> {
    if !root.has_entry(path)? {
        return Ok(None);
    }
    let bytes = root.read_up_to(path, MAX_SPEC_BYTES)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn ask(
    material: &Material,
    model: &dyn Model,
    style: Style<'_>,
    warnings: &mut Vec<String>,
) -> Result<(Narrative, Confidence, u64), Error> {
    let context = material.context(style.token_budget);
    let truncated = context.truncated;
    if truncated {
        warnings.push(format!(
            "the code did not fit into one request; shortened: {}",
            context.truncated_parts.join(", ")
        ));
    }
    let prompt = Prompt::new(style.words, context.prompt);
    let prose = model.write(&prompt)?;
    // Prompts hold no secrets, but a model may have learned one elsewhere or made one up.
    let redacted = redact::redact(&prose.text);
    for found in &redacted.found {
        let kind = found.kind;
        warnings.push(format!("a secret in the model's answer was replaced ({kind})"));
    }
    let recovered = recover(&redacted.text, prose.is_cut, style.words);
    if prose.is_cut {
        warnings.push("the model's answer was cut off; its last section was dropped".to_owned());
    }
    if !recovered.missing.is_empty() {
        warnings.push(format!(
            "the model left out {}; these sections hold what the code shows",
            recovered.missing.join(", ")
        ));
    }
    let confidence = confidence(material, &recovered, truncated || prose.is_cut);
    let narrative = Narrative { sections: recovered.sections, model: prose.model };
    Ok((narrative, confidence, prose.tokens))
}

/// How far prose may be trusted: by what could not be read, what was cut, what is missing, and
/// what the model itself was not sure of.
fn confidence(material: &Material, recovered: &Recovered, shortened: bool) -> Confidence {
    let files = material.skeletons.len();
    let broken = material.skeletons.iter().filter(|it| !it.parse_errors.is_empty()).count();
    if broken * 10 > files * 3 || recovered.uncertain > 3 || recovered.missing.len() > 3 {
        return Confidence::Low;
    }
    if broken > 0 || recovered.uncertain > 0 || shortened || !recovered.missing.is_empty() {
        return Confidence::Medium;
    }
    Confidence::High
}
