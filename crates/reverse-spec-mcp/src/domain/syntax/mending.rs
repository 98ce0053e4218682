//! Files with errors are read once more in a form that the grammar knows: words of valid code that
//! it does not know are blanked, renamed or ended, every byte in its place.

use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

/// What the table of a language says about it. Most files have no errors, and patterns take longer to
/// make than a file to read: they are made for the first that has.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mending {
    /// Words of valid code that the grammar does not know.
    #[serde(default)]
    blanked: Patterns,
    /// Names and what stands for one, which the grammar takes for something else.
    #[serde(default)]
    renamed: Patterns,
    /// Lines that the grammar takes for the rest of the line before.
    #[serde(default)]
    run_on: Patterns,
    /// `global { … }` without `declare` before it.
    #[serde(default)]
    bare_global: Patterns,
    /// Functions of declaration files that the grammar wants a name for.
    #[serde(default)]
    nameless: Patterns,
    /// A line that begins a declaration at the top of a file.
    #[serde(default)]
    declaration_start: Patterns,
}

/// Patterns as they are written, and as they are used.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
struct Patterns {
    written: Vec<String>,
    made: OnceLock<Vec<Regex>>,
}

impl From<Vec<String>> for Patterns {
    fn from(written: Vec<String>) -> Self {
        Self { written, made: OnceLock::new() }
    }
}

impl Patterns {
    fn all(&self) -> &[Regex] {
        self.made.get_or_init(|| self.written.iter().map(|it| pattern(it)).collect())
    }
}

#[expect(clippy::expect_used, reason = "the tables are part of the program and tested")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a language table has valid patterns")
}

/// A text in a form that the grammar reads, every byte of it in its place.
pub(crate) struct Mended {
    /// What is parsed.
    pub(crate) parsed: String,
    /// What is shown of it: the words are all there.
    pub(crate) shown: String,
}

impl Mending {
    /// The text without what the grammar does not know; none where it has nothing of it.
    pub(crate) fn mended(&self, text: &str, is_declaration_file: bool) -> Option<Mended> {
        let mut mended = Mended { parsed: text.to_owned(), shown: text.to_owned() };
        if is_declaration_file {
            for word in self.nameless.all().iter().flat_map(|it| words(it, text)) {
                let gap = word.len() - "default".len();
                // The grammar takes no keyword for a name, people read it all the same.
                mended.shown.replace_range(word.clone(), &format!("{:gap$}default", "function"));
                mended.parsed.replace_range(word, &format!("{:gap$}_______", "function"));
            }
        }
        for word in self.bare_global.all().iter().flat_map(|it| words(it, text)) {
            // As long as the blanks and the word together.
            mended.parsed.replace_range(word, "module g");
        }
        for (patterns, instead) in [(&self.blanked, ' '), (&self.renamed, '_'), (&self.run_on, ';')]
        {
            for pattern in patterns.all() {
                for word in words(pattern, &mended.parsed) {
                    // Every line keeps its number.
                    let fill = |it: u8| if it == b'\n' { '\n' } else { instead };
                    let filling: String = mended.parsed[word.clone()].bytes().map(fill).collect();
                    mended.parsed.replace_range(word, &filling);
                }
            }
        }
        (mended.parsed != text).then_some(mended)
    }

    /// Where lines begin a declaration at the top of a file, by their first word.
    pub(crate) fn declaration_starts(&self, text: &str) -> Vec<usize> {
        let found = self.declaration_start.all().iter().flat_map(|it| it.find_iter(text));
        found.map(|it| it.start()).collect()
    }

    /// How many patterns there are, each of them made.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        let Self { blanked, renamed, run_on, bare_global, nameless, declaration_start } = self;
        let all = [blanked, renamed, run_on, bare_global, nameless, declaration_start];
        all.iter().map(|it| it.all().len()).sum()
    }
}

/// Where the group named `word` is.
fn words(pattern: &Regex, text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    // What follows one word may stand before the next: `<in A, out B>`.
    while let Some(word) = pattern.captures_at(text, from).and_then(|it| it.name("word")) {
        found.push(word.range());
        from = word.end();
    }
    found
}
