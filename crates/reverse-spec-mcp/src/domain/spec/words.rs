//! The words of a document, in the language the user asked for.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

const EN: &str = include_str!("../../../assets/words/en.toml");
const ZH: &str = include_str!("../../../assets/words/zh.toml");

/// One language. Every language has every word, or nothing starts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub(crate) sections: [String; 9],
    pub(crate) files: String,
    pub(crate) entry_points: String,
    pub(crate) environment: String,
    /// Where nothing was found: what was looked for.
    pub(crate) no_entry_points: String,
    pub(crate) records: String,
    pub(crate) answers: String,
    pub(crate) migrations: String,
    /// Headings by kind.
    pub(crate) entry_kinds: BTreeMap<String, String>,
    pub(crate) class_diagram: String,
    pub(crate) dependency_diagram: String,
    pub(crate) facts: String,
    pub(crate) whole_project: String,
    pub(crate) intent: String,
    pub(crate) intent_internal: String,
    pub(crate) intent_file: String,
    pub(crate) intent_file_internal: String,
    pub(crate) one_file: String,
    pub(crate) many_files: String,
    pub(crate) one_export: String,
    pub(crate) many_exports: String,
    pub(crate) main_names: String,
    pub(crate) no_exports: String,
    pub(crate) no_calls: String,
    pub(crate) calls_intro: String,
    pub(crate) no_data: String,
    pub(crate) constants: String,
    pub(crate) no_constraints: String,
    pub(crate) no_edges: String,
    pub(crate) unwraps_intro: String,
    pub(crate) optional_intro: String,
    pub(crate) no_debt: String,
    pub(crate) marks_intro: String,
    pub(crate) deprecated_intro: String,
    pub(crate) long_intro: String,
    pub(crate) errors_intro: String,
    pub(crate) no_tests: String,
    pub(crate) one_inline_test: String,
    pub(crate) inline_tests: String,
    pub(crate) tests_intro: String,
    pub(crate) untested: String,
    pub(crate) all_tested: String,
    pub(crate) unnamed: String,
    pub(crate) no_dependencies: String,
    pub(crate) internal_intro: String,
    pub(crate) external_intro: String,
    pub(crate) and_more: String,
    pub(crate) internal_module: String,
    pub(crate) implements: String,
    pub(crate) table: Table,
    pub(crate) fact: Fact,
    pub(crate) page: Page,
}

/// The headings of tables.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) signature: String,
    pub(crate) purpose: String,
    pub(crate) member: String,
    pub(crate) field: String,
    pub(crate) r#type: String,
    pub(crate) notes: String,
    pub(crate) r#where: String,
    pub(crate) what: String,
    pub(crate) condition: String,
    pub(crate) calls: String,
    pub(crate) file: String,
    pub(crate) lines: String,
    pub(crate) language: String,
    pub(crate) exports: String,
    pub(crate) module: String,
    pub(crate) names: String,
    pub(crate) used_by: String,
    pub(crate) line: String,
    pub(crate) mark: String,
    pub(crate) input: String,
    pub(crate) default: String,
    pub(crate) tests: String,
    pub(crate) value: String,
}

/// What is said of a symbol in a word.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fact {
    pub(crate) throws: String,
    pub(crate) returns_error: String,
    pub(crate) panics: String,
    pub(crate) validates: String,
    pub(crate) fallible: String,
    pub(crate) absent: String,
    pub(crate) optional: String,
    pub(crate) readonly: String,
    pub(crate) r#static: String,
    pub(crate) private: String,
    pub(crate) protected: String,
    pub(crate) package: String,
    pub(crate) deprecated: String,
}

/// The pages about all specifications of a project together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    pub(crate) index: String,
    pub(crate) to_architecture: String,
    pub(crate) index_columns: [String; 7],
    pub(crate) not_written: String,
    pub(crate) others: String,
    pub(crate) other_columns: [String; 4],
    pub(crate) gone: String,
    pub(crate) architecture: String,
    pub(crate) intro: String,
    pub(crate) one_module: String,
    pub(crate) many_modules: String,
    pub(crate) one_level: String,
    pub(crate) many_levels: String,
    pub(crate) arrows: String,
    pub(crate) folders: String,
    pub(crate) left_out: String,
    /// Between two sentences.
    pub(crate) between: String,
    pub(crate) level: String,
    pub(crate) circle: String,
    pub(crate) circles: String,
}

impl Words {
    /// `zh` for Chinese, English for anything else. Read when the first of them is needed.
    pub(crate) fn of(language: Option<&str>) -> &'static LazyLock<Self> {
        static ENGLISH: LazyLock<Words> = LazyLock::new(|| read(EN));
        static CHINESE: LazyLock<Words> = LazyLock::new(|| read(ZH));
        let chinese = language.is_some_and(|name| {
            let name = name.trim().to_ascii_lowercase();
            name == "zh" || name.starts_with("zh-") || name.starts_with("zh_")
        });
        if chinese { &CHINESE } else { &ENGLISH }
    }
}

#[expect(clippy::expect_used, reason = "the files are part of the program, and a test reads both")]
fn read(text: &str) -> Words {
    toml::from_str(text).expect("an embedded word list is complete")
}

/// Puts values in the place of `{name}`. What a value itself holds stays as it is.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named = after.split_once('}');
        let value = named.and_then(|(name, _)| values.iter().find(|it| it.0 == name));
        if let (Some((_, further)), Some((_, value))) = (named, value) {
            text.push_str(value);
            rest = further;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text + rest
}
