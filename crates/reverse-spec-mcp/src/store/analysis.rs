//! Reading a target: every source file parsed on all cores, tests told apart from sources.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_core::sandbox::{self, Root};
use mcp_core::work::Work;
use rayon::prelude::*;

use crate::domain::extract::{Extractor, Source};
use crate::domain::facts;
use crate::domain::languages::{self, ProjectFiles, Scope};
use crate::domain::place::{Place, Warning};
use crate::domain::reading::{self, Unreadable};
use crate::domain::skeleton::{self, CodeSkeleton};
use crate::domain::{reach, resolve};
use crate::error::Error;
use crate::store::project::{MAX_SOURCE_BYTES, SourceFile, Target, files_by, files_of};
use crate::store::redact;

/// What to read besides exports.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
pub(crate) struct Depth {
    /// Keep the text of every source file.
    pub(crate) texts: bool,
    /// Keep items that are not exported even where others are.
    pub(crate) internals: bool,
    /// Leave settling to the caller, who takes it apart first.
    pub(crate) unsettled: bool,
    /// Find out by which names a library offers what it declares.
    pub(crate) reach: bool,
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
    pub(crate) warnings: Vec<Warning>,
    /// Files that were not read at all.
    left_out: usize,
}

/// One file, read.
struct Reading {
    skeleton: CodeSkeleton,
    text: Option<String>,
    warnings: Vec<Warning>,
}

impl Analysis {
    pub(crate) fn of(target: &Target, depth: Depth, work: &Work) -> Result<Self, Error> {
        let scan = target.scan(work)?;
        let mut analysis = Self::of_files(&target.root, &scan.files, depth, work)?;
        analysis.warnings.splice(0..0, scan.warnings);
        Ok(analysis)
    }

    /// Refuses a target of which nothing is known: errors everywhere and not one declaration, or no
    /// file that could be read. With the texts at hand there is something to read after all.
    pub(crate) fn refuse_if_nothing(&self, has_texts: bool) -> Result<(), Error> {
        if self.skeletons.is_empty() && self.left_out > 0 {
            let reasons = self.warnings.iter().map(ToString::to_string).collect();
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
        work: &Work,
    ) -> Result<Self, Error> {
        let read = |reader: &mut Reader, file: &SourceFile, scope: Scope| {
            reader.read(root, file, scope, depth.texts)
        };
        Self::put_together(files, depth, work, read, |paths| files_of(root, paths))
    }

    /// Of contents that are at hand already; `manifest` gives the text of a file that declares a package.
    pub(crate) fn of_contents(
        contents: &[(SourceFile, Vec<u8>)],
        manifest: &dyn Fn(&str) -> Option<String>,
        depth: Depth,
        work: &Work,
    ) -> Result<Self, Error> {
        let files: Vec<SourceFile> = contents.iter().map(|it| it.0.clone()).collect();
        let read = |reader: &mut Reader, file: &SourceFile, scope: Scope| {
            let at = contents.binary_search_by(|it| it.0.path.cmp(&file.path));
            let bytes = at.map(|at| contents[at].1.as_slice()).unwrap_or_default();
            reader.read_bytes(bytes, file, scope, depth.texts)
        };
        Self::put_together(&files, depth, work, read, |paths| files_by(manifest, paths))
    }

    fn put_together(
        files: &[SourceFile],
        depth: Depth,
        work: &Work,
        read: impl Fn(&mut Reader, &SourceFile, Scope) -> Result<Reading, Unreadable> + Sync,
        known: impl FnOnce(&mut dyn Iterator<Item = &str>) -> ProjectFiles,
    ) -> Result<Self, Error> {
        let scope = if depth.internals { Scope::WithInternals } else { Scope::Exports };
        let only_tests = files.iter().all(|it| it.is_test);
        let done = AtomicUsize::new(0);
        let readings: Vec<Option<Result<Reading, Warning>>> = files
            .par_iter()
            .map_init(Reader::new, |reader, file| {
                if work.is_cancelled() {
                    return None;
                }
                let reading = read(reader, file, scope);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                work.report(done, Some(files.len()), "files parsed");
                Some(reading.map_err(|reason| {
                    Warning::about(file.path.as_str(), format!("left out, {reason}"))
                }))
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
        let read = analysis.skeletons.iter().chain(&analysis.tests);
        let known = known(&mut read.map(|it| it.file_path.as_str()));
        for skeleton in analysis.skeletons.iter_mut().chain(&mut analysis.tests) {
            resolve::resolve(&known, skeleton);
        }
        if depth.reach {
            reach::tell(&known, &mut analysis.skeletons);
        }
        facts::settle(&mut analysis.skeletons);
        if !depth.unsettled {
            skeleton::settle(&mut analysis.skeletons, depth.internals);
        }
        Ok(analysis)
    }
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
        let bytes = std::mem::take(&mut self.bytes);
        let reading = self.read_bytes(&bytes, file, scope, keep_text);
        self.bytes = bytes;
        reading
    }

    fn read_bytes(
        &mut self,
        bytes: &[u8],
        file: &SourceFile,
        scope: Scope,
        keep_text: bool,
    ) -> Result<Reading, Unreadable> {
        if !file.is_named {
            reading::refuse_machine_made(bytes)?;
        }
        let path = &file.path;
        let mut source = Source::decode(bytes)?;
        let is_damaged = source.is_damaged;
        let redacted = redact::redact(&source.text);
        let mut warnings: Vec<Warning> = redacted
            .found
            .iter()
            .map(|it| {
                let place = Place::new(path.as_str(), it.line);
                Warning::at(place, format!("a secret was replaced ({})", it.kind))
            })
            .collect();
        if let Cow::Owned(text) = redacted.text {
            source.text = text.into();
        }
        if let Some(text) = facts::without_secrets(path.as_str(), &source.text) {
            source.text = text.into();
        }
        let text = keep_text.then(|| source.text.to_string());
        let mut skeleton = self.extractor.extract(path.as_str(), source, scope)?;
        if !languages::may_hold_tests(path.as_str()) {
            skeleton.tests = 0;
        }
        if is_damaged {
            let text = "some bytes are not UTF-8 and read as \u{fffd}; save it as UTF-8";
            warnings.push(Warning::about(path.as_str(), text));
        }
        Ok(Reading { skeleton, text, warnings })
    }
}

#[cfg(test)]
mod tests;
