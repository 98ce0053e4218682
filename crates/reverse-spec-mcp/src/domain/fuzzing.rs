//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.

use crate::domain::baseline::Baseline;
use crate::domain::extract::{Extractor, Source};
use crate::domain::languages::Scope;

/// Any bytes as a file of this language: a skeleton whose lines lie inside the file.
fn extract(path: &str, bytes: &[u8]) {
    let Ok(source) = Source::decode(bytes) else { return };
    let Ok(skeleton) = Extractor::new().extract(path, source, Scope::WithInternals) else {
        return;
    };
    for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
        let (start, end) = (symbol.start_line, symbol.end_line);
        assert!(start <= end && end <= skeleton.loc, "{start}-{end} of {} lines", skeleton.loc);
    }
    let baseline = Baseline::of(&[skeleton]);
    let again = Baseline::read(&baseline.comment());
    assert!(again.is_ok(), "a baseline of ours is read again");
}

/// Any text as a specification with a baseline.
pub fn baseline(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(baseline) = Baseline::read(&text) {
        assert!(baseline.put_into(&text).is_ok(), "what was found can be replaced");
    }
}

/// A name, and what is called with the bytes.
pub type Target = (&'static str, fn(&[u8]));

macro_rules! languages {
    ($($name:ident $path:literal),+ $(,)?) => {
        $(
            #[doc = concat!("Any bytes as `", $path, "`.")]
            pub fn $name(bytes: &[u8]) {
                extract($path, bytes);
            }
        )+
        /// Every target by its name.
        pub const TARGETS: &[Target] = &[
            ("baseline", baseline),
            $((concat!("extract_", stringify!($name)), $name)),+
        ];
    };
}

languages! {
    typescript "src/a.ts",
    tsx "src/a.tsx",
    javascript "src/a.js",
    rust "src/a.rs",
    python "a.py",
    go "a.go",
    java "src/A.java",
    c_sharp "src/A.cs",
    kotlin "src/a.kt",
    php "src/a.php",
    ruby "a.rb",
    c "src/a.c",
    cpp "src/a.cpp",
    swift "a.swift",
    scala "a.scala",
    dart "a.dart",
    vue "src/a.vue",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_once_found_worth_keeping_still_holds() {
        plumbline_tests::replay_corpora(TARGETS);
    }
}
