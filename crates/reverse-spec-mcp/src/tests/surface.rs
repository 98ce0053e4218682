//! What a client is shown of the server, held against the contract.

use super::*;

/// The schemas of the contract, word for word.
const PREPARE: &str = r#"{"type":"object","properties":{"targetPath":{"type":"string","description":"目标文件或目录路径（绝对或相对于 cwd）"},"deep":{"type":"boolean","description":"深度分析模式（包含函数体）","default":false}},"required":["targetPath"]}"#;
const DIFF: &str = r#"{"type":"object","properties":{"specPath":{"type":"string","description":"Spec 文件路径（.spec.md）"},"sourcePath":{"type":"string","description":"源代码文件或目录路径"}},"required":["specPath","sourcePath"]}"#;

async fn tools(fixture: &Fixture) -> Vec<Value> {
    let mut client = connect(fixture).await;
    let tools = client.request("tools/list", json!({})).await.result()["tools"].clone();
    tools.as_array().unwrap().clone()
}

// Verifies: PLB-d05001-A
#[tokio::test]
async fn input_schemas_are_those_of_the_contract_to_the_letter() {
    let listed = tools(&Fixture::empty()).await;
    for (name, schema) in [("prepare", PREPARE), ("diff", DIFF)] {
        let tool = listed.iter().find(|it| it["name"] == name).unwrap();
        assert_eq!(tool["inputSchema"].to_string(), schema, "{name}");
        let words = tool["description"].as_str().unwrap();
        let chinese = match name {
            "prepare" => "AST 预处理 + 上下文组装",
            _ => "Spec 漂移检测",
        };
        let rest = words.strip_prefix(chinese).unwrap();
        assert!(rest.len() > 20 && rest.is_ascii(), "{rest}");
    }
}

#[tokio::test]
async fn prepare_is_the_first_tool_and_diff_the_last() {
    let listed = tools(&Fixture::empty()).await;
    assert_eq!(listed.first().unwrap()["name"], "prepare");
    assert_eq!(listed.last().unwrap()["name"], "diff");
    for tool in [listed.first().unwrap(), listed.last().unwrap()] {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
}

// Verifies: PLB-d05001-B
#[tokio::test]
async fn the_handshake_is_that_of_the_contract() {
    let server = assemble(setting(&Fixture::empty()));
    let mut client = Client::on(in_memory(server)).declaring(json!({}));
    let answer = client.initialize("2025-11-25").await;
    assert_eq!(answer["capabilities"], json!({ "tools": { "listChanged": false } }));
    assert_eq!(answer["serverInfo"]["name"], "reverse-spec");
    assert_eq!(answer["serverInfo"]["version"], "2.0.0");
    assert_eq!(answer["protocolVersion"], "2025-11-25");
}

const PAGE: &str = "ui://reverse-spec/report.html";

/// A client with these capabilities, those it is answered with, and the list of tools.
async fn seen_by(fixture: &Fixture, capabilities: Value) -> (Client, Value, Value) {
    let server = assemble(setting(fixture));
    let mut client = Client::on(in_memory(server)).declaring(capabilities);
    let declared = client.initialize("2025-11-25").await["capabilities"].clone();
    let tools = client.request("tools/list", json!({})).await.result()["tools"].clone();
    (client, declared, tools)
}

#[tokio::test]
async fn the_report_is_a_page_beside_diff_for_clients_that_show_pages() {
    let fixture = repository("//- src/a.ts\nexport function kept(a: string) {}\n");
    let shows = json!({ "extensions": { "io.modelcontextprotocol/ui": {} } });
    let (mut client, declared, tools) = seen_by(&fixture, shows).await;
    assert!(declared["resources"].is_object(), "{declared}");
    let metas: Vec<&Value> =
        tools.as_array().unwrap().iter().map(|it| &it["_meta"]["ui"]["resourceUri"]).collect();
    assert_eq!(metas, [&Value::Null, &Value::Null, &Value::Null, &json!(PAGE)]);
    let listed = client.request("resources/list", json!({})).await.result()["resources"].clone();
    assert_eq!(listed[0]["uri"], PAGE);

    told(&mut client, "batch", json!({})).await;
    fixture.write("src/a.ts", "export function other() {}\n");
    let page = client.request("resources/read", json!({ "uri": PAGE })).await;
    let contents = page.result()["contents"][0].clone();
    assert_eq!(contents["mimeType"], "text/html;profile=mcp-app");
    let page = contents["text"].as_str().unwrap();
    let whereabouts = fixture.path().to_string_lossy().into_owned();
    assert!(page.contains("\"links\":null") && page.contains("`kept"), "{page}");
    assert!(!page.contains(&whereabouts), "the page tells where the project lies");
}

#[tokio::test]
async fn clients_that_show_no_pages_see_what_the_contract_has() {
    let other =
        json!({ "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": ["text/x"] } } });
    for capabilities in [json!({}), json!({ "extensions": {} }), other] {
        let (mut client, declared, tools) = seen_by(&Fixture::empty(), capabilities).await;
        assert_eq!(declared, json!({ "tools": { "listChanged": false } }));
        let tools = tools.as_array().unwrap();
        let names: Vec<&str> = tools.iter().map(|it| it["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["prepare", "generate", "batch", "diff"]);
        assert!(tools.iter().all(|it| it["_meta"]["ui"].is_null()), "{tools:?}");
        let read = client.request("resources/read", json!({ "uri": PAGE })).await;
        assert!(read.is_error());
    }
}

#[tokio::test]
async fn arguments_that_are_wrong_are_told_what_is_right() {
    let mut client = connect(&Fixture::empty()).await;
    for (arguments, message) in [
        (json!({}), "argument `targetPath` of `prepare` is missing"),
        (json!({ "targetPath": "  " }), "argument `targetPath` of `prepare` is missing"),
        (json!({ "targetPath": null }), "argument `targetPath` of `prepare` is missing"),
        (
            json!({ "targetPath": 7 }),
            "argument `targetPath` of `prepare` is a number, a string is required",
        ),
        (
            json!({ "targetPath": ".", "deep": "yes" }),
            "argument `deep` of `prepare` is a string, a boolean is required",
        ),
        (
            json!({ "target_path": "." }),
            "`prepare` has no argument `target_path`; `targetPath` is meant?",
        ),
    ] {
        let text = refused(&mut client, "prepare", arguments).await;
        let hint = "It takes `targetPath` (string, required), `deep` (boolean, optional).";
        assert_eq!(text, format!("prepare 失败: {message}\n{hint}"));
    }
}
