//! What is found in the ways in which frameworks say it, and that layout changes none of it.

use std::fmt::Write as _;

use crate::domain::skeleton::EntryPoint;

fn collect(path: &str, language: &str, text: &str) -> Vec<EntryPoint> {
    super::collect(path, language, text).entries
}

/// Every fact as one line.
fn told(path: &str, language: &str, text: &str) -> String {
    let mut lines = String::new();
    for entry in collect(path, language, text) {
        let mut line = format!("{:>3} {} {}", entry.line, entry.kind.word(), entry.name);
        for (word, parts) in [("through", &entry.guards), ("with", &entry.details)] {
            if !parts.is_empty() {
                write!(line, " {word} [{}]", parts.join("; ")).unwrap();
            }
        }
        if let Some(handler) = &entry.handler {
            write!(line, " -> {handler}").unwrap();
        }
        if let Some(fallback) = &entry.fallback {
            write!(line, " else {fallback}").unwrap();
        }
        lines.push_str(&line);
        lines.push('\n');
    }
    lines
}

#[test]
fn scripts_say_where_they_are_reached() {
    insta::assert_snapshot!(told(
        "src/a.ts",
        "typescript",
        include_str!("tests/samples/script.txt")
    ));
}

#[test]
fn python_says_where_it_is_reached() {
    insta::assert_snapshot!(told("src/a.py", "python", include_str!("tests/samples/python.txt")));
}

#[test]
fn go_says_where_it_is_reached() {
    insta::assert_snapshot!(told("main.go", "go", include_str!("tests/samples/go.txt")));
}

#[test]
fn rust_says_where_it_is_reached() {
    insta::assert_snapshot!(told("src/main.rs", "rust", include_str!("tests/samples/rust.txt")));
}

#[test]
fn java_says_where_it_is_reached() {
    insta::assert_snapshot!(told("R.java", "java", include_str!("tests/samples/java.txt")));
}

#[test]
fn files_are_addresses_by_where_they_lie() {
    let handlers = "export async function GET() {}\nexport const POST = () => 1;\n";
    for (path, expected) in [
        ("src/app/(shop)/items/[id]/route.ts", vec!["GET /items/[id]", "POST /items/[id]"]),
        ("app/about/page.tsx", vec!["PAGE /about"]),
        ("pages/api/users/[id].ts", vec!["ANY /api/users/[id]"]),
        ("src/routes/blog/+server.ts", vec!["GET /blog", "POST /blog"]),
        ("server/api/cart.post.ts", vec!["POST /api/cart"]),
        ("src/lib/route.ts", vec![]),
    ] {
        let found = collect(path, "typescript", handlers);
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, expected, "{path}");
    }
}

#[test]
fn layout_quotes_and_comments_change_no_fact() {
    let before = "app.post('/users', auth, validate({ a: 1 }), create);\n";
    let after = "// who may\napp.post(\n  \"/users\",\n  auth, // first\n  validate({\n    a: 1,\n  }),\n  create,\n);\n";
    let plain = |text: &str| {
        let found = collect("a.js", "javascript", text).into_iter();
        found.map(|it| (it.name, it.guards, it.handler)).collect::<Vec<_>>()
    };
    assert_eq!(plain(before), plain(after));
    assert_eq!(plain(before).len(), 1);
}

#[test]
fn what_a_client_asks_for_is_no_route() {
    for text in [
        "axios.get('/users', { params: {} })",
        "const x = await api.post('/login', body)\ncache.get('/a')",
        "expect(url).get('/x', 1)",
        "map.get('/key')",
    ] {
        let found = collect("web/a.ts", "typescript", text);
        assert!(found.iter().all(|it| !it.name.starts_with("GET /users")), "{found:?}");
    }
}

#[test]
fn the_value_of_a_secret_is_never_shown() {
    for (path, language, text) in [
        ("a.js", "javascript", "const s = process.env.JWT_SECRET || 'hush';"),
        ("a.py", "python", "s = os.environ.get('API_TOKEN', 'hush')"),
        ("a.go", "go", "package a\nvar s = getEnv(\"DB_PASSWORD\", \"hush\")"),
        ("a.rs", "rust", "fn a() { env::var(\"APP_KEY\").unwrap_or(\"hush\".into()); }"),
    ] {
        let found = collect(path, language, text);
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert_eq!(found[0].fallback.as_deref(), Some("(not shown)"), "{path}");
    }
}

#[test]
fn hostile_nesting_is_read_in_linear_time() {
    for (open, close, language) in [
        ("z.object({a: ", "})", "typescript"),
        ("x.get('/a', ", ")", "javascript"),
        ("`${", "}`", "typescript"),
        ("mod m {", "}", "rust"),
        ("@a(", ")", "python"),
    ] {
        let text = format!("{}{}", format!("{open}\n").repeat(10_000), close.repeat(10_000));
        let started = std::time::Instant::now();
        collect("a", language, &text);
        assert!(started.elapsed().as_secs() < 10, "{open} took {:?}", started.elapsed());
    }
}
