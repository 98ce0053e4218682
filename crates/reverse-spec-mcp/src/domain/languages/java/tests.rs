//! Java, case by case.

use crate::domain::languages::tests::*;

#[test]
fn a_module_is_known_by_what_it_shows() {
    let text = "/** The module. */\nopen module a.b {\n    requires java.xml;\n    requires transitive java.sql;\n    exports a.b.api to c, d;\n    opens a.b.model;\n    uses a.b.Spi;\n    provides a.b.Spi with a.b.Impl;\n}\n";
    assert_eq!(exports("module-info.java", text), ["module a.b: open module a.b"]);
    assert_eq!(
        members("module-info.java", text, "a.b"),
        [
            "requires transitive java.sql: requires transitive java.sql",
            "exports a.b.api: exports a.b.api to c, d",
            "opens a.b.model: opens a.b.model",
            "uses a.b.Spi: uses a.b.Spi",
            "provides a.b.Spi: provides a.b.Spi with a.b.Impl"
        ]
    );
    let skeleton = read("module-info.java", text);
    assert_eq!(skeleton.exports[0].js_doc.as_deref(), Some("/** The module. */"));
    let needed: Vec<&str> =
        skeleton.imports.iter().map(|it| it.module_specifier.as_str()).collect();
    assert_eq!(needed, ["java.xml", "java.sql"]);
}

#[test]
fn a_native_method_is_not_abstract() {
    let skeleton =
        read("A.java", "public abstract class A { public native int n(); abstract int a(); }");
    let found: Vec<bool> = skeleton.exports[0].members.iter().map(|it| it.is_abstract).collect();
    assert_eq!(found, [false, true]);
}

#[test]
fn the_short_constructor_of_a_record_takes_what_the_record_holds() {
    let skeleton = read("R.java", "public record R(int a, String b) { public R { check(a); } }");
    let members = &skeleton.exports[0].members;
    let constructor = members.iter().find(|it| it.name == "R").unwrap();
    assert_eq!(constructor.parameters.as_ref().unwrap().len(), 2);
}

#[test]
fn brackets_behind_a_field_belong_to_its_type() {
    assert_eq!(
        members("A.java", "public class A { public int a[], b; }", "A"),
        ["a: int[] a", "b: int b"]
    );
}

#[test]
fn documentation_in_markdown_is_kept() {
    let text = "/// Says\n/// it.\npublic class A {\n    /// More.\n    public void m() {}\n    // not this\n    public void n() {}\n}\n";
    let skeleton = read("A.java", text);
    let class = &skeleton.exports[0];
    assert_eq!(class.js_doc.as_deref(), Some("/// Says\n/// it."));
    assert_eq!(class.members[0].js_doc.as_deref(), Some("/// More."));
    assert_eq!(class.members[1].js_doc, None);
}

#[test]
fn every_form_of_a_declaration_is_kept_whole() {
    insta::assert_snapshot!(outline("src/Sample.java", include_str!("tests/Sample.java")));
}
