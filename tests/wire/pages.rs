//! Pages and diagrams as people see them: in a browser, and by Mermaid's own parser.

use std::process::{Command, Output};

use plumbline_tests::{Fixture, bins};
use serde_json::{Map, Value, json};

use crate::runtimes;

/// Runs a command of a server to its end, with no language model.
fn run(binary: &str, fixture: &Fixture, args: &[&str]) -> Output {
    let mut command = Command::new(bins::server(binary));
    command.args(args).current_dir(fixture.path()).env("REVERSE_SPEC_LLM", "off");
    let output = command.output().expect("a built server can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{binary} {args:?}: {said}");
    output
}

/// Code whose names would be syntax in a diagram.
const HOSTILE: &str = r#"//- .git/HEAD
ref: refs/heads/main
//- src/end/class.ts
import x from "a\"b]--><#%";
import { y } from "../graph/end";
/** }} */
export class end<T extends { a: `x` }> extends Base<T> implements click {
  "quoted name": string;
  [key: string]: unknown;
  ["computed" + 1](): void {}
  style = 1;
  constructor(a = "}") { super(); }
}
export interface subgraph { direction: "TB"; click(): void; note: "x;y" }
export enum graph { "a b", classDef }
export class Δ {}
//- src/graph/end.ts
import "../end/class";
export const y = 1;
//- src/%%comment/a.ts
export class A {}
//- src/we"ird `name`/b.ts
export class B {}
//- src/rust/lib.rs
pub struct Pair<'a, T: Fn(&'a str) -> Result<(), ()>>(pub &'a T);
impl<'a, T: Fn(&'a str) -> Result<(), ()>> Pair<'a, T> { pub fn r#type(&self) {} }
pub enum Empty {}
//- src/py/mod.py
class _Private: pass
class Public(dict[str, int], metaclass=type):
    x: int = 1
    def __init__(self, *args, **kwargs): pass
"#;

#[tokio::test]
async fn every_diagram_is_one_that_mermaid_reads() {
    let Some(mermaid) = runtimes::mermaid() else { return };
    let fixture = Fixture::new(HOSTILE);
    run("reverse-spec-mcp", &fixture, &["batch"]);
    let mut diagrams = Map::new();
    for (path, text) in fixture.files().into_iter().filter(|(path, _)| path.starts_with("specs/")) {
        for (place, part) in text.split("```mermaid\n").skip(1).enumerate() {
            let diagram = part.split("```").next().unwrap_or_default();
            diagrams.insert(format!("{path} {place}"), diagram.into());
        }
    }
    assert!(diagrams.len() >= 8, "{:?}", diagrams.keys());
    let verdicts = mermaid.verdicts(&Value::Object(diagrams.clone())).await;
    for (name, verdict) in verdicts.as_object().expect("one verdict for each") {
        assert_eq!(
            *verdict,
            Value::Null,
            "{name}\n{}",
            diagrams[name].as_str().unwrap_or_default()
        );
    }
}

#[tokio::test]
async fn the_report_on_code_shows_modules_drift_and_tests() {
    let Some(browser) = runtimes::browser() else { return };
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a/a.ts\nexport const one = 1;\nexport function two() {}\n\
         //- src/b/b.ts\nimport { two } from '../a/a';\nexport const b = two();\n\
         //- src/</script><b>x/c.ts\nexport const c = 1;\n\
         //- tests/a.test.ts\nimport { one } from '../src/a/a';\ntest('one', () => one);\n",
    );
    run("reverse-spec-mcp", &fixture, &["batch"]);
    fixture.write("src/a/a.ts", "export const one = 1;\n");
    run("reverse-spec-mcp", &fixture, &["report", "--html", "report.html"]);
    let steps = r##"
        const cards = await page.locator(".card").allTextContents();
        const nodes = await page.locator("g.node").count();
        const edges = await page.locator("path.edge").count();
        await page.click('g.node[data-path="src/a"]');
        const details = await page.textContent("#details");
        await page.keyboard.press("Escape");
        const closed = await page.isHidden("#details");
        await page.fill("#find", "src/b");
        const found = await page.locator("#rows tr").count();
        await page.fill("#find", "");
        await page.check("#drifted");
        const drifted = await page.locator("#rows tr td:first-child").allTextContents();
        return { cards, nodes, edges, details, closed, found, drifted };
    "##;
    let seen = browser.look(&fixture.path().join("report.html"), steps).await;
    assert_eq!((&seen["nodes"], &seen["edges"]), (&json!(3), &json!(1)), "{seen}");
    let details = seen["details"].as_str().unwrap_or_default();
    assert!(details.contains("HIGH") && details.contains("two"), "{details}");
    assert_eq!(seen["closed"], true);
    assert_eq!(seen["found"], 1);
    assert_eq!(seen["drifted"], json!(["src/a"]));
    let cards = seen["cards"].to_string();
    assert!(cards.contains("1drift, high"), "{cards}");
}
