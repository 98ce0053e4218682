//! Documents: readable names, text that cannot break out, hand-written parts that stay.

mod keep;

use super::document::is_same_but_for_the_date;
use super::*;
use crate::domain::baseline::Baseline;
use crate::store::generate::Material;
use crate::store::project::Places;
use mcp_core::work::Work;
use plumbline_tests::Fixture;

pub(super) const PROJECT: &str = include_str!("tests/project.txt");

pub(crate) fn places(fixture: &Fixture) -> Places {
    Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false }
}

fn material(fixture: &Fixture, target: &str) -> Material {
    let target = places(fixture).target(target).unwrap();
    Material::read(&target, false, &Work::endless()).unwrap()
}

fn document<'a>(material: &'a Material, language: Option<&str>) -> Document<'a> {
    Document {
        facts: material.facts(),
        words: Words::of(language),
        narrative: None,
        confidence: Confidence::Low,
    }
}

const THEN: &str = "2026-01-01T00:00:00Z";
const NOW: &str = "2026-02-02T00:00:00Z";

#[test]
fn a_module_reads_well_in_english() {
    let fixture = Fixture::new(PROJECT);
    let material = material(&fixture, "src/cart");
    let text = document(&material, None).write(None, THEN).text;
    let body = text.split("<!-- baseline").next().unwrap();
    insta::assert_snapshot!(body);
}

/// A section of the document about a target of this project.
fn section(project: &str, target: &str, number: usize) -> String {
    let fixture = Fixture::new(&format!("//- .git/HEAD\nx\n{project}"));
    let material = material(&fixture, target);
    let text = document(&material, None).write(None, THEN).text;
    let heading = &Words::of(None).sections[number - 1];
    let after = text.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    after.split("\n## ").next().unwrap().trim().to_owned()
}

#[test]
fn only_calls_that_surely_stay_in_the_module_are_bold() {
    let files = "//- m/cli.py\nclass Group:\n    def get(self): return self.make()\n    def make(self): return Group.get\ndef load(): ...\n//- m/app.py\nfrom . import cli\ndef run(config):\n    config.get()\n    os.environ.get()\n    cli.load()\n    cli.Group()\n    load()\n    open('x')\n";
    let text = section(files, "m", 3);
    assert!(text.contains("| `Group.get` | 2 | **`self.make`** |"), "{text}");
    let calls =
        "`config.get`, `os.environ.get`, **`cli.load`**, **`cli.Group`**, **`load`**, `open`";
    assert!(text.contains(calls), "{text}");
    let java =
        "//- m/A.java\npublic class A { public int a() { return b(); } int b() { return 1; } }\n";
    assert!(section(java, "m", 3).contains("| `A.a` | 1 | **`b`** |"));
}

#[test]
fn constraints_stand_in_the_order_of_the_code_and_each_once() {
    let file = "//- a.py\ndef f(a):\n    if a < 0:\n        raise ValueError('a')\n    if a > 9:\n        raise ValueError('b')\n    try:\n        go()\n    except Error:\n        if tail():\n            raise Other() from None\n        elif more():\n            raise\n";
    let text = section(file, "a.py", 5);
    let lines: Vec<usize> = text
        .lines()
        .skip(2)
        .take_while(|it| it.starts_with('|'))
        .map(|it| it.split("a.py:").nth(1).unwrap().split('`').next().unwrap().parse().unwrap())
        .collect();
    assert!(lines.is_sorted() && lines.len() > 5, "{text}");
    let mut rows: Vec<&str> = text.lines().take_while(|it| it.starts_with('|')).collect();
    let count = rows.len();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), count, "{text}");
}

#[test]
fn values_with_a_name_are_one_line_each() {
    let file = "//- a.ts\nexport const limit: number = 9;\nexport let mode = 'a|b';\nexport const go = () => 1;\nexport interface I { a: string }\n";
    let text = section(file, "a.ts", 4);
    assert!(text.starts_with("### `I`\n"), "{text}");
    let table = "### Constants and variables\n\n| Name | Type | Value | Where |\n| --- | --- | --- | --- |\n| `limit` | `number` | `9` | `a.ts:1` |\n| `mode` |  | `'a\\|b'` | `a.ts:2` |";
    assert!(text.ends_with(table), "{text}");
}

#[test]
fn code_in_a_comment_is_shown_as_it_was_written() {
    assert_eq!(cell("a `Vec<T>` or ``x_y``, b_c"), "a `Vec<T>` or ``x_y``, b\\_c");
    assert_eq!(cell("`a|b` | c"), "`a\\|b` \\| c");
    assert_eq!(cell("one ` tick, a<b> `` two"), "one ` tick, a&lt;b&gt; `` two");
    assert_eq!(cell("```` ``` ```` and `<!-- keep -->`"), "```` ``` ```` and `<!-- keep -->`");
    assert!(super::keep::blocks(&cell("``x ` <!-- keep -->``\nmine")).is_empty());
}

#[test]
fn only_what_a_tool_would_run_is_a_test() {
    let python = "//- m/app.py\nclass App:\n    def test_client(self): ...\ndef test_request(): ...\n//- tests/test_app.py\nfrom m.app import App\ndef test_a(): ...\n";
    let text = section(python, "m", 8);
    assert!(!text.contains("source files themselves"), "{text}");
    assert!(text.contains("| `tests/test_app.py` | 1 | `App` |"), "{text}");
    assert!(text.ends_with("Exports that no test file names: `test_request`."), "{text}");
    let rust =
        "//- src/a.rs\npub fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n}\n";
    assert_eq!(section(rust, "src/a.rs", 8), "One test stands in the source files themselves.");
    let two = rust.replace("fn one() {}", "fn one() {}\n    #[test]\n    fn two() {}");
    assert_eq!(section(&two, "src/a.rs", 8), "2 tests stand in the source files themselves.");
}

#[test]
fn tests_of_the_same_package_use_it_without_importing_it() {
    let go = "//- lib/l.go\npackage lib\nfunc L() error { return nil }\ntype T struct{}\n//- lib/l_test.go\npackage lib\nfunc TestL(t *testing.T) { L() }\n//- other/o_test.go\npackage other\nfunc TestO(t *testing.T) {}\n";
    let text = section(go, "lib", 8);
    assert!(text.contains("| `lib/l_test.go` | 1 | `L` |") && !text.contains("other/"), "{text}");
    assert!(text.ends_with("single exports cannot be told apart."), "{text}");
    let java = "//- src/main/java/x/Shop.java\npackage x;\npublic class Shop {}\n//- src/test/java/x/ShopTest.java\npackage x;\npublic class ShopTest {\n  @Test\n  void buys() { new Shop(); }\n}\n";
    let text = section(java, "src/main/java/x", 8);
    assert!(text.contains("| `src/test/java/x/ShopTest.java` | 1 |"), "{text}");
}

#[test]
fn tests_find_the_sources_of_a_package_in_a_workspace() {
    let python = "//- packages/b/src/pkg_b/__init__.py\ndef b(): ...\n//- packages/b/tests/test_b.py\nfrom pkg_b import b\ndef test_b(): b()\n";
    let text = section(python, "packages/b", 8);
    assert!(text.contains("| `packages/b/tests/test_b.py` | 1 | `b` |"), "{text}");
}

#[test]
fn the_project_has_no_path_for_a_name() {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- a.ts\nexport const a = 1;\n");
    let material = material(&fixture, ".");
    let text = document(&material, None).write(None, THEN).text;
    assert!(text.contains("\n# The whole project\n"), "{text}");
    assert!(text.contains("\nThe whole project holds one source file of TypeScript"), "{text}");
    assert_eq!(read_value(&text, "sourceTarget").unwrap(), ".");
}

#[test]
fn errors_are_returned_where_nothing_is_thrown_and_not_by_functions_that_are_returned() {
    let go = "//- m/a.go\npackage m\nfunc A(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\"n\")\n\t}\n\treturn nil\n}\nfunc B() func(error) error { return nil }\n";
    let text = section(go, "m", 5);
    assert!(text.contains("| returns an error |") && !text.contains("throws"), "{text}");
    assert!(text.contains("| `A` | `a.go:2` | may fail | `error` |"), "{text}");
    assert!(!text.contains("`B`"), "{text}");
}

#[test]
fn a_file_is_a_file_and_holds_none() {
    let file = "//- m/a.ts\nexport const a = 1;\n";
    let words = "is a TypeScript file of 2 lines and offers one export.";
    assert!(section(file, "m/a.ts", 1).starts_with(&format!("`m/a.ts` {words}")));
    assert!(section(file, "m", 1).starts_with("`m` holds one source file of TypeScript"));
    let script = section("//- run.py\nprint(1)\n", "run.py", 1);
    assert!(script.starts_with("`run.py` is a Python file of 2 lines. Nothing"), "{script}");
}

#[test]
fn the_diagram_shows_what_most_files_use() {
    let often = (0..3).map(|it| format!("//- m/f{it}.py\nimport zlib\n"));
    let once = ('a'..'n').map(|it| format!("//- m/{it}.py\nimport lib_{it}\ndef {it}(): ...\n"));
    let text = section(&often.chain(once).collect::<String>(), "m", 2);
    let drawn = text.split("graph LR").nth(1).unwrap();
    assert!(drawn.contains("e0[\"zlib\"]") && drawn.contains("ex[\"… 4\"]"), "{drawn}");
}

#[test]
fn a_cell_holds_each_name_once_and_no_more_than_can_be_read() {
    let names = (0..100).map(|it| format!("n{}", it % 50));
    let cell = sections::names_cell(names, Words::of(None));
    assert_eq!(cell.matches('`').count(), 80);
    assert!(cell.ends_with("`n39`, … and 10 more"), "{cell}");
}

#[test]
fn a_line_drawn_under_a_title_is_no_word() {
    let doc = "\"\"\"\nTagged JSON\n~~~~~~~~~~~\n\nMore.\n\"\"\"";
    assert_eq!(doc::summary(doc), "Tagged JSON");
    assert_eq!(
        doc::summary("/** Wait ... there is more --- really */"),
        "Wait ... there is more --- really"
    );
}

#[test]
fn a_module_reads_well_in_chinese() {
    let fixture = Fixture::new(PROJECT);
    let material = material(&fixture, "src/cart");
    let text = document(&material, Some("zh-CN")).write(None, THEN).text;
    for heading in &Words::of(Some("zh")).sections {
        assert!(text.contains(&format!("\n## {heading}\n")), "{heading}");
    }
    assert!(text.contains("## 附录：文件清单"));
    let english = &Words::of(None).no_tests;
    assert!(!text.contains(english.as_str()));
}

#[test]
fn the_same_code_gives_the_same_bytes_but_for_the_date() {
    let fixture = Fixture::new(PROJECT);
    let (one, other) = (material(&fixture, "src/cart"), material(&fixture, "src/cart"));
    let one = document(&one, None).write(None, THEN).text;
    let other = document(&other, None).write(None, NOW).text;
    assert_ne!(one, other);
    assert!(is_same_but_for_the_date(&one, &other));
    assert_eq!(one.lines().zip(other.lines()).filter(|(a, b)| a != b).count(), 1);
}

#[test]
fn the_version_counts_changes_and_nothing_else() {
    let fixture = Fixture::new(PROJECT);
    let before = material(&fixture, "src/cart");
    let first = document(&before, None).write(None, THEN);
    assert!(first.is_new && first.text.contains("\nversion: v1\n"));
    let again = document(&before, None).write(Some(&first.text), NOW);
    assert!(!again.is_new);
    assert_eq!(again.text, first.text);
    fixture.write("src/cart/extra.ts", "export const extra = 1;\n");
    let after = material(&fixture, "src/cart");
    let second = document(&after, None).write(Some(&first.text), NOW);
    assert!(second.is_new && second.text.contains("\nversion: v2\n"));
}

#[test]
fn the_baseline_in_a_document_is_the_code_it_was_written_from() {
    let fixture = Fixture::new(PROJECT);
    let material = material(&fixture, "src/cart");
    let text = document(&material, None).write(None, THEN).text;
    assert_eq!(Baseline::read(&text).unwrap(), Baseline::of(&material.skeletons));
}

#[test]
fn text_between_keep_markers_stays_where_it_was() {
    let fixture = Fixture::new(PROJECT);
    let material = material(&fixture, "src/cart");
    let first = document(&material, None).write(None, THEN).text;
    let by_hand = "<!-- keep -->\nOnly the warehouse may call this.\n\n```\n## 4. not a heading\n```\n<!-- /keep -->";
    let intro = "<!-- keep -->\nIn the beginning.\n<!-- /keep -->";
    let edited = first
        .replace("\n## 6. Edge cases", &format!("\n{by_hand}\n\n## 6. Edge cases"))
        .replace("\n## 1. Intent", &format!("\n{intro}\n\n## 1. Intent"));
    fixture.write("src/cart/extra.ts", "export const extra = 1;\n");
    let after = self::material(&fixture, "src/cart");
    let second = document(&after, None).write(Some(&edited), NOW).text;
    let constraints = second.split("## 5. Constraints").nth(1).unwrap();
    let constraints = constraints.split("\n## 6. Edge cases").next().unwrap();
    assert!(constraints.trim_end().ends_with(by_hand), "{constraints}");
    assert!(second.split("## 1. Intent").next().unwrap().contains(intro));
    assert_eq!(second.matches("Only the warehouse").count(), 1);
    let third = document(&after, None).write(Some(&second), NOW);
    assert!(!third.is_new, "keeping is stable");
    let in_chinese = document(&after, Some("zh")).write(Some(&second), NOW).text;
    assert!(in_chinese.contains(by_hand));
}

#[test]
fn names_are_readable_and_never_the_same_for_two_targets() {
    assert_eq!(file_name("src/x/util"), "src__x__util.spec.md");
    assert_eq!(file_name("src/di.ts"), "src__di.ts.spec.md");
    assert_eq!(file_name("src/di"), "src__di.spec.md");
    assert_eq!(file_name("."), "_project.spec.md");
    let targets = [
        ".",
        "_project",
        "a/b",
        "a__b",
        "a_/b",
        "a/_b",
        "a_/_b",
        "a___b",
        "src/di",
        "src/di.ts",
        "src.di/ts",
        "a:b",
        "a?b",
        "ä/ö",
        "..a",
        ".a",
        "A/b",
    ];
    let names: std::collections::BTreeSet<String> =
        targets.iter().map(|it| file_name(it)).collect();
    assert_eq!(names.len(), targets.len(), "{names:?}");
    let long = "very/".repeat(100) + "deep";
    assert!(file_name(&long).len() < 160);
    assert!(!file_name("a/../b\\c").contains(['/', '\\']));
}

proptest::proptest! {
    #[test]
    fn different_paths_have_different_names(
        one in "[a-z_.-]{1,4}(/[a-z_.-]{1,4}){0,3}",
        other in "[a-z_.-]{1,4}(/[a-z_.-]{1,4}){0,3}",
    ) {
        proptest::prop_assume!(one != other);
        proptest::prop_assert_ne!(file_name(&one), file_name(&other));
    }
}

#[test]
fn hostile_names_and_comments_stay_text() {
    let fixture = Fixture::new("");
    fixture.write(
        "src/odd: #1.ts",
        "/** A | b <!-- keep --> --> ## 9. x `y` </script> */\nexport function f(a = \"|`\" ): string | null { return null; }\n",
    );
    fixture.write(".git/HEAD", "ref: refs/heads/main\n");
    let material = material(&fixture, "src/odd: #1.ts");
    let text = document(&material, None).write(None, THEN).text;
    assert_eq!(read_value(&text, "sourceTarget").unwrap(), "src/odd: #1.ts");
    // Only the places for prose are blocks, and nothing of the code is in them.
    let blocks = super::keep::blocks(&text);
    assert_eq!(blocks.len(), standing::PLACES.len());
    assert!(blocks.iter().all(|it| !it.has_text()), "{blocks:?}");
    for row in text.lines().filter(|line| line.starts_with("| `f`")) {
        let cells = row.replace("\\|", "");
        let headings = cells.matches(" | ").count();
        assert!((2..=3).contains(&headings), "{row}");
    }
    let yaml: serde_json::Value = {
        let front = text.split("---\n").nth(1).unwrap();
        mcp_core::yaml::parse(front).unwrap()
    };
    assert_eq!(yaml["relatedFiles"][0], "src/odd: #1.ts");
}

#[test]
fn values_are_put_in_once_whatever_they_hold() {
    let filled = fill("{a} and {b}, {c", &[("a", "{b}"), ("b", "2")]);
    assert_eq!(filled, "{b} and 2, {c");
}
