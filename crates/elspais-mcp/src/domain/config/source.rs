//! TOML with the place of every value, so that a wrong one can be pointed at.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use crate::error::ConfigError;

/// Room for ten thousand lines.
const MAX_BYTES: usize = 1024 * 1024;
/// Each pattern is compiled and tried on every file.
const MAX_PATTERNS: usize = 1_000;

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) file: &'static str,
    pub(super) line: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(String),
    Integer(i64),
    Flag(bool),
    List(Vec<Entry>),
    Table(BTreeMap<String, Entry>),
    /// A kind of value that no key of ours takes.
    Other(&'static str),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }
}

/// Both files merged, the local one above the other.
#[derive(Debug)]
pub(super) struct Source(Entry);

impl Source {
    pub(super) fn parse(files: &[(&'static str, &str)]) -> Result<Self, ConfigError> {
        let empty = Value::Table(BTreeMap::new());
        let mut merged = Entry { value: empty, file: "", line: 0 };
        for (file, text) in files {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let lines = Lines::of(text);
            check_size(file, text)?;
            let table = DeTable::parse(text).map_err(|error| {
                let line = error.span().map_or(1, |span| lines.line_of(span.start));
                let reason = mcp_core::text::one_line(error.message());
                ConfigError { file, line, message: format!("this is not TOML: {reason}") }
            })?;
            let span = table.span();
            let value = convert_table(&lines, file, table.get_ref());
            merge(&mut merged, Entry { value, file, line: lines.line_of(span.start) });
        }
        Ok(Self(merged))
    }

    /// The first of several spellings that is there.
    fn find(&self, spellings: &[&str]) -> Option<(String, &Entry)> {
        spellings.iter().find_map(|path| {
            let mut entry = &self.0;
            for key in path.split('/') {
                let Value::Table(table) = &entry.value else { return None };
                entry = table.get(key)?;
            }
            Some((path.replace('/', "."), entry))
        })
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.find(&[path]).is_some()
    }

    pub(super) fn text(&self, spellings: &[&str]) -> Result<Option<String>, ConfigError> {
        self.read(spellings, "a string", |value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub(super) fn flag(&self, spellings: &[&str]) -> Result<Option<bool>, ConfigError> {
        self.read(spellings, "true or false", |value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        })
    }

    pub(super) fn number(
        &self,
        spellings: &[&str],
        max: usize,
    ) -> Result<Option<usize>, ConfigError> {
        self.read(spellings, &format!("a number from 0 to {max}"), |value| match value {
            Value::Integer(number) => usize::try_from(*number).ok().filter(|it| *it <= max),
            _ => None,
        })
    }

    /// A list of strings; one string stands for a list of one.
    pub(super) fn texts(&self, spellings: &[&str]) -> Result<Option<Vec<String>>, ConfigError> {
        self.read(spellings, "a list of strings", |value| match value {
            Value::Text(text) => Some(vec![text.clone()]),
            Value::List(entries) => entries
                .iter()
                .map(|entry| match &entry.value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
    }

    /// A list of patterns for names or paths.
    pub(super) fn globs(&self, spellings: &[&str]) -> Result<Option<Vec<String>>, ConfigError> {
        let patterns = self.texts(spellings)?;
        if patterns.as_ref().is_some_and(|it| it.len() > MAX_PATTERNS) {
            let message = format!("it lists more than {MAX_PATTERNS} patterns");
            return Err(self.complain(spellings, &message));
        }
        let wrong = patterns.iter().flatten().find(|it| globset::Glob::new(it).is_err());
        match wrong {
            Some(wrong) => {
                let shown = mcp_core::text::one_line(mcp_core::text::cut(wrong, 60));
                let message =
                    format!("`{shown}` is not a pattern such as `*.md` or `docs/**/*.md`");
                Err(self.complain(spellings, &message))
            }
            None => Ok(patterns),
        }
    }

    /// What one of a few words stands for.
    pub(super) fn choice<T: Copy>(
        &self,
        spellings: &[&str],
        known: &[(&'static str, T)],
    ) -> Result<Option<T>, ConfigError> {
        let listed = mcp_core::text::list_of_names(known.iter().map(|(word, _)| *word));
        self.read(spellings, &format!("one of {listed}"), |value| match value {
            Value::Text(text) => {
                let found = known.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
                found.map(|(_, meaning)| *meaning)
            }
            _ => None,
        })
    }

    /// The names of the tables below a key, in the order of their names.
    pub(super) fn tables(&self, path: &str) -> Result<Vec<String>, ConfigError> {
        let names = self.read(&[path], "a table", |value| match value {
            Value::Table(table) => {
                let inner = table.iter().filter(|(_, it)| matches!(it.value, Value::Table(_)));
                Some(inner.map(|(name, _)| name.clone()).collect())
            }
            _ => None,
        })?;
        Ok(names.unwrap_or_default())
    }

    /// A path out of each table of a list of tables, from the directory that the table names.
    pub(super) fn path_of_each(
        &self,
        path: &str,
        keys: &[&str],
        directory: &str,
    ) -> Result<Vec<String>, ConfigError> {
        let found = self.read(&[path], "a list of tables", |value| match value {
            Value::List(entries) => Some(
                entries
                    .iter()
                    .filter_map(|entry| {
                        let Value::Table(table) = &entry.value else { return None };
                        let text = |key: &str| match &table.get(key)?.value {
                            Value::Text(text) => Some(text.trim_start_matches("./")),
                            _ => None,
                        };
                        let path = keys.iter().find_map(|key| text(key))?;
                        let directory = text(directory).unwrap_or_default().trim_end_matches('/');
                        Some(match directory {
                            _ if path.is_empty() => return None,
                            "" | "." => path.to_owned(),
                            directory => format!("{directory}/{path}"),
                        })
                    })
                    .collect(),
            ),
            _ => None,
        })?;
        Ok(found.unwrap_or_default())
    }

    /// A complaint about the value at a key.
    pub(super) fn complain(&self, spellings: &[&str], message: &str) -> ConfigError {
        match self.find(spellings) {
            Some((path, entry)) => ConfigError {
                file: entry.file,
                line: entry.line,
                message: format!("`{path}`: {message}"),
            },
            None => ConfigError { file: super::CONFIG_FILE, line: 1, message: message.to_owned() },
        }
    }

    fn read<T>(
        &self,
        spellings: &[&str],
        wanted: &str,
        take: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some((path, entry)) = self.find(spellings) else { return Ok(None) };
        match take(&entry.value) {
            Some(value) => Ok(Some(value)),
            None => Err(ConfigError {
                file: entry.file,
                line: entry.line,
                message: format!("`{path}` must be {wanted}, not {}", shown(&entry.value)),
            }),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("`{}`", mcp_core::text::cut(text, 60)),
        Value::Integer(number) => number.to_string(),
        other => other.kind().to_owned(),
    }
}

fn merge(below: &mut Entry, above: Entry) {
    match (&mut below.value, above.value) {
        (Value::Table(below), Value::Table(above)) => {
            for (key, entry) in above {
                match below.get_mut(&key) {
                    Some(known) => merge(known, entry),
                    None => drop(below.insert(key, entry)),
                }
            }
        }
        (place, value) => {
            *place = value;
            below.file = above.file;
            below.line = above.line;
        }
    }
}

fn convert_table(lines: &Lines, file: &'static str, table: &DeTable<'_>) -> Value {
    let entries = table.iter().map(|(key, value)| {
        let line = lines.line_of(key.span().start);
        let value = convert(lines, file, value.get_ref());
        (key.get_ref().to_string(), Entry { value, file, line })
    });
    Value::Table(entries.collect())
}

fn convert(lines: &Lines, file: &'static str, value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(words) => Value::Text(words.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Other("a number out of range"),
        },
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Float(_) => Value::Other("a fraction"),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| Entry {
                    value: convert(lines, file, item.get_ref()),
                    file,
                    line: lines.line_of(item.span().start),
                })
                .collect(),
        ),
        DeValue::Table(table) => convert_table(lines, file, table),
    }
}

/// Where lines begin, so that a place is found without counting from the start each time.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    fn line_of(&self, at: usize) -> usize {
        self.0.partition_point(|line_break| *line_break < at) + 1
    }
}

/// Nobody writes so much configuration, and reading it would keep everybody waiting.
fn check_size(file: &'static str, text: &str) -> Result<(), ConfigError> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }
    let message = format!("the file has {} bytes, {MAX_BYTES} are read at most", text.len());
    Err(ConfigError { file, line: 1, message })
}
