//! TypeScript and JavaScript, case by case.

use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;
use crate::domain::languages::tests::*;
use crate::domain::skeleton::{ImportType, MemberKind, SymbolKind, Visibility};

#[test]
fn commonjs_exports_are_found_in_all_their_forms() {
    let text = "function a(x) {}\nconst b = 1;\nmodule.exports = { a, c: b, d(y) {}, 'e-f': 2 };\n";
    let found = exports("a.cjs", text);
    assert_eq!(
        found,
        [
            "function d: d = d(y)",
            "const e-f: e-f = 2",
            "function a: function a(x)",
            "const c: const b = 1"
        ]
    );
    let text = "exports.one = function (x) { return x; };\nexports.two = exports.three = 5;\nmodule.exports.four = class K { m() {} };\n";
    let found = exports("a.js", text);
    assert_eq!(
        found,
        [
            "function one: one = function (x)",
            "const two: two = 5",
            "const three: three = 5",
            "class four: class K"
        ]
    );
    assert_eq!(
        exports("a.js", "module.exports = function run(a) {};"),
        ["function default: default = function run(a)"]
    );
}

#[test]
fn required_modules_are_imports() {
    let skeleton = read(
        "a.js",
        "const fs = require('fs');\nconst { a, b: c } = require('./x');\nrequire('./side');\nfunction f() { return require('late'); }\n",
    );
    let found: Vec<_> = skeleton
        .imports
        .iter()
        .map(|it| (it.module_specifier.as_str(), it.import_type, it.named_imports.join(",")))
        .collect();
    let require = ImportType::CommonjsRequire;
    assert_eq!(
        found,
        [
            ("fs", require, String::new()),
            ("./x", require, "a,b".to_owned()),
            ("./side", require, String::new()),
            ("late", require, String::new()),
        ]
    );
}

#[test]
fn default_exports_keep_their_own_name() {
    for (text, kind, local) in [
        ("export default function run() {}", SymbolKind::Function, Some("run")),
        ("export default class Store {}", SymbolKind::Class, Some("Store")),
        ("const value = 1;\nexport default value;", SymbolKind::Const, Some("value")),
        ("export default { a: 1 };", SymbolKind::Const, None),
        ("export default () => 1;", SymbolKind::Function, None),
        ("export default 5;", SymbolKind::Const, None),
        ("class Q {}\nexport = Q;", SymbolKind::Class, Some("Q")),
    ] {
        let skeleton = read("a.ts", text);
        let [only] = skeleton.exports.as_slice() else { panic!("{text}: {:?}", skeleton.exports) };
        assert_eq!((only.name.as_str(), only.kind), ("default", kind), "{text}");
        assert_eq!(only.local_name.as_deref(), local, "{text}");
        assert!(only.is_default, "{text}");
    }
}

#[test]
fn functions_without_a_name_are_kept_in_declaration_files() {
    let text = "/** Doc. */\nexport default function (x: number): string;\nexport default function <T>(x: T): T;\nexport declare const k: number;\n";
    let skeleton = read("a.d.ts", text);
    assert!(skeleton.parse_errors.is_empty(), "{:?}", skeleton.parse_errors);
    assert_eq!(
        exports("a.d.ts", text),
        [
            "function default: function default (x: number): string",
            "function default: function default <T>(x: T): T",
            "const k: const k: number"
        ]
    );
    let first = &skeleton.exports[0];
    assert!(first.is_default && first.local_name.is_none());
    assert_eq!(first.js_doc.as_deref(), Some("/** Doc. */"));
    assert_eq!(
        exports("b.d.cts", "export default function();"),
        ["function default: function default()"]
    );
    // A body makes it an ordinary value, also in a file with syntax errors.
    let text = "export default function (x: number) {}\nexport interface I<in T> {}\n";
    assert_eq!(exports("a.ts", text)[0], "function default: default = function (x: number)");
}

#[test]
fn words_that_the_grammar_does_not_know_are_still_told() {
    let text = "export type * from './a';\nexport type * as n from './b';\nexport interface I<in out T, const U = {}> { t: T }\n";
    let skeleton = read("a.ts", text);
    assert!(skeleton.parse_errors.is_empty(), "{:?}", skeleton.parse_errors);
    assert_eq!(
        exports("a.ts", text),
        [
            "re_export *: export type * from './a'",
            "re_export n: export type * as n from './b'",
            "interface I: interface I<in out T, const U = {}>"
        ]
    );
    assert_eq!(skeleton.exports[2].type_parameters, ["in out T", "const U = {}"]);
    assert!(skeleton.imports.iter().all(|it| it.import_type == ImportType::TypeOnly));
}

#[test]
fn a_name_that_was_imported_and_is_exported_is_a_re_export() {
    let skeleton = read("a.ts", "import { aa as bb } from './x';\nexport { bb };\n");
    let re_export = skeleton.exports[0].re_export.as_ref().unwrap();
    assert_eq!(re_export.module_specifier, "./x");
    assert_eq!(re_export.imported_name.as_deref(), Some("aa"));
}

#[test]
fn a_namespace_that_is_exported_by_name_keeps_what_it_holds() {
    let skeleton = read("a.ts", "namespace N { export const a = 1; }\nexport { N };\n");
    let found: Vec<_> =
        skeleton.exports.iter().map(|it| (it.name.as_str(), it.namespace.as_deref())).collect();
    assert_eq!(found, [("N", None), ("a", Some("N"))]);
}

#[test]
fn hash_members_are_private_and_accessors_are_told_apart() {
    let skeleton = read("a.ts", "export class C { #a = 1; get v() { return 1 } set v(x) {} }");
    let members = &skeleton.exports[0].members;
    assert_eq!(members[0].visibility, Some(Visibility::Private));
    assert_eq!(members[1].kind, MemberKind::Getter);
    assert_eq!(members[2].kind, MemberKind::Setter);
}

#[test]
fn a_missing_return_type_stays_missing() {
    assert_eq!(
        exports("a.ts", "export function f(a: string) {}"),
        ["function f: function f(a: string)"]
    );
}

#[test]
fn declarations_of_a_script_without_modules_are_all_exported_in_declaration_files() {
    let text = "declare function f(a: string): void;\ninterface I { a: string }\ndeclare const v: number;\n";
    assert_eq!(exports("a.d.ts", text).len(), 3);
    assert_eq!(exports("a.d.mts", text).len(), 3);
    assert!(exports("a.ts", text).is_empty());
}

#[test]
fn casts_and_elements_are_read_by_the_dialect_of_the_file() {
    assert!(read("a.ts", "export const a = <string>b;").parse_errors.is_empty());
    assert!(read("a.tsx", "export const a = <b>text</b>;").parse_errors.is_empty());
    assert!(read("a.jsx", "export const a = () => <b>text</b>;").parse_errors.is_empty());
    assert!(read("a.mjs", "export const a = async () => await b;").parse_errors.is_empty());
}

#[test]
fn what_is_not_exported_is_listed_only_where_nothing_is() {
    let read = |text: &str| {
        Extractor::new().extract_bytes("a.ts", text.as_bytes(), Scope::Exports).unwrap()
    };
    assert_eq!(read("function a() {}\nconst b = 1;").internals.len(), 2);
    assert!(read("function a() {}\nexport const b = 1;").internals.is_empty());
}

#[test]
fn what_compilers_make_of_re_exports_is_one() {
    let text = "Object.defineProperty(exports, '__esModule', { value: true });\nvar x_1 = require('./x');\nObject.defineProperty(exports, 'a', { enumerable: true, get: function () { return x_1.b; } });\nObject.defineProperty(exports, 'c', { get: () => x_1.c });\nObject.defineProperty(exports, 'd', { value: 1 });\ntslib_1.__exportStar(require('./y'), exports);\n";
    assert_eq!(
        exports("a.js", text),
        [
            "re_export a: export { b as a } from './x'",
            "re_export c: export { c } from './x'",
            "const d: d = 1",
            "re_export *: export * from './y'"
        ]
    );
}

#[test]
fn what_is_exported_under_a_condition_is_exported() {
    let text = "'use strict'\nif (process.env.NODE_ENV === 'production') {\n  module.exports = require('./a.prod.js')\n} else {\n  module.exports = require('./a.js')\n}\n";
    assert_eq!(
        exports("index.js", text),
        [
            "const default: default = require('./a.prod.js')",
            "const default: default = require('./a.js')"
        ]
    );
}

#[test]
fn a_declared_module_hands_on_what_it_says() {
    let text = "declare module 'a' {\n  export * from 'b';\n  export { c as d } from 'b';\n  import e = require('e');\n  export = e;\n}\ndeclare module 'f' {\n  const g: number;\n  export default g;\n  export { g as h };\n}\n";
    assert_eq!(
        exports("a.d.ts", text),
        [
            "module a: module 'a'",
            "re_export a.*: export * from 'b'",
            "re_export a.d: export { c as d } from 'b'",
            "re_export a.default: export = e",
            "module f: module 'f'",
            "const f.g: const g: number",
            "re_export f.default: export default g",
            "re_export f.h: export { g as h }"
        ]
    );
}

#[test]
fn a_declaration_file_exports_all_unless_it_lists_what() {
    let text = "import { A } from './a';\nexport declare const b: A;\ntype C = string;\n";
    assert_eq!(exports("a.d.ts", text), ["const b: const b: A", "type C: type C = string"]);
    assert_eq!(exports("a.d.ts", &format!("{text}export {{}};\n")), ["const b: const b: A"]);
    assert_eq!(exports("a.ts", text), ["const b: const b: A"]);
}

#[test]
fn a_class_of_javascript_has_what_its_constructor_assigns() {
    let text = "export class A extends B {\n  c = 1;\n  constructor(d) {\n    super();\n    /** Says it. */\n    this.d = d;\n    this.e = this._f = 2;\n    this.c = 3;\n    this.g.h = 4;\n    if (d) { this.i = 5; }\n  }\n  m() { this.n = 6; }\n}\n";
    assert_eq!(
        members("a.js", text, "A"),
        ["c: c = 1", "constructor: constructor(d)", "m: m()", "d: d", "e: e", "_f: _f"]
    );
    let documented = read("a.js", text);
    let found = documented.exports[0].members.iter().find(|it| it.name == "d").unwrap();
    assert_eq!(found.js_doc.as_deref(), Some("/** Says it. */"));
    assert_eq!(members("a.ts", text, "A").len(), 3);
}

#[test]
fn exported_names_that_are_no_words_keep_their_quotes() {
    let text = "export { 'a b' as c, d as 'e f' } from 'x';\nexport * as 'g h' from 'y';\n";
    assert_eq!(
        exports("a.ts", text),
        [
            "re_export c: export { 'a b' as c } from 'x'",
            "re_export e f: export { d as 'e f' } from 'x'",
            "re_export g h: export * as 'g h' from 'y'"
        ]
    );
}

#[test]
fn every_form_of_a_declaration_is_kept_whole() {
    insta::assert_snapshot!(outline("src/sample.ts", include_str!("tests/sample.ts")));
}
