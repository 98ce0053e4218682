//! Specifications of other generators: what they recorded is compared, what they never did is not.

use super::*;

/// A baseline as the public tool writes it: no files, `void` for what is not said, functions first,
/// signatures in its own form.
const RECORDED: &str = r#"<!-- baseline-skeleton: {"filePath":"src/a.ts","language":"typescript","loc":40,"exports":[
{"name":"load","kind":"function","signature":"async function load<T>(path: string, options?: Options): Promise<T>","jsDoc":null,"typeParameters":["T"],"isDefault":false,"startLine":5,"endLine":7},
{"name":"plain","kind":"function","signature":"function plain(a: number): void","jsDoc":null,"isDefault":false,"startLine":9,"endLine":9},
{"name":"over","kind":"function","signature":"function over(a: string): string","jsDoc":null,"isDefault":false,"startLine":10,"endLine":10},
{"name":"over","kind":"function","signature":"function over(a: number): number","jsDoc":null,"isDefault":false,"startLine":11,"endLine":11},
{"name":"over","kind":"function","signature":"function over(a: any): void","jsDoc":null,"isDefault":false,"startLine":12,"endLine":12},
{"name":"Store","kind":"class","signature":"class Store<T> extends Base implements Keeper","jsDoc":null,"isDefault":false,"startLine":14,"endLine":22,"members":[
{"name":"constructor","kind":"constructor","signature":"constructor(private root: string)","jsDoc":null,"visibility":"public","isStatic":false},
{"name":"get","kind":"method","signature":"get(key: string): T","jsDoc":null,"visibility":"public","isStatic":false},
{"name":"size","kind":"property","signature":"size: number","jsDoc":null,"visibility":"public","isStatic":false},
{"name":"hidden","kind":"method","signature":"hidden(): void","jsDoc":null,"visibility":"private","isStatic":false}]},
{"name":"Shape","kind":"interface","signature":"interface Shape","jsDoc":null,"isDefault":false,"startLine":24,"endLine":26,"members":[{"name":"a","kind":"property","signature":"a: string","jsDoc":null,"isStatic":false}]},
{"name":"Maybe","kind":"type","signature":"export type Maybe<T extends object","jsDoc":null,"isDefault":false,"startLine":28,"endLine":28},
{"name":"Color","kind":"enum","signature":"enum Color","jsDoc":null,"isDefault":false,"startLine":29,"endLine":29},
{"name":"limit","kind":"const","signature":"const limit: number","jsDoc":null,"isDefault":false,"startLine":30,"endLine":30},
{"name":"arrow","kind":"const","signature":"const arrow = (x: number): number","jsDoc":null,"isDefault":false,"startLine":31,"endLine":31},
{"name":"default","kind":"function","signature":"function main(): void","jsDoc":null,"isDefault":true,"startLine":33,"endLine":33}
],"imports":[],"hash":"00","analyzedAt":"2026-02-14T00:00:00.000Z","parserUsed":"ts-morph"} -->"#;

const CODE: &str = "//- src/a.ts
export async function load<T>(
  path: string,
  options?: Options,
): Promise<T> { return read(path); }
export function plain(a: number) {}
export function over(a: string): string;
export function over(a: number): number;
export function over(a: any) { return a; }
export abstract class Store<T> extends Base implements Keeper {
  constructor(private root: string) { super(); }
  async get<K>(key: string): T { return this.root; }
  readonly size?: number = 1;
  static #cache = 1;
  private hidden() {}
}
export interface Shape { a?: string; [key: string]: unknown }
export type Maybe<T extends object = {}> = T | undefined;
export enum Color { Red }
export const limit: number = 3;
export const arrow = (x: number): number => x;
export default function main() {}
export * from './more';
export namespace N { export const deep = 1; }
";

fn foreign(code: &str) -> Vec<String> {
    let baseline = Baseline::read(&RECORDED.replace('\n', "")).unwrap();
    told(&compare(&baseline, &skeletons(code, Scope::WithInternals)))
}

#[test]
fn code_that_was_not_touched_does_not_look_drifted() {
    assert_eq!(foreign(CODE), Vec::<String>::new());
}

#[test]
fn what_was_recorded_is_held_against_the_code() {
    for (from, to, expected) in [
        ("export function plain(a: number) {}", "", &["HIGH plain"][..]),
        ("plain(a: number)", "plain(a: string)", &["MEDIUM plain"]),
        ("readonly size?: number = 1;", "", &["HIGH Store.size"]),
        ("get<K>(key: string): T", "get<K>(key: number): T", &["MEDIUM Store.get"]),
        ("export enum Color { Red }", "", &["HIGH Color"]),
        ("const limit: number", "const limit: string", &["MEDIUM limit"]),
        ("arrow = (x: number): number", "arrow = (x: string): number", &["MEDIUM arrow"]),
        ("private hidden() {}", "", &[]),
        ("export default", "export const fresh = 1;\nexport default", &["LOW fresh"]),
        ("extends Base", "extends Other", &["MEDIUM Store"]),
    ] {
        let changed = CODE.replacen(from, to, 1);
        assert_ne!(changed, CODE, "{from}");
        assert_eq!(foreign(&changed), expected, "{from} -> {to}");
    }
}

const GO: &str = r#"<!-- baseline-skeleton: {"filePath":"a.go","language":"go","loc":9,"exports":[
{"name":"S","kind":"struct","signature":"type S struct","jsDoc":null,"isDefault":false,"startLine":1,"endLine":1,"members":[{"name":"M","kind":"method","signature":"func (s *S) M(a int) error","jsDoc":null,"visibility":"public","isStatic":false}]},
{"name":"N","kind":"function","signature":"func (s *S) N() string","jsDoc":null,"isDefault":false,"startLine":3,"endLine":3},
{"name":"Len","kind":"function","signature":"func (l list) Len() int","jsDoc":null,"isDefault":false,"startLine":4,"endLine":4},
{"name":"F","kind":"function","signature":"func F(a string) (int, error)","jsDoc":null,"isDefault":false,"startLine":5,"endLine":5}
],"imports":[],"hash":"00","analyzedAt":"x","parserUsed":"tree-sitter"} -->"#;
const GO_CODE: &str = "//- a.go\npackage a\ntype S struct{ A int }\nfunc (s *S) M(a int) error { return nil }\ntype list []int\nfunc (l list) Len() int { return 0 }\nfunc F(a string) (int, error) { return 0, nil }\n//- b.go\npackage a\nfunc (s *S) N() string { return x }\n";

const PYTHON: &str = r#"<!-- baseline-skeleton: {"filePath":"a.py","language":"python","loc":9,"exports":[
{"name":"C","kind":"class","signature":"class C(B)","jsDoc":null,"isDefault":false,"startLine":1,"endLine":1,"members":[{"name":"m","kind":"method","signature":"def m(\n        self,\n        a: int = 1,  # type: ignore\n    ) -> None","jsDoc":null,"visibility":"public","isStatic":false},{"name":"kind","kind":"property","signature":"kind: str","jsDoc":null,"visibility":"public","isStatic":false},{"name":"_p","kind":"method","signature":"def _p(self)","jsDoc":null,"visibility":"protected","isStatic":false}]},
{"name":"f","kind":"function","signature":"def f(a, b=1)","jsDoc":null,"isDefault":false,"startLine":3,"endLine":3}
],"imports":[],"hash":"00","analyzedAt":"x","parserUsed":"tree-sitter"} -->"#;
const PYTHON_CODE: &str = "//- a.py\nLIMIT = 3\nclass C(B):\n    kind = 'c'\n    def m(\n        self,\n        a: int = 1,\n    ) -> None: pass\n    def _p(self): pass\ndef f(a, b=1): pass\n";

const JAVA: &str = r#"<!-- baseline-skeleton: {"filePath":"A.java","language":"java","loc":9,"exports":[
{"name":"A","kind":"class","signature":"public class A","jsDoc":null,"isDefault":false,"startLine":1,"endLine":1,"members":[{"name":"m","kind":"method","signature":"static int m(String a)","jsDoc":null,"visibility":"public","isStatic":true},{"name":"m","kind":"method","signature":"static int m(String a, int b)","jsDoc":null,"visibility":"public","isStatic":true}]}
],"imports":[],"hash":"00","analyzedAt":"x","parserUsed":"tree-sitter"} -->"#;
const JAVA_CODE: &str = "//- A.java\npublic class A {\n  public static int m(String a) throws E { return 1; }\n  public static int m(String a, int b) { return 2; }\n}\n";

#[test]
fn what_is_gone_is_looked_for_in_no_file_that_it_may_not_have_been_in() {
    let baseline = Baseline::read(&GO.replace('\n', "")).unwrap();
    for (from, to, place) in [
        ("func F(a", "func f(a", "."),
        ("func F(a", "func init(a", "."),
        ("N() string", "O() int", "."),
    ] {
        let code = GO_CODE.replacen(from, to, 1);
        let found = compare(&baseline, &skeletons(&code, Scope::WithInternals));
        let gone = found.items.iter().find(|it| it.severity == Severity::High).unwrap();
        assert_eq!(gone.location.to_string(), format!("{place}:1"), "{from} -> {to}");
    }
    let code =
        CODE.replacen("export function plain", "function plain", 1) + "//- src/b.ts\nlet x = 1;\n";
    let baseline = Baseline::read(&RECORDED.replace('\n', "")).unwrap();
    let found = compare(&baseline, &skeletons(&code, Scope::WithInternals));
    assert_eq!(found.items[0].location.to_string(), "src/a.ts:5");
}

#[test]
fn the_body_behind_overloads_of_python_is_one_more_of_them() {
    let recorded = r#"<!-- baseline-skeleton: {"filePath":"a.py","language":"python","loc":9,"exports":[
{"name":"f","kind":"function","signature":"def f(a: int) -> int","jsDoc":null,"isDefault":false,"startLine":2,"endLine":2},
{"name":"f","kind":"function","signature":"def f(a: str) -> str","jsDoc":null,"isDefault":false,"startLine":4,"endLine":4},
{"name":"f","kind":"function","signature":"def f(a)","jsDoc":null,"isDefault":false,"startLine":5,"endLine":5}
],"imports":[],"hash":"00","analyzedAt":"x","parserUsed":"tree-sitter"} -->"#;
    let code = "//- a.py\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a): return a\n";
    assert_eq!(edited(recorded, code, "", ""), Vec::<String>::new());
}

/// What diff reports for one edit of code that another generator described.
#[track_caller]
fn edited(recorded: &str, code: &str, from: &str, to: &str) -> Vec<String> {
    let baseline = Baseline::read(&recorded.replace('\n', "")).unwrap();
    let changed = code.replacen(from, to, 1);
    assert!(from.is_empty() || changed != code, "{from}");
    told(&compare(&baseline, &skeletons(&changed, Scope::WithInternals)))
}

#[test]
fn other_languages_are_compared_as_they_are_written() {
    for (recorded, code, from, to, expected) in [
        (GO, GO_CODE, "", "", &[][..]),
        (GO, GO_CODE, "M(a int)", "M(a string)", &["MEDIUM S.M"]),
        (GO, GO_CODE, "N() string", "N() int", &["MEDIUM S.N"]),
        (GO, GO_CODE, ") N()", ") O()", &["HIGH N"]),
        (GO, GO_CODE, ") M(", ") O(", &["HIGH S.M"]),
        (GO, GO_CODE, "F(a string)", "F(a string, b int)", &["MEDIUM F"]),
        (PYTHON, PYTHON_CODE, "", "", &[]),
        (PYTHON, PYTHON_CODE, "LIMIT", "MOST", &[]),
        (PYTHON, PYTHON_CODE, "a: int = 1", "a: str", &["MEDIUM C.m"]),
        (PYTHON, PYTHON_CODE, "kind = 'c'", "", &["HIGH C.kind"]),
        (PYTHON, PYTHON_CODE, "_p(self)", "_q(self)", &[]),
        (PYTHON, PYTHON_CODE, "f(a, b=1)", "f(a)", &["MEDIUM f"]),
        (PYTHON, PYTHON_CODE, "def f(", "def g(", &["HIGH f", "LOW g"]),
        (JAVA, JAVA_CODE, "", "", &[]),
        (JAVA, JAVA_CODE, "int m(String a)", "int m(Object a)", &["MEDIUM A.m"]),
        (JAVA, JAVA_CODE, "public class A", "public class B", &["HIGH A", "LOW B"]),
    ] {
        assert_eq!(edited(recorded, code, from, to), expected, "{from} -> {to}");
    }
}
