//! What counts as a secret, what does not, and that nothing else changes.

use proptest::prelude::*;

use super::*;

/// Put together here, so that no scanner takes this file for a leak.
fn made_up(prefix: &str, length: usize) -> String {
    let alphabet = "Zk9QwE7rT2yU5iO8pA1sD4fG6hJ3lXcVbNm0";
    prefix.chars().chain(alphabet.chars().cycle().take(length)).collect()
}

#[track_caller]
fn kinds_in(text: &str) -> Vec<&'static str> {
    redact(text).findings.into_iter().map(|it| it.kind).collect()
}

/// The secret is gone, the kind is named, the rest is as it was.
#[track_caller]
fn check(kind: &str, before: &str, secret: &str, after: &str) {
    let text = format!("// one\n{before}{secret}{after}\n// three\n");
    let redacted = redact(&text);
    let expected = format!("// one\n{before}REDACTED_{kind}{after}\n// three\n");
    assert_eq!(redacted.text, expected);
    let findings: Vec<(&str, usize)> =
        redacted.findings.iter().map(|it| (it.kind, it.line)).collect();
    assert_eq!(findings, [(kind, 2)]);
}

#[test]
fn every_kind_of_key_is_replaced_where_it_stands() {
    let upper = made_up("", 40).to_uppercase();
    check("AWS_ACCESS_KEY_ID", "let id = \"", &format!("AKIA{}", &upper[..16]), "\";");
    check("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key = ", &made_up("", 40), "");
    check("AWS_SECRET_ACCESS_KEY", "\"AWS_SECRET_ACCESS_KEY\": \"", &made_up("", 40), "\",");
    check("GCP_API_KEY", "key: '", &made_up("AIza", 35), "'");
    let token = format!("{}.{}.{}", made_up("eyJ", 20), made_up("eyJ", 40), made_up("", 43));
    check("JWT_TOKEN", "const t = `", &token, "`;");
    for prefix in ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"] {
        check("GITHUB_TOKEN", "x(\"", &made_up(prefix, 36), "\")");
    }
    check("SLACK_TOKEN", "slack = \"", &made_up("xoxb-", 24), "\"");
    let hook = format!("{}/{}/{}", made_up("T", 8), made_up("B", 8), made_up("", 24));
    check("SLACK_WEBHOOK", "\"https://hooks.slack.com/services/", &hook, "\"");
    check("STRIPE_KEY", "stripe(\"", &made_up("sk_live_", 24), "\")");
    check("STRIPE_KEY", "stripe(\"", &made_up("rk_test_", 24), "\")");
    check("ANTHROPIC_API_KEY", "\"", &made_up("sk-ant-api03-", 60), "\"");
    check("OPENROUTER_API_KEY", "\"", &made_up("sk-or-v1-", 60), "\"");
    check("OPENAI_API_KEY", "\"", &made_up("sk-proj-", 48), "\"");
    check("OPENAI_API_KEY", "\"", &made_up("sk-", 48), "\"");
    check("DATABASE_URL", "url = \"postgres://app:", "hunter2", "@db.local:5432/app\"");
    check("DATABASE_URL", "mongodb+srv://app:", "p%40ss", "@cluster/app");
    check("BEARER_TOKEN", "curl -H 'Authorization: Bearer ", &made_up("", 32), "'");
    check("API_KEY", "const apiKey: string = \"", &made_up("", 32), "\";");
    check("API_KEY", "client_secret: '", &made_up("", 32), "'");
    check("PASSWORD", "password: \"", "c0rrect-horse", "\"");
    check("ENVIRONMENT_SECRET", "export SIGNING_TOKEN=", &made_up("", 24), "");
}

#[test]
fn placeholders_references_and_ordinary_names_stay() {
    for text in [
        "const apiKey = \"your-api-key-goes-here-please\";",
        "api_key = \"test_0123456789abcdefghijkl\"",
        "password: \"${DB_PASSWORD_2024}\"",
        "postgres://app:${PASSWORD}@db/app",
        "const accessToken = await refreshAccessTokenForUser2(session);",
        "let secret_key = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1\";",
        "the bearer authentication-middleware is optional",
        "password: \"must not be empty\"",
        "API_KEY=SOME_OTHER_CONSTANT",
        "ask-forgiveness-not-permission-and-then-carry-on",
        "https://example.com/a:b@c",
    ] {
        assert_eq!(redact(text).text, text);
        assert_eq!(kinds_in(text), Vec::<&str>::new(), "{text}");
    }
}

fn pem(joint: &str, label: &str) -> String {
    let lines: Vec<String> = (0..4).map(|it| made_up(&format!("MII{it}"), 60)).collect();
    let label = format!("{label}PRIVATE KEY");
    format!(
        "-----BEGIN {label}-----{joint}{}{joint}AbC={joint}-----END {label}-----",
        lines.join(joint)
    )
}

#[test]
fn private_keys_go_line_by_line_and_the_code_around_them_stays() {
    for label in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let text = format!("a\n{}\nb\n", pem("\n", label));
        let redacted = redact(&text);
        assert_eq!(redacted.findings, [Finding { kind: "PRIVATE_KEY", line: 3 }]);
        assert_eq!(redacted.text.lines().count(), text.lines().count());
        assert!(!redacted.text.contains("MII") && !redacted.text.contains("AbC"), "{label}");
    }
    let escaped = format!("const KEY = \"{}\";", pem("\\n", "RSA "));
    let kept = redact(&escaped).text.into_owned();
    assert!(kept.contains("-----\\nREDACTED_PRIVATE_KEY\\nREDACTED") && !kept.contains("MII"));
    assert!(!kept.contains("AbC"), "{kept}");
    let joined = format!("String key = \"{}\";", pem("\" +\n    \"", ""));
    let kept = redact(&joined).text.into_owned();
    assert!(
        kept.contains("\" +\n    \"REDACTED_PRIVATE_KEY\" +") && !kept.contains("MII"),
        "{kept}"
    );
    let cut_short = pem("\n", "RSA ").split("-----END").next().unwrap().to_owned();
    assert!(!redact(&cut_short).text.contains("MII"));
}

#[test]
fn a_text_without_secrets_is_not_copied() {
    let text = "fn main() {\n    println!(\"the key is under the mat\");\n}\n";
    assert!(matches!(redact(text).text, Cow::Borrowed(_)));
}

#[test]
fn time_grows_with_the_text_and_not_faster() {
    let pieces =
        ["apiKey=\"", "eyJ", "-----BEGIN PRIVATE KEY-----", "postgres://a:", "Bearer ", "AKIA"];
    for piece in pieces {
        let started = std::time::Instant::now();
        let text = piece.repeat(50_000);
        assert!(redact(&text).text.len() <= text.len() * 4);
        // Quadratic work on these texts takes minutes.
        assert!(started.elapsed().as_secs() < 30, "{piece}: {:?}", started.elapsed());
    }
}

proptest! {
    #[test]
    fn redacting_twice_changes_no_more_and_keeps_the_lines(
        parts in proptest::collection::vec(prop_oneof![
            "[ -~]{0,40}",
            Just("\n".to_owned()),
            Just(made_up("ghp_", 36)),
            Just(pem("\n", "EC ")),
            Just(format!("api_key = \"{}\"", made_up("", 30))),
            Just("postgres://u:s3cret@h/".to_owned()),
            "\\PC{0,20}",
        ], 0..12)
    ) {
        let text = parts.concat();
        let once = redact(&text);
        prop_assert_eq!(once.text.matches('\n').count(), text.matches('\n').count());
        let twice = redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
    }

    /// Only the lines around an anchor are searched, and nothing is missed.
    #[test]
    fn what_stands_around_anchors_is_all_there_is(
        parts in proptest::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "api_key", "client-secret", "password", "PWD", "aws_secret_access_key", "export ",
                "APP_TOKEN=", "\"", "'", "`", ": ", " = ", ":=", "=>", ": &'static str =", "\n", "\n\n",
                "\u{2003}\u{2003}\u{2003}\u{2003}", "        ", "\n       ", "Bearer ", "é", "x",
                "mysql://someone:", "@host/", "sk-ant-", "xoxb-",
            ]).prop_map(str::to_owned),
            Just(made_up("", 40)),
            Just(made_up("", 30)),
            "[a-z ]{0,150}",
        ], 0..24)
    ) {
        let text = parts.concat();
        let places = |found: Vec<Secret>| -> Vec<_> {
            found.into_iter().map(|it| (it.kind, it.at)).collect()
        };
        let found = places(pattern::find(&text));
        prop_assert_eq!(found, places(pattern::find_everywhere(&text)));
    }
}

#[test]
fn of_secrets_that_overlap_nothing_is_left() {
    let secret = |at| Secret { kind: "KEY", at, reported: true };
    let text = "a 0123456789 b\nc";
    for (first, second) in [(2..6, 4..12), (2..12, 4..6), (2..12, 2..6), (2..6, 6..12)] {
        let done = replace(text, vec![secret(second), secret(first)]);
        let shown = done.text.replace("REDACTED_KEY", "");
        assert_eq!(shown, "a  b\nc");
    }
}
