//! Specifications of the public tool, as versions 2 and 4 of it write them, against their code.

use super::*;

const V2: (&str, &str) = (include_str!("foreign/v2.spec.md"), include_str!("foreign/v2.txt"));
const V4: (&str, &str) = (include_str!("foreign/v4.spec.md"), include_str!("foreign/v4.txt"));

/// What `diff` answers about a specification and its code after an edit.
async fn drift((spec, code): (&str, &str), source: &str, from: &str, to: &str) -> Value {
    assert!(code.contains(from), "{from}");
    let fixture = repository(&code.replacen(from, to, 1));
    fixture.write("specs/old.spec.md", spec);
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/old.spec.md", "sourcePath": source });
    told(&mut client, "diff", arguments).await
}

fn items(report: &Value) -> Vec<String> {
    let items = report["items"].as_array().unwrap().iter();
    items
        .map(|it| {
            format!("{} {}", it["severity"].as_str().unwrap(), it["symbolName"].as_str().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn code_that_was_not_touched_has_not_drifted() {
    for (which, source, version, generator) in
        [(V2, "src/graph", "v1", "ts-morph"), (V4, "pkg", "v3", "tree-sitter")]
    {
        let report = drift(which, source, "", "").await;
        assert_eq!(items(&report), Vec::<String>::new(), "{report}");
        assert_eq!(report["specVersion"], version);
        assert_eq!(report["baselineGenerator"], generator);
    }
}

#[tokio::test]
async fn what_version_2_recorded_is_held_against_the_code() {
    for (from, to, expected) in [
        ("export function plain(a, b?) {}", "", "HIGH plain"),
        ("plain(a, b?)", "plain(a)", "MEDIUM plain"),
        ("options: Options = {}", "options?: Options", "MEDIUM build"),
        ("export async function build", "export function build", "MEDIUM build"),
        ("export function over(a: number): number;\n", "", ""),
        ("extends Base<T>", "extends Base<string>", "MEDIUM default"),
        ("  static count = 0;\n", "", "HIGH default.count"),
        ("name!: string", "name!: number", "MEDIUM default.name"),
        ("  protected items?: T[] = [];\n", "", "HIGH default.items"),
        ("  private hidden = 1;\n  #secret = 2;\n", "", ""),
        ("public depth = 3", "public depth = 4", "MEDIUM default.constructor"),
        ("  get size(): number { return 1; }\n", "", "HIGH default.size"),
        ("set size(value: number)", "set size(value: string)", "MEDIUM default.size"),
        ("get loose() { return 1; }", "get loose(): number { return 1; }", "MEDIUM default.loose"),
        ("key?: K)", "key: K)", "MEDIUM default.create"),
        ("abstract walk(): void;", "walk(): void {}", ""),
        ("x is Node", "boolean", "MEDIUM default.isNode"),
        ("  many(a: number): void;\n", "", "MEDIUM default.many"),
        ("mutable: number", "mutable: string", "MEDIUM mutable"),
        ("export var legacy = 2;", "", "HIGH legacy"),
        ("...rest: number[]", "...rest: string[]", "MEDIUM arrow"),
        ("function (a: string)", "function (a: number)", "MEDIUM fn"),
        ("export const limit = 5;", "export const limit = 6;", ""),
        ("Red, Green", "Red", ""),
        ("export const enum Flag { A = 1 }", "", "HIGH Flag"),
        ("= T | undefined", "= T | null", ""),
        ("extends First, Second<T>", "extends First", "MEDIUM Shape"),
        ("area?: number", "area: number", ""),
        ("  readonly kind: string;\n", "", "HIGH Shape.kind"),
        ("scale(by: number)", "scale(by: string)", "MEDIUM Shape.scale"),
        ("export function broken(a: number) {\n  return a;\n}\n", "", "HIGH broken"),
        ("export function broken(a: number)", "export function broken(a: string)", ""),
        ("const internal = 1;", "export const fresh = 1;", "LOW fresh"),
        (
            "//- src/graph/more: of it #2.ts\nconst internal = 1;\n",
            "",
            "HIGH src/graph/more: of it #2.ts",
        ),
    ] {
        let report = drift(V2, "src/graph", from, to).await;
        let expected: Vec<&str> = Some(expected).into_iter().filter(|it| !it.is_empty()).collect();
        assert_eq!(items(&report), expected, "{from} -> {to}");
    }
}

#[tokio::test]
async fn a_default_export_may_be_recorded_under_either_name() {
    let code = V2.1.replace("export default abstract class GraphBuilder", "class GraphBuilder");
    let code = format!(
        "{}export default function main(a: string) {{}}\n",
        code.split("//- src/graph/more").next().unwrap()
    );
    for (kind, signature, expected) in [
        ("function", "function main(a: string): void", None),
        ("function", "function default(a: string): void", None),
        ("function", "function main(a: number): void", Some("MEDIUM default")),
        ("const", "export default function main(a", None),
    ] {
        let recorded = json!({ "name": "default", "kind": kind, "signature": signature, "jsDoc": null, "isDefault": true, "startLine": 1, "endLine": 1 });
        let skeleton = json!({ "filePath": "src/graph/build.ts", "language": "typescript", "loc": 1, "exports": [recorded], "imports": [], "hash": "00", "analyzedAt": "x", "parserUsed": "ts-morph" });
        let spec = format!("# x\n\n<!-- baseline-skeleton: {skeleton} -->\n");
        let report = drift((&spec, &code), "src/graph", "", "").await;
        let found = items(&report).into_iter().find(|it| it.ends_with(" default"));
        assert_eq!(found.as_deref(), expected, "{signature}: {report}");
    }
}

#[tokio::test]
async fn what_version_4_recorded_is_held_against_the_code() {
    for (from, to, expected) in [
        ("class Reader(Protocol):\n    def read(self): ...\n", "", "HIGH Reader"),
        ("strict=True", "strict=False", "MEDIUM load"),
        ("move(self, by)", "move(self)", "MEDIUM Point.move"),
        ("class Kind(Enum)", "def fresh(): ...\n\nclass Kind(Enum)", "LOW fresh"),
    ] {
        let report = drift(V4, "pkg", from, to).await;
        let expected: Vec<&str> = Some(expected).into_iter().filter(|it| !it.is_empty()).collect();
        assert_eq!(items(&report), expected, "{from} -> {to}");
    }
}
