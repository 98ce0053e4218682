//! What is read from the text is what a walk through the whole tree gives.

use std::path::Path;

use super::*;
use crate::domain::syntax::stream::shortcut::EVERY_STEP;

#[track_caller]
fn check(path: &str, text: &[u8]) {
    let mut extractor = Extractor::new();
    let mut extract = || extractor.extract_bytes(path, text, Scope::WithInternals);
    let shortened = extract();
    EVERY_STEP.set(true);
    let walked = extract();
    EVERY_STEP.set(false);
    if let (Ok(shortened), Ok(walked)) = (&shortened, &walked) {
        let mut pairs = hashes(shortened).into_iter().zip(hashes(walked));
        assert_eq!(pairs.find(|(one, other)| one != other), None, "{path}");
    }
    assert_eq!(shortened, walked, "{path}");
}

/// By what has a body.
fn hashes(skeleton: &CodeSkeleton) -> Vec<(&str, Option<&str>)> {
    let symbols = skeleton.exports.iter().chain(&skeleton.internals);
    let own = symbols.clone().map(|it| (it.name.as_str(), it.body_hash.as_deref()));
    let members = symbols.flat_map(|it| &it.members);
    own.chain(members.map(|it| (it.name.as_str(), it.body_hash.as_deref()))).collect()
}

#[test]
fn shortcuts_give_what_a_walk_gives() {
    check("sample.ts", include_bytes!("../../languages/typescript/tests/sample.ts"));
    check("sample.py", include_bytes!("../../languages/python/tests/sample.py"));
    check("sample.go", include_bytes!("../../languages/go/tests/sample.go"));
    check("Sample.java", include_bytes!("../../languages/java/tests/Sample.java"));
    check("sample.rs", include_bytes!("../../languages/rust/tests/sample.rs.txt"));
    let odd = "export function f() { g(a,,b); g(,); h(a b); a..b; x.; ({}).y; [a,,b]; t`${u.v}`; \
               new A.B(c); i?.j.k; (l, m.n); o = (p.q); r.s!.t; for (const u of v.w) {} }";
    for (end, _) in odd.char_indices() {
        check("odd.ts", &odd.as_bytes()[..end]);
    }
}

#[test]
fn shortcuts_give_what_a_walk_gives_of_this_workspace() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = 0;
    for entry in ignore::Walk::new(workspace).flatten() {
        let path = entry.path();
        if languages::of_path(&path.to_string_lossy()).is_some() {
            check(&path.to_string_lossy(), &std::fs::read(path).unwrap());
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} files");
}
