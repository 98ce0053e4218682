//! The data of the page; a browser looks at it in the wire tests.

use plumbline_tests::Fixture;

use super::Report;
use crate::domain::skeleton::EntryKind;
use crate::store::batch::{Batch, Wishes};
use crate::store::drift::{self, Narrowing};
use crate::store::generate::tests::{clock, style};
use crate::store::generate::{Material, Output, Writer, write};
use crate::store::project::Places;
use mcp_core::work::Work;

fn places(fixture: &Fixture) -> Places {
    Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false }
}

fn read(fixture: &Fixture) -> Batch {
    Batch::read(places(fixture).project(".").unwrap(), false, &Work::endless()).unwrap()
}

/// The report, with what `diff` says of every specification.
fn report(fixture: &Fixture) -> Report {
    let work = Work::endless();
    let checked = drift::check_all(&places(fixture), &Narrowing::default(), &clock(), &work);
    let checked = checked.map(|it| it.specs).unwrap_or_default();
    read(fixture).report("now", Some("../".to_owned()), &checked)
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
    let report = report(&fixture);
    let paths: Vec<&str> = report.modules.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(paths, ["src/a", "src/b", "src/c"]);
    let [a, b, _] = &report.modules[..] else { panic!("three modules") };
    assert_eq!((a.exports, a.tested), (1, Some(1)));
    assert_eq!((b.uses.as_slice(), b.untested.as_slice()), (&[0][..], &["b".to_owned()][..]));
    let told: Vec<(&str, Option<usize>, usize, bool)> =
        report.specs.iter().map(|it| (it.path.as_str(), it.module, it.high, it.is_gone)).collect();
    let expected = [
        ("specs/old.spec.md", None, 0, true),
        ("specs/src__a.spec.md", Some(0), 1, false),
        ("specs/src__b.spec.md", Some(1), 0, false),
    ];
    assert_eq!(told, expected);
    assert!(report.specs[1].items[0].symbol.contains("two"));
    assert!(report.render().unwrap().contains("Code and specifications of"));
}

#[test]
fn the_page_counts_what_diff_counts_whatever_specifications_are_about() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a/a.ts\nexport const one = 1;\nexport function two(n: number) { return n; }\n\
         //- src/b/b.ts\nimport { two } from '../a/a';\nexport const b = two(1);\n",
    );
    // One specification of everything, as `generate src` writes it, and one of a file.
    for target in ["src", "src/a/a.ts"] {
        let places = places(&fixture);
        let target = places.target(target).unwrap();
        let output = Output::choose(&places, &target, Some("specs")).unwrap();
        let material = Material::read(&target, false, &Work::endless()).unwrap();
        write(&material, &output, style(Writer::Off, &clock())).unwrap();
    }
    fixture.write("src/a/a.ts", "export const one = 1;\n");
    let work = Work::endless();
    let told = drift::check_all(&places(&fixture), &Narrowing::default(), &clock(), &work).unwrap();
    let by_diff = told.specs.iter().filter_map(|it| it.report.as_ref());
    let by_diff: Vec<(usize, usize, usize)> =
        by_diff.map(|it| (it.summary.high, it.summary.medium, it.summary.low)).collect();
    let report = report(&fixture);
    let by_page: Vec<(usize, usize, usize)> =
        report.specs.iter().map(|it| (it.high, it.medium, it.low)).collect();
    assert_eq!(by_page, by_diff);
    assert_eq!(by_page.iter().map(|it| it.0).sum::<usize>(), 2, "{by_page:?}");
}

#[test]
fn entry_points_and_declarations_are_in_the_report_with_their_lines() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/api.ts\nimport express from 'express';\nexport const app = express();\n\
         app.get('/todos', list);\nconst port = process.env.PORT || 80;\nfunction list() {}\n",
    );
    let report = report(&fixture);
    let told: Vec<(EntryKind, &str, usize)> =
        report.entries.iter().map(|it| (it.kind, it.name.as_str(), it.line)).collect();
    let expected = [(EntryKind::Route, "GET /todos", 3), (EntryKind::Environment, "PORT", 4)];
    assert_eq!(told, expected);
    let symbols = report.modules[0].symbols.iter();
    let lines: Vec<(&str, usize)> = symbols.map(|it| (it.name.as_str(), it.line)).collect();
    assert_eq!(lines, [("app", 2)]);
}

#[test]
fn overloads_that_no_test_names_are_not_counted_as_tested() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a.ts\nexport function f(a: number): void;\nexport function f(a: string): void;\n\
         export function f(a: unknown) {}\nexport const named = 1;\n\
         //- tests/a.test.ts\nimport { named } from '../src/a';\ntest('named', () => named);\n",
    );
    let report = report(&fixture);
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
    let report = report(&fixture);
    let rows = report.modules.iter();
    let arrows: Vec<&[usize]> = rows.clone().map(|row| row.arrows.as_slice()).collect();
    assert_eq!(arrows, [&[1, 2][..], &[3], &[], &[], &[0]]);
    let circles: Vec<Option<usize>> = rows.map(|row| row.circle).collect();
    assert!(circles[1].is_some());
    assert_eq!(circles, [None, circles[1], circles[1], None, None]);
}
