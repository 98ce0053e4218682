//! Which tests reach the module, judged by what they import.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use super::{MAX_NAMES, names_cell};
use crate::domain::languages;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol};
use crate::domain::spec::facts::{Facts, name_of};
use crate::domain::spec::markdown::{Table, code, code_cell};
use crate::domain::spec::words::{Words, fill};

pub(super) fn coverage(facts: &Facts<'_>, words: &Words) -> String {
    let inline: usize = facts.skeletons.iter().map(|it| it.tests).sum();
    let mut text = String::new();
    match inline {
        0 => {}
        1 => drop(writeln!(text, "{}", words.one_inline_test)),
        n => drop(writeln!(text, "{}", fill(&words.inline_tests, &[("n", &n.to_string())]))),
    }
    if facts.tests.is_empty() {
        if inline == 0 {
            writeln!(text, "{}", words.no_tests).ok();
        }
        return text;
    }
    let t = &words.table;
    let mut table = Table::new(&[&t.file, &t.tests, &t.names]);
    let offered = Offered::by(facts);
    for test in facts.tests {
        let (names, _) = offered.taken(test);
        let shown = names_cell(names.iter(), words);
        let count = if test.tests == 0 { String::new() } else { test.tests.to_string() };
        let shown = if shown.is_empty() { "*".to_owned() } else { shown };
        table.row(&[&code_cell(&test.file_path), &count, &shown]);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    write!(text, "{}\n\n{}", words.tests_intro, table.into_text()).ok();
    if inline == 0 && !facts.merged.exports.is_empty() {
        writeln!(text, "\n{}", verdict(facts, words)).ok();
    }
    text
}

fn verdict(facts: &Facts<'_>, words: &Words) -> String {
    let Some(untested) = untested(facts) else { return words.unnamed.clone() };
    if untested.is_empty() {
        return words.all_tested.clone();
    }
    let more = untested.len().saturating_sub(MAX_NAMES);
    let mut shown: Vec<String> = untested.iter().take(MAX_NAMES).map(|it| code(it)).collect();
    if more > 0 {
        shown.push(fill(&words.and_more, &[("n", &more.to_string())]));
    }
    fill(&words.untested, &[("names", &shown.join(", "))])
}

/// Exports that no test file names. `None` where single exports cannot be told apart: tests stand
/// in the source files, or import the module as a whole.
pub(crate) fn untested(facts: &Facts<'_>) -> Option<BTreeSet<String>> {
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let offered = Offered::by(facts);
    for test in facts.tests {
        let (names, takes_all) = offered.taken(test);
        if takes_all {
            return None;
        }
        named.extend(names);
    }
    if facts.skeletons.iter().any(|it| it.tests > 0) {
        return None;
    }
    let is_named = |symbol: &ExportSymbol| {
        named.contains(symbol.name.as_str())
            || symbol.local_name.as_deref().is_some_and(|name| named.contains(name))
    };
    Some(own(facts.merged).filter(|it| !is_named(it)).map(name_of).collect())
}

/// The names of what the module declares and exports, overloads each by themselves.
pub(crate) fn own_names(merged: &CodeSkeleton) -> impl Iterator<Item = String> {
    own(merged).map(name_of)
}

/// What is handed on from elsewhere is tested there.
fn own(merged: &CodeSkeleton) -> impl Iterator<Item = &ExportSymbol> {
    merged.exports.iter().map(AsRef::as_ref).filter(|it| it.re_export.is_none())
}

/// What tests can use of the module.
struct Offered<'a> {
    facts: &'a Facts<'a>,
    exported: HashSet<&'a str>,
    packages: HashSet<String>,
}

impl<'a> Offered<'a> {
    fn by(facts: &'a Facts<'a>) -> Self {
        let exported = facts.merged.exports.iter().map(|it| it.name.as_str()).collect();
        let packages = facts.skeletons.iter().filter_map(languages::package_of).collect();
        Self { facts, exported, packages }
    }

    /// The names a test takes from the module, and whether it takes it as a whole.
    fn taken<'t>(&self, test: &'t CodeSkeleton) -> (BTreeSet<&'t str>, bool) {
        let mut names = BTreeSet::new();
        let mut whole = false;
        // Files of one package import nothing of each other; what they call is part of what they
        // use.
        if languages::package_of(test).is_some_and(|it| self.packages.contains(&it)) {
            whole = true;
            let symbols = test.exports.iter().chain(&test.internals);
            let calls = symbols.flat_map(|it| {
                it.facts.calls.iter().chain(it.members.iter().flat_map(|it| &it.facts.calls))
            });
            let words = calls.flat_map(|it| it.split(|c: char| !c.is_alphanumeric() && c != '_'));
            names.extend(words.filter(|word| self.exported.contains(word)));
        }
        for import in &test.imports {
            if !import.resolved_path.as_deref().is_some_and(|path| self.facts.is_own(path)) {
                continue;
            }
            let named = import.named_imports.iter().map(String::as_str);
            names.extend(named.filter(|name| *name != "*"));
            names.extend(import.default_import.as_deref());
            let takes_all = import.named_imports.is_empty() && import.default_import.is_none()
                || import.named_imports.iter().any(|name| name == "*");
            whole |= takes_all || import.namespace_import.is_some();
        }
        (names, whole)
    }
}
