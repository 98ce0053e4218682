//! Changelogs and the index, written together with what they are about.

use std::collections::BTreeSet;

use mcp_core::sandbox::RelPath;
use mcp_core::work::Work;

use super::{Loaded, Workspace};
use crate::domain::bookkeeping::{Changed, Row, changed, updated_index, with_rows};
use crate::domain::graph::some_of;
use crate::error::Error;
use crate::store::save::FileWrite;

const INDEX: &str = "INDEX.md";

impl Workspace {
    /// Adds what has to be written down to the files that are about to be written.
    pub(super) fn write_down(
        &self,
        loaded: &Loaded,
        files: &mut Vec<FileWrite>,
        message: Option<&str>,
        work: &Work,
    ) -> Result<(), Error> {
        let changed = changed(&loaded.graph, &loaded.log);
        let asked = loaded.graph.config.changelog;
        let due =
            |it: &&Changed| it.is_active && it.path.is_some() && asked.unwrap_or(it.has_changelog);
        let due: Vec<&Changed> = changed.iter().filter(due).collect();
        if !due.is_empty() {
            self.add_rows(loaded, files, &due, message, work)?;
        }
        self.follow_in_index(loaded, files, &changed)
    }

    fn add_rows(
        &self,
        loaded: &Loaded,
        files: &mut [FileWrite],
        due: &[&Changed],
        message: Option<&str>,
        work: &Work,
    ) -> Result<(), Error> {
        let Some(reason) = message.map(str::trim).filter(|it| !it.is_empty()) else {
            let ids: Vec<String> = due.iter().map(|it| it.id.clone()).collect();
            return Err(Error::ChangelogMessage { named: some_of(ids.iter().cloned()), ids });
        };
        let user = self.git(work).map_err(Error::from)?.user()?;
        let Some((name, address)) = user else {
            return Err(Error::refused(
                "a changelog names its author, and git knows no user here",
                "Set one with `git config user.name \"Your Name\"` and `git config user.email you@example.com`.",
            ));
        };
        let date = self.clock.now().strftime("%Y-%m-%d").to_string();
        let author = format!("{} (<{address}>)", name.replace('|', "/"));
        let row = Row { date: &date, author: &author, reason };
        for file in files {
            let own = due.iter().filter(|it| it.path.as_deref() == Some(file.path.as_str()));
            let ids: Vec<&str> = own.map(|it| it.id.as_str()).collect();
            let known = loaded.graph.file_at(&file.path).filter(|_| !ids.is_empty());
            if let Some((_, known)) = known {
                file.after = Some(with_rows(known, &ids, &row).into());
            }
        }
        Ok(())
    }

    /// Brings the index of a directory of specs up to date, where there is one.
    fn follow_in_index(
        &self,
        loaded: &Loaded,
        files: &mut Vec<FileWrite>,
        changed: &[Changed],
    ) -> Result<(), Error> {
        let ids: BTreeSet<&str> = changed.iter().map(|it| it.id.as_str()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let root = self.root()?;
        for directory in &loaded.graph.config.spec.directories {
            let directory = directory.trim_start_matches("./").trim_end_matches('/');
            let Ok(path) = RelPath::parse(&format!("{directory}/{INDEX}")) else { continue };
            let Some(before) = root.read_text_if_any(&path)? else { continue };
            if let Some(after) = updated_index(&loaded.graph, &before, directory, &ids) {
                let path = path.to_string();
                files.push(FileWrite {
                    path,
                    before: Some(before.into()),
                    after: Some(after.into()),
                });
            }
        }
        Ok(())
    }
}
