//! The project's skills, for clients that load skills themselves.

use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::server::{Skill, SkillFile, SkillSource};

use crate::domain::skill_fields;
use crate::store::library::{Library, Snapshot};

const MAIN_FILE: &str = "SKILL.md";

pub(crate) struct Skills {
    library: Arc<Library>,
}

impl Skills {
    pub(crate) fn new(library: Arc<Library>) -> Self {
        Self { library }
    }

    /// `None` where the front matter is not what clients would compare it with.
    fn skill(&self, snapshot: &Snapshot, name: &str) -> Option<Skill> {
        let read = |path: &str| self.library.read_skill_file(snapshot, name, path);
        let main = read(MAIN_FILE)?;
        let front_matter = skill_fields(std::str::from_utf8(&main).ok()?)?;
        let others = self.library.skill_files(snapshot, name);
        let others = others
            .iter()
            .filter_map(|path| Some(SkillFile::new(path.as_str(), &read(path.as_str())?)));
        let files = std::iter::once(SkillFile::new(MAIN_FILE, &main)).chain(others).collect();
        Some(Skill { name: name.to_owned(), front_matter, files })
    }
}

impl SkillSource for Skills {
    fn list(&self) -> Result<Vec<Skill>, Failure> {
        let snapshot = self.library.refresh();
        let commands = snapshot.catalog.commands();
        Ok(commands.filter_map(|command| self.skill(&snapshot, &command.name)).collect())
    }

    fn read(&self, skill: &str, path: &str) -> Option<Vec<u8>> {
        let snapshot = self.library.refresh();
        let name = &snapshot.catalog.find(skill).ok()?.name;
        self.library.read_skill_file(&snapshot, name, path)
    }
}
