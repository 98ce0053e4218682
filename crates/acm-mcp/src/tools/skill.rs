//! The acm-workflow skill, for clients that load skills from servers.

use mcp_core::failure::Failure;
use mcp_core::frontmatter;
use mcp_core::server::{Skill, SkillFile, SkillSource};
use serde_json::{Map, Value};

use crate::store::embedded;

const NAME: &str = "acm-workflow";
const MAIN_FILE: &str = "SKILL.md";

/// The one skill that the binary carries.
pub(crate) struct Companion;

impl SkillSource for Companion {
    fn list(&self) -> Result<Vec<Skill>, Failure> {
        let main = self.read(NAME, MAIN_FILE).unwrap_or_default();
        let main = String::from_utf8_lossy(&main);
        let front = frontmatter::parse::<Map<String, Value>>(&main).ok().and_then(|it| it.0);
        let files = embedded::SKILL.iter();
        let files = files.map(|(path, text)| SkillFile::new(*path, text.as_bytes())).collect();
        let front_matter = front.unwrap_or_default();
        Ok(vec![Skill { name: NAME.to_owned(), front_matter, files }])
    }

    fn read(&self, skill: &str, path: &str) -> Option<Vec<u8>> {
        let files = embedded::SKILL.iter().filter(|_| skill == NAME);
        let found = files.into_iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec())
    }
}
