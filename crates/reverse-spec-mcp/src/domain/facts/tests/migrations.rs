//! What migrations do, in every way in which tools have them written.

use std::fmt::Write as _;

use super::{collect, told};
use crate::domain::languages;
use crate::domain::skeleton::EntryKind;

#[test]
fn migrations_say_what_they_do_in_order() {
    let mut whole = String::new();
    for part in include_str!("samples/migrations.txt").split("== ").skip(1) {
        let (head, text) = part.split_once('\n').unwrap();
        let (path, language) = head.split_once(' ').unwrap();
        write!(whole, "== {path}\n{}", told(path, language, text)).unwrap();
    }
    insta::assert_snapshot!(whole);
}

#[test]
fn what_a_migration_makes_is_not_what_is_kept() {
    let text = "class A < ActiveRecord::Migration[7.0]\n  def change\n    create_table :a do |t|\n      t.string :b\n    end\n  end\nend\n";
    let kinds = collect("db/migrate/1_a.rb", "ruby", text).into_iter().map(|it| it.kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [EntryKind::Migration]);
    let schema = "ActiveRecord::Schema.define do\n  create_table \"a\" do |t|\n    t.string \"b\"\n  end\nend\n";
    let kinds = collect("db/schema.rb", "ruby", schema).into_iter().map(|it| it.kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [EntryKind::Field]);
}

#[test]
fn statements_are_migrations_where_migrations_lie() {
    for (path, expected) in [
        ("db/migrations/0001_a.sql", true),
        ("migrations/2024_a/up.sql", true),
        ("src/main/resources/db/migration/V1__a.sql", true),
        ("store/0001_a.up.sql", true),
        ("db/changelog/db.changelog-master.xml", true),
        ("queries/report.sql", false),
        ("pom.xml", false),
    ] {
        let language = languages::id_of_path(path);
        let is_migration = language.is_some_and(|it| it.as_str() == "migrations");
        assert_eq!(is_migration, expected, "{path}");
    }
}
