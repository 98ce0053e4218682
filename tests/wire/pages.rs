//! Pages and diagrams as people see them: in a browser, and by Mermaid's own parser.

use std::process::{Command, Output};

use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Map, Value, json};

use crate::runtimes;
use crate::start::NEWEST_HANDSHAKE;

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
import { B } from '../we"ird `name`/b';
export class A {}
//- src/we"ird `name`/b.ts
import { A } from '../%%comment/a';
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
    assert!(diagrams["specs/_architecture.md 0"].as_str().unwrap().contains("subgraph"));
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

/// Two modules that use each other's code, a service that is reached, and names that would be markup.
const CODE: &str = "\
//- .git/HEAD
x
//- src/a/a.ts
export const one = 1;
export function two() {}
//- src/b/b.ts
import { two } from '../a/a';
export const b = two();
//- src/</script><b>x/c.ts
import express from 'express';
const app = express();
app.get('/<i>todos', list);
export const port = process.env.PORT || '</script>';
//- tests/a.test.ts
import { one } from '../src/a/a';
test('one', () => one);
";

#[tokio::test]
async fn the_report_on_code_begins_with_entry_points_modules_and_drift() {
    let Some(browser) = runtimes::browser() else { return };
    let fixture = Fixture::new(CODE);
    run("reverse-spec-mcp", &fixture, &["batch"]);
    fixture.write("src/a/a.ts", "export const one = 1;\n");
    fixture.write("specs/old.spec.md", "---\nsourceTarget: \"src/old\"\n---\n");
    run("reverse-spec-mcp", &fixture, &["report", "--html", "report.html"]);
    let steps = r##"
        await page.waitForSelector("html[data-ready]");
        const cards = await page.locator(".card").allTextContents();
        const tabs = await page.locator("#tabs button").allTextContents();
        const reached = await page.locator("#entries tbody tr").allTextContents();
        const route = await page.getAttribute("#entries tbody tr:first-child a", "href");
        await page.selectOption("#kind", "environment");
        const variables = await page.locator("#entries tbody tr").count();
        await page.click("#entries tbody tr .way");
        const owner = await page.textContent("#detail h2");
        const symbol = await page.getAttribute("#detail .symbol a", "href");
        const markup = await page.locator("#detail i:not(.bar i), #entries i, #detail script").count();
        await page.click("#tab-modules");
        await page.keyboard.press("Escape");
        const closed = await page.isHidden("#detail");
        await page.fill("#find", "src/b");
        await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 1);
        const found = await page.locator("#rows td:first-child").textContent();
        await page.fill("#find", "");
        await page.waitForFunction(() => document.querySelectorAll("#rows tr").length === 3);
        await page.click("#states .high");
        const high = await page.locator("#rows td:first-child").allTextContents();
        await page.click("#states .high");
        await page.click('#heads button:has-text("Drift")');
        const worst = await page.locator("#rows tr:first-child td:first-child").textContent();
        await page.click("#rows tr:first-child");
        const details = await page.textContent("#detail");
        const address = await page.evaluate(() => location.hash);
        await page.click("#tab-drift");
        const drift = await page.textContent("#drift");
        await page.keyboard.press("/");
        await page.keyboard.type("no such module");
        await page.waitForSelector("#drift .nothing");
        const outside = await page.evaluate(() => performance.getEntriesByType("resource").length);
        return {
            cards, tabs, reached, route, variables, owner, symbol, markup, closed, found, high, worst, details, address, drift, outside,
        };
    "##;
    let seen = browser.look(&fixture.path().join("report.html"), steps).await;
    let text = |name: &str| seen[name].as_str().unwrap_or_default().to_owned();
    let cards = seen["cards"].to_string();
    assert!(cards.contains("1drift, high") && cards.contains("2entry points"), "{cards}");
    assert!(cards.contains("1about code that is gone"), "{cards}");
    assert_eq!(seen["tabs"].as_array().map(Vec::len), Some(4), "{seen}");
    assert!(seen["reached"][0].to_string().contains("GET /<i>todos"), "{seen}");
    let folder = "src/%3C/script%3E%3Cb%3Ex/c.ts";
    assert_eq!((text("route"), text("symbol")), (format!("{folder}#L3"), format!("{folder}#L4")));
    assert_eq!((&seen["variables"], &seen["markup"]), (&json!(1), &json!(0)), "{seen}");
    assert_eq!(text("owner"), "src/<");
    assert_eq!((&seen["closed"], &seen["outside"]), (&json!(true), &json!(0)), "{seen}");
    assert_eq!((text("found"), text("worst")), ("src/b".to_owned(), "src/a".to_owned()));
    assert_eq!(seen["high"], json!(["src/a"]));
    assert!(text("details").contains("HIGH") && text("details").contains("two"), "{seen}");
    assert_eq!(text("address"), "#view=modules&kind=environment&module=src%2Fa");
    assert!(text("drift").contains("src/old") && text("drift").contains("HIGH"), "{seen}");
}

#[tokio::test]
async fn the_graph_of_the_report_can_be_used_by_keyboard_alone() {
    let Some(browser) = runtimes::browser() else { return };
    let fixture = Fixture::new(CODE);
    run("reverse-spec-mcp", &fixture, &["report", "--html", "report.html"]);
    let steps = r##"
        await page.waitForSelector("html[data-ready]");
        await page.click("#tab-graph");
        const nodes = await page.locator("g.node").count();
        const edges = await page.locator("path.edge").count();
        const stops = await page.locator('g.node[tabindex="0"]').count();
        await page.focus('g.node[data-path="src/a"]');
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        const opened = await page.textContent("#detail h2");
        const held = await page.evaluate(() => document.activeElement.textContent);
        await page.keyboard.press("Escape");
        const returned = await page.evaluate(() => document.activeElement.dataset.path);
        return { nodes, edges, stops, opened, held, returned };
    "##;
    let seen = browser.look(&fixture.path().join("report.html"), steps).await;
    let expected = json!({
        "nodes": 3, "edges": 1, "stops": 1, "opened": "src/b", "held": "Close", "returned": "src/b",
    });
    assert_eq!(seen, expected);
}

/// Requirements with a broken reference, a gap and a text that would be markup.
const REQUIREMENTS: &str = "\
//- spec/prd.md
## REQ-p00001: Signing <b>in</b> </script>
**Level**: PRD | **Status**: Active

Whoever comes, comes with a <i>badge</i>.

## Assertions

A. The name SHALL be asked for.
B. The password SHALL be asked for.

*End* *Signing in* | **Hash**: ________
//- spec/dev.md
## REQ-o00001: Form
**Level**: OPS | **Status**: Active | **Implements**: REQ-p00001-A

*End* *Form*

## REQ-d00001: Lost
**Level**: DEV | **Status**: Active | **Implements**: REQ-p00099

*End* *Lost*
//- src/form.py
# Implements: REQ-p00001-A
def ask():
    return \"</script><b>\"
";

#[tokio::test]
async fn the_report_on_requirements_shows_tree_coverage_and_broken_links() {
    let Some(browser) = runtimes::browser() else { return };
    let fixture = Fixture::new(REQUIREMENTS);
    run("elspais-mcp", &fixture, &["report", "--html", "report.html"]);
    let steps = r##"
        const ids = () => page.locator(".row").evaluateAll((rows) => rows.map((row) => row.dataset.id));
        await page.waitForSelector("html[data-ready]");
        const cards = await page.locator(".card").allTextContents();
        const top = await page.locator(".row").allTextContents();
        await page.click('.row[data-id="REQ-p00001"] .twist');
        const opened = await page.locator(".row").count();
        const link = await page.getAttribute('.row[data-id="REQ-p00001"] a', "href");
        await page.focus("#tree");
        await page.keyboard.press("End");
        const last = await page.locator(".row.here").getAttribute("data-id");
        await page.click("#tab-broken");
        const broken = await page.textContent("#broken");
        await page.fill("#find", "form");
        await page.waitForFunction(() => document.querySelector("#told").textContent.startsWith("0 of 1"));
        await page.click("#tab-tree");
        await page.waitForFunction(() => document.querySelectorAll(".row").length === 1);
        const found = await page.locator(".row").getAttribute("data-id");
        await page.fill("#find", "");
        await page.waitForFunction(() => document.querySelectorAll(".row").length > 1);
        await page.check("#gaps");
        const gaps = await ids();
        await page.uncheck("#gaps");
        await page.click("#tab-matrix");
        const ranked = await ids();
        await page.click("#tab-uncovered");
        const uncovered = await page.locator(".row").allTextContents();
        return { cards, top, opened, link, last, broken, found, gaps, ranked, uncovered };
    "##;
    let seen = browser.look(&fixture.path().join("report.html"), steps).await;
    assert_eq!(seen["top"].as_array().map(Vec::len), Some(2), "{seen}");
    assert!(seen["top"].to_string().contains("1/2"), "{seen}");
    assert_eq!((&seen["opened"], &seen["last"]), (&json!(3), &json!("REQ-o00001")), "{seen}");
    assert_eq!(seen["link"], "spec/prd.md#L1");
    assert!(seen["broken"].as_str().unwrap_or_default().contains("REQ-p00099"));
    assert_eq!(seen["found"], "REQ-o00001");
    assert_eq!(seen["gaps"], json!(["REQ-p00001", "REQ-d00001"]));
    assert_eq!(seen["ranked"], json!(["REQ-p00001", "REQ-o00001", "REQ-d00001"]));
    assert!(seen["uncovered"].to_string().contains("missing B"), "{seen}");
    assert!(seen["cards"].to_string().contains("1broken references"), "{seen}");
}

#[tokio::test]
async fn a_requirement_opens_in_the_report_with_what_stands_behind_each_assertion() {
    let Some(browser) = runtimes::browser() else { return };
    let fixture = Fixture::new(REQUIREMENTS);
    run("elspais-mcp", &fixture, &["report", "--html", "report.html"]);
    let steps = r##"
        await page.waitForSelector("html[data-ready]");
        await page.click('.row[data-id="REQ-p00001"] .title');
        await page.waitForSelector("#detail .assertion");
        const text = await page.textContent("#detail");
        const assertions = await page.locator("#detail .assertion").allTextContents();
        const cited = await page.getAttribute("#detail .cite a[href*='form.py']", "href");
        const markup = await page.locator("#detail :is(b:not(.mono), i, script)").count();
        const address = await page.evaluate(() => location.hash);
        await page.click("#detail .relatives a");
        await page.waitForFunction(() => document.querySelector("#detail h2").textContent.includes("REQ-o00001"));
        const tree = await page.locator(".row.here").getAttribute("data-id");
        await page.click("#detail .tools button:has-text('Graph')");
        await page.waitForSelector("#graph .node.focus");
        const around = await page.locator("#graph g.node").count();
        const shared = await page.evaluate(() => location.hash);
        await page.keyboard.press("Escape");
        const closed = await page.isHidden("#detail");
        await page.click("#tab-tree");
        await page.keyboard.press("/");
        await page.keyboard.type("badge");
        await page.waitForFunction(() => document.querySelectorAll(".row").length === 1);
        const found = await page.locator(".row").getAttribute("data-id");
        const outside = await page.evaluate(() => performance.getEntriesByType("resource").length);
        return { text, assertions, cited, markup, address, tree, around, shared, closed, found, outside };
    "##;
    let seen = browser.look(&fixture.path().join("report.html"), steps).await;
    assert!(seen["text"].as_str().is_some_and(|it| it.contains("<i>badge</i>")), "{seen}");
    let assertions = seen["assertions"].as_array().cloned().unwrap_or_default();
    assert_eq!(assertions.len(), 2, "{seen}");
    let (first, second) = (assertions[0].to_string(), assertions[1].to_string());
    assert!(first.contains("src/form.py:1") && first.contains("</script><b>"), "{first}");
    assert!(second.contains("Nothing covers it."), "{second}");
    assert_eq!((&seen["cited"], &seen["markup"]), (&json!("src/form.py#L1"), &json!(0)), "{seen}");
    assert_eq!((&seen["address"], &seen["tree"]), (&json!("#REQ-p00001"), &json!("REQ-o00001")));
    assert_eq!((&seen["around"], &seen["closed"]), (&json!(2), &json!(true)), "{seen}");
    assert_eq!(seen["shared"], "#view=graph&id=REQ-o00001");
    assert_eq!((&seen["found"], &seen["outside"]), (&json!("REQ-p00001"), &json!(0)), "{seen}");
}

#[tokio::test]
async fn the_report_in_a_client_asks_for_what_it_opens() {
    let Some(browser) = runtimes::browser() else { return };
    let fixture = Fixture::new(REQUIREMENTS);
    let mut client = Client::spawn(&bins::server("elspais-mcp"), &[], &[], fixture.path());
    client.initialize(NEWEST_HANDSHAKE).await;
    let uri = json!({ "uri": "ui://elspais/report.html" });
    let read = client.request("resources/read", uri).await;
    let page = read.result()["contents"][0]["text"].clone();
    let requirement = client.call_tool("get_requirement", json!({ "req_id": "REQ-p00001" })).await;
    let search = client.call_tool("search", json!({ "query": "badge", "limit": 500 })).await;
    let answers = json!({
        "get_requirement": requirement.result(),
        "search": search.result(),
    });
    let given = json!({ "page": page, "answers": answers }).to_string().replace("</", "<\\/");
    let host = format!(
        r#"<!doctype html><iframe id="frame" sandbox="allow-scripts" style="width: 1200px; height: 700px"></iframe>
        <script>
        const given = {given};
        addEventListener("message", ({{ data, source }}) => {{
            if (data.id === undefined) return;
            const result = data.method === "tools/call" ? given.answers[data.params.name] : {{}};
            source.postMessage({{ jsonrpc: "2.0", id: data.id, result }}, "*");
        }});
        document.getElementById("frame").srcdoc = given.page;
        </script>"#
    );
    fixture.write("host.html", &host);
    let steps = r##"
        const shown = page.frameLocator("#frame");
        await shown.locator('.row[data-id="REQ-p00001"] .title').click();
        await shown.locator("#detail .assertion").first().waitFor();
        const assertions = await shown.locator("#detail .assertion").allTextContents();
        await shown.locator("#find").fill("badge");
        await shown.locator("#told", { hasText: "1 of 3" }).waitFor();
        const found = await shown.locator(".row").getAttribute("data-id");
        return { assertions, found };
    "##;
    let seen = browser.look(&fixture.path().join("host.html"), steps).await;
    assert!(
        seen["assertions"][0].as_str().is_some_and(|it| it.contains("src/form.py:1")),
        "{seen}"
    );
    assert!(seen["assertions"][1].as_str().is_some_and(|it| it.contains("Nothing")), "{seen}");
    assert_eq!(seen["found"], "REQ-p00001");
}
