//! Searching the knowledge base, and getting a whole article.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{ask, bare, everything, refused, told, write_bytes};

const KB: &str = "//- kb/README.md
alpha beta
//- kb/LOOPS.md
---
title: The Review Loop
description: gamma in the front matter only
---
# Loops

Text about alpha and,
further on, beta.
//- kb/second-text.md
# Second

Here alpha beta stand side by side.
//- kb/third.md
---js
alert('delta')
---
The word alpha, nothing else.
//- kb/notes.txt
alpha
//- kb/sub/deep.md
alpha
";

async fn names(query: &str) -> Vec<String> {
    let fixture = Fixture::new(KB);
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": query })).await;
    let entries = reply.structured()["entries"].as_array().unwrap().clone();
    entries.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

// Verifies: PLB-d06003-C
#[tokio::test]
async fn hits_have_title_snippet_and_path_best_first() {
    let fixture = Fixture::new(KB);
    let arguments = json!({ "query": "Alpha  Beta" });
    let text = told(everything(&fixture), "query_knowledge", arguments).await;
    insta::assert_snapshot!("knowledge_hits", fixture.normalise(&text));
}

#[tokio::test]
async fn matching_is_by_all_words_in_name_title_and_body() {
    assert_eq!(names("alpha").await, ["LOOPS", "second-text", "third"]);
    assert_eq!(names("second").await, ["second-text"]);
    assert_eq!(names("review side").await, [""; 0]);
    assert_eq!(names("loops").await, ["LOOPS"]);
    assert_eq!(names("loops.md").await, ["LOOPS"]);
    assert_eq!(names("zzz").await, [""; 0]);
    assert_eq!(names("").await, ["LOOPS", "second-text", "third"]);
}

#[tokio::test]
async fn a_name_a_title_or_a_single_hit_gets_the_whole_article() {
    let fixture = Fixture::new(KB);
    for query in ["the review LOOP", "loops", "LOOPS.md", "further on"] {
        let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": query })).await;
        let article = reply.structured()["article"].as_str().unwrap().to_owned();
        assert_eq!(article, fixture.read("kb/LOOPS.md"), "{query}");
        assert!(reply.text().ends_with(&article), "{query}");
        assert!(reply.text().contains("- **The Review Loop**"), "{query}");
    }
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": "alpha" })).await;
    assert_eq!(reply.structured().get("article"), None);
}

#[tokio::test]
async fn a_hit_in_the_front_matter_still_shows_the_body() {
    let fixture = Fixture::new(KB);
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": "gamma" })).await;
    let snippet = reply.structured()["entries"][0]["snippet"].as_str().unwrap();
    assert_eq!(snippet, "Loops Text about alpha and, further on, beta.");
}

#[tokio::test]
async fn an_exact_name_gets_its_article_among_several_hits() {
    let fixture = Fixture::new("//- kb/mcp.md\nall about mcp\n//- kb/other.md\nalso mcp\n");
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": "MCP" })).await;
    assert_eq!(reply.structured()["total"], 2);
    assert_eq!(reply.structured()["article"], "all about mcp\n");
    assert_eq!(reply.structured()["entries"][0]["name"], "mcp");
}

#[tokio::test]
async fn the_embedded_base_gives_its_resources_as_paths() {
    let fixture = Fixture::empty();
    let reply = ask(bare(&fixture), "query_knowledge", json!({ "query": "The review loop" })).await;
    assert_eq!(reply.structured()["entries"][0]["path"], "acm://kb/review-loop");
    assert!(reply.text().starts_with("Found 1 of 14 KB entries:"), "{}", reply.text());
    assert!(reply.structured()["article"].as_str().unwrap().contains("## Why it converges"));
}

#[tokio::test]
async fn nothing_found_lists_what_there_is() {
    let fixture = Fixture::new(KB);
    let text = told(everything(&fixture), "query_knowledge", json!({ "query": "zzz" })).await;
    assert_eq!(
        text,
        "No knowledge base entries matched. There are: The Review Loop; second-text; third.\n"
    );
    let fixture = Fixture::new("//- kb/README.md\nx\n");
    let text = told(everything(&fixture), "query_knowledge", json!({ "query": "x" })).await;
    assert_eq!(text, "The knowledge base has no entries.\n");
}

#[tokio::test]
async fn unreadable_entries_are_skipped_with_a_note() {
    let fixture =
        Fixture::new("//- kb/good.md\nword\n//- kb/directory.md/x\n//- kb/two.md\r\nword\r\n");
    write_bytes(&fixture, "kb/bytes.md", b"word \xff");
    #[cfg(unix)]
    {
        super::link(&fixture, "/etc/passwd", "kb/link.md");
        super::link(&fixture, "nowhere", "kb/dangling.md");
    }
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": "word" })).await;
    let text = reply.text();
    assert!(text.starts_with("Found 2 KB entries:"), "{text}");
    assert!(
        text.contains("Skipped: `kb/directory.md` is a directory, a file is required"),
        "{text}"
    );
    assert!(text.contains("Skipped: `kb/bytes.md` is not valid UTF-8 (byte 5)"), "{text}");
    #[cfg(unix)]
    {
        assert!(text.contains("Skipped: `kb/link.md` is a link that leads outside"), "{text}");
        assert!(text.contains("Skipped: `kb/dangling.md` is missing"), "{text}");
    }
    assert!(!text.contains("root:"), "{text}");
}

#[tokio::test]
async fn a_tree_without_a_knowledge_base_says_so() {
    let fixture = Fixture::new("//- README.md\nx\n");
    let text = refused(everything(&fixture), "query_knowledge", json!({ "query": "x" })).await;
    assert!(text.contains("`kb` is missing in the process tree"), "{text}");
    let fixture = Fixture::new("//- kb\nx\n");
    let text = refused(everything(&fixture), "query_knowledge", json!({ "query": "x" })).await;
    assert!(text.contains("`kb` is"), "{text}");
}

#[tokio::test]
async fn at_most_twenty_are_shown_with_the_total() {
    let fixture = Fixture::empty();
    for n in 0..25 {
        fixture.write(&format!("kb/a{n:02}.md"), "common");
    }
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": "common" })).await;
    assert_eq!(reply.structured()["total"], 25);
    assert_eq!(reply.structured()["entries"].as_array().unwrap().len(), 20);
    assert!(reply.text().starts_with("Found 25 KB entries, the best 20 are shown:"));
}

#[tokio::test]
async fn an_article_of_any_length_is_answered() {
    let fixture = Fixture::empty();
    fixture.write("kb/long.md", &"word after word\n".repeat(100_000));
    let reply = ask(everything(&fixture), "query_knowledge", json!({ "query": "long" })).await;
    assert!(!reply.is_tool_error(), "{}", reply.text());
    let article: &Value = &reply.structured()["article"];
    assert!(article.as_str().unwrap().ends_with("the path above has the whole article]"));
}
