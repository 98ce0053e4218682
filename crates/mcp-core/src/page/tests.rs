//! Data cannot become markup.

use serde_json::json;

use super::*;

const PAGE: Page<'_> = Page { title: "a < b", body: "<main></main>\n", style: "", script: "" };

#[test]
fn data_and_title_cannot_break_out() {
    let hostile = "</script><script>alert(1)</script><!--\u{2028}";
    let page = PAGE.render(&json!({ "text": hostile })).unwrap();
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("<title>a &lt; b</title>"));
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let read: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(read["text"], hostile);
}

#[test]
fn nothing_is_asked_from_the_network() {
    let page = PAGE.render(&json!({})).unwrap();
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("http://") && !page.contains("https://"));
}

#[test]
fn a_link_finds_its_way_from_any_directory() {
    let between = |from: &str, to: &str| way(Path::new(from), Path::new(to));
    assert_eq!(between("/a/b", "/a/b"), "");
    assert_eq!(between("/a/b/./out", "/a/b"), "../");
    assert_eq!(between("/a", "/a/b"), "b/");
    assert_eq!(between("/x/y", "/a/b"), "../../a/b/");
}
