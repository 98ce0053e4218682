//! What is found in the ways in which frameworks say it, and that layout changes none of it.

mod found;
mod migrations;

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
fn ruby_says_where_it_is_reached() {
    let routes = told("config/routes.rb", "ruby", include_str!("tests/samples/routes.txt"));
    let model = told("app/user.rb", "ruby", include_str!("tests/samples/ruby.txt"));
    insta::assert_snapshot!(format!("{routes}{model}"));
}

#[test]
fn csharp_php_and_kotlin_say_where_they_are_reached() {
    let csharp = told("C.cs", "c-sharp", include_str!("tests/samples/csharp.txt"));
    let php = told("web.php", "php", include_str!("tests/samples/php.txt"));
    let kotlin = told("K.kt", "kotlin", include_str!("tests/samples/kotlin.txt"));
    insta::assert_snapshot!(format!("{csharp}{php}{kotlin}"));
}

#[test]
fn files_are_addresses_by_where_they_lie() {
    let handlers = "export async function GET() {}\nexport const POST = () => 1;\n";
    let page = "export default function answer(request, response) {}\n";
    let event = "export default defineEventHandler((event) => 1);\n";
    for (path, handlers, expected) in [
        (
            "src/app/(shop)/items/[id]/route.ts",
            handlers,
            vec!["GET /items/[id]", "POST /items/[id]"],
        ),
        ("app/about/page.tsx", page, vec!["PAGE /about"]),
        ("pages/api/users/[id].ts", page, vec!["ANY /api/users/[id]"]),
        ("src/routes/blog/+server.ts", handlers, vec!["GET /blog", "POST /blog"]),
        ("server/api/cart.post.ts", event, vec!["POST /api/cart"]),
        ("src/lib/route.ts", handlers, vec![]),
        // What lies there and answers nothing.
        ("server/routes/api/schema.ts", handlers, vec![]),
        ("src/pages/api/page.component.ts", handlers, vec![]),
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

#[test]
fn a_route_without_verbs_is_one_with_the_default_of_its_framework() {
    for (without, with) in [
        (
            "@app.route('/post/<int:id>')\ndef post(id): pass",
            "@app.route('/post/<int:id>', methods=['GET'])\ndef post(id): pass",
        ),
        (
            "@router.api_route('/a')\ndef a(): pass",
            "@router.api_route('/a', methods=['get'])\ndef a(): pass",
        ),
        (
            "app.add_url_rule('/a', view_func=a)",
            "app.add_url_rule('/a', view_func=a, methods=['GET'])",
        ),
        ("routes = [Route('/a', views.a)]", "routes = [Route('/a', views.a, methods=['GET'])]"),
        (
            "class V(ViewSet):\n    @action(detail=True)\n    def top(self): pass",
            "class V(ViewSet):\n    @action(detail=True, methods=['get'])\n    def top(self): pass",
        ),
    ] {
        let names = |text: &str| {
            let found = collect("a.py", "python", text).into_iter();
            found.map(|it| it.name).filter(|it| it.contains(' ')).collect::<Vec<_>>()
        };
        assert_eq!(names(without), names(with), "{without}");
        assert!(names(with)[0].starts_with("GET "), "{with}: {:?}", names(with));
    }
}

#[test]
fn what_knows_its_verbs_itself_gets_no_default() {
    for text in [
        "@api.route('/users')\nclass Users(Resource): pass",
        "app.add_url_rule('/users', view_func=Users.as_view('users'))",
        "routes = [Route('/users', Users)]",
        "urlpatterns = [path('users', users)]",
    ] {
        let found = collect("a.py", "python", text);
        assert!(found.iter().any(|it| it.name == "/users"), "{text}: {found:?}");
    }
}

#[test]
fn what_turns_nobody_away_is_no_guard() {
    use super::{Weight, weight};
    for (name, expected) in [
        ("morgan('dev')", Weight::Unseen),
        ("middleware.Logger", Weight::Unseen),
        ("gin.Logger()", Weight::Unseen),
        ("TraceLayer::new_for_http()", Weight::Unseen),
        ("express.json()", Weight::Served),
        ("bodyParser.urlencoded", Weight::Served),
        ("/public express.static('public')", Weight::Served),
        ("cors()", Weight::Served),
        ("UseCors", Weight::Served),
        ("CORSMiddleware", Weight::Served),
        ("cookieParser(process.env.AUTH_SECRET)", Weight::Served),
        ("GZipMiddleware", Weight::Served),
        ("middleware.Recoverer", Weight::Served),
        ("requireAuth", Weight::Guard),
        ("/api requireSession", Weight::Guard),
        ("passport.session()", Weight::Guard),
        ("rateLimit({ max: 5 })", Weight::Guard),
        ("validateJson(schema)", Weight::Guard),
        ("isLoggedIn", Weight::Guard),
        ("onlyForMembers", Weight::Guard),
    ] {
        assert_eq!(weight(name), expected, "{name}");
    }
}

#[test]
fn schemas_and_files_of_settings_say_what_they_declare() {
    let prisma = told("schema.prisma", "prisma", include_str!("tests/samples/prisma.txt"));
    let environment = told(".env.example", "settings", include_str!("tests/samples/env.txt"));
    let spring = told("application.yml", "settings", include_str!("tests/samples/spring.txt"));
    let properties =
        "# x\nserver.port=8080\nspring.datasource.password = hush\na.b = one, \\\n  two=3\n";
    let properties = told("application.properties", "settings", properties);
    let whole = format!("{prisma}{environment}{spring}{properties}");
    assert!(!whole.contains("hush"), "{whole}");
    insta::assert_snapshot!(whole);
}

#[test]
fn the_text_of_a_file_of_settings_has_no_secret() {
    let hidden = |path: &str, text: &str| super::without_secrets(path, text);
    let shown = hidden(".env.example", "PORT=1\nAPI_TOKEN='hush'\n").unwrap();
    assert_eq!(shown, "PORT=1\nAPI_TOKEN=(not shown)\n");
    let shown = hidden("src/application.yml", "db:\n  password: hush # x\n  user: a\n").unwrap();
    assert_eq!(shown, "db:\n  password: (not shown)\n  user: a\n");
    for (path, text) in [
        ("application.yml", "jwt:\n  secret: |\n    hush\n    hush\n  user: a\n"),
        ("application.yml", "api:\n  tokens:\n    - hush\n    - name: hush\n  user: a\n"),
        ("application.properties", "app.password=hush \\\n  hush\nuser: a\n"),
    ] {
        let shown = hidden(path, text).unwrap();
        assert!(!shown.contains("hush") && shown.contains("user: a"), "{shown}");
        assert_eq!(shown.lines().count(), text.lines().count(), "{shown}");
    }
    assert_eq!(hidden("a.py", "API_TOKEN = 'x'"), None);
}

#[test]
fn parameters_are_flags_only_where_typer_makes_the_command() {
    let names = |text: &str| {
        let found = collect("a.py", "python", text).into_iter();
        found.map(|it| format!("{} {}", it.kind.word(), it.name)).collect::<Vec<_>>()
    };
    let click = "import click\nimport typer\n@click.group()\ndef cli(): pass\n@cli.command()\n@click.option('--limit')\ndef sync(limit): pass\n@cli.command()\ndef plain(a, b): pass\n";
    assert_eq!(names(click), ["command cli", "command sync", "flag --limit", "command plain"]);
    let typer = "import typer\napp = typer.Typer()\n@app.command()\ndef deploy(env: str, count: int = 3): pass\n";
    assert_eq!(names(typer), ["command deploy", "flag deploy --count", "flag deploy <env>"]);
    let neither = "from mine import argument\n@argument('--x')\ndef f(x): pass\n# subtyper\n@app.command()\ndef g(y): pass\n";
    assert_eq!(names(neither), ["command g"]);
}

#[test]
fn a_class_of_kotlin_may_end_with_its_constructor() {
    let text = "@Entity\ndata class User(\n    @Id val id: Long,\n    @Column(nullable = false)\n    val name: String = \"x\",\n) : Base()\n\n@Entity data class Tag(@Id val key: String)\n\nclass Other(val a: Int) {\n    val b = 1\n}\n";
    let found = collect("U.kt", "kotlin", text);
    let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["User", "User.id", "User.name", "Tag", "Tag.key"], "{found:?}");
    assert_eq!(found[2].details, ["Column(nullable=false)", "type String"], "{found:?}");
}

#[test]
fn a_model_of_eloquent_names_its_fields_in_lists() {
    let text = "<?php\nclass User extends Authenticatable {\n  protected $table = 'people';\n  protected $fillable = ['name', \"email\"];\n  protected $hidden = ['password', 'email'];\n  protected $casts = [\n    'email_verified_at' => 'datetime',\n    'role' => Role::class,\n  ];\n}\nclass Post extends Model {\n  protected function casts(): array { return ['at' => 'date']; }\n}\nclass Job extends Work {\n  protected $fillable = ['x'];\n}\n";
    let told = told("User.php", "php", text);
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "2 entity User with [table 'people']",
            "4 field User.email with [fillable; hidden]",
            "4 field User.name with [fillable]",
            "5 field User.password with [hidden]",
            "7 field User.email_verified_at with [cast 'datetime']",
            "8 field User.role with [cast Role::class]",
            "11 entity Post",
            "12 field Post.at with [cast 'date']",
        ]
    );
}
