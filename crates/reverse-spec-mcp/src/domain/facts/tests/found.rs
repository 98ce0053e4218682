//! Ways of saying it that are easily passed over, and what only looks like them.

use super::{collect, told};
use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;
use crate::domain::skeleton::EntryKind;

fn names(path: &str, language: &str, text: &str, kind: EntryKind) -> Vec<String> {
    let found = collect(path, language, text).into_iter();
    found.filter(|it| it.kind == kind).map(|it| it.name).collect()
}

#[test]
fn lines_are_counted_through_texts_that_go_on_behind_a_backslash() {
    let text =
        "const HELP: &str = \"one \\\n  two \\\n  three\";\nlet a = std::env::var(\"PORT\");\n";
    assert_eq!(told("a.rs", "rust", text), "  4 env PORT\n");
}

#[test]
fn what_answers_may_come_before_the_address() {
    let text = "group.MapPost(Create);\ngroup.MapPut(Update, \"{id}\").RequireAuthorization();\n\
                return builder.MapGet(pattern, handler);\n";
    let all = told("E.cs", "c-sharp", text);
    assert_eq!(
        all,
        "  1 route POST / -> Create\n  2 route PUT /{id} through [RequireAuthorization()] -> Update\n"
    );
}

#[test]
fn options_of_click_are_found_in_lists_and_once_as_decorators() {
    let list = "import click\nfor option in [click.option(\"--db\", default=\"a\"), click.argument(\"file\")]:\n    f = option(f)\n";
    assert_eq!(names("c.py", "python", list, EntryKind::Flag), ["--db", "file"]);
    let decorated = "import click\n@click.command()\n@click.option(\"--db\")\ndef run(db): pass\n";
    assert_eq!(names("c.py", "python", decorated, EntryKind::Flag), ["--db"]);
}

#[test]
fn a_constant_may_name_a_topic() {
    let text = "class S { @Incoming(FIGHTS) void take(Fight it) {} }";
    assert_eq!(names("S.java", "java", text, EntryKind::Topic), ["FIGHTS"]);
}

#[test]
fn programs_that_are_started_are_no_commands() {
    let started = "use std::process::Command;\nfn f() { Command::new(\"git\").arg(\"log\"); }";
    assert!(names("a.rs", "rust", started, EntryKind::Command).is_empty());
    let offered = "use clap::Command;\nfn f() { Command::new(\"log\").about(\"x\"); }";
    assert_eq!(names("a.rs", "rust", offered, EntryKind::Command), ["log"]);
}

#[test]
fn actions_of_an_administration_are_no_routes() {
    let text = "from django.contrib import admin\nclass A(admin.ModelAdmin):\n    @admin.action(description=\"x\")\n    def reset(self, request, queryset): pass\n";
    assert!(names("admin.py", "python", text, EntryKind::Route).is_empty());
}

#[test]
fn a_router_from_another_file_brings_its_address_along() {
    let files = [
        (
            "app/__init__.py",
            "from app.api import bp\napp.register_blueprint(bp, url_prefix='/api')\n",
        ),
        ("app/api/__init__.py", "from flask import Blueprint\nbp = Blueprint('api', __name__)\n"),
        ("app/api/users.py", "from app.api import bp\n@bp.route('/users')\ndef users(): pass\n"),
    ];
    let mut extractor = Extractor::new();
    let mut skeletons: Vec<_> = files
        .iter()
        .map(|(path, text)| {
            let mut read = extractor.extract_bytes(path, text.as_bytes(), Scope::Exports).unwrap();
            for import in read.imports.iter_mut().filter(|it| it.module_specifier == "app.api") {
                import.resolved_path = Some("app/api/__init__.py".to_owned());
            }
            read
        })
        .collect();
    super::super::settle(&mut skeletons);
    let reached = skeletons[2].entry_points.iter().find(|it| it.kind == EntryKind::Route);
    assert_eq!(reached.unwrap().reached_as.as_deref(), Some("GET /api/users"));
}
