//! `diff`.

use super::*;
use crate::domain::baseline::Baseline;
use crate::store::analysis::{Analysis, Depth};
use mcp_core::work::Work;

/// A specification of `target` as it is now, with nothing in it but what `diff` reads.
fn specify(fixture: &Fixture, target: &str, path: &str) {
    let found = setting(fixture).places.target(target).unwrap();
    let analysis = Analysis::of(&found, Depth::default(), &Work::endless()).unwrap();
    let comment = Baseline::of(&analysis.skeletons).comment();
    let text = format!(
        "---\nversion: v3\nsourceTarget: {target}\nskeletonHash: x\n---\n# {target}\n\n{comment}\n"
    );
    fixture.write(path, &text);
}

const CODE: &str = "//- src/a.ts\nexport function f(a: string): void {}\nexport const LIMIT = 1;\n//- src/sub/b.ts\nexport interface I { a: string }\n";

// Verifies: PLB-d05002-D
#[tokio::test]
async fn an_untouched_source_has_no_drift() {
    let fixture = repository(CODE);
    specify(&fixture, "src", "specs/src.spec.md");
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/src.spec.md", "sourcePath": "src" });
    let mut answer = told(&mut client, "diff", arguments).await;
    answer["projectRoot"] = "[root]".into();
    insta::assert_json_snapshot!("no_drift", answer);
}

// Verifies: PLB-d05002-E
#[tokio::test]
async fn changes_are_told_with_their_severity_place_and_what_to_do() {
    let fixture = repository(CODE);
    specify(&fixture, "src", "specs/src.spec.md");
    fixture.write("src/a.ts", "export function f(a: number): void {}\nexport const LIMIT = 2;\n");
    fixture.write("src/sub/b.ts", "export interface I {}\n");
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/src.spec.md", "sourcePath": "src" });
    let mut answer = told(&mut client, "diff", arguments).await;
    answer["projectRoot"] = "[root]".into();
    insta::assert_json_snapshot!("drift", answer);
    assert!(!fixture.has("drift-logs"));
}

#[tokio::test]
async fn a_smaller_source_path_is_compared_by_itself() {
    let fixture = repository(CODE);
    specify(&fixture, "src", "specs/src.spec.md");
    std::fs::remove_file(fixture.path().join("src/a.ts")).unwrap();
    let mut client = connect(&fixture).await;
    let diff = |source: &str| json!({ "specPath": "specs/src.spec.md", "sourcePath": source });
    let whole = told(&mut client, "diff", diff("src")).await;
    assert_eq!(whole["summary"]["high"], 2);
    assert_eq!(whole["summary"]["removals"], 2);
    let part = told(&mut client, "diff", diff("src/sub")).await;
    assert_eq!(part["summary"]["totalChanges"], 0);
}

#[tokio::test]
async fn a_larger_source_path_adds_nothing_that_the_specification_is_not_about() {
    let fixture = repository(CODE);
    specify(&fixture, "src/sub", "specs/sub.spec.md");
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/sub.spec.md", "sourcePath": "src" });
    let answer = told(&mut client, "diff", arguments).await;
    assert_eq!(answer["summary"]["totalChanges"], 0);
}

#[tokio::test]
async fn all_of_the_code_gone_is_told_export_by_export() {
    let fixture = repository(CODE);
    specify(&fixture, "src/sub", "specs/sub.spec.md");
    std::fs::remove_file(fixture.path().join("src/sub/b.ts")).unwrap();
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/sub.spec.md", "sourcePath": "src/sub" });
    let answer = told(&mut client, "diff", arguments).await;
    assert_eq!(answer["items"][0]["symbolName"], "I");
    assert_eq!(answer["items"][0]["severity"], "HIGH");
    assert_eq!(answer["items"][0]["location"], "src/sub/b.ts:1");
}

#[tokio::test]
async fn failures_say_what_is_missing() {
    let fixture = repository(CODE);
    fixture.write("package.json", "{}");
    fixture.write("specs/plain.spec.md", "# Nothing\n");
    fixture.write("specs/cut.spec.md", "<!-- baseline-skeleton: {\"filePath\": \n");
    specify(&fixture, "src/sub", "specs/sub.spec.md");
    let mut client = connect(&fixture).await;
    for (spec, source, text) in [
        ("specs/sub.spec.md", "src/gone", "diff 失败: 目标路径不存在: src/gone\n"),
        ("specs/gone.spec.md", "src", "diff 失败: 目标路径不存在: specs/gone.spec.md\n"),
        ("package.json", "src", "diff 失败: Spec 文件中没有可读的基线: package.json\n"),
        (
            "specs/plain.spec.md",
            "src",
            "diff 失败: Spec 文件中没有可读的基线: specs/plain.spec.md\n",
        ),
        ("specs/cut.spec.md", "src", "diff 失败: Spec 文件中没有可读的基线: specs/cut.spec.md\n"),
        ("specs", "src", "diff 失败: Spec 文件中没有可读的基线: specs\n"),
        ("specs/sub.spec.md", "src/a.ts", "diff 失败: Spec 不涵盖该源路径: src/a.ts\n"),
    ] {
        let arguments = json!({ "specPath": spec, "sourcePath": source });
        let told = refused(&mut client, "diff", arguments).await;
        assert!(told.starts_with(text), "{told}");
        assert!(told.len() > text.len() + 20, "{told}");
    }
}

#[tokio::test]
async fn more_changes_than_an_answer_holds_are_counted_and_the_gravest_shown() {
    use std::fmt::Write as _;
    let mut before = String::new();
    for index in 0..600 {
        let _ = writeln!(
            before,
            "export const first{index} = {index};\nexport function second{index}(a: string) {{ return {index} }}"
        );
    }
    let fixture = repository(&format!("//- src/a.ts\n{before}"));
    specify(&fixture, "src", "specs/src.spec.md");
    fixture
        .write("src/a.ts", &before.replace("a: string", "a: number").replace("first1", "other1"));
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/src.spec.md", "sourcePath": "src" });
    let reply = client.call_tool("diff", arguments).await;
    assert!(reply.text().chars().count() <= mcp_core::server::RESULT_BUDGET);
    let answer: Value = serde_json::from_str(&reply.text()).unwrap();
    let shown = answer["items"].as_array().unwrap();
    assert_eq!(shown[0]["severity"], "HIGH");
    let total = answer["summary"]["totalChanges"].as_u64().unwrap();
    assert!(total >= 600);
    assert_eq!(answer["itemsLeftOut"].as_u64().unwrap() + shown.len() as u64, total);
}

#[tokio::test]
async fn a_call_on_one_project_does_not_move_another() {
    let fixture = repository(CODE);
    fixture.write("other/.git/HEAD", "x");
    fixture.write("other/src/z.ts", "export const z = 1;\n");
    let mut client = connect(&fixture).await;
    let call = |path: &str| json!({ "name": "prepare", "arguments": { "targetPath": path } });
    let first = client.send_request("tools/call", call("other/src")).await;
    let second = client.send_request("tools/call", call("src")).await;
    let second = client.wait_for(second).await;
    let first = client.wait_for(first).await;
    assert!(first.text().contains("\"filePaths\":[\"src/z.ts\"]"), "{}", first.text());
    assert!(second.text().contains("\"filePaths\":[\"src/a.ts\""), "{}", second.text());
}

#[tokio::test]
async fn the_file_that_begins_a_rust_module_belongs_to_its_directory() {
    let fixture = repository(
        "//- src/a.rs\npub fn gone() {}\n//- src/a/b.rs\npub fn b() {}\n//- src/other.rs\npub fn o() {}\n",
    );
    specify(&fixture, "src/a", "specs/a.spec.md");
    fixture.write("src/a.rs", "pub const NEW: u8 = 1;\n");
    fixture.write("src/other.rs", "");
    let mut client = connect(&fixture).await;
    for source in ["src/a", "src"] {
        let arguments = json!({ "specPath": "specs/a.spec.md", "sourcePath": source });
        let answer = told(&mut client, "diff", arguments).await;
        let names = answer["items"].as_array().unwrap().iter().map(|it| it["symbolName"].as_str());
        assert_eq!(names.collect::<Vec<_>>(), [Some("gone"), Some("NEW")], "{source}: {answer}");
    }
}

#[tokio::test]
async fn a_rust_module_whose_directory_was_generated_still_has_its_file() {
    let fixture =
        repository("//- src/a.rs\npub fn a() {}\n//- src/a/b.rs\n// @generated\npub fn b() {}\n");
    specify(&fixture, "src/a", "specs/a.spec.md");
    let mut client = connect(&fixture).await;
    let arguments = json!({ "specPath": "specs/a.spec.md", "sourcePath": "src/a" });
    let answer = told(&mut client, "diff", arguments).await;
    assert_eq!(answer["items"], json!([]), "{answer}");
}

#[tokio::test]
async fn entry_points_are_in_the_specification_and_an_older_one_without_them_is_no_drift() {
    let fixture = repository(
        "//- src/app.js\nconst app = express();\napp.get('/users', auth, list);\napp.listen(process.env.PORT || 3000);\nmodule.exports = app;\n//- src/views.py\n@bp.route('/posts')\n@login_required\ndef posts():\n    return os.environ.get('APP_SECRET', 'hush')\n",
    );
    let mut client = connect(&fixture).await;
    told(&mut client, "generate", json!({ "targetPath": "src" })).await;
    let spec = fixture.read("specs/src.spec.md");
    for row in [
        "### Entry points",
        "| `GET /users` | `app.js:2` | `auth` → `list` |",
        "| `GET /posts` | `views.py:1` | `login_required` → `posts` |",
        "### Configuration and environment",
        "| `PORT` | environment | `app.js:3` | `3000` |",
        "| `APP_SECRET` | environment | `views.py:4` | `(not shown)` |",
    ] {
        assert!(spec.contains(row), "{row}\n{spec}");
    }
    assert!(!spec.contains("hush"), "{spec}");
    let arguments = json!({ "specPath": "specs/src.spec.md", "sourcePath": "src" });
    let same = told(&mut client, "diff", arguments.clone()).await;
    assert_eq!(same["summary"]["totalChanges"], 0, "{same}");
    let mut older = Baseline::read(&spec).unwrap();
    older.knows_entries = false;
    older.skeleton.entry_points.clear();
    fixture.write("specs/src.spec.md", &older.put_into(&spec).unwrap());
    let report = told(&mut client, "diff", arguments).await;
    assert_eq!(report["summary"]["totalChanges"], 0, "{report}");
    assert!(report["warnings"][0].as_str().unwrap().contains("generate"), "{report}");
    let prepared = told(&mut client, "prepare", json!({ "targetPath": "src" })).await;
    let prompt = prepared["context"]["prompt"].as_str().unwrap();
    assert!(prompt.contains("- route GET /users (line 2): auth, list"), "{prompt}");
}

#[tokio::test]
async fn prose_of_the_caller_is_asked_for_kept_and_to_be_read_again_when_its_code_changes() {
    let fixture = repository("//- src/a.js\nexport function f(a) {\n  return g(a);\n}\n");
    let mut client = connect(&fixture).await;
    let first = told(&mut client, "generate", json!({ "targetPath": "src" })).await;
    let sections = |answer: &Value| -> Vec<String> {
        let all = answer["toWrite"].as_array().cloned().unwrap_or_default();
        all.iter().map(|it| it["section"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(sections(&first), ["1. Intent", "3. Behaviour", "5. Constraints"], "{first}");
    let spec = fixture.read("specs/src.spec.md");
    let empty = "<!-- keep -->\n\n<!-- /keep -->";
    fixture.write(
        "specs/src.spec.md",
        &spec.replacen(empty, "<!-- keep -->\nWhy.\n<!-- /keep -->", 1),
    );
    let second = told(&mut client, "generate", json!({ "targetPath": "src" })).await;
    assert_eq!(sections(&second), ["3. Behaviour", "5. Constraints"], "{second}");
    assert_eq!(second["confidence"], "medium", "{second}");
    assert!(fixture.read("specs/src.spec.md").contains("\nWhy.\n"));
    let arguments = json!({ "specPath": "specs/src.spec.md", "sourcePath": "src" });
    let same = told(&mut client, "diff", arguments.clone()).await;
    assert_eq!(same["warnings"], Value::Null, "{same}");
    fixture.write("src/a.js", "export function h(a) {\n  return g(a);\n}\n");
    let report = told(&mut client, "diff", arguments).await;
    assert!(report["warnings"][0].as_str().unwrap().contains("section 1"), "{report}");
    let third = told(&mut client, "generate", json!({ "targetPath": "src" })).await;
    assert_eq!(third["toWrite"][0]["readAgain"], true, "{third}");
}

#[tokio::test]
async fn schemas_and_settings_are_read_like_code() {
    let fixture = repository(
        "//- .env.example\nPORT=3000\nAPP_SECRET=hush\n//- prisma/schema.prisma\nmodel User {\n  id Int @id\n  email String @unique\n}\n//- src/a.js\nexport const a = 1;\n//- src/application.yml\nserver:\n  port: 8080\n",
    );
    let mut client = connect(&fixture).await;
    let whole = json!({ "targetPath": ".", "deep": true });
    let prepared = told(&mut client, "prepare", whole).await;
    let paths = [".env.example", "prisma/schema.prisma", "src/a.js", "src/application.yml"];
    assert_eq!(prepared["filePaths"], json!(paths), "{prepared}");
    assert!(!prepared.to_string().contains("hush"), "{prepared}");
    told(&mut client, "batch", json!({})).await;
    let spec = fixture.read("specs/prisma.spec.md");
    assert!(spec.contains("| `email` | 3 | `@unique`, `type String` |"), "{spec}");
    let arguments = json!({ "specPath": "specs/prisma.spec.md", "sourcePath": "prisma" });
    let same = told(&mut client, "diff", arguments.clone()).await;
    assert_eq!(same["summary"]["totalChanges"], 0, "{same}");
    fixture.write("prisma/schema.prisma", "model User {\n  id Int @id\n}\n");
    let drifted = told(&mut client, "diff", arguments).await;
    assert_eq!(drifted["items"][0]["symbolName"], "User.email", "{drifted}");
    assert_eq!(drifted["summary"]["high"], 1, "{drifted}");
    told(&mut client, "generate", json!({ "targetPath": ".env.example" })).await;
}
