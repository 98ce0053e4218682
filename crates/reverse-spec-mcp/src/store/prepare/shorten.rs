//! An answer that clients pass on whole: the same four keys, shortened, and where the rest is.

use serde_json::{Map, Value, json};

use super::{Prepared, cache};
use crate::domain::context::{self, Parts};

/// Parts of a hundred that each may take when everything is shortened; the context has the rest.
const SKELETON_SHARE: usize = 25;
const PATH_SHARE: usize = 10;
const WARNING_SHARE: usize = 5;
/// For everything that is small.
const REST_SHARE: usize = 5;
/// A token of code is rarely longer than this.
const CHARS_PER_TOKEN: usize = 4;

/// What a caller gets.
pub(crate) struct Reply {
    pub(crate) json: Value,
    /// The file that holds the whole result, when `json` does not.
    pub(crate) full: Option<std::path::PathBuf>,
}

impl Prepared {
    /// The result within `budget` characters. The whole goes to a file in the project, unless
    /// nothing may be written.
    pub(crate) fn reply(self, deep: bool, budget: usize, may_write: bool) -> Reply {
        if fits(&self.result, budget) {
            let json = serde_json::to_value(&self.result).unwrap_or_default();
            return Reply { json, full: None };
        }
        let kept = may_write
            .then(|| cache::keep(&self.target.root, self.target.shown(), deep, &self.result));
        let mut json = self.shortened(budget);
        let mut full = None;
        let note = match kept {
            Some(Ok(path)) => {
                json.insert("fullResultPath".to_owned(), path.as_str().into());
                full = Some(self.target.project_root().join(path.as_str()));
                "The result is shortened; fullResultPath (relative to projectRoot) has all of it."
                    .to_owned()
            }
            Some(Err(error)) => {
                format!("The result is shortened, and the whole could not be kept: {error}.")
            }
            None => "The result is shortened; the server is read-only, so the whole was not kept. Prepare a smaller target for more.".to_owned(),
        };
        json.insert("note".to_owned(), note.into());
        Reply { json: Value::Object(json), full }
    }

    fn shortened(&self, budget: usize) -> Map<String, Value> {
        let result = &self.result;
        let room = |share: usize| budget * share / 100;
        let file_paths: Vec<Value> =
            result.file_paths.iter().map(|it| it.as_str().into()).collect();
        let (file_paths, left_out) = fitting(file_paths, room(PATH_SHARE));
        let (skeletons, skeletons_left_out) = fitting(outlines(result), room(SKELETON_SHARE));
        let warnings: Vec<Value> = result.warnings.iter().map(|it| it.to_string().into()).collect();
        let (warnings, warnings_left_out) = fitting(warnings, room(WARNING_SHARE));
        let used: usize = [&file_paths, &skeletons, &warnings].iter().map(|it| size_of(it)).sum();
        let context = self.context_within(room(100 - REST_SHARE).saturating_sub(used));
        let merged = &result.merged_skeleton;
        let mut json = Map::new();
        json.insert("skeletons".to_owned(), skeletons.into());
        json.insert(
            "mergedSkeleton".to_owned(),
            json!({
                "filePath": merged.file_path, "language": merged.language, "loc": merged.loc,
                "hash": merged.hash, "parserUsed": merged.parser_used,
                "exportCount": merged.exports.len(), "importCount": merged.imports.len(),
                "parseErrorCount": merged.parse_errors.len(), "exports": [], "imports": [],
            }),
        );
        json.insert("context".to_owned(), context);
        json.insert("filePaths".to_owned(), file_paths.into());
        if skeletons_left_out > 0 {
            json.insert("skeletonsLeftOut".to_owned(), skeletons_left_out.into());
        }
        json.insert("fileCount".to_owned(), result.file_paths.len().into());
        json.insert("filePathsLeftOut".to_owned(), left_out.into());
        json.insert("projectRoot".to_owned(), result.project_root.as_str().into());
        json.insert("targetPath".to_owned(), result.target_path.as_str().into());
        json.insert("detectedLanguages".to_owned(), result.detected_languages.clone().into());
        json.insert("warnings".to_owned(), warnings.into());
        if warnings_left_out > 0 {
            json.insert("warningsLeftOut".to_owned(), warnings_left_out.into());
        }
        json.insert("shortened".to_owned(), true.into());
        json
    }
}

impl Prepared {
    /// Assembled anew for the smaller room, so that what is left is the best of it.
    fn context_within(&self, room: usize) -> Value {
        let parts = Parts {
            instructions: "",
            dependencies: "",
            skeletons: &self.result.skeletons,
            texts: &self.texts,
        };
        let mut tokens = room / CHARS_PER_TOKEN;
        loop {
            let context = context::assemble(&parts, tokens);
            let context = serde_json::to_value(context).unwrap_or_default();
            // As it is sent: line breaks and quotes take two characters there.
            if context.to_string().len() <= room || tokens <= 100 {
                return context;
            }
            tokens = tokens * 9 / 10;
        }
    }
}

/// The bytes that values take in an answer.
fn size_of(values: &[Value]) -> usize {
    values.iter().map(|it| it.to_string().len() + 1).sum()
}

/// Whether a result has at most so many bytes. Most of one that has far more is never written.
fn fits(result: &super::PrepareResult, budget: usize) -> bool {
    serde_json::to_writer(Room(budget), result).is_ok()
}

/// Takes as many bytes as there is room for, and keeps none.
struct Room(usize);

impl std::io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            Some(left) => self.0 = left,
            None => return Err(std::io::ErrorKind::StorageFull.into()),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Each file in a line: what it is and how much it holds.
fn outlines(result: &super::PrepareResult) -> Vec<Value> {
    let outline = |it: &crate::domain::skeleton::CodeSkeleton| {
        let names: Vec<&str> =
            it.exports.iter().chain(&it.internals).take(8).map(|it| it.name.as_str()).collect();
        let count = it.exports.len() + it.internals.len();
        json!({
            "filePath": it.file_path, "language": it.language, "loc": it.loc, "hash": it.hash,
            "exportCount": count, "exportNames": names, "parseErrorCount": it.parse_errors.len(),
        })
    };
    result.skeletons.iter().map(outline).collect()
}

/// As many of the first values as fit, and how many do not.
fn fitting(values: Vec<Value>, room: usize) -> (Vec<Value>, usize) {
    let mut used = 0;
    let total = values.len();
    let kept: Vec<Value> = values
        .into_iter()
        .take_while(|it| {
            used += it.to_string().len() + 1;
            used <= room
        })
        .collect();
    let left_out = total - kept.len();
    (kept, left_out)
}
