//! The sources: folders in which toolkits lay down commands, each with its form and its dialect.
//!
//! Which there are is a table in `assets/`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::dialect::Dialect;
use super::{Format, Integration};

const TABLE: &str = include_str!("../../assets/sources.json");

/// The dialect of rows that name none.
const USUAL: &str = "words";

/// A row that begins like this stands for a folder of every hidden directory.
const ANY: &str = ".*/";

/// All folders that are looked for, in the order in which one goes before another.
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    rows: Vec<Source>,
    /// Hidden directories that hold other things.
    never: Vec<String>,
}

/// One folder of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// From the root of the project, with slashes.
    pub(crate) folder: String,
    pub(crate) form: Form,
    /// Where the files lie that prompt files leave their text to.
    pub(crate) points_to: Option<String>,
    agents: Vec<String>,
    dialect: Dialect,
    endings: Vec<String>,
}

/// What lies in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// A file for each command; directories are part of the name.
    Commands,
    /// A directory with `SKILL.md` for each.
    Skills,
    /// Commands in YAML.
    Recipes,
}

#[derive(Deserialize)]
struct Table {
    placeholders: BTreeMap<String, Vec<String>>,
    endings: BTreeMap<String, Vec<String>>,
    never: Vec<String>,
    sources: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    folder: String,
    form: Form,
    #[serde(default)]
    agents: Vec<String>,
    placeholders: Option<String>,
    endings: Option<Vec<String>>,
    points_to: Option<String>,
}

impl Sources {
    /// The table that comes with the server, read when it is first needed: where the usual folder is
    /// there, a start needs none.
    pub(crate) fn known() -> &'static Self {
        // That it can be read is a test; without it there would be no sources, and no panic.
        static KNOWN: LazyLock<Sources> = LazyLock::new(|| {
            serde_json::from_str(TABLE).map_or_else(|_| Sources::none(), Sources::of)
        });
        &KNOWN
    }

    fn none() -> Self {
        Self { rows: Vec::new(), never: Vec::new() }
    }

    fn of(table: Table) -> Self {
        let dialects = Dialect::table(&table.placeholders);
        let rows = table.sources.into_iter().map(|row| {
            let named = row.placeholders.as_deref().unwrap_or(USUAL);
            let form = match row.form {
                Form::Commands => "commands",
                Form::Skills => "skills",
                Form::Recipes => "recipes",
            };
            let usual = || table.endings.get(form).cloned().unwrap_or_default();
            Source {
                folder: row.folder,
                form: row.form,
                points_to: row.points_to,
                agents: row.agents,
                dialect: dialects.get(named).cloned().unwrap_or_else(Dialect::plain),
                endings: row.endings.unwrap_or_else(usual),
            }
        });
        Self { rows: rows.collect(), never: table.never }
    }

    /// The folders there may be in a project with these hidden directories, in the order in which
    /// one goes before another: those of the active agent, then the table, each with commands
    /// before skills.
    pub(crate) fn in_project(&self, hidden: &[String], integration: &Integration) -> Vec<Source> {
        let mut found: Vec<Source> = Vec::new();
        let mut add = |source: Source| {
            if found.iter().all(|it| it.folder != source.folder) {
                found.push(source);
            }
        };
        for row in &self.rows {
            if let Some(below) = row.folder.strip_prefix(ANY) {
                for directory in hidden.iter().filter(|it| !self.never.contains(it)) {
                    add(Source { folder: format!("{directory}/{below}"), ..row.clone() });
                }
            } else if hidden.iter().any(|it| row.is_in(it)) {
                add(row.clone());
            }
        }
        let named = integration.commands_dir.as_ref().and_then(|folder| {
            let usual = self.rows.iter().find(|row| row.folder == ".*/commands")?;
            let agents = vec![Integration::GENERIC.to_owned()];
            Some(Source { folder: folder.clone(), agents, ..usual.clone() })
        });
        if let Some(named) = named {
            // What the project says of a folder goes before what the table says.
            found.retain(|it| it.folder != named.folder);
            found.insert(0, named);
        }
        let active = |source: &Source| {
            integration.active.as_ref().is_some_and(|agent| source.agents.contains(agent))
        };
        found.sort_by_key(|it| (!active(it), it.form == Form::Skills));
        found
    }
}

impl Source {
    fn is_in(&self, directory: &str) -> bool {
        self.folder.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The name and format of a command file; `None` for other files.
    pub(crate) fn command<'a>(&self, file_name: &'a str) -> Option<(&'a str, Format)> {
        let ending = self.endings.iter().find(|ending| file_name.ends_with(ending.as_str()))?;
        let name = file_name.strip_suffix(ending.as_str()).filter(|name| !name.is_empty())?;
        let format = match ending.as_str() {
            ".toml" => Format::Toml,
            ".yaml" | ".yml" => Format::Recipe,
            _ => Format::Markdown(self.dialect.clone()),
        };
        Some((name, format))
    }

    /// How the `SKILL.md` of a skill is read.
    pub(crate) fn skill(&self) -> Format {
        Format::Skill(self.dialect.clone())
    }
}
