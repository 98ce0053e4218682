//! Go, case by case.

use crate::domain::languages::tests::*;

/// The documentation of every export, and of every member of the first.
fn docs(text: &str) -> Vec<(String, Option<String>)> {
    let skeleton = read("p/a.go", text);
    let own = skeleton.exports.iter().map(|it| (it.name.clone(), it.js_doc.clone()));
    let members = skeleton.exports.first().map(|it| it.members.clone()).unwrap_or_default();
    let members = members.into_iter().map(|it| (it.name, it.js_doc));
    own.chain(members).collect()
}

#[test]
fn a_comment_behind_a_declaration_says_nothing_about_the_next() {
    let said = |name: &str, doc: Option<&str>| (name.to_owned(), doc.map(str::to_owned));
    let constants = "package p\n\nconst (\n\tA = 1 // about A\n\tB = 2\n\t// about C\n\tC = 3 // of no use\n)\n";
    assert_eq!(
        docs(constants),
        [said("A", Some("// about A")), said("B", None), said("C", Some("// about C"))]
    );
    let fields = "package p\n\ntype T struct {\n\tA int // about A\n\tB int\n}\n";
    assert_eq!(docs(fields), [said("T", None), said("A", Some("// about A")), said("B", None)]);
    let functions = "package p\n\nfunc F() {} // about F\nfunc G() {}\n";
    assert_eq!(docs(functions), [said("F", None), said("G", None)]);
}

#[test]
fn a_constraint_on_the_build_stands_beside_every_symbol() {
    let text = "//go:build linux && !cgo\n\n// Package p says it.\npackage p\n\nfunc F() {}\n\ntype T struct{}\n";
    let skeleton = read("p/a.go", text);
    assert_eq!(skeleton.module_doc.as_deref(), Some("// Package p says it."));
    let found: Vec<&[String]> = skeleton.exports.iter().map(|it| &*it.decorators).collect();
    assert_eq!(found, [["//go:build linux && !cgo"], ["//go:build linux && !cgo"]]);
}

#[test]
fn every_form_of_a_declaration_is_kept_whole() {
    insta::assert_snapshot!(outline("store/sample.go", include_str!("tests/sample.go")));
}
