//! generate and batch over the wire, with and without a model, which is a local stub.

use std::time::Duration;

use mcp_core::clock::Clock;
use mcp_core::transport::in_memory;
use plumbline_tests::model::{ModelStub, Reaction};
use plumbline_tests::{Client, Fixture, Reply};
use serde_json::{Value, json};

use crate::domain::spec::Words;
use crate::server::assemble;
use crate::store::generate::tests::whole_answer;
use crate::store::generate::{Material, Output, Style, Writer, write};
use crate::store::model::Llm;
use crate::store::project::Places;
use crate::tools::Setting;
use mcp_core::failure::Failure;
use mcp_core::work::Work;

const KEY: &str = "sk-ant-not-to-be-seen-0123456789";
const PROJECT: &str = "//- .git/HEAD\nx\n//- src/a.ts\nexport const token = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\";\nexport function f() {}\n//- src/b.ts\nexport const b = 1;\n";

fn llm(variables: &[(&str, &str)]) -> Result<Llm, Failure> {
    Llm::of(&|wanted| {
        let found = variables.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, value)| (*value).to_owned())
    })
}

fn asking(stub: &ModelStub) -> Llm {
    let url = stub.url();
    llm(&[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", &url)]).unwrap()
}

async fn connect(fixture: &Fixture, llm: Llm) -> Client {
    let setting = Setting {
        places: Places {
            working_directory: fixture.path().to_owned(),
            roots: Vec::new(),
            confined: false,
        },
        clock: Clock::fixed("2026-01-01T00:00:00Z".parse().unwrap()),
        read_only: false,
        token_budget: 100_000,
        words: Words::of(None),
        llm,
        semantic: true,
        call_timeout: Duration::from_mins(1),
    };
    let mut client = Client::on(in_memory(assemble(setting)));
    client.initialize("2025-11-25").await;
    client
}

async fn generate(fixture: &Fixture, llm: Llm) -> Reply {
    let mut client = connect(fixture, llm).await;
    client.call_tool("generate", json!({ "targetPath": "src/a.ts" })).await
}

fn value(reply: &Reply) -> Value {
    assert!(!reply.is_tool_error(), "{}", reply.text());
    serde_json::from_str(&reply.text()).unwrap()
}

// Verifies: PLB-d05002-B
#[tokio::test]
async fn without_credentials_the_code_speaks() {
    let fixture = Fixture::new(PROJECT);
    // The developer's own `claude` must not be asked.
    let done = value(&generate(&fixture, Llm::Nobody).await);
    assert_eq!((&done["confidence"], &done["tokenUsage"]), (&json!("low"), &json!(0)));
    let warnings = done["warnings"].as_array().unwrap();
    assert!(
        warnings.iter().any(|it| it.as_str().unwrap().starts_with("未检测到 ANTHROPIC_API_KEY"))
    );
    assert!(fixture.has("specs/src__a.ts.spec.md"));
}

#[tokio::test]
async fn where_a_model_is_required_its_absence_is_the_contracts_error() {
    let fixture = Fixture::new(PROJECT);
    let before = fixture.files();
    for tool in ["generate", "batch"] {
        let mut client = connect(&fixture, Llm::Missing).await;
        let arguments = if tool == "generate" { json!({ "targetPath": "src" }) } else { json!({}) };
        let reply = client.call_tool(tool, arguments).await;
        assert!(reply.is_tool_error());
        let text = reply.text();
        assert_eq!(
            text.lines().next().unwrap(),
            format!("{tool} 失败: 未检测到 ANTHROPIC_API_KEY")
        );
    }
    assert_eq!(fixture.files(), before);
}

#[tokio::test]
async fn the_variables_choose_who_writes() {
    let off = llm(&[("REVERSE_SPEC_LLM", "off"), ("ANTHROPIC_API_KEY", KEY)]).unwrap();
    assert!(matches!(off, Llm::Off));
    let keyed = llm(&[("ANTHROPIC_API_KEY", KEY)]).unwrap();
    assert!(matches!(keyed, Llm::Client { ref provider, .. } if provider == "Claude"));
    assert!(llm(&[("REVERSE_SPEC_LLM", "sometimes")]).is_err());
}

#[tokio::test]
async fn a_model_is_asked_once_and_no_secret_leaves() {
    let stub = ModelStub::start([Reaction::anthropic_text(&whole_answer(), "end_turn")]).await;
    let fixture = Fixture::new(PROJECT);
    let done = value(&generate(&fixture, asking(&stub)).await);
    assert_eq!((&done["confidence"], &done["tokenUsage"]), (&json!("high"), &json!(18)));
    assert_eq!(stub.received().len(), 1);
    let sent = stub.received_text();
    assert!(sent.contains("src/a.ts") && !sent.contains("ghp_0123"), "{sent}");
    let spec = fixture.read("specs/src__a.ts.spec.md");
    assert!(!spec.contains("ghp_0123") && !spec.contains(KEY));
    assert!(done["warnings"].to_string().contains("src/a.ts:1"), "{done}");
}

#[tokio::test]
async fn a_limit_that_does_not_end_is_the_contracts_error_after_three_requests() {
    let limited = Reaction::json(429, &json!({ "error": { "type": "rate_limit_error" } }));
    let stub = ModelStub::start([limited.header("retry-after", "0")]).await;
    let fixture = Fixture::new(PROJECT);
    let before = fixture.files();
    let reply = generate(&fixture, asking(&stub)).await;
    assert!(reply.is_tool_error());
    let text = reply.text();
    assert_eq!(text.lines().next().unwrap(), "generate 失败: Claude API 返回 429: 速率限制");
    assert_eq!(stub.received().len(), 3);
    assert_eq!(fixture.files(), before, "nothing is written");
}

#[tokio::test]
async fn a_refused_key_is_said_and_never_shown() {
    let stub = ModelStub::start([Reaction::json(401, &json!({ "error": KEY }))]).await;
    let fixture = Fixture::new(PROJECT);
    let text = generate(&fixture, asking(&stub)).await.text();
    assert!(text.starts_with("generate 失败: Claude API 返回 401: 认证失败"), "{text}");
    assert!(!text.contains(KEY));
}

#[tokio::test]
async fn a_cut_answer_is_noticed() {
    let stub = ModelStub::start([Reaction::anthropic_text(&whole_answer(), "max_tokens")]).await;
    let fixture = Fixture::new(PROJECT);
    let done = value(&generate(&fixture, asking(&stub)).await);
    assert_eq!(done["confidence"], "medium");
    assert!(done["warnings"].to_string().contains("cut off"));
}

#[tokio::test]
async fn a_batch_in_which_everything_fails_is_an_error_and_in_which_something_works_is_none() {
    let refused = Reaction::json(400, &json!({ "error": { "type": "invalid_request_error" } }));
    let fixture = Fixture::new(PROJECT);
    let stub = ModelStub::start([refused.clone()]).await;
    let mut client = connect(&fixture, asking(&stub)).await;
    let reply = client.call_tool("batch", json!({})).await;
    assert!(reply.is_tool_error());
    assert!(
        reply.text().starts_with("batch 失败: Claude API 返回 400: 请求无效"),
        "{}",
        reply.text()
    );
    let good = Reaction::anthropic_text(&whole_answer(), "end_turn");
    let stub = ModelStub::start([refused, good]).await;
    let mut client = connect(&fixture, asking(&stub)).await;
    let done = value(&client.call_tool("batch", json!({})).await);
    assert_eq!(done["successful"].as_array().unwrap().len(), 1);
    assert_eq!(done["failed"].as_array().unwrap().len(), 1);
}

// Verifies: PLB-d05002-C
#[tokio::test]
async fn a_batch_needs_no_arguments_and_tells_how_far_it_is() {
    let fixture = Fixture::new(PROJECT);
    let mut client = connect(&fixture, Llm::Off).await;
    let params = json!({ "name": "batch", "_meta": { "progressToken": "p" } });
    let id = client.send_request("tools/call", params).await;
    let told = client.next_notification("notifications/progress").await;
    assert_eq!(told["params"]["progressToken"], "p");
    let done = value(&client.wait_for(id).await);
    assert_eq!(done["totalModules"], 2);
    assert_eq!(done["indexGenerated"], true);
}

const SUM: &str = "export function sum(list: number[]) { return list.length; }\n";

async fn diff(fixture: &Fixture, llm: Llm) -> Value {
    let mut client = connect(fixture, llm).await;
    let arguments = json!({ "specPath": "specs/src__a.ts.spec.md", "sourcePath": "src/a.ts" });
    value(&client.call_tool("diff", arguments).await)
}

/// A project whose specification was written before the body of `f` changed.
async fn changed_body() -> Fixture {
    let fixture =
        Fixture::new("//- .git/HEAD\nx\n//- src/a.ts\nexport function f() { return 1; }\n");
    generate(&fixture, Llm::Off).await;
    let secret = "const key = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';";
    fixture.write("src/a.ts", &format!("export function f() {{ {secret} return 2; }}\n{SUM}"));
    fixture
}

#[tokio::test]
async fn a_model_is_asked_only_where_a_body_changed() {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- src/a.ts\nexport function f() {}\n");
    generate(&fixture, Llm::Off).await;
    fixture.write("src/a.ts", &format!("export function f() {{}}\n{SUM}"));
    let stub = ModelStub::start([Reaction::Hang]).await;
    let report = diff(&fixture, asking(&stub)).await;
    assert_eq!(report["summary"]["additions"], 1);
    assert_eq!(stub.received().len(), 0);
}

#[tokio::test]
async fn a_comparison_stays_on_this_machine_unless_the_user_says_otherwise() {
    let fixture = changed_body().await;
    let stub = ModelStub::start([Reaction::Hang]).await;
    let mut hints = Vec::new();
    for semantic in [false, true] {
        let mut setting = crate::tests::setting(&fixture);
        (setting.llm, setting.semantic) = (asking(&stub), semantic);
        let asked = setting.who_is_asked();
        assert_eq!(asked.contains("diff"), semantic, "{asked}");
        assert!(asked.contains("key from ANTHROPIC_API_KEY") && !asked.contains(KEY), "{asked}");
        let mut client = Client::on(in_memory(assemble(setting)));
        client.initialize("2025-11-25").await;
        let tools = client.request("tools/list", json!({})).await.result()["tools"].clone();
        let hint = |it: &Value| it["annotations"]["openWorldHint"].clone();
        hints.push(tools.as_array().unwrap().iter().map(hint).collect::<Vec<_>>());
        if !semantic {
            let arguments =
                json!({ "specPath": "specs/src__a.ts.spec.md", "sourcePath": "src/a.ts" });
            let report = value(&client.call_tool("diff", arguments).await);
            assert_eq!(report["summary"]["low"], 2, "{report}");
        }
    }
    // prepare, generate, batch, diff
    assert_eq!(hints[0], [json!(false), json!(true), json!(true), json!(false)]);
    assert_eq!(hints[1], [json!(false), json!(true), json!(true), json!(true)]);
    assert_eq!(stub.received().len(), 0);
}

#[tokio::test]
async fn a_contradiction_is_told_apart_from_what_the_code_shows() {
    let fixture = changed_body().await;
    let verdicts = json!({ "verdicts": [
        { "symbol": "f", "holds": false, "reason": "It returns 2, the specification says 1." },
        { "symbol": "elsewhere", "holds": false, "reason": "Never asked about." },
    ] });
    let stub = ModelStub::start([Reaction::anthropic_tool("submit_verdicts", &verdicts)]).await;
    let report = diff(&fixture, asking(&stub)).await;
    let found: Vec<&Value> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["detectedBy"] == "semantic")
        .collect();
    assert_eq!(found.len(), 1, "{report}");
    assert_eq!((&found[0]["severity"], &found[0]["symbolName"]), (&json!("MEDIUM"), &json!("f")));
    assert!(found[0]["description"].as_str().unwrap().contains("returns 2"));
    assert_eq!(report["summary"]["medium"], 1);
    let sent = stub.received_text();
    assert!(sent.contains("return 2") && !sent.contains("ghp_0123"), "{sent}");
}

#[tokio::test]
async fn a_model_is_asked_in_a_directory_whatever_its_name_is() {
    let fixture = Fixture::new(
        "//- two  spaces/.git/HEAD\nx\n//- two  spaces/src/a.ts\nexport function f() { return 1; }\n",
    );
    let verdicts = json!({ "verdicts": [{ "symbol": "f", "holds": false, "reason": "No." }] });
    let stub = ModelStub::start([Reaction::anthropic_tool("submit_verdicts", &verdicts)]).await;
    let mut setting = crate::tests::setting(&fixture);
    setting.places.working_directory = fixture.path().join("two  spaces");
    setting.llm = asking(&stub);
    setting.semantic = true;
    let target = setting.places.target("src/a.ts").unwrap();
    let material = Material::read(&target, false, &Work::endless()).unwrap();
    let output = Output::in_project(&target, "specs").unwrap();
    let style = Style {
        writer: Writer::Off,
        words: setting.words,
        clock: &setting.clock,
        token_budget: setting.token_budget,
    };
    write(&material, &output, style).unwrap();
    fixture.write("two  spaces/src/a.ts", "export function f() { return 2; }\n");
    let mut client = Client::on(in_memory(assemble(setting)));
    client.initialize("2025-11-25").await;
    let arguments = json!({ "specPath": "specs/src__a.ts.spec.md", "sourcePath": "src/a.ts" });
    let report = value(&client.call_tool("diff", arguments).await);
    assert_eq!(report["summary"]["medium"], 1, "{report}");
    assert!(stub.received_text().contains("return 2"));
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_comparison_as_it_is() {
    let fixture = changed_body().await;
    let stub = ModelStub::start([Reaction::json(400, &json!({ "error": KEY }))]).await;
    let with = diff(&fixture, asking(&stub)).await;
    let without = diff(&fixture, Llm::Off).await;
    assert_eq!(with["items"], without["items"]);
    assert!(with["warnings"].to_string().contains("could not be asked"), "{with}");
    assert!(!with.to_string().contains(KEY));
}

#[test]
fn a_model_is_asked_too_where_every_specification_is_checked() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refusal = Reaction::json(400, &json!({}));
    let (fixture, stub) =
        runtime.block_on(async { (changed_body().await, ModelStub::start([refusal]).await) });
    let mut setting = crate::tests::setting(&fixture);
    (setting.llm, setting.semantic) = (asking(&stub), true);
    let command = crate::cli::COMMANDS.iter().find(|it| (it.describe)().get_name() == "diff");
    let arguments = (command.unwrap().describe)().try_get_matches_from(["diff"]).unwrap();
    crate::cli::diff_in(&setting, &arguments).unwrap();
    assert_eq!(stub.received().len(), 1);
}
