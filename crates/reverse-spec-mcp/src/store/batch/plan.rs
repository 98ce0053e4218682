//! What a batch would do, and what a model would have to read for it.

use serde::Serialize;

use super::Batch;
use super::run::unchanged;
use crate::domain::context::tokens;
use crate::domain::prose::Prompt;
use crate::domain::spec::{self, Words};
use crate::error::Error;

/// What a batch would do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Plan {
    pub(crate) modules: Vec<PlannedModule>,
    /// What a model would be given to read if all of them were written.
    pub(crate) estimated_tokens: usize,
    /// What it would be given to read for those that have changed.
    pub(crate) estimated_tokens_to_write: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlannedModule {
    pub(crate) path: String,
    pub(crate) level: usize,
    pub(crate) files: usize,
    pub(crate) estimated_tokens: usize,
    pub(crate) unchanged: bool,
    pub(crate) spec_path: String,
}

impl Batch {
    /// What there is to do, without doing it. Tokens are those of the very requests that a model
    /// would get, each within the budget.
    pub(crate) fn plan(&self, words: &Words, token_budget: usize) -> Result<Plan, Error> {
        let output = self.output()?;
        let instructions = tokens::estimate(&Prompt::new(words, String::new()).instructions);
        let mut modules = Vec::new();
        for &place in &self.order.places {
            let module = &self.modules[place];
            // A module that cannot be written has nothing to be read either.
            let material = self.material(place).ok();
            let request = material.as_ref().map(|it| it.context(token_budget).token_count);
            modules.push(PlannedModule {
                path: module.path.clone(),
                level: self.order.levels[place],
                files: module.files.len(),
                estimated_tokens: request.map_or(0, |tokens| tokens + instructions),
                unchanged: material.is_some_and(|it| unchanged(&output, &it).is_some()),
                spec_path: output.file(&spec::file_name(&module.path))?.to_string(),
            });
        }
        let tokens = |counts: &dyn Fn(&PlannedModule) -> bool| {
            modules.iter().filter(|it| counts(it)).map(|it| it.estimated_tokens).sum()
        };
        let (all, to_write) = (tokens(&|_| true), tokens(&|it| !it.unchanged));
        Ok(Plan { modules, estimated_tokens: all, estimated_tokens_to_write: to_write })
    }
}
