//! `prepare`.

use std::time::Duration;

use super::*;

const SMALL: &str = "//- src/auth/login.ts\n/** Logs in. */\nexport async function login(user: string, password?: string): Promise<Session> {\n  if (!user) throw new Error('no user');\n  return open(user);\n}\n//- src/auth/session.ts\nimport type { Store } from '../store';\nexport interface Session { id: string; until?: Date }\n//- src/auth/login.test.ts\nimport { login } from './login';\nit('works', () => login('a'));\n//- src/store.ts\nexport class Store { private items = 1; get(key: string): unknown { return key; } }\n";

// Verifies: PLB-d05002-A
#[tokio::test]
async fn a_directory_becomes_skeletons_a_merged_one_and_a_context() {
    let fixture = repository(SMALL);
    let mut client = connect(&fixture).await;
    let mut answer = told(&mut client, "prepare", json!({ "targetPath": "src/auth/" })).await;
    assert_eq!(answer["projectRoot"], fixture.path_text());
    answer["projectRoot"] = "[root]".into();
    insta::assert_json_snapshot!("prepare", answer);
}

#[tokio::test]
async fn deep_adds_the_text_of_files_under_their_path() {
    let fixture = repository(SMALL);
    let mut client = connect(&fixture).await;
    let shallow = told(&mut client, "prepare", json!({ "targetPath": "src" })).await;
    assert_eq!(shallow.get("codeSnippets"), None);
    assert_eq!(shallow["context"]["breakdown"]["snippets"], 0);
    let deep = told(&mut client, "prepare", json!({ "targetPath": "src", "deep": true })).await;
    let snippet = deep["codeSnippets"][0].as_str().unwrap();
    assert!(snippet.starts_with("### src/auth/login.ts\n\n```typescript\n"), "{snippet}");
    let prompt = deep["context"]["prompt"].as_str().unwrap();
    assert!(prompt.contains("### src/auth/login.ts\n\n```typescript\n/** Logs in. */"), "{prompt}");
    assert!(prompt.contains("return open(user);"));
}

#[tokio::test]
async fn one_file_is_its_own_merged_skeleton() {
    let fixture = repository(SMALL);
    let mut client = connect(&fixture).await;
    let answer = told(&mut client, "prepare", json!({ "targetPath": "src/store.ts" })).await;
    assert_eq!(answer["skeletons"][0], answer["mergedSkeleton"]);
    assert_eq!(answer["filePaths"], json!(["src/store.ts"]));
}

// Verifies: PLB-d05001-C
#[tokio::test]
async fn failures_have_the_texts_of_the_contract_and_a_hint() {
    let fixture = repository("//- a.ts\n)))((( %%% @@@\n//- docs/a.md\nx\n");
    let mut client = connect(&fixture).await;
    for (target, text) in [
        ("src/nonexistent/", "prepare 失败: 目标路径不存在: src/nonexistent/\n"),
        ("a.ts", "prepare 失败: AST 解析失败，建议使用 --deep 模式\n"),
        ("docs", "prepare 失败: 目标路径中未找到源代码文件: docs\n"),
        ("docs/a.md", "prepare 失败: 不支持的文件类型: docs/a.md\n"),
    ] {
        let told = refused(&mut client, "prepare", json!({ "targetPath": target })).await;
        let hint = told.strip_prefix(text).unwrap_or_else(|| panic!("{told}"));
        assert!(hint.is_ascii() && hint.ends_with('.'), "{hint}");
    }
    let deep = told(&mut client, "prepare", json!({ "targetPath": "a.ts", "deep": true })).await;
    assert_eq!(deep["skeletons"][0]["parseErrors"][0]["line"], 1);
}

fn large() -> Fixture {
    let fixture = repository("");
    for index in 0..200 {
        let text = format!(
            "/** Documentation of number {index}. */\nexport function make{index}(first: string, second: number): Promise<void> {{\n  return go(first, second);\n}}\nexport class Keeper{index} {{ private hidden = {index}; shown(): void {{}} }}\n"
        );
        fixture.write(&format!("src/part{index}.ts"), &text);
    }
    fixture
}

#[tokio::test]
async fn a_large_answer_is_shortened_and_the_whole_lies_in_the_project() {
    let fixture = large();
    let mut client = connect(&fixture).await;
    let reply = client.call_tool("prepare", json!({ "targetPath": "src" })).await;
    let content = reply.result()["content"].as_array().unwrap().clone();
    let text = content[0]["text"].as_str().unwrap();
    assert!(text.chars().count() <= mcp_core::server::RESULT_BUDGET, "{}", text.len());
    let answer: Value = serde_json::from_str(text).unwrap();
    for key in ["skeletons", "mergedSkeleton", "context", "filePaths"] {
        assert!(answer.get(key).is_some(), "{key}");
    }
    assert_eq!(answer["fileCount"], 200);
    // No less than there is room for.
    assert!(text.len() > mcp_core::server::RESULT_BUDGET * 8 / 10, "{}", text.len());
    let shown = answer["skeletons"].as_array().unwrap().len();
    assert_eq!(answer["skeletonsLeftOut"], 200 - shown);
    assert_eq!(answer["context"]["truncated"], true);
    let path = answer["fullResultPath"].as_str().unwrap();
    assert!(path.starts_with(".reverse-spec/cache/prepare-"), "{path}");
    let whole: Value = serde_json::from_str(&fixture.read(path)).unwrap();
    assert_eq!(whole["skeletons"].as_array().unwrap().len(), 200);
    assert_eq!(whole["mergedSkeleton"]["exports"].as_array().unwrap().len(), 400);
    assert_eq!(content[1]["type"], "resource_link");
    assert_eq!(content[1]["uri"], format!("file://{}/{path}", fixture.path_text()));
    assert_eq!(fixture.read(".reverse-spec/.gitignore").lines().last(), Some("*"));
    // Asking again leaves one file, and what was kept is never read as source.
    told(&mut client, "prepare", json!({ "targetPath": "src" })).await;
    let kept = fixture.files().into_keys().filter(|it| it.contains("cache/")).count();
    assert_eq!(kept, 1);
}

#[tokio::test]
async fn nothing_is_written_where_nothing_may_be() {
    let fixture = large();
    let mut client = connect_to(Setting { read_only: true, ..setting(&fixture) }).await;
    let answer = told(&mut client, "prepare", json!({ "targetPath": "src" })).await;
    assert_eq!(answer.get("fullResultPath"), None);
    assert!(answer["note"].as_str().unwrap().contains("read-only"));
    assert!(!fixture.has(".reverse-spec"));
}

#[tokio::test]
async fn a_tree_that_cannot_be_written_gives_the_short_answer() {
    let fixture = large();
    // A file where the directory would be stops root too.
    fixture.write(".reverse-spec", "in the way");
    let mut client = connect(&fixture).await;
    let answer = told(&mut client, "prepare", json!({ "targetPath": "src" })).await;
    assert_eq!(answer.get("fullResultPath"), None);
    assert!(answer["note"].as_str().unwrap().contains("could not be kept"), "{}", answer["note"]);
}

#[tokio::test]
async fn ping_is_answered_and_progress_told_while_it_runs_and_cancelling_ends_it() {
    let fixture = repository("");
    for index in 0..400 {
        let text = format!("export function f{index}(a: string) {{ return a; }}\n").repeat(20);
        fixture.write(&format!("src/p{index}.ts"), &text);
    }
    let mut client = connect(&fixture).await;
    let params = json!({ "name": "prepare", "arguments": { "targetPath": "src" }, "_meta": { "progressToken": "t" } });
    let id = client.send_request("tools/call", params.clone()).await;
    let ping = tokio::time::timeout(Duration::from_millis(500), client.request("ping", json!({})));
    ping.await.expect("a ping is answered at once");
    let progress = client.next_notification("notifications/progress").await;
    assert_eq!(progress["params"]["progressToken"], "t");
    assert_eq!(progress["params"]["total"], 400.0);
    client.wait_for(id).await;
    let id = client.send_request("tools/call", params).await;
    client.notify("notifications/cancelled", json!({ "requestId": id })).await;
    client.request("ping", json!({})).await;
}

#[tokio::test]
async fn secrets_are_replaced_everywhere_and_told_by_kind_and_line() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let fixture = repository("");
    fixture.write("src/a.ts", &format!("// uses {token}\nexport function f(a = '{token}') {{}}\n"));
    let mut client = connect(&fixture).await;
    let reply = client.call_tool("prepare", json!({ "targetPath": "src", "deep": true })).await;
    assert!(!reply.message().to_string().contains(&token));
    let answer: Value = serde_json::from_str(&reply.text()).unwrap();
    assert_eq!(
        answer["warnings"],
        json!([
            "src/a.ts:1: a secret was replaced (GITHUB_TOKEN)",
            "src/a.ts:2: a secret was replaced (GITHUB_TOKEN)"
        ])
    );
    assert_eq!(
        answer["skeletons"][0]["exports"][0]["signature"],
        "function f(a = 'REDACTED_GITHUB_TOKEN')"
    );
}

#[tokio::test]
async fn characters_that_deceive_do_not_reach_the_client() {
    let fixture = repository("//- a.ts\nexport const a = 'x\u{202e}y\u{200b}z';\n");
    let mut client = connect(&fixture).await;
    let answer = told(&mut client, "prepare", json!({ "targetPath": "a.ts" })).await;
    assert_eq!(answer["skeletons"][0]["exports"][0]["value"], "'xyz'");
}

#[tokio::test]
async fn no_specification_is_written_where_programs_look_for_orders() {
    let fixture = repository("//- src/a.ts\nexport const a = 1;\n");
    fixture.write(".github/workflows/ci.yml", "on: push\n");
    let before = fixture.files();
    let mut client = connect(&fixture).await;
    for directory in [
        ".git/hooks",
        ".git",
        ".claude/commands",
        ".vscode",
        ".cursor/rules",
        ".github/workflows",
        ".hg",
    ] {
        let arguments = json!({ "targetPath": "src", "outputDir": directory });
        let text = refused(&mut client, "generate", arguments).await;
        assert!(text.starts_with("generate 失败: "), "{text}");
        assert_eq!(fixture.files(), before, "{directory}");
    }
}
