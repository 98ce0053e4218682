//! From the words of a request to the places where its work lies.

use super::*;
use crate::domain::survey::Hit;

fn survey(files: &[&str]) -> Survey {
    let mut files: Vec<String> = files.iter().map(|it| (*it).to_owned()).collect();
    files.sort();
    Survey { files, ..Survey::default() }
}

fn look(survey: &Survey, topics: &[&str], words: &str) -> Scope {
    let topics: Vec<String> = topics.iter().map(|it| (*it).to_owned()).collect();
    let verbs = |it: &str| ["add", "fix", "switch", "replace"].contains(&it);
    let clues = Clues {
        words: words.to_owned(),
        paths: &[],
        topics: &topics,
        things: Vec::new(),
        changes_dependencies: words.contains("dependency"),
        verbs: &verbs,
    };
    Scope::of(survey, Bank::embedded(), &clues)
}

fn paths(scope: &Scope) -> Vec<&str> {
    scope.paths.iter().map(|(path, _)| path.as_str()).collect()
}

#[test]
fn a_topic_leads_to_its_directories() {
    let survey =
        survey(&["src/auth/login.ts", "src/auth/token.ts", "src/ui/a.ts", "docs/auth/x.md"]);
    let scope = look(&survey, &["Authentication"], "Add it");
    assert_eq!((paths(&scope), scope.n_files), (vec!["src/auth/"], 2));
}

#[test]
fn a_frame_of_a_stack_trace_is_the_scope_without_its_line_and_prefix() {
    let survey = survey(&[
        "lib/subscription.ts",
        "app/(dashboard)/billing/page.tsx",
        "internal/reader/handler.go",
        "lib/a.ts",
    ]);
    let trace = "TypeError\n  at get (lib/subscription.ts:21:12)\n  at Page (app/(dashboard)/billing/page.tsx:28:28)\n\t/app/internal/reader/handler.go:231 +0x5c8";
    let scope = look(&survey, &[], trace);
    assert_eq!(
        paths(&scope),
        ["app/(dashboard)/billing/page.tsx", "internal/reader/handler.go", "lib/subscription.ts"]
    );
    assert!(scope.is_named);
}

#[test]
fn a_named_directory_is_the_scope_and_its_files_are_counted() {
    let survey = survey(&["src/api/a.ts", "src/api/b.ts", "src/c.ts"]);
    let scope = look(&survey, &[], "Paginate the lists in src/api");
    assert_eq!((paths(&scope), scope.n_files), (vec!["src/api/"], 2));
}

#[test]
fn words_of_the_request_lead_to_files_and_their_tests_but_verbs_and_pictures_do_not() {
    let survey = survey(&[
        "src/login_button.tsx",
        "src/login_button.test.tsx",
        "src/other.tsx",
        "src/ui/switch.tsx",
        "public/login.png",
    ]);
    let scope = look(&survey, &[], "Fix typo in login button");
    let found = paths(&scope);
    assert!(
        found.len() == 2 && found.iter().all(|it| it.starts_with("src/login_button")),
        "{found:?}"
    );
    let scope = look(&survey, &[], "switch the colours");
    assert!(scope.is_guess, "{scope:?}");
    assert!(scope.lines()[0].contains("could not be derived"));
}

#[test]
fn a_symbol_leads_to_where_it_is_defined() {
    let mut survey = survey(&["src/a.rs", "src/b.rs"]);
    let hit = |path: &str, is_definition| Hit {
        path: path.to_owned(),
        symbol: "read_all".to_owned(),
        is_definition,
    };
    survey.hits = vec![hit("src/a.rs", false), hit("src/b.rs", true)];
    let scope = look(&survey, &[], "read_all is slow");
    assert_eq!(scope.paths[0], ("src/b.rs".to_owned(), "defines `read_all`".to_owned()));
    assert_eq!(paths(&scope), ["src/b.rs", "src/a.rs"]);
}

#[test]
fn a_dependency_brings_its_manifest_and_lock() {
    let survey = survey(&["package.json", "pnpm-lock.yaml", "src/a.ts"]);
    let scope = look(&survey, &[], "a new dependency");
    assert_eq!(paths(&scope), ["package.json", "pnpm-lock.yaml"]);
}

#[test]
fn the_records_are_never_in_it_and_an_empty_repository_gets_a_new_directory() {
    let survey = survey(&["docs/adr/20250108T143512.237Z-A001_authentication.md", "main.py"]);
    assert_eq!(paths(&look(&survey, &["Authentication"], "Add authentication")), ["main.py"]);
    let scope = look(&Survey::default(), &["Authentication"], "Add authentication");
    assert_eq!(scope.lines(), ["`src/` (new)"]);
}

#[test]
fn symbols_are_told_from_words() {
    assert_eq!(
        symbols("get_user and OwnerController fail in `x`"),
        ["get_user", "OwnerController"]
    );
}

fn commits(all: &[&[&str]]) -> Vec<Vec<String>> {
    all.iter().map(|it| it.iter().map(|it| (*it).to_owned()).collect()).collect()
}

#[test]
fn what_changes_together_with_the_place_of_the_work_is_there_too() {
    let survey = survey(&["src/cart.ts", "src/price.ts", "src/rare.ts", "assets/a.png", "x/y.ts"]);
    let mut scope = look(&survey, &[], "Fix the rounding in src/cart.ts");
    assert!(scope.may_have_company());
    let everything: Vec<String> = (0..30).map(|n| format!("f{n}")).collect();
    let mut history = commits(&[
        &["src/cart.ts", "src/price.ts", "assets/a.png", "src/gone.ts"],
        &["src/cart.ts", "src/price.ts", "assets/a.png", "src/gone.ts"],
        &["src/cart.ts", "src/price.ts", "assets/a.png", "src/gone.ts", "src/rare.ts"],
        &["src/cart.ts", "src/rare.ts"],
        &["x/y.ts"],
    ]);
    history.push([everything, vec!["src/cart.ts".to_owned(), "x/y.ts".to_owned()]].concat());
    scope.add_company(&history, &survey.files);
    let reason = "changed together with `src/cart.ts` in 3 of its last 4 commits".to_owned();
    assert_eq!(scope.paths[1..], [("src/price.ts".to_owned(), reason)]);
}

#[test]
fn without_a_certain_place_nothing_has_company() {
    let survey = survey(&["src/cart.ts", "src/price.ts"]);
    assert!(!look(&survey, &[], "Make it nicer").may_have_company());
}

#[test]
fn names_that_say_nothing_else_win_over_rare_words_of_passing() {
    let mut files = vec!["app/models/invoice.rb", "lib/until_midnight.rb", "app/mailers/a.rb"];
    let many: Vec<String> = (0..60).map(|n| format!("app/x{n}/invoice_part{n}.rb")).collect();
    files.extend(many.iter().map(String::as_str));
    let scope = look(&survey(&files), &[], "Add a stamp to invoices");
    assert_eq!(paths(&scope), ["app/models/invoice.rb"]);
}

#[test]
fn two_words_of_one_name_count_though_each_is_common() {
    let many: Vec<String> = (0..50).map(|n| format!("src/a{n}/track_{n}.go")).collect();
    let more: Vec<String> = (0..50).map(|n| format!("src/b{n}/volume_{n}.go")).collect();
    let mut files = vec!["src/track_volume.go"];
    files.extend(many.iter().chain(&more).map(String::as_str));
    let scope = look(&survey(&files), &[], "Another volume for each track");
    assert_eq!(paths(&scope), ["src/track_volume.go"]);
}

#[test]
fn the_part_before_a_colon_and_the_settings_of_a_tool_are_the_place() {
    let survey = survey(&["store/a.go", "web/b.ts", "phpstan.neon", "go.mod", "Dockerfile"]);
    assert_eq!(paths(&look(&survey, &[], "refactor(store): one query builder")), ["store/"]);
    assert_eq!(paths(&look(&survey, &[], "phpstan level 5")), ["phpstan.neon"]);
    assert_eq!(paths(&look(&survey, &[], "build with go 1.28")), ["go.mod", "Dockerfile"]);
}

#[test]
fn a_technology_leads_to_the_manifest_that_names_it() {
    let mut survey = survey(&["go.mod", "web/package.json", "web/pnpm-lock.yaml", "web/a.ts"]);
    survey.facts.insert("npm:@angular/core".to_owned(), "web/package.json".to_owned());
    let clues = Clues {
        words: "Angular 21 to 22".to_owned(),
        paths: &[],
        topics: &[],
        things: vec!["Angular".to_owned()],
        changes_dependencies: true,
        verbs: &|_| false,
    };
    let scope = Scope::of(&survey, Bank::embedded(), &clues);
    assert_eq!(paths(&scope), ["web/package.json", "web/pnpm-lock.yaml"]);
}
