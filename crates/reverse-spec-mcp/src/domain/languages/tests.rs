//! What holds for every language, and what adding one takes.

use std::sync::Arc;

use plumbline_tests::Fixture;
use serde_json::Value;

use super::*;
use crate::domain::extract::Extractor;

/// The skeleton of one file, what is not exported included.
#[track_caller]
pub(crate) fn read(path: &str, text: &str) -> CodeSkeleton {
    Extractor::new().extract_bytes(path, text.as_bytes(), Scope::WithInternals).unwrap()
}

/// `kind name: signature` of every export, with the namespace before the name.
pub(crate) fn exports(path: &str, text: &str) -> Vec<String> {
    let line = |it: &Arc<ExportSymbol>| {
        let namespace = it.namespace.as_deref().map(|it| format!("{it}.")).unwrap_or_default();
        format!("{} {namespace}{}: {}", it.kind.word(), it.name, it.signature)
    };
    read(path, text).exports.iter().map(line).collect()
}

/// `name: signature` of every member of the export of that name.
pub(crate) fn members(path: &str, text: &str, of: &str) -> Vec<String> {
    let skeleton = read(path, text);
    let home = skeleton.exports.iter().find(|it| it.name == of).unwrap();
    home.members.iter().map(|it| format!("{}: {}", it.name, it.signature)).collect()
}

/// Everything that is kept of a file, one line for each thing it declares.
#[track_caller]
pub(crate) fn outline(path: &str, text: &str) -> String {
    let skeleton = serde_json::to_value(read(path, text)).unwrap();
    let mut lines = vec![rest_of(&skeleton, &["exports", "internals", "imports", "hash", "marks"])];
    for (word, list) in [("import", "imports"), ("export", "exports"), ("internal", "internals")] {
        for item in skeleton[list].as_array().into_iter().flatten() {
            lines.push(String::new());
            describe(word, item, "", &mut lines);
        }
    }
    for mark in skeleton["marks"].as_array().into_iter().flatten() {
        lines.push(format!("\nmark {}", rest_of(mark, &["file"])));
    }
    lines.join("\n") + "\n"
}

fn describe(word: &str, item: &Value, indent: &str, lines: &mut Vec<String>) {
    let place = match (&item["startLine"], &item["endLine"], &item["line"]) {
        (Value::Number(start), end, _) => format!("{start}-{end}"),
        (_, _, line) => line.to_string(),
    };
    let kind = item["kind"].as_str().unwrap_or_default();
    let name = item["name"].as_str().or(item["moduleSpecifier"].as_str()).unwrap_or_default();
    lines.push(format!("{indent}{word} {kind} {name} ({place})").replace("  ", " "));
    let shown = ["signature", "jsDoc", "parameters", "facts"];
    for key in shown.iter().filter(|key| !item[**key].is_null()) {
        match &item[*key] {
            Value::String(text) => {
                lines.push(format!("{indent}    {key}: {}", text.escape_debug()));
            }
            Value::Array(list) => {
                let list: Vec<String> = list.iter().map(|it| rest_of(it, &[])).collect();
                lines.push(format!("{indent}    {key}: {}", list.join(" | ")));
            }
            Value::Object(lists) => {
                for (list, found) in lists {
                    lines.push(format!("{indent}    {list}: {}", words_of(found)));
                }
            }
            _ => {}
        }
    }
    let mut left_out = vec!["name", "moduleSpecifier", "kind", "startLine", "endLine", "line"];
    left_out.extend(["file", "members"].iter().chain(&shown));
    let rest = rest_of(item, &left_out);
    if !rest.is_empty() {
        lines.push(format!("{indent}    {rest}"));
    }
    for member in item["members"].as_array().into_iter().flatten() {
        describe("-", member, "  ", lines);
    }
}

/// The other fields of an object on one line; what is null, false or empty is left out.
fn rest_of(item: &Value, left_out: &[&str]) -> String {
    let fields = item.as_object().into_iter().flatten();
    let says = |it: &Value| {
        !it.is_null() && *it != Value::Bool(false) && it.as_array().is_none_or(|it| !it.is_empty())
    };
    let told = fields.filter(|(key, value)| !left_out.contains(&key.as_str()) && says(value));
    told.map(|(key, value)| match value {
        Value::Bool(_) => key.clone(),
        value => format!("{key}={}", words_of(value)),
    })
    .collect::<Vec<_>>()
    .join(" ")
}

fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.escape_debug().to_string(),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(words_of).collect::<Vec<_>>().join("; "))
        }
        Value::Object(_) => rest_of(value, &[]),
        other => other.to_string(),
    }
}

#[test]
fn every_language_has_a_word_and_extensions_of_its_own() {
    let mut seen = std::collections::BTreeSet::new();
    for language in all() {
        let about = language.about();
        assert!(seen.insert(about.id().as_str().to_owned()), "{:?}", about.id());
        for extension in &about.extensions {
            assert!(extension.starts_with('.') && seen.insert(extension.clone()), "{extension}");
            let path = format!("a{extension}");
            assert_eq!(id_of_path(&path), Some(about.id()), "{path}");
            // Its grammar can be had, and its table fits it.
            assert!(language.grammar(&path).language.node_kind_count() > 0);
        }
        assert_eq!(id_of(about.id().as_str()), about.id());
    }
    assert_eq!(id_of("cobol").as_str(), "other");
}

#[test]
fn every_node_kind_in_the_tables_exists_in_its_grammar() {
    for language in all() {
        for extension in &language.about().extensions {
            let grammar = language.grammar(&format!("a{extension}"));
            let unknown = Table::unknown_words(grammar.words, &grammar.language);
            // The plain dialect of TypeScript has no elements.
            let unknown: Vec<_> = unknown.into_iter().filter(|it| !it.starts_with("jsx")).collect();
            assert!(unknown.is_empty(), "{extension}: {unknown:?}");
        }
    }
}

#[test]
fn every_pattern_of_the_tables_can_be_made() {
    for language in all() {
        for extension in &language.about().extensions {
            language.grammar(&format!("a{extension}")).table.mending.count();
        }
    }
}

const TOYS: &str = "//- .git/HEAD\nx\n//- a/one.toy\npackage p\n\nfunc make_(size int, name text) error {\n\tif size < 0 {\n\t\tpanic(\"small\")\n\t}\n\treturn nil\n}\n\nfunc hidden() {}\n//- a/one_check.toy\npackage p\n";

#[tokio::test]
async fn a_language_is_added_by_its_folder_and_a_line() {
    let fixture = Fixture::new(TOYS);
    let mut client = crate::tests::connect(&fixture).await;
    let prepared =
        crate::tests::told(&mut client, "prepare", serde_json::json!({ "targetPath": "a" })).await;
    assert_eq!(prepared["detectedLanguages"], serde_json::json!(["Toy"]));
    assert_eq!(prepared["filePaths"], serde_json::json!(["a/one.toy"]), "tests are told apart");
    let export = &prepared["skeletons"][0]["exports"][0];
    assert_eq!(export["signature"], "func make_(size int, name text) error");
    let arguments = serde_json::json!({ "targetPath": "a" });
    let generated = crate::tests::told(&mut client, "generate", arguments).await;
    let spec = fixture.read(generated["specPath"].as_str().unwrap());
    assert!(spec.contains("shelf/make_") && spec.contains("| Toy |"), "{spec}");
    let arguments = serde_json::json!({ "specPath": generated["specPath"], "sourcePath": "a" });
    let same = crate::tests::told(&mut client, "diff", arguments.clone()).await;
    assert_eq!(same["summary"]["totalChanges"], 0, "{same}");
    let text = fixture.read("a/one.toy");
    // Another word for the same type is nothing a caller would notice; one parameter less is.
    fixture.write("a/one.toy", &text.replace("name text", "name string"));
    let restated = crate::tests::told(&mut client, "diff", arguments.clone()).await;
    assert_eq!(restated["summary"]["totalChanges"], 0, "{restated}");
    fixture.write("a/one.toy", &text.replace(", name text", ""));
    let drifted = crate::tests::told(&mut client, "diff", arguments).await;
    assert_eq!(drifted["items"][0]["symbolName"], "shelf/make_", "{drifted}");
    assert_eq!(drifted["summary"]["high"], 1, "{drifted}");
}
