//! References in code, tests and reports.

use super::*;

fn mentions(path: &str, text: &str, is_test: bool) -> Vec<String> {
    let contents = code::parse(&grammar(), path, text, is_test);
    let all = contents.codes.iter().chain(&contents.tests);
    all.map(|it| {
        let cited: Vec<String> = it
            .citations
            .iter()
            .map(|it| {
                let labels: Vec<&str> = it.labels.iter().map(Label::as_str).collect();
                assert!(!it.token.of(text).is_empty());
                format!("{} {}[{}]", it.kind.as_str(), it.target, labels.join(""))
            })
            .collect();
        format!("{} {}", it.id, cited.join(", "))
    })
    .collect()
}

#[test]
fn comments_of_many_languages_are_read_and_strings_are_not() {
    let python = "# Implements: REQ-d00001-A, REQ-d00002\ndef f():\n    x = 1  # implements: req-d3\n    s = \"# Implements: REQ-d00004\"\n    # Implements: something else\n";
    assert_eq!(
        mentions("src/a.py", python, false),
        [
            "code:src/a.py:1 implements REQ-d00001[A], implements REQ-d00002[]",
            "code:src/a.py:3 implements REQ-d00003[]"
        ]
    );
    for (path, line) in [
        ("a.rs", "/// Implements: REQ-d00001-A+B"),
        ("a.ts", " * Implements: REQ-d00001-A+B"),
        ("a.c", "/* Implements: REQ-d00001-A-B */"),
        ("a.sql", "-- Implements: REQ-d00001-A-B"),
        ("a.lua", "-- Implements: REQ-d00001-A+B."),
        ("Dockerfile", "# Implements: REQ-d00001-A+B"),
        ("a.j2", "{# Implements: REQ-d00001-A+B #}"),
        ("page.html.j2", "    // Implements: REQ-d00001-A+B"),
        ("page.html", "<!-- Implements: REQ-d00001-A+B -->"),
    ] {
        assert_eq!(
            mentions(path, line, false),
            [format!("code:{path}:1 implements REQ-d00001[AB]")],
            "{path}"
        );
    }
    assert!(
        mentions("a.rs", "let s = \"x // Implements: REQ-d00001\";\nlet implements = 1;", false)
            .is_empty()
    );
}

#[test]
fn a_test_that_a_string_holds_is_no_test() {
    let text = "write(\n    \"\"\"# Verifies: REQ-d00001-A\ndef test_REQ_d00001_A_inside():\n    pass\n\"\"\"\n)\n\ndef test_REQ_d00002_B_outside():\n    pass\n";
    assert_eq!(
        mentions("test_a.py", text, true),
        ["test:test_a.py::test_REQ_d00002_B_outside verifies REQ-d00002[B]"]
    );
}

#[test]
fn letters_of_many_bytes_hide_nothing_and_break_nothing() {
    let text = "# Überschrift — «alles»\ncat <<ENDE\n# Implements: REQ-d00001\nENDE\n# Implements: REQ-d00002-A\n";
    for (path, found) in [("a.sh", 1), ("a.yml", 1), ("a.py", 2), ("a.rs", 0), ("x.html.j2", 2)] {
        assert_eq!(mentions(path, text, false).len(), found, "{path}");
    }
}

#[test]
fn only_requirements_refine() {
    let contents = code::parse(&grammar(), "a.py", "# Refines: REQ-d00001\n", false);
    assert!(contents.codes.is_empty());
    assert_eq!(contents.remarks[0].code, "refines_in_code");
}

#[test]
fn an_apostrophe_before_a_comment_opens_no_string() {
    for (path, line) in [
        ("a.rs", "fn f<'a>(x: &'a str, y: Of<'a>) {} // Implements: REQ-d00001-A"),
        ("a.py", "say(\"it's\")  # Implements: REQ-d00001-A"),
        ("a.py", "say('a \\' b')  # Implements: REQ-d00001-A"),
    ] {
        let found = mentions(path, line, false);
        assert_eq!(found, [format!("code:{path}:1 implements REQ-d00001[A]")], "{line}");
    }
    for line in [
        "fn f<'a>() { say(\"// Implements: REQ-d00001\") }",
        "let x = '# // Implements: REQ-d00001';",
    ] {
        assert!(mentions("a.rs", line, false).is_empty(), "{line}");
    }
}

#[test]
fn lines_that_a_machine_wrote_take_no_longer_than_others() {
    // Each of these took minutes when everything was compared with everything before it.
    let keywords = "# Implements: ".repeat(20_000);
    assert!(mentions("a.py", &keywords, false).is_empty());
    let ids: Vec<String> = (0..10_000).map(|n| format!("REQ-d{n:05}")).collect();
    let list = format!("# Implements: {}", ids.join(", "));
    assert_eq!(code::parse(&grammar(), "a.py", &list, false).codes[0].citations.len(), ids.len());
    let spec = format!("# REQ-p00001: One\nImplements: {}\n", ids.join(", "));
    assert_eq!(spec::parse(&grammar(), &spec).requirements[0].citations.len(), ids.len());
    let tests: Vec<String> = (0..10_000)
        .map(|n| format!("# Verifies: REQ-d00001\ndef test_{n}():\n    pass\n"))
        .collect();
    let contents = code::parse(&grammar(), "test_a.py", &tests.concat(), true);
    assert_eq!(contents.tests.len(), tests.len());
}

#[test]
fn a_reference_that_is_no_id_is_kept_to_be_reported() {
    assert_eq!(
        mentions("a.py", "# Implements: REQ-zzz, REQ-d00001", false),
        ["code:a.py:1 implements REQ-zzz[], implements REQ-d00001[]"]
    );
    // Not the whole requirement: that is not what it says.
    assert_eq!(
        mentions("a.py", "# Implements: REQ-d00001-AAA, REQ-d00002-A-BBB, REQ-d00003-", false),
        [
            "code:a.py:1 implements REQ-d00001-AAA[], implements REQ-d00002-A-BBB[], implements REQ-d00003[]"
        ]
    );
}

#[test]
fn a_block_of_references_is_read_line_by_line() {
    let text =
        "# IMPLEMENTS REQUIREMENTS:\n#   REQ-d00001: the first\n#   REQ-d00002-A\n# Other words\n";
    assert_eq!(
        mentions("a.py", text, false),
        ["code:a.py:2 implements REQ-d00001[]", "code:a.py:3 implements REQ-d00002[A]"]
    );
}

#[test]
fn tests_are_named_by_their_function() {
    let python = "# Verifies: REQ-d00001-A\n# Verifies: REQ-d00001-B\ndef test_one():\n    pass\n\ndef test_two_REQ_d00002_A_B_works():\n    pass\n\nclass TestIt:\n    def test_three(self):\n        # Tests REQ-d00003\n        pass\n";
    assert_eq!(
        mentions("tests/test_a.py", python, true),
        [
            "test:tests/test_a.py::test_one verifies REQ-d00001[A], verifies REQ-d00001[B]",
            "test:tests/test_a.py::test_two_REQ_d00002_A_B_works verifies REQ-d00002[AB]",
            "test:tests/test_a.py::test_three verifies REQ-d00003[]",
        ]
    );
    let rust = "#[test]\n// Verifies: REQ-d00001\nfn it_works() {}\n";
    assert_eq!(
        mentions("tests/a.rs", rust, true),
        ["test:tests/a.rs::it_works verifies REQ-d00001[]"]
    );
    let script = "// Verifies: REQ-d00001\nit('does things', () => {})\n";
    assert_eq!(
        mentions("tests/a.test.js", script, true),
        ["test:tests/a.test.js::does things verifies REQ-d00001[]"]
    );
}

#[test]
fn reports_of_both_kinds_are_read_and_broken_ones_are_remarked_on() {
    let xml = "<?xml version=\"1.0\"?>\n<testsuites><testsuite>\n<testcase classname=\"a.B\" name=\"one\"/>\n<testcase file=\"t/x.py\" name=\"two &lt;2&gt;\"><failure message=\"bad\">…</failure></testcase>\n<testcase name=\"three\"><skipped/></testcase>\n<testcase name=\"four\"><error/></testcase>\n</testsuite></testsuites>";
    let contents = results::parse("junit.xml", xml);
    let told: Vec<String> = contents
        .outcomes
        .iter()
        .map(|it| format!("{} {} {}", it.place, it.name, it.status.as_str()))
        .collect();
    assert_eq!(told, ["a.B one passed", "t/x.py two <2> failed", " three skipped", " four error"]);
    let json = r#"{"tests":[{"nodeid":"t/x.py::C::one","outcome":"passed"},{"nodeid":"t/x.py::two","outcome":"error"}]}"#;
    assert_eq!(results::parse("r.json", json).outcomes.len(), 2);
    for broken in
        ["<testsuite>\n<testcase name=\"x\">\n</testsuite>", "{\"tests\": 5}", "", "plain words"]
    {
        let contents = results::parse("r", broken);
        assert_eq!(contents.remarks[0].code, "unreadable_results", "{broken}");
    }
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><testcase name=\"&b;\"/>";
    assert_eq!(&*results::parse("r", bomb).outcomes[0].name, "&b;");
}

#[test]
fn what_stands_in_a_string_over_several_lines_is_no_comment() {
    let cite = "# Implements: REQ-d00009";
    for (path, text) in [
        ("a.py", format!("X = \"\"\"\n{cite}\n\"\"\"\n# Implements: REQ-d00001\n")),
        ("a.py", format!("X = r'''\n  {cite}\n'''  # Implements: REQ-d00001\n")),
        ("a.sh", format!("cat <<'EOF' > x\n{cite}\nEOF\n# Implements: REQ-d00001\n")),
        (
            "a.rs",
            "let x = r#\"\n// Implements: REQ-d00009 \" \n\"#;\n// Implements: REQ-d00001\n"
                .to_owned(),
        ),
        (
            "a.rs",
            "let x = \"\n// Implements: REQ-d00009\n\";\n// Implements: REQ-d00001\n".to_owned(),
        ),
        (
            "a.ts",
            "const x = `\n// Implements: REQ-d00009 \\` \n`;\n// Implements: REQ-d00001\n"
                .to_owned(),
        ),
    ] {
        let found = mentions(path, &text, false);
        assert_eq!(found.len(), 1, "{path} {text}");
        assert!(found[0].ends_with("implements REQ-d00001[]"), "{found:?}");
    }
}

#[test]
fn marks_that_open_no_string_hide_nothing() {
    for (path, text) in [
        (
            "a.rs",
            "let quote = '\"'; // it's one\nfn f<'a>(x: &'a str) {}\n// Implements: REQ-d00001-A\n",
        ),
        ("a.py", "# it's \"\"\" in a comment\nx = '\\''\n# Implements: REQ-d00001-A\n"),
        ("a.py", "x = \"\"\"never closed\n# Implements: REQ-d00001-A\n"),
        ("a.sh", "echo $# ${#x} << 2\n# Implements: REQ-d00001-A\n"),
        ("a.sql", "-- don't\nselect 1;\n-- Implements: REQ-d00001-A\n"),
    ] {
        let found = mentions(path, text, false);
        assert_eq!(found.len(), 1, "{path} {text:?}");
    }
}

#[test]
fn templates_blocks_and_slashes_are_read() {
    let block = "-- TESTS REQUIREMENTS:\n--   REQ-d00001: Signing in\n--   REQ-d00002-A\n";
    assert_eq!(
        mentions("a.sql", block, false),
        ["code:a.sql:2 verifies REQ-d00001[]", "code:a.sql:3 verifies REQ-d00002[A]"]
    );
    for (path, line) in [
        ("a.js.j2", "// Implements: REQ-d00001-A"),
        ("a.js.j2", "{# Implements: REQ-d00001-A #}"),
        ("a.css.j2", "/* Implements: REQ-d00001/A */"),
    ] {
        let found = mentions(path, line, false);
        assert_eq!(found, [format!("code:{path}:1 implements REQ-d00001[A]")], "{line}");
    }
    let several = "// Implements: REQ-d00001/A, REQ-d00002/A+B, REQ-d00003/later, REQ-d00004\n";
    assert_eq!(
        mentions("a.ts", several, false),
        [
            "code:a.ts:1 implements REQ-d00001[A], implements REQ-d00002[AB], implements REQ-d00003[], implements REQ-d00004[]"
        ]
    );
    let remarks = code::parse(&grammar(), "a.ts", several, false).remarks;
    assert!(remarks[0].message.contains("`/later` behind a reference"), "{remarks:?}");
}

#[test]
fn a_test_may_verify_a_step_of_a_journey() {
    assert_eq!(
        mentions(
            "test_a.py",
            "# Verifies: JNY-OQ-Login-01/2, JNY-001\ndef test_it():\n    pass\n",
            true
        ),
        ["test:test_a.py::test_it verifies JNY-OQ-Login-01[2], verifies JNY-001[]"]
    );
    let journey = "# JNY-OQ-Login-01: In\n\n**Actor**: A\n\n## Steps\n\n1. Go.\n2. Stay.\n\n*End* *JNY-OQ-Login-01*\n";
    let test = "# Verifies: JNY-OQ-Login-01/2, JNY-OQ-Login-01/3\ndef test_it():\n    pass\n";
    let graph = crate::domain::mutate::tests::graph_of(&[
        ("spec/j.md", crate::domain::graph::Role::Spec, journey),
        ("tests/test_a.py", crate::domain::graph::Role::Test, test),
    ]);
    let broken: Vec<String> =
        graph.broken_references().into_iter().map(|it| it.target_id).collect();
    assert_eq!(broken, ["JNY-OQ-Login-01/3"]);
}

#[test]
fn runs_of_flutter_are_read_event_by_event() {
    let text = "Downloading…\n{\"type\":\"testStart\",\"test\":{\"id\":1,\"name\":\"loading x\",\"url\":null}}\n{\"type\":\"testDone\",\"testID\":1,\"result\":\"success\",\"hidden\":true}\n{\"type\":\"testStart\",\"test\":{\"id\":2,\"name\":\"adds up\",\"url\":\"file:///p/test/a_test.dart\"}}\n{\"type\":\"error\",\"testID\":2,\"error\":\"Expected 1\"}\n{\"type\":\"testDone\",\"testID\":2,\"result\":\"failure\",\"skipped\":false,\"hidden\":false}\n{\"type\":\"testStart\",\"test\":{\"id\":3,\"name\":\"later\"}}\n{\"type\":\"testDone\",\"testID\":3,\"result\":\"success\",\"skipped\":true,\"hidden\":false}\n";
    let contents = results::parse("run.json", text);
    let read: Vec<String> = contents
        .outcomes
        .iter()
        .map(|it| format!("{} {} {:?}", it.name, it.status.as_str(), it.message))
        .collect();
    assert_eq!(read, ["adds up failed Some(\"Expected 1\")", "later skipped None"]);
    assert!(contents.remarks.is_empty());
}
