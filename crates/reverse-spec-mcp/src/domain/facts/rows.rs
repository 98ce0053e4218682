//! The rows of `assets/frameworks.toml`, sorted by language.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RouterCall {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) verb: String,
    #[serde(default)]
    pub(crate) handler: String,
    #[serde(default)]
    pub(crate) receivers: Vec<String>,
    #[serde(default)]
    pub(crate) imports: Vec<String>,
    #[serde(default)]
    pub(crate) any_receiver: bool,
    #[serde(default)]
    pub(crate) bare: bool,
    /// Addresses need no slash before them.
    #[serde(default)]
    pub(crate) loose_address: bool,
    /// The argument that names the verbs.
    #[serde(default)]
    pub(crate) verbs_in: String,
    /// What a function answers where no verb is named; what else answers knows its verbs itself.
    #[serde(default)]
    pub(crate) default_verb: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) receivers: Vec<String>,
    pub(crate) reaches: Reach,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reach {
    Arguments,
    Chain,
    Block,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Maker {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) keys: Vec<String>,
    #[serde(default)]
    pub(crate) guards: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mount {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) address: Option<usize>,
    #[serde(default)]
    pub(crate) keys: Vec<String>,
    pub(crate) target: String,
    #[serde(default)]
    pub(crate) guards: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Through {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RouteMark {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) verb: String,
    pub(crate) keys: Vec<String>,
    #[serde(default)]
    pub(crate) prefix: Vec<String>,
    /// It means a route only in a file with one of these.
    #[serde(default)]
    pub(crate) imports: Vec<String>,
    #[serde(default)]
    pub(crate) address_from: Option<String>,
    #[serde(default)]
    pub(crate) only_functions: bool,
    #[serde(default)]
    pub(crate) named_by_function: bool,
    #[serde(default)]
    pub(crate) needs_text: bool,
    #[serde(default)]
    pub(crate) default_verb: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilePath {
    languages: Vec<String>,
    pub(crate) below: String,
    pub(crate) name: String,
    pub(crate) verb: String,
    #[serde(default)]
    pub(crate) kept: String,
    #[serde(default)]
    pub(crate) words: Vec<String>,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
}

/// Parts of names of what turns nobody away.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plain {
    /// Nobody who calls notices that it is there.
    pub(crate) unseen: Vec<String>,
    /// It changes what is understood or answered.
    pub(crate) served: Vec<String>,
    pub(crate) guards: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Names {
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entity {
    languages: Vec<String>,
    #[serde(default)]
    pub(crate) marks: Vec<String>,
    #[serde(default)]
    pub(crate) extends: Vec<String>,
    #[serde(default)]
    pub(crate) derives: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObjectCall {
    languages: Vec<String>,
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) receivers: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Surroundings {
    pub(crate) extends: Vec<String>,
    pub(crate) settings: Vec<String>,
    pub(crate) setting_receivers: Vec<String>,
    pub(crate) setting_marks: Vec<String>,
    pub(crate) setting_files: Vec<String>,
    pub(crate) guards: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flag {
    languages: Vec<String>,
    #[serde(default)]
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) marks: Vec<String>,
    #[serde(default)]
    pub(crate) receivers: Vec<String>,
    #[serde(default)]
    pub(crate) defaults: Vec<String>,
    #[serde(default)]
    pub(crate) details: Vec<String>,
    /// Marks of these names mean flags only in a file that imports one of these.
    #[serde(default)]
    pub(crate) imports: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Command {
    languages: Vec<String>,
    #[serde(default)]
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) marks: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Topics {
    pub(crate) names: Vec<String>,
    pub(crate) sent: Vec<String>,
    pub(crate) receivers: Vec<String>,
    pub(crate) sent_receivers: Vec<String>,
    pub(crate) makers: Vec<String>,
    pub(crate) marks: Vec<String>,
    pub(crate) keys: Vec<String>,
    pub(crate) constants: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Jobs {
    pub(crate) names: Vec<String>,
    pub(crate) receivers: Vec<String>,
    pub(crate) bare: Vec<String>,
    pub(crate) marks: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Statuses {
    pub(crate) calls: Vec<String>,
    pub(crate) keys: Vec<String>,
    pub(crate) owners: Vec<String>,
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ignored {
    pub(crate) keys: Vec<String>,
    pub(crate) links: Vec<String>,
    pub(crate) marks: Vec<String>,
}

/// How a framework says by which steps a database is changed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Migration {
    languages: Vec<String>,
    /// A file with one of these is a migration.
    pub(crate) marks: Vec<String>,
    /// Functions that lead back, which are not told.
    #[serde(default)]
    pub(crate) back: Vec<String>,
    /// What says which migration comes before.
    #[serde(default)]
    pub(crate) after: String,
    /// Calls that are columns of the table around them.
    #[serde(default)]
    pub(crate) columns: Vec<String>,
    /// Calls that are given statements of SQL, or a function to run.
    #[serde(default)]
    pub(crate) statements: Vec<String>,
    /// Calls by name, and what each does.
    pub(crate) operations: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    call: Vec<RouterCall>,
    listed: Vec<RouterCall>,
    group: Vec<Group>,
    maker: Vec<Maker>,
    mount: Vec<Mount>,
    through: Vec<Through>,
    plain: Plain,
    mark: Vec<RouteMark>,
    file: Vec<FilePath>,
    exported: Names,
    entity: Vec<Entity>,
    object: Vec<ObjectCall>,
    surroundings: Surroundings,
    handlers: Names,
    flag: Vec<Flag>,
    command: Vec<Command>,
    topics: Topics,
    jobs: Jobs,
    statuses: Statuses,
    ignored: Ignored,
    migration: Vec<Migration>,
}

/// Everything that is known of one language.
#[derive(Debug)]
pub(crate) struct Rows {
    /// What a call of a name may say: most calls have none of these names.
    roles: HashMap<String, u16>,
    pub(crate) calls: Vec<RouterCall>,
    pub(crate) listed: Vec<RouterCall>,
    pub(crate) groups: Vec<Group>,
    pub(crate) makers: Vec<Maker>,
    pub(crate) mounts: Vec<Mount>,
    pub(crate) through: Vec<Through>,
    pub(crate) marks: Vec<RouteMark>,
    pub(crate) files: Vec<FilePath>,
    pub(crate) exported: Vec<String>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) objects: Vec<ObjectCall>,
    pub(crate) surroundings: Surroundings,
    pub(crate) handlers: Vec<String>,
    pub(crate) flags: Vec<Flag>,
    pub(crate) commands: Vec<Command>,
    pub(crate) topics: Topics,
    pub(crate) jobs: Jobs,
    pub(crate) statuses: Statuses,
    pub(crate) ignored: Ignored,
    pub(crate) migrations: Vec<Migration>,
}

const LANGUAGES: [&str; 10] =
    ["typescript", "javascript", "python", "java", "kotlin", "csharp", "go", "rust", "php", "ruby"];

static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is part of the program and tested")]
    toml::from_str(include_str!("../../../assets/frameworks.toml"))
        .expect("the table of frameworks is well formed")
});

static ROWS: LazyLock<HashMap<&'static str, Rows>> =
    LazyLock::new(|| LANGUAGES.iter().map(|it| (*it, rows(&WHOLE, it))).collect());

/// What is known of things that requests go through, in any language.
pub(crate) fn plain() -> &'static Plain {
    &WHOLE.plain
}

fn rows(whole: &Whole, language: &str) -> Rows {
    macro_rules! of {
        ($list:ident) => {
            whole
                .$list
                .iter()
                .filter(|it| it.languages.iter().any(|it| it == language))
                .cloned()
                .collect()
        };
    }
    let mut rows = Rows {
        roles: HashMap::new(),
        calls: of!(call),
        listed: of!(listed),
        groups: of!(group),
        makers: of!(maker),
        mounts: of!(mount),
        through: of!(through),
        marks: of!(mark),
        files: of!(file),
        exported: whole.exported.names.clone(),
        entities: of!(entity),
        objects: of!(object),
        surroundings: whole.surroundings.clone(),
        handlers: whole.handlers.names.clone(),
        flags: of!(flag),
        commands: of!(command),
        topics: whole.topics.clone(),
        jobs: whole.jobs.clone(),
        statuses: whole.statuses.clone(),
        ignored: whole.ignored.clone(),
        migrations: of!(migration),
    };
    rows.roles = roles_of(&rows);
    rows
}

/// Every name of a call that any row knows, with what it may say.
fn roles_of(rows: &Rows) -> HashMap<String, u16> {
    let mut roles: HashMap<String, u16> = HashMap::new();
    let mut add = |names: &[String], role: u16| {
        for name in names {
            *roles.entry(name.clone()).or_default() |= role;
        }
    };
    rows.groups.iter().for_each(|it| add(&it.names, role::GROUP));
    rows.makers.iter().for_each(|it| add(&it.names, role::MAKER));
    rows.mounts.iter().for_each(|it| add(&it.names, role::MOUNT | role::ROUTE));
    rows.calls.iter().chain(&rows.listed).for_each(|it| add(&it.names, role::ROUTE));
    rows.through.iter().for_each(|it| add(&it.names, role::ROUTE));
    rows.objects.iter().for_each(|it| add(&it.names, role::OBJECT));
    rows.flags.iter().for_each(|it| add(&it.names, role::FLAG));
    rows.commands.iter().for_each(|it| add(&it.names, role::COMMAND));
    let topics = &rows.topics;
    for names in [&topics.names, &topics.sent] {
        add(names, role::TOPIC);
    }
    // Of those with a dot the last part is called.
    let last = |it: &String| it.rsplit('.').next().unwrap_or(it).to_owned();
    add(&topics.makers.iter().map(last).collect::<Vec<_>>(), role::TOPIC);
    add(&rows.jobs.names, role::JOB);
    add(&rows.jobs.bare, role::JOB);
    add(&rows.surroundings.settings, role::SETTING);
    add(&PROCEDURES.map(str::to_owned), role::ROUTE);
    roles
}

/// Procedures of tRPC, and routes that are an object.
const PROCEDURES: [&str; 4] = ["route", "query", "mutation", "subscription"];

/// What a call of a name may say.
pub(crate) mod role {
    pub(crate) const GROUP: u16 = 1;
    pub(crate) const MAKER: u16 = 2;
    pub(crate) const MOUNT: u16 = 4;
    pub(crate) const ROUTE: u16 = 8;
    pub(crate) const OBJECT: u16 = 16;
    pub(crate) const FLAG: u16 = 32;
    pub(crate) const COMMAND: u16 = 64;
    pub(crate) const TOPIC: u16 = 128;
    pub(crate) const JOB: u16 = 256;
    pub(crate) const SETTING: u16 = 512;
}

impl Rows {
    pub(crate) fn roles(&self, name: &str) -> u16 {
        self.roles.get(name).copied().unwrap_or_default()
    }
}

/// The rows of a language; none for one that has no frameworks here.
pub(crate) fn of(language: &str) -> Option<&'static Rows> {
    let language = match language {
        "vue" | "svelte" | "astro" => "typescript",
        "c-sharp" => "csharp",
        other => other,
    };
    ROWS.get(language)
}

/// Whether a list has a word.
pub(crate) fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|it| it == word)
}
