//! Rust, case by case.

use crate::domain::languages::tests::*;

#[test]
fn only_what_tests_alone_see_is_left_out() {
    for (attribute, is_kept) in [
        ("#[cfg(test)]", false),
        ("#[cfg( test )]", false),
        ("#[cfg(all(test, unix))]", false),
        ("#[cfg(all(unix, test))]", false),
        ("#[cfg(all(any(unix, windows), test))]", false),
        ("#[test]", false),
        ("#[cfg(not(test))]", true),
        ("#[cfg(all(not(test), unix))]", true),
        ("#[cfg(any(test, feature = \"x\"))]", true),
        ("#[cfg(feature = \"test\")]", true),
    ] {
        let found =
            exports("src/lib.rs", &format!("{attribute}\npub fn f() {{}}\npub fn g() {{}}\n"));
        assert_eq!(found.contains(&"function f: fn f()".to_owned()), is_kept, "{attribute}");
    }
}

#[test]
fn an_impl_belongs_to_the_type_of_its_own_module() {
    let text = "pub mod a { pub struct X; impl X { pub fn of_a(&self) {} } }\npub mod b { pub struct X; impl X { pub fn of_b(&self) {} } }\nmod c { struct X; impl X { pub fn of_c(&self) {} } }\npub struct Y;\nmod d { impl super::Z for Y {} impl Y { pub fn far(&self) {} } }\n";
    let skeleton = read("src/lib.rs", text);
    let names = |namespace: Option<&str>, name: &str| -> Vec<String> {
        let found = skeleton.exports.iter();
        let mut found = found.filter(|it| it.namespace.as_deref() == namespace && it.name == name);
        found.next().unwrap().members.iter().map(|it| it.name.clone()).collect()
    };
    assert_eq!(names(Some("a"), "X"), ["of_a"]);
    assert_eq!(names(Some("b"), "X"), ["of_b"]);
    assert_eq!(names(None, "Y"), ["impl super::Z", "far"]);
}

#[test]
fn items_inside_of_a_macro_that_hands_them_on_are_items() {
    let text = "cfg_rt! {\n    /// Starts.\n    #[must_use]\n    pub fn start() -> Handle { run() }\n    pub mod deep;\n    pub struct S { pub a: u8 }\n    cfg_io! { pub use crate::io::Driver; }\n}\nimpl S { pub fn m(&self) {} }\n";
    let skeleton = read("src/lib.rs", text);
    let found: Vec<_> = skeleton
        .exports
        .iter()
        .map(|it| (it.name.as_str(), it.start_line, it.decorators.join(" ")))
        .collect();
    assert_eq!(
        found,
        [
            ("start", 4, "#[must_use] cfg_rt!".to_owned()),
            ("deep", 5, "cfg_rt!".to_owned()),
            ("S", 6, "cfg_rt!".to_owned()),
            ("Driver", 7, "cfg_rt! cfg_io!".to_owned())
        ]
    );
    assert_eq!(skeleton.exports[0].js_doc.as_deref(), Some("/// Starts."));
    assert_eq!(skeleton.exports[2].members.len(), 2);
}

#[test]
fn every_branch_of_cfg_if_holds_items() {
    let text = "cfg_if::cfg_if! {\n    if #[cfg(unix)] {\n        pub fn a() {}\n    } else if #[cfg(windows)] {\n        pub fn b() {}\n    } else {\n        pub fn c() {}\n    }\n}\n";
    let skeleton = read("src/lib.rs", text);
    let found: Vec<_> =
        skeleton.exports.iter().map(|it| (it.name.as_str(), it.decorators.join(" "))).collect();
    assert_eq!(
        found,
        [
            ("a", "cfg_if::cfg_if! #[cfg(unix)]".to_owned()),
            ("b", "cfg_if::cfg_if! #[cfg(windows)]".to_owned()),
            ("c", "cfg_if::cfg_if! else".to_owned())
        ]
    );
}

#[test]
fn a_macro_with_rules_of_its_own_is_left_alone() {
    let text = "bitflags! { pub struct F: u32 { const A = 1; } }\nvec! { 1, 2 };\npub fn f() {}\n";
    assert_eq!(exports("src/lib.rs", text), ["function f: fn f()"]);
}

#[test]
fn every_form_of_a_declaration_is_kept_whole() {
    insta::assert_snapshot!(outline("src/lib.rs", include_str!("tests/sample.rs.txt")));
}
