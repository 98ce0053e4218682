//! Layout tools change much and mean nothing.

use super::*;

#[track_caller]
fn silent(path: &str, before: &str, after: &str) {
    let found = drift(&format!("//- {path}\n{before}"), &format!("//- {path}\n{after}"));
    let told: Vec<_> = found.items.iter().map(|it| &it.description).collect();
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn reformatting_by_prettier_is_silent() {
    silent(
        "a.tsx",
        r#"
export type Kind = 'a' | "b" | (() => void)
export interface Options { 'name': string, size?: number; readonly list: Array<string>, }
export const compute = x => x * 0XAB + 1.50
export function pick(a: {x: number, y: string}, b = 'it\'s', ) {
  if (a.x && a.y || b) return [1,2,3,]
  const f = function(y) { return (y) };
  return (a.x + 1) * 2, f;;
}
export const View = ({items}) => <ul className='list'>{items.map(i => <li key={i}>text   and
  more</li>)}</ul>
export class Store { private a = 1; get(key) { return ( this.items[key] ) } }
"#,
        r#"
export type Kind =
  | "a"
  | "b"
  | (() => void);
export interface Options {
  name: string;
  size?: number;
  readonly list: Array<string>;
}
export const compute = (x) => x * 0xab + 1.5;
export function pick(
  a: { x: number; y: string },
  b = "it's",
) {
  if ((a.x && a.y) || b) return [1, 2, 3];
  const f = function (y) {
    return y;
  };
  return (a.x + 1) * 2, f;
}
export const View = ({ items }) => (
  <ul className="list">
    {items.map((i) => (
      <li key={i}>
        text and more
      </li>
    ))}
  </ul>
);
export class Store {
  private a = 1;
  get(key) {
    return this.items[key];
  }
}
"#,
    );
}

#[test]
fn reformatting_by_rustfmt_is_silent() {
    silent(
        "src/lib.rs",
        r"
pub struct Wide<T> where T: Send { pub first: Vec<T>, pub second: u8 }
pub fn choose<'a>(first: &'a str, second: Option<u8>,) -> Result<&'a str, Error> {
    let found = match second { Some(1) => { first }, Some(n) if n > 2 => { return Err(Error::Large) } None => first, _ => { go(); first } };
    let f = |x| { x + 1 };
    if f(1) == 2 { return Ok(found) }
    Ok(vec![1, 2,].iter().map(|it| it * 2).sum())
}
",
        r"
pub struct Wide<T>
where
    T: Send,
{
    pub first: Vec<T>,
    pub second: u8,
}

pub fn choose<'a>(
    first: &'a str,
    second: Option<u8>,
) -> Result<&'a str, Error> {
    let found = match second {
        Some(1) => first,
        Some(n) if n > 2 => return Err(Error::Large),
        None => first,
        _ => {
            go();
            first
        }
    };
    let f = |x| x + 1;
    if f(1) == 2 {
        return Ok(found);
    }
    Ok(vec![1, 2]
        .iter()
        .map(|it| it * 2)
        .sum())
}
",
    );
}

#[test]
fn reformatting_by_black_is_silent() {
    silent(
        "a.py",
        "def f(a, b = 'x', *, c: int=0X1F):\n    x = {'a':1, 'b' : [1,2]}\n    if (a and b): return (x)\n    return a if a \\\n        else b; \n",
        "def f(\n    a,\n    b=\"x\",\n    *,\n    c: int = 0x1F,\n):\n    x = {\n        \"a\": 1,\n        \"b\": [1, 2],\n    }\n    if a and b:\n        return x\n    return a if a else b\n",
    );
}

#[test]
fn reformatting_by_gofmt_is_silent() {
    silent(
        "a.go",
        "package a\nfunc F( a,b int )(int,error){\nif a>b{ return a , nil };return b,nil}\ntype S struct{A int `json:\"a\"`; B string}\n",
        "package a\n\nfunc F(a, b int) (int, error) {\n\tif a > b {\n\t\treturn a, nil\n\t}\n\treturn b, nil\n}\n\ntype S struct {\n\tA int `json:\"a\"`\n\tB string\n}\n",
    );
}

#[test]
fn what_is_only_written_differently_is_counted_as_noise() {
    let found = drift(
        "//- a.ts\nexport function f(b: string) {}",
        "//- a.ts\nexport function f(b : string) {}",
    );
    assert_eq!((found.items.len(), found.noise), (0, 1));
}

#[test]
fn a_semicolon_after_what_leaves_the_block_is_silent() {
    let arms = |one: &str, other: &str| {
        format!(
            "pub fn f(a: Option<u8>) -> u8 {{ loop {{ match a {{ None => {one}, Some(1) => {other}, _ => {{}} }} }} }}"
        )
    };
    let written = arms("{ return 1 }", "break 2");
    silent("src/lib.rs", &written, &arms("{ return 1; }", "{ break 2; }"));
    silent("src/lib.rs", &written, &arms("return 1", "{ break 2 }"));
}

/// Of a text that is too long to keep the end counts as well, and its layout as little.
#[test]
fn long_types_are_known_by_all_of_them() {
    let code = |last: &str, quote: char, gap: &str| {
        let names = (0..600).map(|it| format!("{quote}name-of-an-icon-{it}{quote}"));
        let union: Vec<_> = names.chain([format!("{quote}{last}{quote}")]).collect();
        let union = union.join(&format!("{gap}| "));
        format!(
            "//- a.ts\nexport type T = {union};\nexport interface I {{ a: {union} }}\nexport function f(a: {union}): {union} {{ return a; }}\n"
        )
    };
    let before = code("last", '"', "\n  ");
    let found = drift(&before, &code("other", '"', "\n  "));
    assert_eq!(told(&found), ["HIGH I.a", "HIGH f", "MEDIUM T", "MEDIUM f"]);
    let found = drift(&before, &code("last", '\'', "\n\n\t\t"));
    assert_eq!(told(&found), Vec::<String>::new());
}

#[test]
fn members_without_semicolons_are_silent() {
    silent(
        "a.ts",
        r"
export interface Call {
  <T>(url: string): Answer<T>;
  <T>(config: Config, more?: T): Answer<T>;
  get: string;
}
export type Ends = {
  out: Record<string, unknown>;
  in: Record<string, unknown>;
  instanceof?(x: any): boolean;
};
export const pipe = (a, b) => ({
  type: 1,
  in: a,
  out: b,
});
",
        r"
export interface Call {
  <T>(url: string): Answer<T>
  <
    T,
  >(
    config: Config,
    more?: T,
  ): Answer<T>
  get: string
}
export type Ends = {
  out: Record<string, unknown>
  in: Record<string, unknown>
  instanceof?(x: any): boolean
}
export const pipe = (a, b) => ({
  type: 1,
  in: a,
  out: b,
})
",
    );
}

#[test]
fn brackets_that_black_adds_are_silent() {
    silent(
        "a.py",
        r"
def f(o):
    a: list[tuple[str, int]] | None = None
    for key, value in o.items():
        with first(key) as g, second(value):
            yield key, (value, g)
    return a, o
",
        r"
def f(o):
    a: (
        list[tuple[str, int]] | None
    ) = None
    for (
        key,
        value,
    ) in o.items():
        with (
            first(key) as g,
            second(value),
        ):
            yield (
                key,
                (value, g),
            )
    return (
        a,
        o,
    )
",
    );
}

#[test]
fn a_comma_after_any_last_part_is_silent() {
    silent(
        "src/lib.rs",
        "pub fn f(a: A) -> bool { if let B(C(_)) = a { true } else { false } }",
        "pub fn f(a: A) -> bool { if let B(C(\n_,\n)) = a { true } else { false } }",
    );
}

#[test]
fn names_in_brackets_on_lines_of_their_own_are_silent() {
    let call = |list: &str| format!("export function f(a, o) {{ return g({list}) + [a, h()]; }}");
    silent("a.ts", &call("a, o.b, c"), &call("\n  a, // first\n  o.b,\n  c,\n"));
    silent("a.ts", &call(""), &call(" "));
    let call = |list: &str| format!("pub fn f(a: u8) -> u8 {{ g!({list}) + h({list}) }}");
    silent("src/lib.rs", &call("a, b::C, d.e"), &call("\n a,\n b::C,\n /* last */ d.e,\n"));
}

/// Names with dots between them are read from the text where nothing else is in it, and from the
/// tree where there is.
#[test]
fn names_broken_over_lines_are_silent() {
    silent(
        "a.ts",
        "export function f(o) { return o.first.second.#own.third + o.x.y; }",
        "export function f(o) {\n  return o.first\n    .second // here\n    .#own.third +\n    o . x . y;\n}",
    );
    silent(
        "src/lib.rs",
        "pub fn f(o: &O) -> u8 { o.pair.0.1.len + crate::a::B::C.d + o.r#type }",
        "pub fn f(o: &O) -> u8 {\n    o.pair /* here */ .0.1\n        .len + crate :: a::B\n::C . d + o\n    .r#type\n}",
    );
    silent(
        "a.py",
        "def f(o):\n    return (o.a.b + o.c)\n",
        "def f(o):\n    return (o\n        .a\n        .b + o . c)\n",
    );
    silent(
        "a.go",
        "package a\nfunc F(o O) int { return o.A.B + x.Y }\n",
        "package a\nfunc F(o O) int {\n\treturn o.\n\t\tA.\n\t\tB + x . Y\n}\n",
    );
    silent(
        "A.java",
        "public class A { public int m(O o) { return o.a.b + p.q.R.S; } }",
        "public class A {\n  public int m(O o) {\n    return o\n      .a.b + p . q /* here */ .R.S;\n  }\n}",
    );
}
