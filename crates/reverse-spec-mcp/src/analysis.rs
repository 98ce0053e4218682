//! Reading a target: every source file parsed on all cores, tests told apart from sources.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::sandbox::{self, Root};
use rayon::prelude::*;

use crate::error::Error;
use crate::extract::{Extractor, Scope, Unreadable};
use crate::project::{self, MAX_SOURCE_BYTES, SourceFile, Target};
use crate::redact;
use crate::resolve::Resolver;
use crate::skeleton::{self, CodeSkeleton};

/// How long work is watched: asked whether to stop, told how far it is.
pub(crate) struct Watch<'a> {
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    /// Files done, and of how many.
    pub(crate) progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl Watch<'_> {
    /// Neither stopped nor told.
    pub(crate) const UNWATCHED: Watch<'static> = Watch { stop: &|| false, progress: &|_, _| {} };
}

/// What to read besides exports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Depth {
    /// Keep the text of every source file.
    pub(crate) texts: bool,
    /// Keep items that are not exported even where others are.
    pub(crate) internals: bool,
    /// Leave settling to the caller, who takes it apart first.
    pub(crate) unsettled: bool,
}

/// A target, read.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// One per source file, by path. A target of tests alone has them here.
    pub(crate) skeletons: Vec<CodeSkeleton>,
    /// One per test file, by path.
    pub(crate) tests: Vec<CodeSkeleton>,
    /// The text of each source file without its secrets, in the order of `skeletons`; empty unless
    /// asked for.
    pub(crate) texts: Vec<String>,
    /// What was left out or replaced, and why.
    pub(crate) warnings: Vec<String>,
    /// Files that were not read at all.
    left_out: usize,
}

/// One file, read.
struct Reading {
    skeleton: CodeSkeleton,
    text: Option<String>,
    warnings: Vec<String>,
}

impl Analysis {
    pub(crate) fn of(target: &Target, depth: Depth, watch: &Watch<'_>) -> Result<Self, Error> {
        let scan = target.scan(watch.stop)?;
        let mut analysis = Self::of_files(&target.root, &scan.files, depth, watch)?;
        analysis.warnings.splice(0..0, scan.warnings);
        Ok(analysis)
    }

    /// Refuses a target of which nothing is known: errors everywhere and not one declaration, or no
    /// file that could be read. With the texts at hand there is something to read after all.
    pub(crate) fn refuse_if_nothing(&self, has_texts: bool) -> Result<(), Error> {
        if self.skeletons.is_empty() && self.left_out > 0 {
            let reasons = self.warnings.clone();
            return Err(Error::NothingParsed { reasons, is_text: false });
        }
        let declares = |it: &CodeSkeleton| {
            !it.exports.is_empty() || !it.internals.is_empty() || !it.imports.is_empty()
        };
        // A bundle may declare nothing and have a flaw somewhere; that is not why.
        let errors = || {
            let garbled = self.skeletons.iter().filter(|it| it.is_garbled);
            garbled.flat_map(|it| &it.parse_errors)
        };
        if has_texts || self.skeletons.iter().any(declares) || errors().next().is_none() {
            return Ok(());
        }
        let place = |it: &skeleton::ParseError| {
            format!("{}:{}:{}: {}", it.file, it.line, it.column, it.message)
        };
        Err(Error::NothingParsed { reasons: errors().map(place).collect(), is_text: true })
    }

    /// Reads the files that are given, which must be sorted.
    pub(crate) fn of_files(
        root: &Root,
        files: &[SourceFile],
        depth: Depth,
        watch: &Watch<'_>,
    ) -> Result<Self, Error> {
        let scope = if depth.internals { Scope::WithInternals } else { Scope::Exports };
        let only_tests = files.iter().all(|it| it.is_test);
        let done = AtomicUsize::new(0);
        let readings: Vec<Option<Result<Reading, String>>> = files
            .par_iter()
            .map_init(Reader::new, |reader, file| {
                if (watch.stop)() {
                    return None;
                }
                let reading = reader.read(root, file, scope, depth.texts);
                (watch.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, files.len());
                Some(reading.map_err(|reason| format!("{}: left out, {reason}", file.path)))
            })
            .collect();
        let mut analysis = Self::default();
        for (file, reading) in files.iter().zip(readings) {
            let reading = match reading.ok_or(Error::Cancelled)? {
                Ok(reading) => reading,
                Err(warning) => {
                    analysis.left_out += 1;
                    analysis.warnings.push(warning);
                    continue;
                }
            };
            analysis.warnings.extend(reading.warnings);
            if file.is_test && !only_tests {
                analysis.tests.push(reading.skeleton);
            } else {
                analysis.skeletons.push(reading.skeleton);
                analysis.texts.extend(reading.text);
            }
        }
        let all = || analysis.skeletons.iter().chain(&analysis.tests);
        let resolver = Resolver::new(root, all());
        for skeleton in analysis.skeletons.iter_mut().chain(&mut analysis.tests) {
            resolver.resolve(skeleton);
        }
        if !depth.unsettled {
            skeleton::settle(&mut analysis.skeletons, depth.internals);
        }
        Ok(analysis)
    }
}

/// Whether a warning, which begins with the path of a file, is about one of these, in order.
pub(crate) fn is_about(warning: &str, files: &[String]) -> bool {
    let mut beginnings = warning.match_indices(':').map(|(at, _)| &warning[..at]);
    beginnings.any(|path| files.binary_search_by(|file| file.as_str().cmp(path)).is_ok())
}

/// Reads files one after the other; one per thread.
struct Reader {
    extractor: Extractor,
    /// Of the file that is read; kept, because there are many.
    bytes: Vec<u8>,
}

impl Reader {
    fn new() -> Self {
        Self { extractor: Extractor::new(), bytes: Vec::new() }
    }

    fn read(
        &mut self,
        root: &Root,
        file: &SourceFile,
        scope: Scope,
        keep_text: bool,
    ) -> Result<Reading, Unreadable> {
        match root.read_up_to_into(&file.path, MAX_SOURCE_BYTES, &mut self.bytes) {
            Ok(()) => {}
            Err(sandbox::Error::TooLarge { size, limit, .. }) => {
                return Err(Unreadable::TooLarge { size, limit });
            }
            Err(error) => return Err(Unreadable::File(error.to_string())),
        }
        let bytes = self.bytes.as_slice();
        if !file.is_named {
            project::refuse_machine_made(bytes)?;
        }
        let mut extracted = self.extractor.extract(file.path.as_str(), bytes, scope)?;
        if !project::may_hold_tests(file.path.as_str()) {
            extracted.skeleton.tests = 0;
        }
        let path = &file.path;
        let secrets = extracted.redactions.iter();
        let mut warnings: Vec<String> = secrets
            .map(|it| format!("{path}:{}: a secret was replaced ({})", it.line, it.kind))
            .collect();
        if extracted.is_damaged {
            warnings.push(format!(
                "{path}: some bytes are not UTF-8 and read as \u{fffd}; save it as UTF-8"
            ));
        }
        let text = keep_text.then(|| {
            let text = crate::extract::text_of(bytes);
            redact::redact(&text).text.into_owned()
        });
        Ok(Reading { skeleton: extracted.skeleton, text, warnings })
    }
}

#[cfg(test)]
mod tests;
