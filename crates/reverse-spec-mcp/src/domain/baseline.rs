//! The skeleton inside a specification: written so that no text in it can end the comment it is
//! in, and read whoever wrote it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::languages;
use super::skeleton::{BodyFacts, CodeSkeleton, ExportSymbol, LanguageId, SymbolKind};

const MARKER: &str = "<!-- baseline-skeleton:";
const END: &str = "-->";
/// What our own baselines name as their generator; the number is that of their format.
const GENERATOR: &str = "reverse-spec-mcp/1";
/// Which facts about entry points a baseline records; what an earlier one never recorded is no drift.
const FACTS: u64 = 2;

/// What a specification was written from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    pub(crate) generator: Generator,
    /// All files together.
    pub(crate) skeleton: CodeSkeleton,
    /// Whether it says where the program is reached: what an earlier version never recorded is no drift.
    pub(crate) knows_entries: bool,
    /// Each file that was read, with its hash. Empty where another generator wrote it.
    pub(crate) files: Vec<BaselineFile>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Generator {
    #[default]
    Ours,
    /// Its signatures say less than ours and are compared leniently.
    Other(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BaselineFile {
    pub(crate) path: String,
    pub(crate) hash: String,
}

impl Generator {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Ours => GENERATOR,
            Self::Other(name) => name,
        }
    }
}

impl Baseline {
    /// Of the skeletons of one target, as they are after `settle`. A target that exports something
    /// is known by that alone, whatever files without exports it has besides.
    pub(crate) fn of(skeletons: &[CodeSkeleton]) -> Self {
        let mut skeleton = lean(super::skeleton::merge(skeletons));
        if skeleton.exports.iter().any(|it| it.kind != SymbolKind::Impl) {
            skeleton.internals.clear();
        }
        let files = skeletons
            .iter()
            .map(|it| BaselineFile { path: it.file_path.clone(), hash: it.hash.clone() })
            .collect();
        Self { generator: Generator::Ours, skeleton, knows_entries: true, files }
    }

    /// The comment that carries it: one line, the same bytes for the same code.
    pub(crate) fn comment(&self) -> String {
        let mut value = serde_json::to_value(&self.skeleton).unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.insert("generator".to_owned(), GENERATOR.into());
            if self.knows_entries {
                fields.insert("facts".to_owned(), FACTS.into());
                let known =
                    fields.get("entryPoints").cloned().unwrap_or_else(|| Value::Array(Vec::new()));
                fields.insert("entryPoints".to_owned(), known);
            }
            let files = serde_json::to_value(&self.files).unwrap_or_default();
            fields.insert("files".to_owned(), files);
        }
        // In JSON these characters occur inside strings only, where they may be escaped.
        let json = value.to_string().replace("--", "-\\u002d").replace('<', "\\u003c");
        let json = json.replace('>', "\\u003e");
        format!("{MARKER} {json} {END}")
    }

    /// Finds the baseline in a specification. The error says why there is none.
    pub(crate) fn read(specification: &str) -> Result<Self, String> {
        let (at, _) = find(specification)?;
        let text = &specification[at + MARKER.len()..];
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let mut value = match values.next() {
            Some(Ok(value)) => value,
            Some(Err(error)) => return Err(format!("its baseline is damaged ({error})")),
            None => return Err("its baseline is empty".to_owned()),
        };
        let generator = value.get("generator").and_then(Value::as_str).map(str::to_owned);
        let files = value.get_mut("files").map(Value::take).unwrap_or_default();
        let language = languages::id_of(value["language"].as_str().unwrap_or_default());
        let knows_entries = value.get("facts").and_then(Value::as_u64) == Some(FACTS);
        let mut skeleton: CodeSkeleton = serde_json::from_value(value)
            .map_err(|error| format!("its baseline is not a skeleton ({error})"))?;
        let generator = match generator {
            Some(name) if name == GENERATOR => Generator::Ours,
            Some(name) => Generator::Other(name),
            None => Generator::Other(skeleton.parser_used.clone()),
        };
        tell_languages(&mut skeleton, language);
        let files = serde_json::from_value(files).unwrap_or_default();
        Ok(Self { generator, skeleton, knows_entries, files })
    }

    /// The specification with this baseline in the place of the one it has.
    pub(crate) fn put_into(&self, specification: &str) -> Result<String, String> {
        let (start, end) = find(specification)?;
        Ok(format!("{}{}{}", &specification[..start], self.comment(), &specification[end..]))
    }
}

/// Gives every symbol its language: that of its file where that is known, else that of the whole.
fn tell_languages(skeleton: &mut CodeSkeleton, language: LanguageId) {
    skeleton.language = language;
    for symbol in skeleton.exports.iter_mut().chain(&mut skeleton.internals) {
        let symbol = Arc::make_mut(symbol);
        symbol.language = languages::id_of_path(&symbol.file).unwrap_or(language);
    }
}

/// Whether a line is such a comment, whatever it holds.
pub(crate) fn is_comment(line: &str) -> bool {
    line.starts_with(MARKER)
}

/// Where the comment begins and ends: the last one at the beginning of a line that holds a value.
fn find(specification: &str) -> Result<(usize, usize), String> {
    let starts = specification.match_indices(MARKER).map(|it| it.0);
    let at_line_start =
        starts.filter(|at| *at == 0 || specification.as_bytes().get(at - 1) == Some(&b'\n'));
    let Some(start) = at_line_start.last() else {
        return Err("it holds no baseline comment".to_owned());
    };
    let text = &specification[start + MARKER.len()..];
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => {}
        Some(Err(error)) => return Err(format!("its baseline is damaged ({error})")),
        None => return Err("its baseline is empty".to_owned()),
    }
    let after = start + MARKER.len() + values.byte_offset();
    match specification[after..].find(END) {
        Some(end) if specification[after..after + end].trim().is_empty() => {
            Ok((start, after + end + END.len()))
        }
        _ => Err("its baseline comment does not end".to_owned()),
    }
}

/// What is compared later, and nothing that changes without the code: no time, no documentation,
/// no facts about bodies beyond their hash.
fn lean(mut skeleton: CodeSkeleton) -> CodeSkeleton {
    skeleton.analyzed_at = None;
    skeleton.module_doc = None;
    skeleton.imports.clear();
    skeleton.marks.clear();
    skeleton.outline.clear();
    leave_listed_out(&mut skeleton);
    for entry in &mut skeleton.entry_points {
        entry.reached_as = None;
    }
    for symbol in skeleton.exports.iter_mut().chain(&mut skeleton.internals) {
        lean_symbol(Arc::make_mut(symbol));
    }
    skeleton
}

/// Takes out what is only listed: nothing could be said of a change to it.
pub(crate) fn leave_listed_out(skeleton: &mut CodeSkeleton) {
    let is_judged = |it: &Arc<ExportSymbol>| !is_listed_only(&it.file);
    skeleton.exports.retain(is_judged);
    skeleton.internals.retain(is_judged);
}

/// Whether a file is in a language of which only names are known.
pub(crate) fn is_listed_only(file: &str) -> bool {
    languages::id_of_path(file).is_some_and(|it| languages::about(it).listed_only)
}

fn lean_symbol(symbol: &mut ExportSymbol) {
    symbol.js_doc = None;
    symbol.facts = BodyFacts::default();
    for member in &mut symbol.members {
        member.js_doc = None;
        member.facts = BodyFacts::default();
    }
}

#[cfg(test)]
mod tests;
