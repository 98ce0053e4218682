//! Files of clients, before and after.

use crate::cli::merge_probe as merge;

#[test]
fn an_empty_file_gets_the_entry() {
    insta::assert_snapshot!("claude_code", merge("claude-code", "").unwrap());
    insta::assert_snapshot!("vscode", merge("vscode", "").unwrap());
    insta::assert_snapshot!("codex", merge("codex", "").unwrap());
}

#[test]
fn comments_order_and_formatting_of_json_stay() {
    let before = r#"// my servers
{
	"other": [1,2],   // spaced
	"mcpServers": {
		/* keep me */
		"zeta": { "command": "z", "args": [ ] },
		"probe": {
			"env": { "RUST_LOG": "warn" }, // mine
			"command": "old",
			"url": "http://old",
		},
	},
	"last": null
}
"#;
    let after = merge("cursor", before).unwrap();
    insta::assert_snapshot!("merged_json", after);
    assert_eq!(merge("cursor", &after).unwrap(), after, "a second merge changes nothing");
}

#[test]
fn comments_order_and_formatting_of_toml_stay() {
    let before = "# mine\nmodel = \"x\" # keep\n\n[mcp_servers.zeta]\ncommand='z'\n\n[mcp_servers.probe]\n# why\nenv = { A = \"1\" }\ncommand = \"old\"   # behind\nurl = \"http://old\"\n\n[tail]\nx = 1\n";
    let after = merge("codex", before).unwrap();
    insta::assert_snapshot!("merged_toml", after);
    assert_eq!(merge("codex", &after).unwrap(), after, "a second merge changes nothing");
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_stay() {
    let before = "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n";
    let after = merge("gemini", before).unwrap();
    assert!(after.starts_with('\u{feff}'));
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
}

#[test]
fn a_broken_file_is_refused() {
    for before in [
        "{",
        "[]",
        "{\"mcpServers\": 7}",
        "{\"mcpServers\": {\"probe\": []}}",
        "{'a': 1}",
        "{\"a\": 1 \"b\": 2}",
    ] {
        let failure = merge("claude-code", before).unwrap_err();
        assert_eq!(failure.code, "broken_file", "{before}");
    }
    for before in ["a = ", "mcp_servers = 1", "[mcp_servers]\nprobe = 1"] {
        let failure = merge("codex", before).unwrap_err();
        assert_eq!(failure.code, "broken_file", "{before}");
    }
}
