//! The data of the page; a browser looks at it in the wire tests.

use plumbline_tests::Fixture;

use crate::store::batch::{Batch, Wishes};
use crate::store::generate::Writer;
use crate::store::generate::tests::{clock, style};
use crate::store::project::Places;
use mcp_core::work::Work;

fn read(fixture: &Fixture) -> Batch {
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    Batch::read(places.project(".").unwrap(), false, &Work::endless()).unwrap()
}

#[test]
fn modules_tests_and_drift_are_in_the_report() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a/a.ts\nexport const one = 1;\nexport function two(n: number) { return n; }\n\
         //- src/b/b.ts\nimport { two } from '../a/a';\nexport const b = two(1);\n\
         //- tests/a.test.ts\nimport { one } from '../src/a/a';\ntest('one', () => one);\n",
    );
    let wishes = Wishes { force: false, out_of_time: &|| false };
    read(&fixture).run(style(Writer::Off, &clock()), wishes, &Work::endless()).unwrap();
    fixture.write("src/a/a.ts", "export const one = 1;\n");
    fixture.write("src/c/c.ts", "export const c = 1;\n");
    fixture.write("specs/old.spec.md", "---\nsourceTarget: \"src/old\"\n---\n");
    let report = read(&fixture).report("now", "../").unwrap();
    let (spec, target) = ("specs/old.spec.md".to_owned(), "src/old".to_owned());
    assert_eq!(report.gone, [super::Gone { spec, target }]);
    let paths: Vec<&str> = report.modules.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(paths, ["src/a", "src/b", "src/c"]);
    let [a, b, c] = &report.modules[..] else { panic!("three modules") };
    assert_eq!((a.high, a.exports, a.tested), (1, 1, Some(1)));
    assert!(a.items[0].symbol.contains("two"), "{:?}", a.items);
    assert_eq!((b.uses.as_slice(), b.untested.as_slice()), (&[0][..], &["b".to_owned()][..]));
    assert_eq!((c.spec.as_deref(), b.spec.as_deref()), (None, Some("specs/src__b.spec.md")));
    assert!(report.render().unwrap().contains("Code and specifications of"));
}

#[test]
fn overloads_that_no_test_names_are_not_counted_as_tested() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a.ts\nexport function f(a: number): void;\nexport function f(a: string): void;\n\
         export function f(a: unknown) {}\nexport const named = 1;\n\
         //- tests/a.test.ts\nimport { named } from '../src/a';\ntest('named', () => named);\n",
    );
    let report = read(&fixture).report("now", "").unwrap();
    let row = &report.modules[0];
    assert_eq!((row.exports, row.tested), (2, Some(1)));
    assert_eq!(row.untested, ["f"]);
}

#[test]
fn arrows_that_follow_from_others_and_circles_are_told_apart() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a/a.ts\nimport '../b/b'; import '../c/c';\n\
         //- src/b/b.ts\nimport '../c/c'; import '../d/d';\n\
         //- src/c/c.ts\nimport '../b/b';\n//- src/d/d.ts\nexport const d = 1;\n\
         //- src/e/e.ts\nimport '../a/a'; import '../d/d';\n",
    );
    let report = read(&fixture).report("now", "").unwrap();
    let rows = report.modules.iter();
    let arrows: Vec<&[usize]> = rows.clone().map(|row| row.arrows.as_slice()).collect();
    assert_eq!(arrows, [&[1, 2][..], &[3], &[], &[], &[0]]);
    let circles: Vec<Option<usize>> = rows.map(|row| row.circle).collect();
    assert!(circles[1].is_some());
    assert_eq!(circles, [None, circles[1], circles[1], None, None]);
}
