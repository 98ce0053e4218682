//! Manifests of every ecosystem, and what is not looked at.

use mcp_core::doors;
use plumbline_tests::Fixture;

use super::*;
use crate::domain::bank::Bank;

fn shows(text: &str) -> Survey {
    of(&Fixture::new(text))
}

fn of(fixture: &Fixture) -> Survey {
    let root = doors::start(fixture.path()).unwrap();
    let git_dir = RelPath::parse(".git").unwrap();
    let git_dir = if root.is_dir(&git_dir) { root.below(&git_dir) } else { root.duplicate() };
    survey(&root, &git_dir.unwrap(), &Work::endless()).unwrap()
}

fn shown(survey: &Survey, id: &str) -> Vec<(String, String)> {
    let (_, question) = Bank::embedded().question(id).unwrap();
    survey.shows(question).into_iter().map(|it| (it.value, it.source)).collect()
}

#[test]
fn every_kind_of_manifest_tells_its_ecosystem_and_its_direct_dependencies() {
    for (text, ecosystem, fact) in [
        ("//- Cargo.toml\n[target.'cfg(unix)'.dependencies]\nsqlx = \"1\"\n", "rust", "cargo:sqlx"),
        (
            "//- Cargo.toml\n[workspace.dependencies]\nsqlx = { version = \"1\" }\n",
            "rust",
            "cargo:sqlx",
        ),
        ("//- package.json\n{\"devDependencies\": {\"@x/y\": \"1\"}}\n", "node", "npm:@x/y"),
        (
            "//- pyproject.toml\n[project]\ndependencies = [\"SQLAlchemy[asyncio]>=2\"]\n",
            "python",
            "pypi:sqlalchemy",
        ),
        ("//- pyproject.toml\n[tool.poetry.dependencies]\nFlask = \"*\"\n", "python", "pypi:flask"),
        ("//- requirements-dev.txt\n# a\npytest==8\n", "python", "pypi:pytest"),
        ("//- go.mod\nmodule m\n\nrequire (\n\tgorm.io/gorm v1\n)\n", "go", "go:gorm.io/gorm"),
        (
            "//- pom.xml\n<dependency><groupId>g</groupId><artifactId>jooq</artifactId></dependency>\n",
            "jvm",
            "jvm:jooq",
        ),
        ("//- build.gradle.kts\nimplementation(\"org.jooq:jooq:3\")\n", "jvm", "jvm:jooq"),
        ("//- Gemfile\ngem 'sidekiq', '~> 7'\n", "ruby", "gem:sidekiq"),
        (
            "//- composer.json\n{\"require\": {\"laravel/framework\": \"^11\"}}\n",
            "php",
            "composer:laravel/framework",
        ),
        (
            "//- a/App.csproj\n<PackageReference Include=\"Dapper\" Version=\"2\" />\n",
            "dotnet",
            "nuget:dapper",
        ),
    ] {
        let survey = shows(text);
        assert_eq!(survey.ecosystems, [ecosystem], "{text}");
        assert!(survey.facts.contains_key(fact), "{text} {:?}", survey.facts);
    }
}

#[test]
fn values_are_shown_with_the_file_that_shows_them() {
    let survey = shows(
        "//- package.json\n{\"dependencies\": {\"@prisma/client\": \"5\"}}\n//- compose.yaml\nservices:\n  db:\n    image: \"docker.io/library/postgres:16\"\n//- .github/workflows/test.yml\non: push\n",
    );
    assert_eq!(shown(&survey, "db_orm"), [("Prisma".to_owned(), "package.json".to_owned())]);
    assert_eq!(shown(&survey, "db_type"), [("PostgreSQL".to_owned(), "compose.yaml".to_owned())]);
    let workflow = ".github/workflows/test.yml".to_owned();
    assert_eq!(shown(&survey, "ci_platform"), [("GitHub Actions".to_owned(), workflow)]);
}

#[test]
fn what_git_ignores_or_a_tool_made_is_not_looked_at() {
    let survey = shows(
        "//- .gitignore\n/private/\n*.log\n!keep.log\n//- private/package.json\n{}\n//- node_modules/x/package.json\n{}\n//- a.log\nx\n//- keep.log\nx\n//- sub/.gitignore\nlocal\n//- sub/local/b.rs\nx\n//- sub/c.rs\nx\n//- docs/adr/x.md\nx\n",
    );
    assert_eq!(survey.files, [".gitignore", "keep.log", "sub/.gitignore", "sub/c.rs"]);
    // The one source that is left tells the ecosystem; what was passed over does not.
    assert_eq!(survey.ecosystems, ["rust"]);
}

#[test]
fn broken_manifests_show_nothing() {
    let survey = shows("//- package.json\n{nonsense\n//- Cargo.toml\n= =\n");
    assert!(survey.facts.is_empty());
    assert_eq!(survey.ecosystems, ["rust", "node"]);
}

fn git(fixture: &Fixture, args: &[&str]) {
    let mut command = std::process::Command::new("git");
    let done = command.args(args).current_dir(fixture.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn files_come_from_the_index_however_deep_and_from_the_tree_where_they_are_new() {
    let deep = "a/b/c/d/e/f/g/h/i/j/deep.rs";
    let fixture = Fixture::new(&format!(
        "//- {deep}\nx\n//- gone.rs\nx\n//- docs/adr/x.md\nx\n//- vendor/x.rs\nx\n"
    ));
    git(&fixture, &["init", "-q"]);
    git(&fixture, &["add", "-A"]);
    fixture.write("new.rs", "x");
    std::fs::remove_file(fixture.path().join("gone.rs")).unwrap();
    assert_eq!(of(&fixture).files, [deep, "new.rs"]);
}

#[test]
fn a_repository_too_large_to_walk_is_listed_whole() {
    let files: Vec<String> = (0..MAX_WALKED).map(|n| format!("//- src/f{n:05}.rs")).collect();
    let fixture = Fixture::new(&format!("{}\n//- zz/last.rs\n", files.join("\n")));
    git(&fixture, &["init", "-q"]);
    git(&fixture, &["add", "-A"]);
    fixture.write("package.json", "{}");
    let listed = of(&fixture).files;
    assert_eq!(listed.len(), MAX_WALKED + 2);
    assert_eq!(listed.last().map(String::as_str), Some("zz/last.rs"));
}
