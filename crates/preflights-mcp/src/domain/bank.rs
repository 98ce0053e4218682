//! The question bank: what is worth deciding, how it is asked, and how it is recognised. All of it
//! is data; a repository can replace and extend it.

mod check;
mod facets;
mod place;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::error::Error;
pub(crate) use facets::{Facet, facets, facets_of};

/// Where a repository keeps questions of its own.
pub(crate) const OWN_QUESTIONS: &str = ".preflights/questions.toml";

/// Many times what a bank of a person's making needs; looking through it stays quick.
const MAX_OWN_BYTES: usize = 256 * 1024;

/// In this order: a name that means several things means the first of them.
const EMBEDDED: [&str; 4] = [
    include_str!("../../assets/questions/data.toml"),
    include_str!("../../assets/questions/access.toml"),
    include_str!("../../assets/questions/application.toml"),
    include_str!("../../assets/questions/operations.toml"),
];
const ALIASES: &str = include_str!("../../assets/aliases.toml");

pub(crate) const OTHER: &str = "Other (specify)";

/// The ecosystems that options can be chosen for.
pub(crate) const ECOSYSTEMS: [&str; 8] =
    ["rust", "node", "python", "go", "jvm", "ruby", "php", "dotnet"];

#[derive(Debug, Clone, Default)]
pub(crate) struct Bank {
    pub(crate) categories: Vec<Category>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "category")]
    categories: Vec<Category>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Category {
    pub(crate) name: String,
    /// Words that make it a topic of a request; `=word` is that form of the word alone.
    #[serde(default)]
    pub(crate) words: Vec<String>,
    /// Parts of directory names where its code usually lies.
    #[serde(default)]
    pub(crate) paths: Vec<String>,
    #[serde(default, rename = "question")]
    pub(crate) questions: Vec<Question>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    SingleChoice,
    MultiChoice,
    FreeText,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) field: String,
    #[serde(rename = "type")]
    pub(crate) kind: Kind,
    pub(crate) ask: String,
    pub(crate) why: String,
    /// 1 to 10: what matters most is asked first.
    pub(crate) impact: u8,
    #[serde(default)]
    pub(crate) optional: bool,
    #[serde(default)]
    pub(crate) options: Vec<String>,
    #[serde(default)]
    pub(crate) options_for: BTreeMap<String, Vec<String>>,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<usize>,
    /// Asked only when the request has one of these words.
    #[serde(default)]
    pub(crate) when: Vec<String>,
    /// Asked only after another question was answered so.
    pub(crate) follows: Option<Follows>,
    /// Questions that are not asked where this one comes up.
    #[serde(default)]
    pub(crate) instead: Vec<String>,
    /// A list behind one of these words names its values: "roles (owner, editor)".
    #[serde(default)]
    pub(crate) listed_after: Vec<String>,
    /// A name that the bank does not know can be its value: "use X" where it is open.
    #[serde(default)]
    pub(crate) takes_names: bool,
    /// Its values are too common in other meanings to make a topic by themselves.
    #[serde(default)]
    pub(crate) quiet: bool,
    /// How a request names the values; an empty list stands for the value's own words.
    #[serde(default)]
    pub(crate) names: BTreeMap<String, Vec<String>>,
    /// What in the repository shows a value, as `npm:pg`, `image:postgres` or `file:fly.toml`.
    #[serde(default)]
    pub(crate) found: BTreeMap<String, Vec<String>>,
    /// What makes a value likely without showing it, in the same form.
    #[serde(default)]
    pub(crate) suggested: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Follows {
    pub(crate) id: String,
    pub(crate) values: Vec<String>,
}

impl Category {
    /// The core question that matters most.
    pub(crate) fn lead(&self) -> Option<&Question> {
        let core = self.questions.iter().filter(|it| it.is_core());
        core.reduce(|best, it| if it.impact > best.impact { it } else { best })
    }
}

impl Question {
    /// Asked whenever its category is a topic.
    pub(crate) fn is_core(&self) -> bool {
        self.when.is_empty() && self.follows.is_none()
    }

    /// What to choose from in a repository of these ecosystems.
    pub(crate) fn options_in(&self, ecosystems: &[&'static str]) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        for ecosystem in ecosystems {
            for option in self.options_for.get(*ecosystem).into_iter().flatten() {
                if !options.contains(option) {
                    options.push(option.clone());
                }
            }
        }
        if !options.is_empty() {
            return options;
        }
        // What is usual elsewhere is no advice in an ecosystem the bank has no list for.
        let is_foreign = !ecosystems.is_empty() && !self.options_for.is_empty();
        if is_foreign { Self::neutral() } else { self.options.clone() }
    }

    /// Options that fit everywhere.
    fn neutral() -> Vec<String> {
        ["What the platform brings along", "A library of this ecosystem", "Written ourselves"]
            .map(str::to_owned)
            .to_vec()
    }

    /// Every value the bank knows for it.
    pub(crate) fn known_values(&self) -> impl Iterator<Item = &str> {
        self.options
            .iter()
            .chain(self.options_for.values().flatten())
            .chain(self.names.keys())
            .chain(self.found.keys())
            .map(String::as_str)
    }
}

static BANK: LazyLock<Bank> = LazyLock::new(|| {
    let mut bank = Bank::default();
    for text in EMBEDDED {
        #[expect(clippy::expect_used, reason = "the embedded bank is checked by a test")]
        let file = parse("the embedded bank", text).expect("the embedded bank is valid");
        bank.extend(file);
    }
    bank
});

/// Older names with the ones used now.
static RENAMED: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Aliases {
        names: BTreeMap<String, String>,
    }
    #[expect(clippy::expect_used, reason = "the embedded names are checked by a test")]
    let aliases: Aliases = toml::from_str(ALIASES).expect("the embedded names are valid");
    aliases.names
});

/// Reads `Infra.Hosting` as `Deployment.Target`, and leaves other names alone.
pub(crate) fn renamed(category: &str, field: &str) -> (String, String) {
    let key = format!("{category}.{field}");
    match RENAMED.get(&key).and_then(|now| now.split_once('.')) {
        Some((category, field)) => (category.to_owned(), field.to_owned()),
        None => (category.to_owned(), field.to_owned()),
    }
}

impl Bank {
    pub(crate) fn embedded() -> &'static Self {
        &BANK
    }

    /// The embedded bank with a repository's own questions laid over it.
    pub(crate) fn with_own(text: &str) -> Result<Self, Error> {
        if text.len() > MAX_OWN_BYTES {
            let size = text.len();
            let reason = format!("it has {size} bytes, {MAX_OWN_BYTES} are read at most");
            return Err(Error::parse(OWN_QUESTIONS, 1, reason));
        }
        let mut bank = Self::embedded().clone();
        bank.extend(parse(OWN_QUESTIONS, text)?);
        check::check(&bank).map_err(|fault| {
            let line = place::line_of(&fault, text);
            Error::parse(OWN_QUESTIONS, line, fault.reason)
        })?;
        Ok(bank)
    }

    /// A category that is known takes new words and questions; a question that is known is replaced.
    fn extend(&mut self, file: File) {
        for category in file.categories {
            let Some(known) = self.categories.iter_mut().find(|it| it.name == category.name) else {
                self.categories.push(category);
                continue;
            };
            known.words.extend(category.words);
            known.paths.extend(category.paths);
            for question in category.questions {
                match known.questions.iter_mut().find(|it| it.id == question.id) {
                    Some(same) => *same = question,
                    None => known.questions.push(question),
                }
            }
        }
    }

    pub(crate) fn category(&self, name: &str) -> Option<&Category> {
        self.categories.iter().find(|it| it.name == name)
    }

    pub(crate) fn question(&self, id: &str) -> Option<(&Category, &Question)> {
        self.categories.iter().find_map(|category| {
            category.questions.iter().find(|it| it.id == id).map(|question| (category, question))
        })
    }

    pub(crate) fn question_of(&self, category: &str, field: &str) -> Option<&Question> {
        self.category(category)?.questions.iter().find(|it| it.field == field)
    }
}

fn parse(path: &str, text: &str) -> Result<File, Error> {
    toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        Error::parse(path, line, error.message().to_owned())
    })
}
