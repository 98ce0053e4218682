//! Two states of a project compared.

use mcp_core::work::Work;
use plumbline_tests::Fixture;

use super::*;

fn places(fixture: &Fixture) -> Places {
    Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false }
}

const TWO: &str = "//- .git/HEAD\nx\n//- one/package.json\n{\"types\": \"dist/index.d.ts\"}\n//- one/src/index.ts\nexport { load } from './load';\n//- one/src/load.ts\nexport function load(a: string) { return a; }\nexport function inner() {}\n//- two/package.json\n{\"types\": \"dist/index.d.ts\"}\n//- two/src/index.ts\nexport { load } from './load';\nexport const size = 1;\n//- two/src/load.ts\nexport function load(a: string) { return a; }\n";

#[test]
fn two_directories_are_compared_by_what_they_offer() {
    let fixture = Fixture::new(TWO);
    let found = compare(&places(&fixture), "one", "two", &Work::endless()).unwrap();
    assert_eq!(found.semver, Verdict::Minor, "{found:?}");
    assert_eq!(
        found.changelog,
        "### Added\n\n- The exported const `size` is new\n\n### Changed\n\n- The exported function `inner` is gone (internal: no public name leads to it)\n"
    );
    let back = compare(&places(&fixture), "two", "one", &Work::endless()).unwrap();
    assert_eq!(back.semver, Verdict::Major);
    assert_eq!(back.items[0].description, "The exported const `size` is gone");
    let same = compare(&places(&fixture), "two", "./two", &Work::endless()).unwrap();
    assert_eq!((same.semver, same.changelog.as_str()), (Verdict::None, ""));
}

#[test]
fn what_is_neither_a_commit_nor_a_directory_is_refused() {
    let fixture = Fixture::new(TWO);
    let error = compare(&places(&fixture), "one", "nowhere", &Work::endless()).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}
