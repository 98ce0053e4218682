//! One file per language that holds every form of declaration, and what is kept of it.

use super::*;

#[test]
fn every_form_of_rust_is_kept_whole() {
    insta::assert_json_snapshot!(read("src/lib.rs", include_str!("samples/sample.rs.txt")));
}

#[test]
fn every_form_of_python_is_kept_whole() {
    insta::assert_json_snapshot!(read("pkg/sample.py", include_str!("samples/sample.py")));
}

#[test]
fn every_form_of_go_is_kept_whole() {
    insta::assert_json_snapshot!(read("store/sample.go", include_str!("samples/sample.go")));
}

#[test]
fn every_form_of_java_is_kept_whole() {
    insta::assert_json_snapshot!(read("src/Sample.java", include_str!("samples/Sample.java")));
}

#[test]
fn every_form_of_typescript_is_kept_whole() {
    insta::assert_json_snapshot!(read("src/sample.ts", include_str!("samples/sample.ts")));
}

#[test]
fn every_node_kind_in_the_tables_exists_in_its_grammar() {
    let tables: [(&str, &tree_sitter::Language); 6] = [
        (include_str!("../../../assets/languages/typescript.toml"), &TYPESCRIPT.language),
        (include_str!("../../../assets/languages/typescript.toml"), &TSX.language),
        (include_str!("../../../assets/languages/rust.toml"), &RUST.language),
        (include_str!("../../../assets/languages/python.toml"), &PYTHON.language),
        (include_str!("../../../assets/languages/go.toml"), &GO.language),
        (include_str!("../../../assets/languages/java.toml"), &JAVA.language),
    ];
    for (index, (table, grammar)) in tables.into_iter().enumerate() {
        let unknown = Table::unknown_words(table, grammar);
        // The plain dialect has no elements.
        let unknown: Vec<_> = unknown.into_iter().filter(|it| !it.starts_with("jsx")).collect();
        assert!(unknown.is_empty(), "table {index}: {unknown:?}");
    }
}

#[test]
fn every_pattern_of_the_tables_can_be_made() {
    for grammar in [&TYPESCRIPT, &TSX, &RUST, &PYTHON, &GO] {
        assert!(grammar.table.mending.count() > 0);
    }
}

#[test]
fn every_language_that_is_scanned_has_an_extractor() {
    for id in crate::project::every_language() {
        assert!(language(id).is_some(), "{id:?}");
    }
}
