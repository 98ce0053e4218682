//! A project module by module: found, ordered, written, skipped, resumed.

mod division;
mod faults;
mod resume;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumbline_tests::Fixture;

use super::*;
use crate::domain::prose::Prompt;
use crate::domain::spec::Words;
use crate::store::generate::tests::{Scripted, clock, prose, style, whole_answer};
use crate::store::generate::{Style, Writer};
use crate::store::model::{Model, ModelError, Prose};
use crate::store::project::Places;
use mcp_core::work::Work;

fn read(fixture: &Fixture) -> Batch {
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    Batch::read(places.project(".").unwrap(), false, &Work::endless()).unwrap()
}

fn run(fixture: &Fixture, force: bool) -> BatchResult {
    run_with(fixture, force, Writer::Off, &|| false)
}

fn run_with(
    fixture: &Fixture,
    force: bool,
    writer: Writer<'_>,
    out_of_time: &(dyn Fn() -> bool + Sync),
) -> BatchResult {
    let wishes = Wishes { force, out_of_time };
    read(fixture).run(style(writer, &clock()), wishes, &Work::endless()).unwrap()
}

fn plan(fixture: &Fixture) -> Plan {
    read(fixture).plan(Words::of(None), 100_000).unwrap()
}

fn order(fixture: &Fixture) -> Vec<String> {
    plan(fixture).modules.into_iter().map(|module| module.path).collect()
}

const LAYERS: &str = "\
//- .git/HEAD
x
//- src/zoo/a.ts
import { m } from '../mid/m';
export const zoo = m;
//- src/mid/m.ts
import { b } from '../base/b';
export const m = b;
//- src/base/b.ts
export const b = 1;
//- src/main.ts
import { zoo } from './zoo/a';
export const main = zoo;
//- tests/zoo.test.ts
import { zoo } from '../src/zoo/a';
test('zoo', () => {});
";

#[test]
fn what_is_used_comes_first() {
    let fixture = Fixture::new(LAYERS);
    assert_eq!(order(&fixture), ["src/base", "src/mid", "src/zoo", "src/main.ts"]);
    let levels: Vec<usize> = plan(&fixture).modules.iter().map(|module| module.level).collect();
    assert_eq!(levels, [0, 1, 2, 3]);
}

#[test]
fn modules_that_use_each_other_stand_together_and_the_rest_keeps_its_order() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/a/a.ts\nimport '../c/c'; export const a = 1;\n\
         //- src/b/b.ts\nimport '../z/z'; export const b = 1;\n\
         //- src/c/c.ts\nimport '../b/b'; export const c = 1;\n\
         //- src/z/z.ts\nimport '../b/b'; export const z = 1;\n\
         //- src/y/y.ts\nexport const y = 1;\n",
    );
    assert_eq!(order(&fixture), ["src/b", "src/z", "src/c", "src/a", "src/y"]);
    run(&fixture, false);
    let page = fixture.read("specs/_architecture.md");
    assert!(page.contains("- `src/b`, `src/z`"), "{page}");
}

#[test]
fn packages_of_every_kind_of_workspace_are_modules() {
    let cases: [(&str, String, [&str; 2]); 5] = [
        (
            "package.json",
            "//- package.json\n{\"private\":true,\n\"workspaces\":[\"packages/*\"]}\n\
             //- packages/a/package.json\n{\"name\":\"@m/a\"}\n//- packages/a/src/i.ts\nexport const a = 1;\n\
             //- packages/b/package.json\n{\"name\":\"@m/b\"}\n//- packages/b/src/i.ts\nimport {a} from '@m/a'; export const b = a;\n\
             //- node_modules/x/i.js\nexport const x = 1;\n//- .gitignore\nnode_modules\n"
                .into(),
            ["packages/a", "packages/b"],
        ),
        (
            "pnpm-workspace.yaml",
            "//- pnpm-workspace.yaml\npackages:\n  - 'libs/*'\n  - '!libs/old'\n\
             //- libs/a/package.json\n{\"name\":\"a\"}\n//- libs/a/i.ts\nexport const a = 1;\n\
             //- libs/b/package.json\n{\"name\":\"b\"}\n//- libs/b/i.ts\nimport {a} from 'a'; export const b = a;\n"
                .into(),
            ["libs/a", "libs/b"],
        ),
        (
            "Cargo.toml",
            "//- Cargo.toml\n[workspace]\nmembers = [\"crates/*\"]\n\
             //- crates/core-lib/Cargo.toml\n[package]\nname = \"core-lib\"\n//- crates/core-lib/src/lib.rs\npub fn a() {}\n\
             //- crates/app/Cargo.toml\n[package]\nname = \"app\"\n//- crates/app/src/main.rs\nuse core_lib::a;\nfn main() { a() }\n"
                .into(),
            ["crates/core-lib", "crates/app"],
        ),
        (
            "go.work",
            "//- go.work\ngo 1.22\nuse (\n\t./lib // the library\n\t./cmd\n)\n\
             //- lib/go.mod\nmodule example.test/lib\n//- lib/l.go\npackage lib\nfunc A() {}\n\
             //- cmd/go.mod\nmodule example.test/cmd\n//- cmd/m.go\npackage main\nimport \"example.test/lib\"\nfunc main() { lib.A() }\n"
                .into(),
            ["lib", "cmd"],
        ),
        (
            "pyproject.toml",
            "//- pyproject.toml\n[tool.uv.workspace]\nmembers = [\"pkgs/*\"]\n\
             //- pkgs/base/pyproject.toml\n[project]\nname = \"base\"\n//- pkgs/base/base/x.py\ndef f(): pass\n\
             //- pkgs/app/pyproject.toml\n[project]\nname = \"app\"\n//- pkgs/app/app/y.py\nfrom base import x\ndef g(): pass\n"
                .into(),
            ["pkgs/base", "pkgs/app"],
        ),
    ];
    for (name, text, expected) in cases {
        assert_eq!(order(&Fixture::new(&text)), expected, "{name}");
    }
}

#[test]
fn a_file_and_a_directory_of_one_name_do_not_meet() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/di.ts\nexport const a = 1;\n//- src/di/b.ts\nexport const b = 1;\n",
    );
    let result = run(&fixture, false);
    assert_eq!(result.successful.len(), 2);
    assert!(result.skipped.is_empty(), "a fresh run skips nothing");
    assert!(fixture.has("specs/src__di.spec.md") && fixture.has("specs/src__di.ts.spec.md"));
}

#[test]
fn a_rust_file_and_the_directory_of_its_module_are_one() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/lib.rs\npub mod a;\n//- src/a.rs\npub mod b;\npub fn a() {}\n\
         //- src/a/b.rs\npub fn b() {}\n//- src/alone.rs\npub fn c() {}\n",
    );
    assert_eq!(order(&fixture), ["src/a", "src/alone.rs", "src/lib.rs"]);
    run(&fixture, false);
    let written = fixture.read("specs/src__a.spec.md");
    assert!(written.contains("\"src/a.rs\"") && written.contains("\"src/a/b.rs\""), "{written}");
    assert!(run(&fixture, false).successful.is_empty());
}

#[test]
fn a_large_directory_is_divided_and_nothing_is_lost() {
    let mut text = String::from("//- .git/HEAD\nx\n");
    for n in 0..90 {
        writeln!(text, "//- big/part{}/f{n}.ts\nexport const v{n} = 1;", n % 3).unwrap();
    }
    text.push_str("//- big/index.ts\nexport const index = 1;\n");
    let fixture = Fixture::new(&text);
    assert_eq!(order(&fixture), ["big/index.ts", "big/part0", "big/part1", "big/part2"]);
}

#[test]
fn unchanged_modules_are_skipped_and_force_writes_all() {
    let fixture = Fixture::new(LAYERS);
    let first = run(&fixture, false);
    assert_eq!((first.total_modules, first.successful.len(), first.skipped.len()), (4, 4, 0));
    assert!(!fixture.has("specs/.reverse-spec-checkpoint.jsonl"));
    let before = fixture.files();
    let second = run(&fixture, false);
    assert_eq!((second.successful.len(), second.skipped.len()), (0, 4));
    assert_eq!(fixture.files(), before, "nothing is touched, the index included");
    fixture.write("src/mid/m.ts", "export const m = 2;\n");
    assert_eq!(run(&fixture, false).successful, ["src/mid"]);
    assert_eq!(run(&fixture, true).successful.len(), 4);
}

#[test]
fn what_says_the_same_is_skipped_and_what_a_specification_shows_is_not() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/a/a.ts\n/** Counts. */\nexport const a = 1;\n\
         //- tests/a.test.ts\ntest('nothing', () => 1);\n",
    );
    run(&fixture, false);
    let writes = |path: &str, text: &str| {
        fixture.write(path, text);
        run(&fixture, false).successful.len()
    };
    assert_eq!(writes("src/a/a.ts", "// Aside.\n\n/** Counts. */\nexport  const a =\n  1\n"), 0);
    assert_eq!(writes("src/a/a.ts", "/** Counts all. */\nexport const a = 1;\n"), 1);
    assert_eq!(writes("src/a/a.ts", "/** Counts all. */\nexport const a = 1; // HACK\n"), 1);
    let test = "import { a } from '../src/a/a';\ntest('a', () => a);\n";
    assert_eq!(writes("tests/a.test.ts", test), 1);
    assert_eq!(writes("tests/a.test.ts", &format!("// Why.\n{test}")), 0);
}

#[test]
fn no_stray_files() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    let specs: Vec<String> =
        fixture.files().into_keys().filter(|it| it.starts_with("specs/")).collect();
    assert_eq!(
        specs,
        [
            "specs/_architecture.md",
            "specs/_index.spec.md",
            "specs/src__base.spec.md",
            "specs/src__main.ts.spec.md",
            "specs/src__mid.spec.md",
            "specs/src__zoo.spec.md",
        ]
    );
    insta::assert_snapshot!(
        "index",
        fixture
            .read("specs/_index.spec.md")
            .replace(fixture.path().file_name().unwrap().to_str().unwrap(), "PROJECT")
    );
    insta::assert_snapshot!(
        "architecture",
        fixture
            .read("specs/_architecture.md")
            .replace(fixture.path().file_name().unwrap().to_str().unwrap(), "PROJECT")
    );
}

#[test]
fn a_module_written_alone_is_the_same_as_in_a_batch() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    for module in ["src/base", "src/mid", "src/main.ts"] {
        let target = places.target(module).unwrap();
        let material =
            crate::store::generate::Material::read(&target, false, &Work::endless()).unwrap();
        let spec = fixture.read(&format!("specs/{}", crate::domain::spec::file_name(module)));
        let baseline = crate::domain::baseline::Baseline::read(&spec).unwrap();
        assert_eq!(
            baseline,
            crate::domain::baseline::Baseline::of(&material.skeletons),
            "{module}"
        );
    }
}

#[test]
fn one_failure_stops_nothing_else() {
    struct FailsOnMid;
    impl Model for FailsOnMid {
        fn write(&self, prompt: &Prompt) -> Result<Prose, ModelError> {
            if prompt.text.contains("src/mid/m.ts") {
                return Err(ModelError::Status { provider: "Claude".into(), status: 429 });
            }
            Ok(prose(&whole_answer()))
        }

        fn judge(
            &self,
            _: &Prompt,
            _: &serde_json::Value,
        ) -> Result<serde_json::Value, ModelError> {
            Err(ModelError::Cancelled)
        }
    }
    let fixture = Fixture::new(LAYERS);
    let result = run_with(&fixture, false, Writer::Model(&FailsOnMid), &|| false);
    assert_eq!(result.successful, ["src/base", "src/zoo", "src/main.ts"]);
    assert_eq!(result.failed.len(), 1);
    assert!(result.failed[0].error.starts_with("Claude API 返回 429: 速率限制"));
    assert!(fixture.read("specs/_index.spec.md").contains("not written"));
    assert!(fixture.has("specs/.reverse-spec-checkpoint.jsonl"));
    let model = Scripted::new(vec![Ok(prose(&whole_answer()))]);
    let again = run_with(&fixture, false, Writer::Model(&model), &|| false);
    assert_eq!(again.successful, ["src/mid"]);
    assert!(!fixture.has("specs/.reverse-spec-checkpoint.jsonl"));
}

#[test]
fn a_file_in_the_place_of_the_directory_is_named() {
    let fixture = Fixture::new(LAYERS);
    fixture.write("specs", "mine");
    let wishes = Wishes { force: false, out_of_time: &|| false };
    let clock = clock();
    let batch = read(&fixture);
    let error = batch.run(style(Writer::Off, &clock), wishes, &Work::endless()).unwrap_err();
    assert_eq!(error.to_string(), "输出目录不是目录: specs");
    assert_eq!(fixture.read("specs"), "mine");
}

#[test]
fn a_specification_whose_code_is_gone_is_marked_in_the_index() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    std::fs::remove_dir_all(fixture.path().join("src/mid")).unwrap();
    run(&fixture, false);
    let index = fixture.read("specs/_index.spec.md");
    assert!(index.contains("| `src/mid` (gone) | [src\\_\\_mid.spec.md]"), "{index}");
    assert!(!index.contains("`src/base` (gone)"), "{index}");
}

#[test]
fn the_index_is_a_table_whatever_modules_are_called() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/a|b.ts\nexport const a = 1;\n//- src/c`d.ts\nimport { a } from './a|b';\nexport const c = a;\n",
    );
    run(&fixture, false);
    let index = fixture.read("specs/_index.spec.md");
    let rows: Vec<&str> = index.lines().filter(|it| it.starts_with("| ")).collect();
    assert!(rows.len() == 4 && index.contains("| `src/a\\|b.ts` |"), "{index}");
    for row in rows {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 8, "{row}");
    }
    assert!(fixture.read("specs/_architecture.md").contains("There are 2 modules on 2 levels."));
}

#[test]
fn both_pages_speak_the_language_of_the_specifications() {
    let fixture = Fixture::new(LAYERS);
    let wishes = Wishes { force: false, out_of_time: &|| false };
    let clock = clock();
    let chinese = Style { words: Words::of(Some("zh")), ..style(Writer::Off, &clock) };
    read(&fixture).run(chinese, wishes, &Work::endless()).unwrap();
    let index = fixture.read("specs/_index.spec.md");
    assert!(index.contains("| 层级 | 模块 | 文件数 |"), "{index}");
    let architecture = fixture.read("specs/_architecture.md");
    assert!(architecture.contains("## 第 0 层"), "{architecture}");
    assert!(!index.contains("Level") && !architecture.contains("Level"));
}

#[test]
fn specifications_of_earlier_runs_stay_in_the_index() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    let by_hand: BTreeMap<&str, &str> = [(
        "specs/own.spec.md",
        "---\nversion: v3\nsourceTarget: elsewhere\nconfidence: high\n---\n",
    )]
    .into();
    for (path, text) in by_hand {
        fixture.write(path, text);
    }
    run(&fixture, false);
    let index = fixture.read("specs/_index.spec.md");
    let row = "| `elsewhere` (gone) | [own.spec.md](own.spec.md) | v3 | high |";
    assert!(index.contains(row), "{index}");
    assert!(index.contains("src__zoo.spec.md"));
}

#[test]
fn a_plan_counts_what_a_model_would_get_and_lists_what_cannot_be_written() {
    let fixture = Fixture::new(LAYERS);
    fixture.write("src/bad.ts", "%%% ((( {{{\n");
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    let body = "  if (a) { b(); }\n".repeat(400);
    fixture.write("src/base/b.ts", &format!("export function b() {{\n{body}}}\n"));
    let batch = || Batch::read(places.project(".").unwrap(), true, &Work::endless()).unwrap();
    let roomy = batch().plan(Words::of(None), 100_000).unwrap();
    let tight = batch().plan(Words::of(None), 1_000).unwrap();
    let tokens = |plan: &Plan, path: &str| {
        plan.modules.iter().find(|it| it.path == path).unwrap().estimated_tokens
    };
    assert!(tokens(&roomy, "src/base") > 3_000 && tokens(&tight, "src/base") < 2_000);
    assert_eq!(tokens(&roomy, "src/bad.ts"), 0);
    assert_eq!(roomy.estimated_tokens, roomy.estimated_tokens_to_write);
    run(&fixture, false);
    let after = batch().plan(Words::of(None), 100_000).unwrap();
    assert_eq!(
        (after.estimated_tokens, after.estimated_tokens_to_write),
        (roomy.estimated_tokens, 0)
    );
}

#[test]
fn a_key_that_is_refused_is_not_tried_for_every_module() {
    let fixture = Fixture::new(LAYERS);
    let refused = ModelError::Status { provider: "Claude".into(), status: 401 };
    let model = Scripted::new(vec![Err(refused)]);
    let result = run_with(&fixture, false, Writer::Model(&model), &|| false);
    assert_eq!(result.failed.len(), 4);
    assert!(result.failed.iter().all(|it| it.error.starts_with("Claude API 返回 401: 认证失败")));
    assert_eq!(model.asked.lock().unwrap().len(), 1, "the first level has one module");
    let busy = ModelError::Status { provider: "Claude".into(), status: 529 };
    let model = Scripted::new(vec![Err(busy)]);
    run_with(&fixture, false, Writer::Model(&model), &|| false);
    assert_eq!(model.asked.lock().unwrap().len(), 4, "a service that is busy may answer the next");
}

#[test]
fn where_nothing_can_be_written_every_module_is_told_with_the_reason() {
    let fixture = Fixture::new(LAYERS);
    // Directories in the place of every file that would be written.
    let batch = read(&fixture);
    for name in ["src__base", "src__mid", "src__zoo", "src__main.ts", "_index"] {
        fixture.write(&format!("specs/{name}.spec.md/x"), "x");
    }
    fixture.write("specs/.reverse-spec-checkpoint.jsonl/x", "x");
    let clock = clock();
    let wishes = Wishes { force: false, out_of_time: &|| false };
    let result = batch.run(style(Writer::Off, &clock), wishes, &Work::endless()).unwrap();
    assert_eq!(result.failed.len(), 4, "{result:?}");
    assert!(!result.index_generated);
    let told = |words: &str| result.warnings.iter().any(|it| it.starts_with(words));
    assert!(told("the checkpoint is not up to date: "), "{:?}", result.warnings);
    assert!(told("the index could not be written: "), "{:?}", result.warnings);
}
