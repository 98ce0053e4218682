//! Ids and labels in all their spellings.

use super::*;

fn grammar(config: &str) -> Grammar {
    let config = Config::read(&[(crate::domain::config::CONFIG_FILE, config)]).unwrap();
    Grammar::new(&config).unwrap()
}

#[track_caller]
fn reads(grammar: &Grammar, text: &str, expected: &str) {
    let found = grammar.reference(text).map(|it| {
        let labels: Vec<&str> = it.labels.iter().map(Label::as_str).collect();
        format!("{} [{}] {}", it.id.canonical, labels.join(""), &text[it.length..])
    });
    assert_eq!(found.as_deref().unwrap_or("nothing"), expected, "{text}");
}

#[test]
fn ids_come_out_canonical_whatever_their_case_and_padding() {
    let grammar = grammar("");
    for text in ["REQ-d00001", "req-d1", "REQ-D001", "Req_d00001", "d00001"] {
        reads(&grammar, text, "REQ-d00001 [] ");
    }
    for text in ["REQ-x00001", "REQ-d", "REQ-d123456", "REQ-d00001x", "REQ", "", "dog", "p"] {
        reads(&grammar, text, "nothing");
    }
}

#[test]
fn several_labels_are_joined_by_either_mark() {
    let grammar = grammar("");
    reads(&grammar, "REQ-p00001-A", "REQ-p00001 [A] ");
    reads(&grammar, "REQ-p00001-A-B-C", "REQ-p00001 [ABC] ");
    reads(&grammar, "REQ-p00001-A+B+C rest", "REQ-p00001 [ABC]  rest");
    reads(&grammar, "req-p1-c", "REQ-p00001 [C] ");
    reads(&grammar, "REQ-p00001-based", "REQ-p00001 [] -based");
    reads(&grammar, "REQ_p00001_A_B_works", "REQ-p00001 [AB] _works");
}

#[test]
fn the_older_spelling_of_the_settings_gives_the_same_ids() {
    let grammar = grammar(
        "[patterns]\nid_template = \"{prefix}-{associated}{type}{id}\"\nprefix = \"SYS\"\n[patterns.types.req]\nid = \"r\"\nname = \"Req\"\nlevel = 1\n[patterns.id_format]\nstyle = \"numeric\"\ndigits = 3\nleading_zeros = false\n[patterns.associated]\nenabled = true\nlength = 3\n",
    );
    reads(&grammar, "SYS-r012", "SYS-r12 [] ");
    reads(&grammar, "sys-cal-r7-A", "SYS-CAL-r7 [A] ");
    reads(&grammar, "REQ-p00001", "nothing");
}

#[test]
fn other_components_and_labels_are_read_as_configured() {
    let jira = grammar(
        "[project]\nnamespace = \"PROJ\"\n[id-patterns]\ncanonical = \"{namespace}-{component}\"\n[id-patterns.component]\nleading_zeros = false\n[id-patterns.assertions]\nlabel_style = \"numeric_1based\"\nzero_pad = true\n",
    );
    reads(&jira, "PROJ-123-01", "PROJ-123 [01] ");
    assert_eq!(jira.nth_label(1).unwrap().as_str(), "02");
    assert_eq!(jira.place_of(Label::new("02").unwrap()), Some(1));
    let kebab = grammar("[id-patterns.component]\nstyle = \"kebab-case\"\n");
    reads(&kebab, "REQ-puser-login-A", "REQ-puser-login [A] ");
    let named =
        grammar("[id-patterns.component]\nstyle = \"regex\"\npattern = \"[A-Z]{2}[0-9]\"\n");
    reads(&named, "REQ-dAB1-B", "REQ-dAB1 [B] ");
}

#[test]
fn a_template_that_makes_no_sense_is_refused() {
    for template in ["{namespace}", "{what}-{component}", "{component"] {
        let text = format!("[id-patterns]\ncanonical = \"{template}\"\n");
        let error = Config::read(&[(crate::domain::config::CONFIG_FILE, &text)]).unwrap_err();
        assert_eq!(error.line, 2, "{error}");
    }
}

#[test]
fn the_series_of_labels_ends_where_it_should() {
    let grammar = grammar("[id-patterns.assertions]\nmax_count = 3\n");
    let all: Vec<String> =
        (0..).map_while(|n| grammar.nth_label(n)).map(|it| it.to_string()).collect();
    assert_eq!(all, ["A", "B", "C"]);
    assert!(grammar.label("a").is_none() && grammar.label("ABC").is_none());
}

#[test]
fn a_level_is_spelled_as_the_template_says() {
    let config = "[levels.PRD]\nrank = 1\nletter = \"P\"\n[levels.DEV]\nrank = 2\nletter = \"D\"\n[id-patterns]\ncanonical = \"{type}-{component}\"\n";
    let config = Config::read(&[(crate::domain::config::CONFIG_FILE, config)]).unwrap();
    let grammar = Grammar::new(&config).unwrap();
    let id = grammar.id("PRD-00002").unwrap();
    assert_eq!((id.canonical.as_str(), grammar.level_name(&id)), ("PRD-00002", Some("PRD")));
    assert!(grammar.begins_like_id("DEV-00009") && !grammar.begins_like_id("See DEV-00009"));
    assert_eq!(grammar.reference("DEV-00009/A").unwrap().labels.len(), 1);
}

#[test]
fn a_journey_needs_no_words_in_its_id() {
    let grammar = Grammar::new(&Config::default()).unwrap();
    assert_eq!(grammar.journey("JNY-001: Login").unwrap().canonical, "JNY-001");
    assert_eq!(grammar.journey("JNY-Sign-In-01").unwrap().canonical, "JNY-Sign-In-01");
}

mod as_the_pattern {
    use proptest::prelude::*;

    use super::*;

    /// Shapes that are told byte by byte.
    const SHAPES: [&str; 4] = [
        "",
        "[id-patterns]\ncanonical = \"{type}-{component}\"\n",
        "[project]\nnamespace = \"SKY\"\n[id-patterns]\ncanonical = \"{namespace}.{type.letter}{component}\"\nseparators = [\"-\", \"_\"]\n",
        "[id-patterns]\ncanonical = \"{namespace}-{component}\"\n[id-patterns.component]\ndigits = 3\nleading_zeros = false\n",
    ];

    proptest! {
        #[test]
        fn ids_are_told_byte_by_byte_as_the_pattern_tells_them(
            shape in 0..SHAPES.len(),
            text in "(REQ|req|Rſq|SKY|S\u{212a}Y|PRD|o|ops|p)?[-_. é]?(p|P|prd|PRD|Dev|devs|op\u{17f}|o)?[-_]?[0-9]{0,4}[-x é]?[AB]?",
        ) {
            let grammar = grammar(SHAPES[shape]);
            let quick = grammar.quick.as_ref().expect("the shape is a usual one");
            if let Ok(found) = quick.read(&text) {
                prop_assert_eq!(found, grammar.matched(&text));
            }
        }
    }
}
