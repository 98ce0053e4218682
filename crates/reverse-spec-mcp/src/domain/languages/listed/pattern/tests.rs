//! Patterns as they are read, and what they find.

use tree_sitter::{Language, Parser};

use super::ByKind;

fn c() -> Language {
    tree_sitter_c::LANGUAGE.into()
}

/// The names that a pattern finds in the first declaration of a text.
fn names(pattern: &'static str, text: &str) -> Vec<String> {
    let mut parser = Parser::new();
    parser.set_language(&c()).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let node = tree.root_node().child(0).unwrap();
    let patterns = ByKind::read(&c(), pattern).unwrap();
    let found = patterns.of(node).iter().flat_map(|it| it.names(node));
    found.map(|it| text[it.byte_range()].to_owned()).collect()
}

#[test]
fn every_name_that_fits_is_found() {
    let pattern = "(declaration declarator: (identifier) @name) @definition.variable";
    assert_eq!(names(pattern, "int a, b;"), ["a", "b"]);
}

#[test]
fn what_fits_in_part_gives_no_name() {
    let pattern = "(declaration declarator: (init_declarator declarator: (identifier) @name \
                   value: (number_literal))) @definition.variable";
    assert_eq!(names(pattern, "int a = b, c = 1;"), ["c"]);
    let pattern = "(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct";
    assert_eq!(names(pattern, "struct A;"), [""; 0]);
    assert_eq!(names(pattern, "struct A { int b; };"), ["A"]);
}

#[test]
fn what_the_grammar_does_not_know_is_no_pattern() {
    for text in [
        "(no_such_kind name: (identifier) @name) @definition.class",
        "(declaration no_such_field: (identifier) @name) @definition.class",
        "(declaration (identifier) @name",
        "(declaration (identifier) @name)) @definition.class",
        "(_ (identifier) @name) @definition.class",
    ] {
        assert!(ByKind::read(&c(), text).is_none(), "{text}");
    }
}
