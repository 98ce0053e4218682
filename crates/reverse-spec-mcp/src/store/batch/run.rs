//! One batch: planned from one reading of the project, written module by module.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::failure::Failure;
use mcp_core::sandbox::{Root, audit};
use serde::Serialize;

use super::checkpoint::{self, Begun, Checkpoint, Completed, FailedModule, Step};
use super::pages;
use crate::domain::batch::{
    self, DIRECTORY, INDEX, Module, Ordered, Pages, Uses, chosen, directories, ordered,
};
use crate::domain::languages;
use crate::domain::reach;
use crate::domain::skeleton::{self, CodeSkeleton};
use crate::domain::spec;
use crate::error::{Error, NO_KEY};
use crate::store::analysis::{Analysis, Depth};
use crate::store::generate::{self, Generated, MAX_SPEC_BYTES, Material, Output, Style, Writer};
use crate::store::project::{SourceFile, Target, files_of, package_at, workspace_members};
use mcp_core::work::Work;

/// Requests to a model that run at the same time.
const MODEL_CALLS: usize = 3;

/// What `batch` answers.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BatchResult {
    pub(crate) total_modules: usize,
    pub(crate) successful: Vec<String>,
    pub(crate) failed: Vec<FailedModule>,
    /// Unchanged since their specification was written.
    pub(crate) skipped: Vec<String>,
    /// Written from the code alone because no model is configured.
    pub(crate) degraded: Vec<String>,
    /// Milliseconds.
    pub(crate) duration: u64,
    pub(crate) index_generated: bool,
    /// Where all modules are listed, relative to the project root.
    pub(crate) summary_log_path: String,
    /// Not reached in this call; the next one goes on with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) remaining: Vec<String>,
    pub(crate) token_usage: u64,
    pub(crate) project_root: String,
    pub(crate) warnings: Vec<String>,
}

/// What is wished of a batch.
#[derive(Clone, Copy)]
pub(crate) struct Wishes<'a> {
    pub(crate) force: bool,
    /// Asked before each module: no new one is begun once it is true.
    pub(crate) out_of_time: &'a (dyn Fn() -> bool + Sync),
}

/// A project, read and divided.
pub(crate) struct Batch {
    pub(super) target: Target,
    analysis: Analysis,
    pub(super) modules: Vec<Module>,
    pub(super) uses: Uses,
    pub(super) order: Ordered,
}

impl Batch {
    pub(crate) fn read(target: Target, deep: bool, work: &Work) -> Result<Self, Error> {
        let scan = target.scan(work)?;
        let depth = Depth { texts: deep, internals: true, unsettled: true, reach: true };
        let mut analysis = Analysis::of_files(&target.root, &scan.files, depth, work)?;
        analysis.warnings.splice(0..0, scan.warnings);
        let readable: std::collections::HashSet<&str> =
            analysis.skeletons.iter().map(|it| it.file_path.as_str()).collect();
        let mut modules = modules(&target.root, &scan.files);
        for module in &mut modules {
            module.files.retain(|file| readable.contains(file.as_str()));
        }
        modules.retain(|module| !module.files.is_empty());
        if modules.is_empty() {
            analysis.refuse_if_nothing(false)?;
            let readable = languages::extensions();
            return Err(Error::NoSources { path: target.given.clone(), readable });
        }
        let skeletons: HashMap<&str, &CodeSkeleton> =
            analysis.skeletons.iter().map(|it| (it.file_path.as_str(), it)).collect();
        let uses = Uses::of(&modules, &skeletons);
        let order = ordered(&modules, &uses);
        Ok(Self { target, analysis, modules, uses, order })
    }

    /// Writes what has changed. One module's failure is no other's.
    pub(crate) fn run(
        &self,
        style: Style<'_>,
        wishes: Wishes<'_>,
        work: &Work,
    ) -> Result<BatchResult, Error> {
        let begun = style.clock.now();
        let output = self.output()?;
        let names: Vec<String> =
            self.order.places.iter().map(|place| self.modules[*place].path.clone()).collect();
        let left = Checkpoint::read(&output, &names).filter(|_| !wishes.force);
        let resumed = left.unwrap_or_else(|| {
            Checkpoint::new(Begun {
                batch_id: format!("batch-{}", begun.as_millisecond()),
                started_at: begun.to_string(),
                processing_order: names.clone(),
                force_regenerate: wishes.force,
            })
        });
        let progress =
            Mutex::new(Progress { checkpoint: resumed, outcomes: HashMap::new(), refused: None });
        let done = AtomicUsize::new(0);
        let write = |place: usize| {
            if work.is_cancelled() || (wishes.out_of_time)() {
                return;
            }
            self.one(place, &output, style, &progress);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            work.report(done, Some(names.len()), "modules written");
        };
        self.in_order(style, &write);
        work.check()?;
        let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.finish(&output, progress, style, begun)
    }

    pub(super) fn output(&self) -> Result<Output, Error> {
        Output::in_project(&self.target, DIRECTORY)
    }

    /// Level by level: what a module uses has been begun before it.
    fn in_order(&self, style: Style<'_>, work: &(dyn Fn(usize) + Sync)) {
        let highest = self.order.levels.iter().max().copied().unwrap_or(0);
        let lanes = match style.writer {
            Writer::Model(_) => MODEL_CALLS,
            Writer::Off | Writer::Nobody => {
                std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
            }
        };
        for level in 0..=highest {
            let places = self.order.places.iter().copied();
            let places: Vec<usize> =
                places.filter(|place| self.order.levels[*place] == level).collect();
            let next = AtomicUsize::new(0);
            let lane = || {
                while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(*place);
                }
            };
            if lanes.min(places.len()) <= 1 {
                lane();
                continue;
            }
            let tool = audit::name().unwrap_or_else(|| "batch".to_owned());
            std::thread::scope(|scope| {
                for _ in 0..lanes.min(places.len()) {
                    scope.spawn(|| audit::in_the_name_of(&tool, lane));
                }
            });
        }
    }

    fn one(&self, place: usize, output: &Output, style: Style<'_>, progress: &Mutex<Progress>) {
        let module = &self.modules[place];
        let outcome = self.material(place).and_then(|material| {
            let forced = {
                let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                progress.checkpoint.is_forced(&module.path)
            };
            if !forced && let Some(spec) = unchanged(output, &material) {
                return Ok(Outcome::Skipped { has_prose: has_prose(&spec) });
            }
            let refused = {
                let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                progress.refused.clone()
            };
            match refused {
                Some((provider, status)) => Err(Error::ModelStatus { provider, status }),
                None => generate::write(&material, output, style).map(Outcome::Written),
            }
        });
        let now = style.clock.now().to_string();
        let mut refused = None;
        let (outcome, step) = match outcome {
            Ok(Outcome::Written(generated)) => {
                let completed = Completed {
                    path: module.path.clone(),
                    spec_path: generated.spec_path.clone(),
                    completed_at: now,
                    token_usage: generated.token_usage,
                };
                (Outcome::Written(generated), Some(Step::Completed(completed)))
            }
            Ok(other) => (other, None),
            Err(error) => {
                if let Error::ModelStatus { provider, status: status @ (401 | 403) } = &error {
                    refused = Some((provider.clone(), *status));
                }
                let failure = Failure::from(error);
                let failed = FailedModule {
                    path: module.path.clone(),
                    error: failure.text(),
                    failed_at: now,
                    retry_count: 0,
                    degraded_to_ast_only: false,
                };
                (Outcome::Failed(failed.clone()), Some(Step::Failed(failed)))
            }
        };
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        // A checkpoint that cannot be written costs a repetition later, nothing else.
        if let Some(step) = step
            && let Err(error) = progress.checkpoint.take(output, step)
        {
            tracing::warn!(%error, "the checkpoint cannot be written");
        }
        progress.refused = progress.refused.take().or(refused);
        progress.outcomes.insert(place, outcome);
    }

    /// What was read of one module, items that are not exported included.
    pub(super) fn part(&self, place: usize) -> Analysis {
        let module = &self.modules[place];
        let mut part = Analysis::default();
        let all = &self.analysis.skeletons;
        for file in &module.files {
            let at = all.binary_search_by(|it| it.file_path.as_str().cmp(file));
            if let Ok(at) = at {
                part.skeletons.push(all[at].clone());
                part.texts.extend(self.analysis.texts.get(at).cloned());
            }
        }
        // Whoever compares the module later reads it alone: what it offers by which name has to be
        // told from the same files.
        let paths: Vec<String> = part.skeletons.iter().map(|it| it.file_path.clone()).collect();
        let known = files_of(&self.target.root, &mut paths.iter().map(String::as_str));
        reach::tell(&known, &mut part.skeletons);
        let warnings = self.analysis.warnings.iter();
        part.warnings = warnings.filter(|it| it.is_about(&module.files)).cloned().collect();
        part
    }

    /// What the specification of one module is made of, as if it had been read alone.
    pub(super) fn material(&self, place: usize) -> Result<Material, Error> {
        let mut part = self.part(place);
        skeleton::settle(&mut part.skeletons, false);
        Material::of(&self.modules[place].path, part, &self.analysis.tests)
    }

    pub(super) fn project_name(&self) -> &str {
        let name = self.target.project_root().file_name().and_then(|it| it.to_str());
        name.unwrap_or("project")
    }

    fn finish(
        &self,
        output: &Output,
        progress: Progress,
        style: Style<'_>,
        begun: jiff::Timestamp,
    ) -> Result<BatchResult, Error> {
        let Progress { mut checkpoint, mut outcomes, .. } = progress;
        let mut result = BatchResult {
            total_modules: self.modules.len(),
            project_root: self.target.project_root().display().to_string(),
            ..BatchResult::default()
        };
        let degraded = matches!(style.writer, Writer::Nobody);
        let mut without_prose = 0;
        for &place in &self.order.places {
            let path = self.modules[place].path.clone();
            match outcomes.remove(&place) {
                None => result.remaining.push(path),
                Some(Outcome::Skipped { has_prose }) => {
                    without_prose += usize::from(!has_prose);
                    result.skipped.push(path);
                }
                Some(Outcome::Failed(failed)) => result.failed.push(failed),
                Some(Outcome::Written(generated)) => {
                    result.token_usage += generated.token_usage;
                    if degraded {
                        result.degraded.push(path.clone());
                    }
                    result.successful.push(path);
                }
            }
        }
        result.warnings = self.analysis.warnings.iter().map(ToString::to_string).collect();
        if degraded && !result.successful.is_empty() {
            result.warnings.push(format!(
                "{NO_KEY}: no language model is configured, so the specifications were written from the code alone"
            ));
        }
        if without_prose > 0 && matches!(style.writer, Writer::Model(_)) {
            result.warnings.push(format!(
                "unchanged modules whose specification was written from the code alone: {without_prose}; call batch with force to have the model write them"
            ));
        }
        if !result.remaining.is_empty() {
            let remaining = match result.remaining.len() {
                1 => "one module was".to_owned(),
                count => format!("{count} modules were"),
            };
            // Where reading alone takes all the time, another call would come no further.
            let advice = if result.remaining.len() == result.total_modules {
                "start the server with a longer --call-timeout, or give a smaller projectRoot"
            } else {
                "call batch again to go on"
            };
            result
                .warnings
                .push(format!("{remaining} not reached in the time of this call; {advice}"));
        }
        // The answer says what became of the modules even where nothing else can be written.
        let kept = if result.failed.is_empty() && result.remaining.is_empty() {
            checkpoint::remove(output)
        } else {
            checkpoint.keep(output)
        };
        if let Err(error) = kept {
            result.warnings.push(format!("the checkpoint is not up to date: {error}"));
        }
        let entries = self.analysis.skeletons.iter().flat_map(|it| &it.entry_points);
        let entries: Vec<_> = entries.cloned().collect();
        let pages = Pages {
            words: style.words,
            project: self.project_name(),
            modules: &self.modules,
            uses: &self.uses,
            order: &self.order,
            entries: &entries,
        };
        match pages::write(output, &pages) {
            Ok(()) => result.index_generated = true,
            Err(error) => {
                result.warnings.push(format!("the index could not be written: {error}"));
            }
        }
        result.summary_log_path = output.file(INDEX)?.to_string();
        let took = style.clock.now().as_millisecond() - begun.as_millisecond();
        result.duration = u64::try_from(took).unwrap_or(0);
        Ok(result)
    }
}

/// How the project falls into modules. Tests are read as sources where there is nothing else.
fn modules(root: &Root, files: &[SourceFile]) -> Vec<Module> {
    let only_tests = files.iter().all(|file| file.is_test);
    let sources = files.iter().filter(|file| only_tests || !file.is_test);
    let sources: Vec<&str> = sources.map(|file| file.path.as_str()).collect();
    let above = directories(&sources);
    let chosen = chosen(&workspace_members(root), &above);
    let packages = chosen.into_iter().filter_map(|it| package_at(root, it));
    let mut packages: Vec<_> = packages.collect();
    packages.sort();
    batch::find(&sources, &packages)
}

struct Progress {
    checkpoint: Checkpoint,
    outcomes: HashMap<usize, Outcome>,
    /// Who refused the key, and how: the same key would be refused for every other module too.
    refused: Option<(String, u16)>,
}

enum Outcome {
    Skipped {
        /// Whether a model wrote what is there.
        has_prose: bool,
    },
    Written(Generated),
    Failed(FailedModule),
}

/// The specification that is there, if it was written from code that says the same, by the same
/// program.
pub(super) fn unchanged(output: &Output, material: &Material) -> Option<String> {
    let path = output.file(&spec::file_name(&material.target)).ok()?;
    let bytes = output.root.read_up_to(&path, MAX_SPEC_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let is = |key: &str, value: &str| spec::read_value(&text, key).as_deref() == Some(value);
    let same = is("generatedBy", &spec::generator())
        && is("sourceTarget", &material.target)
        && is("skeletonHash", &skeleton::content_hash(&material.merged, &material.tests));
    same.then(|| text.into_owned())
}

fn has_prose(spec: &str) -> bool {
    spec::read_value(spec, "llmModel").is_some()
}
