//! The budget holds, and what is said to be cut is what was cut.

use std::fmt::Write as _;

use super::*;
use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;

fn skeletons(count: usize, functions: usize) -> (Vec<CodeSkeleton>, Vec<String>) {
    let mut extractor = Extractor::new();
    let mut texts = Vec::new();
    let mut skeletons = Vec::new();
    for file in 0..count {
        let mut text = String::new();
        for function in 0..functions + file % 3 {
            let _ = write!(
                text,
                "/** Documents number {function} at some length, for a reader. */\nexport class Keeper{function} {{\n  private hidden{function} = [1, 2, 3];\n  shown(first: string, second: number): Promise<string> {{ return go(first, second); }}\n}}\n"
            );
        }
        let path = format!("src/part{file:04}.ts");
        let extracted = extractor.extract_bytes(&path, text.as_bytes(), Scope::Exports).unwrap();
        skeletons.push(extracted);
        texts.push(text);
    }
    (skeletons, texts)
}

fn assembled(skeletons: &[CodeSkeleton], texts: &[String], budget: usize) -> AssembledContext {
    assemble(&Parts { instructions: "Do it.", dependencies: "", skeletons, texts }, budget)
}

#[test]
fn what_fits_is_whole() {
    let (skeletons, texts) = skeletons(3, 2);
    let context = assembled(&skeletons, &texts, 100_000);
    assert!(!context.truncated);
    assert!(context.truncated_parts.is_empty() && context.truncations.is_empty());
    assert!(context.prompt.starts_with("Do it.\n\n---\n\n## src/part0000.ts\n"));
    assert!(context.prompt.contains("private hidden1 = [1, 2, 3]"));
    let parts = &context.breakdown;
    let sum = parts.skeleton + parts.snippets + parts.instructions;
    assert!(sum.abs_diff(context.token_count) <= 20, "{sum} and {}", context.token_count);
}

#[test]
fn the_budget_holds_at_every_size() {
    let (skeletons, texts) = skeletons(60, 4);
    let whole = assembled(&skeletons, &texts, usize::MAX).token_count;
    for budget in (50..whole).step_by(whole / 40) {
        let context = assembled(&skeletons, &texts, budget);
        assert!(context.token_count <= budget, "{} of {budget}", context.token_count);
        assert!(context.truncated);
        assert_eq!(context.truncated_parts[0], "codeSnippets");
    }
}

#[test]
fn parts_go_in_the_order_that_is_promised_and_are_named_as_they_go() {
    let (skeletons, texts) = skeletons(30, 4);
    let mut seen: Vec<Vec<&str>> = Vec::new();
    let whole = assembled(&skeletons, &texts, usize::MAX).token_count;
    for budget in (50..whole).rev().step_by(200) {
        let parts = assembled(&skeletons, &texts, budget).truncated_parts;
        if seen.last() != Some(&parts) {
            seen.push(parts);
        }
    }
    let all = ["codeSnippets", "docs", "privateMembers", "skeleton"];
    let expected: Vec<Vec<&str>> = (1..=4).map(|taken| all[..taken].to_vec()).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_part_is_named_exactly_when_it_is_not_all_there() {
    let (skeletons, texts) = skeletons(40, 3);
    let whole = assembled(&skeletons, &texts, usize::MAX).token_count;
    for budget in (100..whole).step_by(whole / 25) {
        let context = assembled(&skeletons, &texts, budget);
        let named = |part: &str| context.truncated_parts.contains(&part);
        let count = |text: &str| context.prompt.matches(text).count();
        let snippets = count("```typescript");
        assert_eq!(named("codeSnippets"), snippets < 40, "{budget}");
        let documented = count("\n/** Documents number 0") - snippets;
        assert_eq!(named("docs"), documented < 40, "{budget}");
        assert_eq!(named("skeleton"), summarised(&context) > 0, "{budget}");
        for truncation in &context.truncations {
            assert!(truncation.files > 0 && truncation.files <= truncation.of);
            assert_eq!(truncation.paths.len(), truncation.files.min(20));
        }
        let dropped = context.truncations.iter().find(|it| it.part == "codeSnippets").unwrap();
        assert_eq!(dropped.files, 40 - snippets);
    }
}

/// Files that have no heading of their own any more.
fn summarised(context: &AssembledContext) -> usize {
    40 - context.prompt.matches("\n## src/part").count()
        - usize::from(context.prompt.starts_with("## src/part"))
}

#[test]
fn small_files_keep_their_detail_longest() {
    let (mut skeletons, _) = skeletons(10, 1);
    let (large, _) = self::skeletons(1, 200);
    skeletons[4] = large.into_iter().next().unwrap();
    let budget = 2_000;
    let context = assemble(
        &Parts { instructions: "", dependencies: "", skeletons: &skeletons, texts: &[] },
        budget,
    );
    assert_eq!(context.truncated_parts, ["docs", "privateMembers", "skeleton"]);
    let last = context.truncations.last().unwrap();
    assert_eq!((last.files, last.of), (1, 10));
    assert!(context.prompt.contains("## src/part0009.ts"));
}

#[test]
fn what_other_specifications_say_goes_before_the_skeleton_does() {
    let (skeletons, _) = skeletons(2, 2);
    let dependencies = "words ".repeat(500);
    let parts =
        Parts { instructions: "", dependencies: &dependencies, skeletons: &skeletons, texts: &[] };
    let whole = assemble(&parts, 100_000);
    assert!(whole.prompt.contains("words words") && whole.breakdown.dependencies > 400);
    let cut = assemble(&parts, whole.token_count - 100);
    assert_eq!(cut.truncated_parts, ["dependencySpecs"]);
    assert!(!cut.prompt.contains("words words"));
}

#[test]
fn a_fence_in_the_text_does_not_end_the_snippet() {
    let text = "/**\n * ```\n * code\n * ```\n */\nexport const a = 1;\n";
    let extracted =
        Extractor::new().extract_bytes("a.ts", text.as_bytes(), Scope::Exports).unwrap();
    let context = assembled(&[extracted], &[text.to_owned()], 10_000);
    assert!(context.prompt.contains("````typescript\n/**"), "{}", context.prompt);
}

#[test]
fn who_calls_what_is_told_while_names_tell_it() {
    let files = [
        (
            "src/users.service.ts",
            "export class UserService { find(id: number) { return load(id); } }\nexport function load(id: number) {}\n",
        ),
        (
            "src/users.controller.ts",
            "export class UserController { find(id: number) { return this.userService.find(id); } }\n",
        ),
        ("src/other.ts", "export function all() { return list.find(1); }\n"),
    ];
    let mut extractor = Extractor::new();
    let skeletons: Vec<CodeSkeleton> = files
        .iter()
        .map(|(path, text)| extractor.extract_bytes(path, text.as_bytes(), Scope::Exports).unwrap())
        .collect();
    let parts = Parts { instructions: "", dependencies: "", skeletons: &skeletons, texts: &[] };
    let prompt = assemble(&parts, 100_000).prompt;
    let (_, told) = prompt.split_once("as far as names tell:\n").unwrap();
    let expected = "- find (src/users.service.ts) is called by src/users.controller.ts: UserController.find\n\
                    - load (src/users.service.ts) is called by src/users.service.ts: UserService.find\n";
    assert_eq!(told, expected);
}
