//! The one configuration everything reads: `.elspais.toml` in all its spellings, with
//! `.elspais.local.toml` merged over it, or the defaults where there is neither.

mod source;
mod style;
mod template;
#[cfg(test)]
mod tests;

pub(crate) use style::{ComponentStyle, HashAlgorithm, HashMode, LabelStyle, Severity};
pub(crate) use template::{LevelSpelling, Part};

use source::Source;

use crate::domain::dialect::Dialect;
use crate::domain::language;
use crate::error::ConfigError;

pub(crate) const CONFIG_FILE: &str = ".elspais.toml";
pub(crate) const LOCAL_FILE: &str = ".elspais.local.toml";

/// What people found when they went through the journeys.
const ACCEPTANCE_RESULTS: &str = "uat-results.csv";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) name: Option<String>,
    pub(crate) namespace: String,
    /// By rank, the highest first.
    pub(crate) levels: Vec<Level>,
    pub(crate) ids: IdShape,
    pub(crate) labels: LabelShape,
    /// Names and globs never looked at, whatever they are.
    pub(crate) skip: Vec<String>,
    pub(crate) spec: ScanRule,
    pub(crate) code: ScanRule,
    /// `None` when tests are switched off.
    pub(crate) test: Option<ScanRule>,
    pub(crate) journey: ScanRule,
    /// Globs of test result files.
    pub(crate) results: Vec<String>,
    /// Reports of which lines of code the tests reached.
    pub(crate) coverage: Vec<String>,
    pub(crate) hash: HashRule,
    /// Statuses that count as concluded.
    pub(crate) retired: Vec<String>,
    /// Statuses whose requirements are left out of coverage figures.
    pub(crate) uncounted: Vec<String>,
    /// What becomes of references that lead nowhere.
    pub(crate) references: ReferenceRule,
    /// Statuses the configuration names; empty when any is fine.
    pub(crate) statuses: Vec<String>,
    /// Other repositories, by name.
    pub(crate) associates: Vec<Associate>,
    /// Whether changes of active requirements are written into their changelogs; where nobody says,
    /// those that have one go on with it.
    pub(crate) changelog: Option<bool>,
    /// Whether files of the dialects are read, where somebody said.
    pub(crate) dialects: Vec<(Dialect, bool)>,
    pub(crate) keyword_length: usize,
    /// Which files were there.
    pub(crate) files: Vec<&'static str>,
}

/// Another repository whose requirements may be cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Associate {
    pub(crate) name: String,
    /// Where the configuration says it lies; whether that is believed is decided elsewhere.
    pub(crate) path: String,
    /// What its ids begin with, where that is said.
    pub(crate) namespace: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    /// As in `[levels.prd]`.
    pub(crate) key: String,
    /// As it stands in files unless they spell it otherwise: `PRD`.
    pub(crate) name: String,
    pub(crate) letter: String,
    pub(crate) rank: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdShape {
    pub(crate) template: Vec<Part>,
    pub(crate) style: ComponentStyle,
    pub(crate) digits: usize,
    pub(crate) leading_zeros: bool,
    pub(crate) pattern: String,
    /// Characters that stand for one another between the parts of an id.
    pub(crate) separators: Vec<char>,
    /// The length of the code of an associated repository, where ids may have one.
    pub(crate) associated: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LabelShape {
    pub(crate) style: LabelStyle,
    pub(crate) max_count: usize,
    pub(crate) zero_pad: bool,
    pub(crate) separator: char,
    pub(crate) multi_separator: char,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScanRule {
    pub(crate) directories: Vec<String>,
    pub(crate) patterns: Vec<String>,
    pub(crate) skip_files: Vec<String>,
    pub(crate) skip_dirs: Vec<String>,
}

/// How serious a reference is that leads nowhere, by what is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReferenceRule {
    /// The id is of another project's form.
    pub(crate) unknown_namespace: Severity,
    pub(crate) unknown_requirement: Severity,
    pub(crate) unknown_assertion: Severity,
    /// It begins like an id of ours but is not one.
    pub(crate) malformed: Severity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HashRule {
    /// `None`: whatever the file's hashes already follow.
    pub(crate) mode: Option<HashMode>,
    pub(crate) algorithm: HashAlgorithm,
    pub(crate) length: usize,
}

impl Default for Config {
    fn default() -> Self {
        // No file at all cannot be wrong.
        Self::read(&[]).unwrap_or_else(|error| unreachable!("the defaults are valid: {error}"))
    }
}

impl Config {
    /// Reads the files that are there, each with its text, the local one last.
    pub(crate) fn read(files: &[(&'static str, &str)]) -> Result<Self, ConfigError> {
        let source = Source::parse(files)?;
        let rule = |name: &str, old: &str, directories: &[&str], defaults: &[String]| {
            scan_rule(&source, name, old, directories, defaults)
        };
        let markdown = ["*.md".to_owned()];
        let spec = rule("scanning/spec", "spec", &["spec"], &markdown)?;
        let mut code =
            rule("scanning/code", "code", &["src", "crates"], &language::code_patterns())?;
        if let Some(patterns) = source.globs(&["traceability/scan_patterns"])?
            && !patterns.is_empty()
        {
            // They come on top of what lies in the directories of code.
            code.patterns.extend(patterns);
        }
        let enabled = source.flag(&["scanning/test/enabled", "testing/enabled"])?.unwrap_or(true);
        let test =
            rule("scanning/test", "testing", &["tests", "test"], &language::test_patterns())?;
        let mut journey = rule("scanning/journey", "journey", &["spec"], &markdown)?;
        if source.texts(&["scanning/journey/directories"])?.is_none() {
            journey.directories.clone_from(&spec.directories);
        }
        // What is left out as a spec is not let in as a journey.
        if source.texts(&["scanning/journey/file_patterns", "journey/patterns"])?.is_none() {
            journey.patterns.clone_from(&spec.patterns);
        }
        journey.skip_files.extend(spec.skip_files.iter().cloned());
        journey.skip_dirs.extend(spec.skip_dirs.iter().cloned());
        let mut results = source.globs(&["testing/result_files"])?.unwrap_or_default();
        results.extend(source.path_of_each(
            "scanning/test/targets",
            &["results", "result_file"],
            "cwd",
        )?);
        if results.is_empty() {
            results = language::result_patterns();
        }
        let coverage = source.path_of_each("scanning/test/targets", &["coverage"], "cwd")?;
        let accepted = source.text(&["scanning/journey/results_file"])?;
        results.push(accepted.unwrap_or_else(|| ACCEPTANCE_RESULTS.to_owned()));
        Ok(Self {
            name: source.text(&["project/name"])?.filter(|it| !it.trim().is_empty()),
            namespace: namespace(&source)?,
            levels: levels(&source)?,
            ids: id_shape(&source)?,
            labels: label_shape(&source)?,
            skip: source
                .globs(&["scanning/skip", "ignore/global"])?
                .unwrap_or_else(language::skipped_names),
            spec,
            code,
            test: enabled.then_some(test),
            journey,
            results,
            coverage,
            hash: hash_rule(&source)?,
            retired: source.texts(&["rules/format/status_roles/retired"])?.unwrap_or_else(|| {
                vec!["Deprecated".to_owned(), "Superseded".to_owned(), "Rejected".to_owned()]
            }),
            uncounted: uncounted(&source)?,
            references: reference_rule(&source)?,
            statuses: statuses(&source)?,
            associates: associates(&source)?,
            changelog: source.flag(&["changelog/hash_current", "changelog/enforce"])?,
            dialects: dialects(&source)?,
            keyword_length: source.number(&["keywords/min_length"], 100)?.unwrap_or(3),
            files: files.iter().map(|(file, _)| *file).collect(),
        })
    }

    /// The level a word means, whether it is the name, the key or the letter.
    pub(crate) fn level(&self, word: &str) -> Option<&Level> {
        self.levels.iter().find(|level| {
            [&level.name, &level.key, &level.letter].iter().any(|it| it.eq_ignore_ascii_case(word))
        })
    }

    /// Whether a requirement of this status counts towards coverage.
    pub(crate) fn counts(&self, status: &str) -> bool {
        !self.uncounted.iter().any(|it| it.eq_ignore_ascii_case(status))
    }

    pub(crate) fn is_retired(&self, status: &str) -> bool {
        self.retired.iter().any(|it| it.eq_ignore_ascii_case(status))
    }
}

fn scan_rule(
    source: &Source,
    name: &str,
    old: &str,
    directories: &[&str],
    defaults: &[String],
) -> Result<ScanRule, ConfigError> {
    let key = |table: &str, key: &str| format!("{table}/{key}");
    let globs = |new: &str, older: &[String]| {
        let new = key(name, new);
        let spellings: Vec<&str> =
            std::iter::once(new.as_str()).chain(older.iter().map(String::as_str)).collect();
        source.globs(&spellings)
    };
    let [new, older, oldest, own] = [
        key(name, "directories"),
        key(old, "directories"),
        key(old, "test_dirs"),
        format!("directories/{old}"),
    ];
    let listed = source.texts(&[&new, &older, &oldest, &own])?;
    let mut patterns = globs("file_patterns", &[key(old, "patterns")])?.unwrap_or_default();
    // A pattern with a slash names files anywhere; only bare ones say what lies in the directories.
    if !patterns.iter().any(|it| !it.contains('/')) {
        patterns.extend(defaults.iter().cloned());
    }
    let mut skipped = vec![key(old, "skip_dirs")];
    if old == "code" {
        skipped.push("directories/ignore".to_owned());
    }
    let skip_files = globs("skip_files", &[key(old, "skip_files"), format!("ignore/{old}")])?;
    Ok(ScanRule {
        directories: listed
            .unwrap_or_else(|| directories.iter().map(|it| (*it).to_owned()).collect()),
        patterns,
        skip_files: skip_files.unwrap_or_else(|| {
            if old == "spec" {
                vec!["README.md".to_owned(), "INDEX.md".to_owned()]
            } else {
                Vec::new()
            }
        }),
        skip_dirs: globs("skip_dirs", &skipped)?.unwrap_or_default(),
    })
}

fn namespace(source: &Source) -> Result<String, ConfigError> {
    let spellings = ["project/namespace", "patterns/prefix", "id-patterns/namespace"];
    let namespace = source.text(&spellings)?.unwrap_or_else(|| "REQ".to_owned());
    let fits = |it: &str| {
        !it.is_empty()
            && it.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    if fits(&namespace) {
        Ok(namespace)
    } else {
        Err(source.complain(&spellings, "it must consist of letters, digits, `_`, `-` or `.`"))
    }
}

fn levels(source: &Source) -> Result<Vec<Level>, ConfigError> {
    let mut levels = Vec::new();
    for table in ["levels", "id-patterns/types", "patterns/types"] {
        for key in source.tables(table)? {
            let path = |field: &str| format!("{table}/{key}/{field}");
            let letter = source
                .text(&[&path("letter"), &path("id"), &path("aliases/letter")])?
                .unwrap_or_else(|| key.chars().take(1).collect());
            if letter.is_empty() || !letter.chars().all(|it| it.is_ascii_alphanumeric()) {
                let message = "it must be a letter, such as \"p\"";
                return Err(source.complain(&[&path("letter"), &path("id")], message));
            }
            let rank = source.number(&[&path("rank"), &path("level")], 1000)?;
            // `display_name` is for reports; files spell the key or the name of old.
            let name = match source.text(&[&path("name")])? {
                Some(name) if table == "patterns/types" && !name.contains(' ') => name,
                _ => key.to_uppercase(),
            };
            levels.push(Level { name, letter, rank: rank.unwrap_or(levels.len() + 1), key });
        }
        if !levels.is_empty() {
            break;
        }
    }
    if levels.is_empty() {
        levels = [("prd", "p"), ("ops", "o"), ("dev", "d")]
            .into_iter()
            .enumerate()
            .map(|(rank, (key, letter))| Level {
                key: key.to_owned(),
                name: key.to_uppercase(),
                letter: letter.to_owned(),
                rank: rank + 1,
            })
            .collect();
    }
    levels.sort_by(|left, right| (left.rank, &left.key).cmp(&(right.rank, &right.key)));
    Ok(levels)
}

fn id_shape(source: &Source) -> Result<IdShape, ConfigError> {
    let spellings = ["id-patterns/canonical", "patterns/id_template"];
    // The older generation calls a level's letter its id, and `{type}` stands for that.
    let is_old = source.text(&spellings[..1])?.is_none() && source.text(&spellings[1..])?.is_some();
    let bare = if is_old { LevelSpelling::Letter } else { LevelSpelling::Key };
    let template = source
        .text(&spellings)?
        .unwrap_or_else(|| "{namespace}-{level.letter}{component}".to_owned());
    let template = template::parts(&template, bare)
        .map_err(|message| source.complain(&spellings, &message))?;
    let component =
        |key: &str| [format!("id-patterns/component/{key}"), format!("patterns/id_format/{key}")];
    let [new, old] = component("style");
    let style = source.choice(&[&new, &old], &ComponentStyle::WORDS)?;
    let style = style.unwrap_or(ComponentStyle::Numeric);
    let [new, old] = component("digits");
    let digits = source.number(&[&new, &old], 18)?.unwrap_or(5);
    let [new, old] = component("leading_zeros");
    let leading_zeros = source.flag(&[&new, &old])?.unwrap_or(true);
    let [new, old] = component("pattern");
    let pattern = source.text(&[&new, &old])?.unwrap_or_default();
    if regex::Regex::new(&pattern).is_err() {
        return Err(source.complain(&[&new, &old], "this is not a regular expression"));
    }
    let separators = source.texts(&["id-patterns/separators", "references/defaults/separators"])?;
    let separators: Vec<char> = match separators {
        Some(listed) => listed.iter().filter_map(|it| it.chars().next()).collect(),
        None => vec!['-', '_'],
    };
    let tables = ["id-patterns/associated", "patterns/associated"];
    let mut associated = None;
    for table in tables {
        if source.flag(&[&format!("{table}/enabled")])? == Some(true) {
            associated = Some(source.number(&[&format!("{table}/length")], 20)?.unwrap_or(3));
        }
    }
    Ok(IdShape { template, style, digits, leading_zeros, pattern, separators, associated })
}

fn label_shape(source: &Source) -> Result<LabelShape, ConfigError> {
    let spell =
        |key: &str| [format!("id-patterns/assertions/{key}"), format!("patterns/assertions/{key}")];
    let [new, old] = spell("label_style");
    let style = source.choice(&[&new, &old], &LabelStyle::WORDS)?;
    let style = style.unwrap_or(LabelStyle::Uppercase);
    let [new, old] = spell("max_count");
    let max_count = source.number(&[&new, &old], 1000)?.unwrap_or(26).clamp(1, style.capacity());
    let [new, old] = spell("zero_pad");
    let zero_pad = source.flag(&[&new, &old])?.unwrap_or(false);
    let [new, old] = spell("separator");
    let separator = single(source, &[&new, &old])?.unwrap_or('-');
    let [new, old] = spell("multi_separator");
    // Two generations of files: one joins labels by a dash, the other by a plus.
    let default = if source.text(&["patterns/id_template", "patterns/prefix"])?.is_some() {
        '-'
    } else {
        '+'
    };
    let multi_separator = single(source, &[&new, &old])?.unwrap_or(default);
    Ok(LabelShape { style, max_count, zero_pad, separator, multi_separator })
}

fn single(source: &Source, spellings: &[&str]) -> Result<Option<char>, ConfigError> {
    let Some(text) = source.text(spellings)? else { return Ok(None) };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(one), None) if !one.is_alphanumeric() && one != ',' && !one.is_whitespace() => {
            Ok(Some(one))
        }
        _ => Err(source.complain(spellings, "it must be one character such as `-` or `+`")),
    }
}

fn hash_rule(source: &Source) -> Result<HashRule, ConfigError> {
    let algorithm = source.choice(&["validation/hash_algorithm"], &HashAlgorithm::WORDS)?;
    Ok(HashRule {
        mode: source.choice(&["validation/hash_mode"], &HashMode::WORDS)?,
        algorithm: algorithm.unwrap_or(HashAlgorithm::Sha256),
        length: source.number(&["validation/hash_length"], 64)?.unwrap_or(8).max(1),
    })
}

/// Where statuses have roles, only those of the active ones count.
fn uncounted(source: &Source) -> Result<Vec<String>, ConfigError> {
    let defaults: [(&str, &[&str]); 3] = [
        ("provisional", &["Draft", "Proposed"]),
        ("aspirational", &["Roadmap", "Future", "Idea"]),
        ("retired", &["Deprecated", "Superseded", "Rejected"]),
    ];
    let mut uncounted = Vec::new();
    if source.has("rules/format/status_roles") {
        for (role, usual) in defaults {
            let listed = source.texts(&[&format!("rules/format/status_roles/{role}")])?;
            let usual = || usual.iter().map(|it| (*it).to_owned()).collect();
            uncounted.extend(listed.unwrap_or_else(usual));
        }
    }
    Ok(uncounted)
}

fn reference_rule(source: &Source) -> Result<ReferenceRule, ConfigError> {
    let severity = |class: &str| {
        let words = Severity::WORDS;
        source.choice(&[&format!("rules/references/{class}")], &words)
    };
    let lenient = source.flag(&["validation/allow_unresolved_cross_repo"])?.unwrap_or(false);
    let elsewhere = if lenient { Severity::Note } else { Severity::Error };
    Ok(ReferenceRule {
        unknown_namespace: severity("unknown_namespace")?.unwrap_or(elsewhere),
        unknown_requirement: severity("unknown_requirement")?.unwrap_or(Severity::Error),
        unknown_assertion: severity("unknown_assertion")?.unwrap_or(Severity::Error),
        malformed: severity("malformed")?.unwrap_or(Severity::Error),
    })
}

fn associates(source: &Source) -> Result<Vec<Associate>, ConfigError> {
    let mut found = Vec::new();
    for name in source.tables("associates")? {
        let path = |key: &str| format!("associates/{name}/{key}");
        found.push(Associate {
            path: source.text(&[&path("path")])?.unwrap_or_default(),
            namespace: source.text(&[&path("namespace"), &path("prefix")])?,
            name,
        });
    }
    Ok(found)
}

/// `[dialects]`: those that are found by themselves can be switched off, and those that another
/// rule would hide can be switched on.
fn dialects(source: &Source) -> Result<Vec<(Dialect, bool)>, ConfigError> {
    let mut said = Vec::new();
    for dialect in Dialect::ALL {
        let switch = source.flag(&[&format!("dialects/{}", dialect.as_str())])?;
        said.extend(switch.map(|it| (dialect, it)));
    }
    Ok(said)
}

fn statuses(source: &Source) -> Result<Vec<String>, ConfigError> {
    let spellings = ["rules/format/allowed_statuses", "requirements/allowed_statuses"];
    if let Some(listed) = source.texts(&spellings)? {
        return Ok(listed);
    }
    let mut all = source.tables("statuses")?;
    for role in ["active", "provisional", "aspirational", "retired"] {
        all.extend(
            source.texts(&[&format!("rules/format/status_roles/{role}")])?.unwrap_or_default(),
        );
    }
    Ok(all)
}
