//! What reaches files: saving, and the tools that edit them directly; and reading them anew.

use jiff::Timestamp;
use mcp_core::failure::Failure;
use mcp_core::sandbox::Root;

use super::{Loaded, Patience, Workspace, gone, no_net};
use crate::error::Error;
use crate::graph::TraceGraph;
use crate::mutate::Occasion;
use crate::save::{self, FileWrite, Writing};
use crate::store::{self, Progress, RefreshReport, Snapshot};

/// What was refreshed, and what went with it.
pub(crate) struct Refreshed {
    pub(crate) report: RefreshReport,
    pub(crate) discarded: usize,
    pub(crate) node_count: usize,
    pub(crate) last_refresh: Timestamp,
}

/// How pending changes are to be written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SaveRequest<'a> {
    pub(crate) dry_run: bool,
    pub(crate) save_branch: bool,
    pub(crate) tip: Option<&'a str>,
}

/// What was written, or would be.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) files: Vec<FileWrite>,
    pub(crate) diff: String,
    pub(crate) mutations: usize,
    pub(crate) safety_branch: Option<String>,
}

impl Workspace {
    /// Reads what has changed, or everything. Pending changes are in the way unless they may go.
    pub(crate) fn refresh(
        &self,
        patience: &Patience<'_>,
        full: bool,
        discard: bool,
    ) -> Result<Refreshed, Error> {
        self.ensure(patience)?;
        let root = self.root()?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        let discarded = loaded.graph.log.len();
        if !discard {
            loaded.graph.log.check_empty()?;
        }
        save::recover(&root)?;
        self.freshness.reset();
        match self.read_anew(&root, loaded, full) {
            Ok(report) => loaded.report = report,
            Err(error) => {
                // What has changed was not read.
                loaded.graph.metadata.is_stale = true;
                return Err(error);
            }
        }
        self.freshness.watch(&self.place, &loaded.snapshot.directories);
        Ok(Refreshed {
            report: loaded.report.clone(),
            discarded,
            node_count: loaded.graph.total_nodes(),
            last_refresh: loaded.graph.metadata.last_refresh,
        })
    }

    /// Pending changes go, unless the files cannot be read.
    fn read_anew(
        &self,
        root: &Root,
        loaded: &mut Loaded,
        full: bool,
    ) -> Result<RefreshReport, Error> {
        let now = self.clock.now();
        if full || loaded.snapshot.is_configured_otherwise(root)? {
            let (graph, snapshot, report) = store::load(root, now, &Progress::default())?;
            (loaded.graph, loaded.snapshot) = (graph, snapshot);
            return Ok(report);
        }
        take_all_back(&mut loaded.graph)?;
        store::refresh(root, now, &mut loaded.graph, &mut loaded.snapshot)
    }

    /// Reads what a write of ours left behind. Whatever comes of it, the files are written: where
    /// they cannot be read the graph is stale.
    pub(super) fn catch_up(&self, root: &Root, loaded: &mut Loaded) {
        let now = self.clock.now();
        match store::refresh(root, now, &mut loaded.graph, &mut loaded.snapshot) {
            Ok(_) => self.freshness.watch(&self.place, &loaded.snapshot.directories),
            Err(error) => {
                tracing::warn!("the graph is behind the files that were written: {error}");
                loaded.graph.metadata.is_stale = true;
            }
        }
    }

    /// Writes pending changes, or only shows them.
    pub(crate) fn save(
        &self,
        patience: &Patience<'_>,
        request: &SaveRequest<'_>,
    ) -> Result<Saved, Failure> {
        self.ensure(patience)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.graph.log.check_tip(request.tip)?;
        let mutations = loaded.graph.log.len();
        let mut files = save::pending(&loaded.graph)?;
        files.extend(self.reviews_to_follow(&loaded.graph)?);
        if request.dry_run {
            return Ok(Saved { diff: save::diff(&files), files, mutations, safety_branch: None });
        }
        let purpose = format!("save_mutations ({mutations})");
        self.write(loaded, files, mutations, "save-mutations", &purpose, request.save_branch)
    }

    /// Makes one change in the files themselves. Nothing else may be pending.
    pub(crate) fn edit_files(
        &self,
        patience: &Patience<'_>,
        subject: &str,
        purpose: &str,
        request: &SaveRequest<'_>,
        change: impl FnOnce(&mut TraceGraph, &Snapshot, &Occasion) -> Result<(), Error>,
    ) -> Result<Saved, Failure> {
        self.ensure(patience)?;
        let root = self.root()?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.graph.log.check_empty()?;
        // The edit is made in the files as they are now.
        store::refresh(&root, self.clock.now(), &mut loaded.graph, &mut loaded.snapshot)?;
        change(&mut loaded.graph, &loaded.snapshot, &self.occasion())?;
        let files = save::pending(&loaded.graph)?;
        if request.dry_run {
            take_all_back(&mut loaded.graph)?;
            return Ok(Saved {
                diff: save::diff(&files),
                files,
                mutations: 1,
                safety_branch: None,
            });
        }
        let saved = self.write(loaded, files, 1, subject, purpose, request.save_branch);
        if saved.is_err() {
            take_all_back(&mut loaded.graph)?;
        }
        saved
    }

    fn write(
        &self,
        loaded: &mut Loaded,
        files: Vec<FileWrite>,
        mutations: usize,
        subject: &str,
        purpose: &str,
        save_branch: bool,
    ) -> Result<Saved, Failure> {
        let root = self.root()?;
        let safety_branch = match (save_branch, &self.net) {
            (false, _) => None,
            (true, None) => return Err(no_net()),
            (true, Some(net)) => {
                let (directory, now) = (self.place.as_path(), self.clock.now());
                Some(net.keep(&Writing { directory, subject, purpose, files: &files, now })?)
            }
        };
        let diff = save::diff(&files);
        save::write(&root, &files)?;
        loaded.graph.log.clear();
        note_written(loaded, &root, &files);
        self.catch_up(&root, loaded);
        Ok(Saved { files, diff, mutations, safety_branch })
    }
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

fn take_all_back(graph: &mut TraceGraph) -> Result<(), Error> {
    while graph.log.len() > 0 {
        graph.undo_last()?;
    }
    Ok(())
}
