//! Specifications on disk: where they go, and what happens when a model fails.

mod faults;

use std::sync::Mutex;

use mcp_core::clock::Clock;
use plumbline_tests::Fixture;

use super::*;
use crate::domain::spec::read_value;
use crate::store::model::{ModelError, Prose};
use crate::store::project::Places;

const PROJECT: &str = include_str!("../../domain/spec/tests/project.txt");

/// A model that says what it was told to say.
pub(crate) struct Scripted {
    answers: Mutex<Vec<Result<Prose, ModelError>>>,
    pub(crate) asked: Mutex<Vec<Prompt>>,
}

impl Scripted {
    pub(crate) fn new(answers: Vec<Result<Prose, ModelError>>) -> Self {
        Self { answers: Mutex::new(answers), asked: Mutex::default() }
    }
}

impl Model for Scripted {
    fn write(&self, prompt: &Prompt) -> Result<Prose, ModelError> {
        self.asked.lock().unwrap().push(prompt.clone());
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() }
    }

    fn judge(
        &self,
        prompt: &Prompt,
        _: &serde_json::Value,
    ) -> Result<serde_json::Value, ModelError> {
        let said = self.write(prompt)?;
        Ok(serde_json::from_str(&said.text).unwrap())
    }
}

pub(crate) fn prose(text: &str) -> Prose {
    Prose { text: text.to_owned(), model: "scripted".to_owned(), tokens: 18, is_cut: false }
}

pub(crate) fn whole_answer() -> String {
    let words = Words::of(None);
    let sections = words.sections.iter().map(|it| format!("## {it}\n\nProse about {it}\n\n"));
    sections.collect::<Vec<_>>().concat()
}

pub(crate) fn style<'a>(writer: Writer<'a>, clock: &'a Clock) -> Style<'a> {
    Style { writer, words: Words::of(None), clock, token_budget: 100_000 }
}

pub(crate) fn clock() -> Clock {
    Clock::fixed("2026-01-01T00:00:00Z".parse().unwrap())
}

fn places(fixture: &Fixture) -> Places {
    Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false }
}

fn generate(fixture: &Fixture, target: &str, writer: Writer<'_>) -> Result<Generated, Error> {
    let places = places(fixture);
    let target = places.target(target)?;
    let output = Output::choose(&places, &target, Some("specs"))?;
    let material = Material::read(&target, false, &Work::endless())?;
    write(&material, &output, style(writer, &clock()))
}

#[test]
fn without_a_model_the_code_speaks_and_a_warning_says_so() {
    let fixture = Fixture::new(PROJECT);
    let done = generate(&fixture, "src/cart", Writer::Nobody).unwrap();
    assert_eq!(done.spec_path, "specs/src__cart.spec.md");
    assert_eq!((done.confidence, done.token_usage), ("low", 0));
    assert!(done.warnings.iter().any(|it| it.starts_with("未检测到 ANTHROPIC_API_KEY")));
    assert!(fixture.read(&done.spec_path).contains("## 2. Interface"));
    let quiet = generate(&fixture, "src/money.ts", Writer::Off).unwrap();
    assert!(quiet.warnings.is_empty());
}

#[test]
fn a_model_writes_the_prose_and_the_code_stays_beside_it() {
    let fixture = Fixture::new(PROJECT);
    let model = Scripted::new(vec![Ok(prose(&whole_answer()))]);
    let done = generate(&fixture, "src/cart", Writer::Model(&model)).unwrap();
    assert_eq!((done.confidence, done.token_usage), ("high", 18));
    let text = fixture.read(&done.spec_path);
    assert!(text.contains("Prose about 2. Interface\n\n### From the code\n"));
    assert!(text.contains("| `total` | function |"));
    assert_eq!(read_value(&text, "llmModel").unwrap(), "scripted");
    let asked = model.asked.lock().unwrap();
    assert!(asked[0].text.contains("total"));
}

#[test]
fn what_the_model_left_out_comes_from_the_code_and_is_named() {
    let fixture = Fixture::new(PROJECT);
    let model = Scripted::new(vec![Ok(prose("## 1. Intent\n\nShort.\n"))]);
    let done = generate(&fixture, "src/cart", Writer::Model(&model)).unwrap();
    assert_eq!(done.confidence, "low");
    assert!(done.warnings.iter().any(|it| it.contains("interfaceDefinition")));
    let cut = Prose { is_cut: true, ..prose(&whole_answer()) };
    let model = Scripted::new(vec![Ok(cut)]);
    let done = generate(&fixture, "src/cart", Writer::Model(&model)).unwrap();
    assert_eq!(done.confidence, "medium");
    assert!(done.warnings.iter().any(|it| it.contains("cut off")));
}

#[test]
fn a_model_that_fails_leaves_everything_as_it_was() {
    let fixture = Fixture::new(PROJECT);
    let before = fixture.files();
    let limited = ModelError::Status { provider: "Claude".into(), status: 429 };
    let model = Scripted::new(vec![Err(limited)]);
    let error = generate(&fixture, "src/cart", Writer::Model(&model)).unwrap_err();
    assert_eq!(error.to_string(), "Claude API 返回 429: 速率限制");
    assert_eq!(fixture.files(), before);
}

#[test]
fn same_named_targets_have_files_of_their_own() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/x/util/a.ts\nexport const a = 1;\n//- src/y/util/a.ts\nexport const b = 1;\n",
    );
    let one = generate(&fixture, "src/x/util", Writer::Off).unwrap();
    let other = generate(&fixture, "src/y/util", Writer::Off).unwrap();
    assert_ne!(one.spec_path, other.spec_path);
    let whole = generate(&fixture, ".", Writer::Off).unwrap();
    assert_eq!(whole.spec_path, "specs/_project.spec.md");
    assert_eq!(read_value(&fixture.read(&whole.spec_path), "sourceTarget").unwrap(), ".");
}

#[test]
fn an_output_outside_of_the_project_is_refused_unless_a_root_allows_it() {
    let fixture = Fixture::new(
        "//- app/.git/HEAD\nx\n//- app/a.ts\nexport const a = 1;\n//- docs/readme.md\n.\n",
    );
    let mut places = Places {
        working_directory: fixture.path().join("app"),
        roots: Vec::new(),
        confined: false,
    };
    let target = places.target("a.ts").unwrap();
    let refused = Output::choose(&places, &target, Some("../docs")).unwrap_err();
    assert!(matches!(refused, Error::OutputOutside { .. }), "{refused}");
    let refused = Output::choose(&places, &target, Some("./a.ts")).unwrap_err();
    assert_eq!(refused.to_string(), "输出目录不是目录: ./a.ts");
    places.roots = vec![fixture.path().to_owned()];
    let output = Output::choose(&places, &target, Some("../docs")).unwrap();
    let material = Material::read(&target, false, &Work::endless()).unwrap();
    let done = write(&material, &output, style(Writer::Off, &clock())).unwrap();
    assert!(done.spec_path.ends_with("docs/a.ts.spec.md"), "{}", done.spec_path);
    assert!(fixture.has("docs/a.ts.spec.md"));
}

#[test]
fn regenerating_changes_nothing_and_touches_nothing() {
    let fixture = Fixture::new(PROJECT);
    let first = generate(&fixture, "src/cart", Writer::Off).unwrap();
    let before = fixture.files();
    let second = generate(&fixture, "src/cart", Writer::Off).unwrap();
    assert!(first.changed && !second.changed);
    assert_eq!(fixture.files(), before);
}

#[test]
fn a_secret_in_an_answer_is_replaced_and_told() {
    let fixture = Fixture::new(PROJECT);
    let key = concat!("AKIA", "IOSFODNN7QRSTUVW");
    let answer = whole_answer().replace("Prose about 1.", &format!("Uses {key} for 1."));
    let model = Scripted::new(vec![Ok(prose(&answer))]);
    let done = generate(&fixture, "src/cart", Writer::Model(&model)).unwrap();
    assert!(!fixture.read(&done.spec_path).contains(key));
    let told = "a secret in the model's answer was replaced (AWS_ACCESS_KEY_ID)";
    assert!(done.warnings.iter().any(|it| it == told), "{:?}", done.warnings);
}

#[test]
fn what_nobody_chose_lies_in_the_project_even_if_the_server_runs_elsewhere() {
    let fixture = Fixture::new(
        "//- app/.git/HEAD\nx\n//- app/src/a.ts\nexport const a = 1;\n//- other/readme.md\n.\n",
    );
    let at = |directory: &str, wished: Option<&str>| {
        let places = Places {
            working_directory: fixture.path().join(directory),
            roots: Vec::new(),
            confined: false,
        };
        let target = places.target(fixture.path().join("app/src").to_str().unwrap()).unwrap();
        let output = Output::choose(&places, &target, wished)?;
        let path = output.file("a.spec.md")?;
        Ok::<_, Error>(output.root.path().join(path.as_str()))
    };
    let expected = |path: &str| fixture.path().join(path);
    assert_eq!(at("other", None).unwrap(), expected("app/specs/a.spec.md"));
    assert_eq!(at("other", Some("specs")).unwrap(), expected("app/specs/a.spec.md"));
    assert_eq!(at("app/src", None).unwrap(), expected("app/src/specs/a.spec.md"));
    assert!(matches!(at("other", Some("docs")), Err(Error::OutputOutside { .. })));
}

#[test]
fn a_link_that_leads_out_of_the_project_is_no_place_to_write() {
    let fixture = Fixture::new(
        "//- app/.git/HEAD\nx\n//- app/a.ts\nexport const a = 1;\n//- app/in/x\n.\n//- out/x\n.\n",
    );
    let places = Places {
        working_directory: fixture.path().join("app"),
        roots: Vec::new(),
        confined: false,
    };
    let project = fixture.path().join("app");
    let target = places.target(".").unwrap();
    let link = |to: &str| {
        let path = project.join("specs");
        drop(std::fs::remove_file(&path));
        std::os::unix::fs::symlink(to, path).unwrap();
    };
    link(fixture.path().join("out").to_str().unwrap());
    let error = Output::choose(&places, &target, None).unwrap_err();
    assert_eq!(error.to_string(), "输出目录不在项目之内: specs");
    link("in");
    assert!(Output::choose(&places, &target, None).is_ok());
}
