//! Every kind of secret goes, and nothing else does. The samples are put together here, so that no
//! scanner takes this file for a leak.

use plumbline_tests::Fixture;

use super::*;
use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;
use crate::store::analysis::{Analysis, Depth};
use crate::store::project::Places;
use mcp_core::work::Work;

/// Random-looking characters, the same every time.
fn noise(length: usize) -> String {
    let letters = b"aZ3kQ9xW7bN5vC1mR8tY2pL6sD4fG0hJ";
    (0..length).map(|at| char::from(letters[(at * 7 + at / 5) % letters.len()])).collect()
}

/// The kind, and source code that holds such a secret.
fn samples() -> Vec<(&'static str, String)> {
    let upper = noise(16).to_uppercase();
    let key = |name: &str| {
        let (begin, end) = (format!("-----BEGIN {name}-----"), format!("-----END {name}-----"));
        format!("const key = `{begin}\n{}\n{}\n{end}`;", noise(60), noise(30))
    };
    vec![
        ("AWS_ACCESS_KEY_ID", format!("const id = \"AKIA{upper}\";")),
        ("AWS_ACCESS_KEY_ID", format!("const id = \"ASIA{upper}\";")),
        ("AWS_SECRET_ACCESS_KEY", format!("const aws_secret_access_key = \"{}\";", noise(40))),
        ("GCP_API_KEY", format!("const g = 'AIza{}';", noise(35))),
        ("GITHUB_TOKEN", format!("const t = 'ghp_{}';", noise(36))),
        ("GITHUB_TOKEN", format!("const t = 'gho_{}';", noise(36))),
        ("GITHUB_TOKEN", format!("const t = 'ghs_{}';", noise(40))),
        ("GITHUB_TOKEN", format!("const t = 'github_pat_{}_{}';", noise(22), noise(59))),
        ("SLACK_TOKEN", format!("const s = 'xoxb-{}-{}';", "1".repeat(12), noise(24))),
        (
            "SLACK_WEBHOOK",
            format!(
                "const s = 'https://hooks.slack.com/services/T{}/B{}/{}';",
                noise(8),
                noise(8),
                noise(24)
            ),
        ),
        ("STRIPE_KEY", format!("const s = 'sk_live_{}';", noise(24))),
        ("ANTHROPIC_API_KEY", format!("const s = 'sk-ant-api03-{}';", noise(90))),
        ("OPENAI_API_KEY", format!("const s = 'sk-proj-{}';", noise(48))),
        ("OPENAI_API_KEY", format!("const s = 'sk-{}';", noise(48))),
        ("JWT_TOKEN", format!("const j = 'eyJ{}.eyJ{}.{}';", noise(20), noise(40), noise(43))),
        ("PRIVATE_KEY", key("RSA PRIVATE KEY")),
        ("PRIVATE_KEY", key("OPENSSH PRIVATE KEY")),
        ("PRIVATE_KEY", key("PRIVATE KEY")),
        ("PRIVATE_KEY", key("PGP PRIVATE KEY BLOCK")),
        (
            "DATABASE_URL",
            format!("const d = 'postgres://admin:{}@db.internal:5432/app';", noise(12)),
        ),
        (
            "DATABASE_URL",
            format!("const d = 'mongodb+srv://u:{}@cluster0.mongodb.net/x';", noise(12)),
        ),
        ("BEARER_TOKEN", format!("const h = 'Bearer {}';", noise(40))),
        ("API_KEY", format!("const apiKey = \"{}\";", noise(32))),
        ("API_KEY", format!("const c = {{ client_secret: '{}' }};", noise(32))),
        ("PASSWORD", format!("const password: string = `{}`;", noise(32))),
    ]
}

#[test]
fn every_kind_of_secret_is_replaced_and_the_code_still_parses() {
    for (kind, text) in samples() {
        let redacted = redact(&text);
        let kinds: Vec<&str> = redacted.found.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [kind], "{text}");
        assert!(redacted.text.contains("REDACTED_"), "{}", redacted.text);
        assert_eq!(redacted.text.lines().count(), text.lines().count(), "{text}");
        let skeleton = Extractor::new().extract_bytes(
            "src/a.ts",
            redacted.text.as_bytes(),
            Scope::WithInternals,
        );
        assert!(skeleton.unwrap().parse_errors.is_empty(), "{}", redacted.text);
    }
}

#[test]
fn names_stay_and_only_values_go() {
    let text = format!("const apiKey = \"{}\";", noise(32));
    assert_eq!(redact(&text).text, "const apiKey = \"REDACTED_API_KEY\";");
}

#[test]
fn no_secret_reaches_a_skeleton_by_any_road() {
    let token = format!("ghp_{}", noise(36));
    let text = format!(
        "/** Uses {token}. */\nexport function f(a = '{token}') {{\n  if (!a) throw new Error('{token}');\n}}\nexport const VALUE = '{token}';\nexport type T = '{token}';\nexport enum E {{ A = '{token}' }}\n// remember to rotate {token}\n@Dec('{token}')\nexport class C {{ p = '{token}'; }}\nimport '{token}';\n"
    );
    let fixture = Fixture::new("//- .git/HEAD\nx\n");
    fixture.write("src/a.ts", &text);
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    let depth = Depth { texts: true, internals: true, unsettled: false, reach: false };
    let target = places.target("src").unwrap();
    let analysis = Analysis::of(&target, depth, &Work::endless()).unwrap();
    let json = serde_json::to_string(&analysis.skeletons).unwrap();
    for seen in [&json, &analysis.texts[0]] {
        assert!(!seen.contains(&token), "{seen}");
        assert!(seen.contains("REDACTED_GITHUB_TOKEN"));
    }
    assert_eq!(analysis.warnings.len(), text.matches(&token).count());
    assert_eq!(
        analysis.warnings[0].to_string(),
        "src/a.ts:1: a secret was replaced (GITHUB_TOKEN)"
    );
}

#[test]
fn placeholders_and_words_are_no_secrets() {
    for text in [
        "const apiKey = \"your-api-key-goes-here-now\";",
        "const apiKey = \"example_key_for_documentation\";",
        "const apiKey = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\";",
        "const apiKey = process.env.API_KEY;",
        "const d = 'postgres://localhost:5432/app';",
        "const d = `postgres://${user}:${password}@host/db`;",
        "const s = 'sk-short';",
        "const a = 'AKIATOOSHORT';",
        "interface Options { apiKey: string; password?: string }",
    ] {
        let redacted = redact(text);
        assert_eq!(redacted.text, text);
        assert!(redacted.found.is_empty(), "{text}");
    }
}

#[test]
fn a_secret_outside_of_a_string_leaves_a_name_behind() {
    let text = format!("export const x = AKIA{};\n", noise(16).to_uppercase());
    assert_eq!(redact(&text).text, "export const x = REDACTED_AWS_ACCESS_KEY_ID;\n");
}

#[test]
fn text_without_secrets_is_not_copied() {
    assert!(matches!(redact("export const a = 1;").text, Cow::Borrowed(_)));
}
