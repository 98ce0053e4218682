//! Any text as a document: its parsers neither panic nor point outside of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_core::{frontmatter, markdown, text, yaml};

fuzz_target!(|document: &str| {
    if let Ok(parts) = frontmatter::split(document) {
        assert!(document.ends_with(parts.body));
    }
    for section in markdown::sections(document) {
        assert!(document.get(section.span()).is_some());
    }
    drop(yaml::parse::<serde_json::Value>(document));
    let harmless = text::harmless(document);
    assert_eq!(text::harmless(&harmless), harmless);
});
