//! Hostile and odd input: answered soon, and never with a crash.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::*;

/// Generous for an unoptimised build; what is quadratic takes minutes.
const SOON: Duration = Duration::from_secs(20);

#[track_caller]
fn soon<T>(work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    assert!(started.elapsed() < SOON, "it took {:?}", started.elapsed());
    done
}

#[test]
fn twenty_thousand_nested_brackets_end_no_stack() {
    for (open, close, path) in [
        ("(", ")", "a.ts"),
        ("[", "]", "a.ts"),
        ("{", "}", "a.js"),
        ("(", ")", "a.py"),
        ("(", ")", "a.rs"),
        ("(", ")", "a.go"),
        ("(", ")", "A.java"),
        ("<div>", "</div>", "a.tsx"),
        ("namespace N {", "}", "a.ts"),
        ("mod m {", "}", "a.rs"),
        ("class C {", "}", "A.java"),
    ] {
        let text = {
            let lines = format!("{open}\n").repeat(20_000);
            format!("{lines}{}\n", close.repeat(20_000))
        };
        soon(|| read(path, &text));
        let inside = format!("export function f() {{ return {text} }}\nexport const after = 1;\n");
        soon(|| read(path, &inside));
    }
}

#[test]
fn twelve_thousand_exports_in_one_file_are_read_in_linear_time() {
    let mut text = String::new();
    for index in 0..12_000 {
        let _ = write!(
            text,
            "/** HACK: number {index} */\nexport function f{index}(a: number, b?: string): void {{\n  g(a);\n}}\n"
        );
    }
    let skeleton = soon(|| read("src/large.ts", &text));
    assert_eq!(skeleton.exports.len(), 12_000);
    assert_eq!(skeleton.exports[11_999].name, "f11999");
}

#[test]
fn twelve_thousand_names_of_one_statement_exported_by_name_are_read_in_linear_time() {
    let names: Vec<String> = (0..12_000).map(|it| format!("n{it}")).collect();
    let values: Vec<String> = names.iter().map(|it| format!("{it} = 1")).collect();
    let text = format!("const {};\nexport {{\n{}\n}};\n", values.join(",\n"), names.join(",\n"));
    let skeleton = soon(|| read("src/large.ts", &text));
    assert_eq!(skeleton.exports.len(), 12_000);
}

#[test]
fn thousands_of_overloads_and_of_hidden_receivers_are_read_in_linear_time() {
    let mut text = "export class C {\n".to_owned();
    for index in 0..20_000 {
        let _ = write!(text, "  m{index}(a: string): void;\n  m{index}(a: any) {{}}\n");
    }
    text.push_str("}\n");
    let skeleton = soon(|| read("src/large.ts", &text));
    assert_eq!(skeleton.exports[0].members.len(), 20_000);
    let mut text = "package p\n\nfunc F() {}\n".to_owned();
    for index in 0..30_000 {
        let _ = write!(text, "\ntype hidden{index} int\n\nfunc (h hidden{index}) M() {{}}\n");
    }
    let extracted =
        soon(|| Extractor::new().extract_bytes("p/a.go", text.as_bytes(), Scope::Exports).unwrap());
    assert_eq!(extracted.exports.len(), 1);
}

#[test]
fn a_line_of_four_megabytes_is_refused_by_its_length() {
    let text = format!("export const a = [{}];", "1,".repeat(2_000_000));
    let error =
        Extractor::new().extract_bytes("a.ts", text.as_bytes(), Scope::Exports).unwrap_err();
    assert!(matches!(error, Unreadable::LineTooLong { line: 1, .. }), "{error}");
    assert!(error.to_string().starts_with("line 1 has 4000020 bytes"), "{error}");
}

#[test]
fn binary_files_are_no_source() {
    for bytes in [b"\x7fELF\x02\0\0\0".as_slice(), &[0xff; 400]] {
        let error = Extractor::new().extract_bytes("a.ts", bytes, Scope::Exports).unwrap_err();
        assert_eq!(error, Unreadable::Binary);
    }
}

#[test]
fn one_stray_byte_of_an_old_encoding_spoils_nothing() {
    let bytes = b"// caf\xe9\nexport const a = 1;\n";
    let extracted = Extractor::new().extract_bytes("a.ts", bytes, Scope::Exports).unwrap();
    assert_eq!(extracted.exports[0].name, "a");
}

#[test]
fn a_byte_order_mark_and_line_ends_change_nothing_but_the_hash() {
    let plain = "export function f(a: string) {\n  return a;\n}\n";
    let skeleton = read("a.ts", plain);
    let marked = read("a.ts", &format!("\u{feff}{plain}"));
    assert_eq!(marked, skeleton);
    let windows = read("a.ts", &plain.replace('\n', "\r\n"));
    assert_eq!(windows.exports, skeleton.exports);
    assert_ne!(windows.hash, skeleton.hash);
}

#[test]
fn text_in_two_bytes_a_character_is_read() {
    let plain = "export const ä = '😀';\nexport const b = 1;\n";
    let names = |bytes: &[u8]| -> Vec<String> {
        assert!(!Source::decode(bytes).unwrap().is_damaged);
        let found = Extractor::new().extract_bytes("a.ts", bytes, Scope::Exports).unwrap();
        found.exports.iter().map(|it| it.signature.clone()).collect()
    };
    let expected = names(plain.as_bytes());
    let marked = format!("\u{feff}{plain}");
    let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!((names(&little), names(&big)), (expected.clone(), expected));
    let cut = &little[..little.len() - 1];
    let error = Extractor::new().extract_bytes("a.ts", cut, Scope::Exports).unwrap_err();
    assert_eq!(error, Unreadable::Binary);
}

#[test]
fn lines_are_counted_with_the_empty_one_at_the_end() {
    assert_eq!(read("a.ts", "").loc, 1);
    assert_eq!(read("a.ts", "a\nb").loc, 2);
    assert_eq!(read("a.ts", "a\nb\n").loc, 3);
}

#[test]
fn an_error_is_local_and_says_where_it_is() {
    let text = "export const a = 1;\nexport function broken(a: number { return a; }\nexport function after(b: string): void {}\nexport class Kept { m() {} }\n";
    let skeleton = read("a.ts", text);
    let names: Vec<&str> = skeleton.exports.iter().map(|it| it.name.as_str()).collect();
    assert!(
        names.contains(&"a") && names.contains(&"after") && names.contains(&"Kept"),
        "{names:?}"
    );
    let error = &skeleton.parse_errors[0];
    assert_eq!((error.line, error.column), (2, 32), "{error:?}");
}

#[test]
fn a_column_is_counted_as_editors_count() {
    let skeleton = read("a.ts", "export const ä = '😀', = 1;\n");
    assert_eq!((skeleton.parse_errors[0].line, skeleton.parse_errors[0].column), (1, 21));
}

#[test]
fn exports_after_what_the_grammar_does_not_know_survive() {
    for odd in [
        "export type * from 'x';",
        "export interface V<in T, out U> {}",
        "export interface V<in A, out B, in out C = {}, out D extends A> {}",
        "export abstract class A { abstract override x: any; }",
        "export class B { static accessor x = 1 }",
        "import defer * as q from 'x';",
        "export declare const a: import('./x').F<Date, import(\"../y\").G<string>>;",
        "export type A = import('x', { with: { 'resolution-mode': 'import' } }).B<string>;",
        "export const a = load<typeof import('x')>(b, );",
        "export function f(using: string) { return using; }",
        "export const q = sql<{\n  id: number\n  of: Map<string, number>\n}>`select ${id}`;",
        "export type T<U extends string> = `a \\`b\\` \\${ ${U}`;",
        "export declare const o: {\n  (a: A): <B>(b: B) => C<B>\n  // between\n  /** and */\n  <D>(d: D): C<D>\n};",
        "export const c =\n  <A>(a: A) =>\n  <B>(b: B) => [a, b];\nexport interface V<in T> {}",
        "declare module 'm' {\n    global {\n        interface Window { a: 1 }\n    }\n}",
    ] {
        let skeleton = read("a.ts", &format!("{odd}\nexport const after = 1;\n"));
        assert_eq!(skeleton.parse_errors, [], "{odd}");
        let after = skeleton.exports.iter().find(|it| it.name == "after");
        let line = after.map(|it| it.start_line);
        assert_eq!(line, Some(odd.lines().count() + 1), "{odd}");
    }
}

#[test]
fn what_the_grammar_does_not_know_is_shown_as_it_is_written() {
    let text = "export declare const a: import('./x').F<Date>;\ndeclare module 'm' {\n  global {\n    interface W { a: 1 }\n  }\n}\nexport declare function using(using: string): void;\n";
    assert_eq!(
        exports("a.d.ts", text),
        [
            "const a: const a: import('./x').F<Date>",
            "function using: function using(using: string): void",
            "module m: module 'm'",
            "namespace m.global: global",
            "interface m.global.W: interface W"
        ]
    );
}

#[test]
fn a_bracket_that_is_never_closed_costs_one_declaration() {
    for (path, before, broken, after) in [
        (
            "a.ts",
            "export const a = 1;",
            "export function b() {\n  if (x) {\n",
            "export function NAME(): void {}",
        ),
        (
            "a.ts",
            "export const a = 1;",
            "export interface B {\n  c: {\n",
            "/** Says it. */\nexport type NAME = string;",
        ),
        (
            "a.rs",
            "pub const A: u8 = 1;",
            "pub fn b() {\n    if x {\n",
            "/// Says it.\npub fn NAME() {}",
        ),
        ("a.py", "a = 1", "def b(c:\n    return (\n", "def NAME():\n    pass"),
        (
            "a.go",
            "package p\n\nconst A = 1",
            "func B() {\n\tif x {\n",
            "// NAME says it.\nfunc NAME() {}",
        ),
    ] {
        let names: Vec<String> = (0..40).map(|it| format!("Name{it}")).collect();
        let many: String = names.iter().map(|it| after.replace("NAME", it) + "\n\n").collect();
        let skeleton = read(path, &format!("{before}\n\n{broken}\n{many}"));
        let found: Vec<&str> = skeleton.exports.iter().map(|it| it.name.as_str()).collect();
        let lost: Vec<&String> = names.iter().filter(|it| !found.contains(&it.as_str())).collect();
        assert!(lost.is_empty(), "{path}: {lost:?} of {found:?}");
        assert_eq!(found.len(), found.iter().collect::<std::collections::HashSet<_>>().len());
        assert!(found.contains(&"a") || found.contains(&"A"), "{path}: {found:?}");
        let lines = before.lines().count() + 1..before.lines().count() + broken.lines().count() + 3;
        let error = &skeleton.parse_errors[0];
        assert!(lines.contains(&error.line), "{path}: {error:?}");
        let last = skeleton.exports.iter().find(|it| it.name == "Name39").unwrap();
        assert_eq!(last.js_doc.is_some(), after.contains("says it") || after.contains("Says it"));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}", path in proptest::sample::select(&["a.ts", "a.tsx", "a.rs", "a.py", "a.go", "A.java"][..])) {
        proptest::prop_assert!(Extractor::new().extract_bytes(path, text.as_bytes(), Scope::WithInternals).is_ok() || text.contains('\0'));
    }

    #[test]
    fn no_mixture_of_code_makes_it_panic(
        words in proptest::collection::vec(proptest::sample::select(&["export ", "class ", "fn ", "pub ", "{", "}", "(", ")", "<", ">", "=", ": ", "a", "T", "'", "\"", "=>", "function ", "def ", "\n", "  ", ",", ";", "@", "#[", "]", "import ", "from ", "type ", "*", "/**", "*/", "//", "impl ", "for ", "package ", "func ", "`", "${"][..]), 0..60),
        path in proptest::sample::select(&["a.ts", "a.tsx", "a.rs", "a.py", "a.go", "A.java"][..]),
    ) {
        let text = words.concat();
        proptest::prop_assert!(Extractor::new().extract_bytes(path, text.as_bytes(), Scope::WithInternals).is_ok());
    }
}
