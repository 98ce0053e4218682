//! What reaches files: saving, and the tools that edit them directly; and reading them anew.

use std::sync::Arc;

use jiff::Timestamp;
use mcp_core::failure::Failure;
use mcp_core::sandbox::{Root, View};
use mcp_core::work::Work;

use super::{Loaded, Workspace, gone};
use crate::domain::graph::{File, FileUpdate};
use crate::domain::mutate::{Editor, MutationEntry, Occasion};
use crate::error::Error;
use crate::store::safety::{self, SafetyError, Writing};
use crate::store::save::{self, FileWrite};
use crate::store::snapshot::{self, Progress, RefreshReport, Snapshot};

/// What was read again, and what became of pending changes.
pub(crate) struct Refreshed {
    pub(crate) report: RefreshReport,
    /// Changes that were made again, and are pending as before.
    pub(crate) kept: usize,
    /// Changes that no longer apply.
    pub(crate) put_aside: usize,
    pub(crate) node_count: usize,
    pub(crate) last_refresh: Timestamp,
}

/// How pending changes are to be written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SaveRequest<'a> {
    pub(crate) dry_run: bool,
    pub(crate) save_branch: bool,
    pub(crate) tip: Option<&'a str>,
    /// Why active requirements were changed, for their changelogs.
    pub(crate) message: Option<&'a str>,
}

/// What was written, or would be.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) files: Vec<FileWrite>,
    pub(crate) diff: String,
    pub(crate) mutations: usize,
    pub(crate) safety_branch: Option<String>,
}

/// Why files are written.
struct WriteOccasion<'a> {
    mutations: usize,
    /// A requirement, or what is saved: part of the name of a safety branch.
    subject: &'a str,
    purpose: &'a str,
    save_branch: bool,
}

impl Workspace {
    /// Reads what has changed, or everything. Pending changes are in the way, unless `keep` says
    /// that they are to be made again in the files as they are.
    pub(crate) fn refresh(&self, work: &Work, full: bool, keep: bool) -> Result<Refreshed, Error> {
        self.ensure(work)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        if !keep {
            loaded.log.check_empty()?;
        }
        let kept: Vec<Arc<MutationEntry>> = loaded.log.entries().cloned().collect();
        self.freshness.reset();
        match self.viewing(work, |view| self.read_anew(view, loaded, full, work)) {
            Ok(report) => loaded.report = report,
            Err(error) => {
                // What has changed was not read.
                loaded.graph.metadata.is_stale = true;
                return Err(error);
            }
        }
        loaded.editor().replay(kept);
        self.freshness.watch(&self.place, &loaded.snapshot.directories);
        Ok(Refreshed {
            report: loaded.report.clone(),
            kept: loaded.log.len(),
            put_aside: loaded.log.put_aside_entries().len(),
            node_count: loaded.graph.total_nodes(),
            last_refresh: loaded.graph.metadata.last_refresh,
        })
    }

    /// Takes all pending changes back and forgets those that no longer apply; returns how many
    /// there were.
    pub(crate) fn discard(&self, work: &Work, tip: Option<&str>) -> Result<usize, Error> {
        self.ensure(work)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.log.check_tip(tip)?;
        let pending = loaded.log.len();
        loaded.editor().undo_all()?;
        Ok(pending + loaded.log.forget_put_aside())
    }

    /// Pending changes are taken back, unless the files cannot be read.
    fn read_anew(
        &self,
        view: &View<'_>,
        loaded: &mut Loaded,
        full: bool,
        work: &Work,
    ) -> Result<RefreshReport, Error> {
        let now = self.clock.now();
        if full || loaded.snapshot.is_configured_otherwise(view)? {
            let progress = Progress::default();
            let (graph, snapshot, report) =
                snapshot::load(view, &self.named, now, &progress, work)?;
            (loaded.graph, loaded.snapshot) = (graph, snapshot);
            loaded.log.clear();
            return Ok(report);
        }
        let kept: Vec<Arc<MutationEntry>> = loaded.log.entries().cloned().collect();
        loaded.editor().undo_all()?;
        let Loaded { graph, snapshot, .. } = &mut *loaded;
        let refreshed = snapshot::refresh(view, now, graph, snapshot, work);
        if refreshed.is_err() {
            loaded.editor().replay(kept);
        }
        refreshed
    }

    /// Reads what a write of ours left behind. Whatever comes of it, the files are written: where
    /// they cannot be read the graph is stale.
    pub(super) fn catch_up(&self, loaded: &mut Loaded) {
        let now = self.clock.now();
        let Loaded { graph, snapshot, .. } = &mut *loaded;
        let work = Work::endless();
        let read = |view: &View<'_>| snapshot::refresh(view, now, graph, snapshot, &work);
        match self.viewing(&work, read) {
            Ok(_) => self.freshness.watch(&self.place, &loaded.snapshot.directories),
            Err(error) => {
                tracing::warn!("the graph is behind the files that were written: {error}");
                loaded.graph.metadata.is_stale = true;
            }
        }
    }

    /// Writes pending changes, or only shows them.
    pub(crate) fn save(&self, work: &Work, request: &SaveRequest<'_>) -> Result<Saved, Failure> {
        self.ensure(work)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.log.check_tip(request.tip)?;
        let mutations = loaded.log.len();
        let mut files = save::pending(&loaded.graph, &loaded.log);
        files.extend(self.reviews_to_follow(&loaded.log)?);
        let unasked = request.dry_run && request.message.is_none();
        if !unasked {
            self.write_down(loaded, &mut files, request.message, work)?;
        }
        if request.dry_run {
            return Ok(Saved { diff: save::diff(&files), files, mutations, safety_branch: None });
        }
        let purpose = format!("save_mutations ({mutations})");
        let occasion = WriteOccasion {
            mutations,
            subject: "save-mutations",
            purpose: &purpose,
            save_branch: request.save_branch,
        };
        self.write(loaded, files, &occasion, work)
    }

    /// Makes one change in the files themselves. Nothing else may be pending.
    pub(crate) fn edit_files(
        &self,
        work: &Work,
        subject: &str,
        purpose: &str,
        request: &SaveRequest<'_>,
        change: impl FnOnce(&mut Editor<'_>, &Snapshot, &Occasion) -> Result<(), Error>,
    ) -> Result<Saved, Failure> {
        self.ensure(work)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.log.check_empty()?;
        // The edit is made in the files as they are now.
        let (now, Loaded { graph, snapshot, .. }) = (self.clock.now(), &mut *loaded);
        self.viewing(work, |view| snapshot::refresh(view, now, graph, snapshot, work))?;
        let Loaded { graph, log, snapshot, .. } = &mut *loaded;
        change(&mut Editor { graph, log }, snapshot, &self.occasion())?;
        let mut files = save::pending(&loaded.graph, &loaded.log);
        if let Err(error) = self.write_down(loaded, &mut files, Some(purpose), work) {
            loaded.editor().undo_all()?;
            return Err(error.into());
        }
        if request.dry_run {
            loaded.editor().undo_all()?;
            return Ok(Saved {
                diff: save::diff(&files),
                files,
                mutations: 1,
                safety_branch: None,
            });
        }
        let save_branch = request.save_branch;
        let occasion = WriteOccasion { mutations: 1, subject, purpose, save_branch };
        let saved = self.write(loaded, files, &occasion, work);
        if saved.is_err() {
            loaded.editor().undo_all()?;
        }
        saved
    }

    fn write(
        &self,
        loaded: &mut Loaded,
        files: Vec<FileWrite>,
        occasion: &WriteOccasion<'_>,
        work: &Work,
    ) -> Result<Saved, Failure> {
        let WriteOccasion { mutations, subject, purpose, save_branch } = *occasion;
        let safety_branch = if save_branch {
            let git = self.git(work).map_err(SafetyError::from)?;
            let writing = Writing { subject, purpose, files: &files, now: self.clock.now() };
            Some(safety::keep(&git, &writing)?)
        } else {
            None
        };
        let diff = save::diff(&files);
        self.locked(work, |commit, root| {
            save::write(commit, root, &files)?;
            loaded.log.clear();
            take_over(loaded, &files);
            note_written(loaded, root, &files);
            Ok::<_, Error>(())
        })?;
        self.catch_up(loaded);
        Ok(Saved { files, diff, mutations, safety_branch })
    }
}

/// What was written down beside the changes is read, too.
fn take_over(loaded: &mut Loaded, files: &[FileWrite]) {
    let mut updates = Vec::new();
    for file in files {
        let known = loaded.graph.file_at(&file.path).map(|(_, known)| known);
        if let (Some(known), Some(after)) = (known, &file.after)
            && known.text != *after
        {
            let grammar = &loaded.graph.grammar;
            let read = File::parse(grammar, &file.path, known.role, after.clone());
            updates.push(FileUpdate::Put(read));
        }
    }
    loaded.graph.relink(updates);
}

fn note_written(loaded: &mut Loaded, root: &Root, files: &[FileWrite]) {
    for file in files {
        // The reviews are no part of the graph.
        let known = loaded.graph.file_at(&file.path);
        if let (Some((_, known)), Some(text)) = (known, &file.after) {
            loaded.snapshot.note_written(root, &file.path, known.role, text);
        }
    }
}
