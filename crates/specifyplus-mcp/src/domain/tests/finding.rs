//! Commands are found by their names, and by what is made of names on the way.

use std::sync::Arc;

use mcp_core::failure::Failure;

use crate::domain::{Catalog, Command, Entry, Kind, Problem, manual};
use crate::error::Error;

fn command(name: &str, text: &str) -> Arc<Command> {
    Arc::new(Command::parse(name, text).unwrap().0)
}

fn catalog(names: &[&str]) -> Catalog {
    let mut catalog = Catalog::default();
    for name in names {
        catalog.add(name, Entry::Command(command(name, "# Heading\n")));
    }
    catalog
}

fn found(catalog: &Catalog, name: &str) -> Result<String, Error> {
    catalog.find(name).map(|command| command.name.clone())
}

#[test]
fn a_name_is_found_as_it_is_and_as_clients_write_it() {
    let catalog = catalog(&["sp.git.commit_pr", "sp.reverse-engineer", "sp.specify"]);
    for (asked, name) in [
        ("sp.specify", "sp.specify"),
        ("/sp.specify", "sp.specify"),
        ("sp_specify", "sp.specify"),
        ("SP-Specify", "sp.specify"),
        ("sp_git_commit_pr", "sp.git.commit_pr"),
        ("/sp.reverse_engineer", "sp.reverse-engineer"),
    ] {
        assert_eq!(found(&catalog, asked).unwrap(), name, "{asked}");
    }
}

#[test]
fn an_exact_name_goes_before_one_that_looks_alike() {
    let catalog = catalog(&["sp.plan", "sp_plan"]);
    assert_eq!(found(&catalog, "sp_plan").unwrap(), "sp_plan");
    let error = found(&catalog, "sp-plan").unwrap_err();
    assert_eq!(error.to_string(), "`sp-plan` may stand for `sp.plan` and `sp_plan`");
}

#[test]
fn an_unknown_name_gets_the_nearest_and_the_list() {
    let error = found(&catalog(&["sp.plan", "sp.tasks"]), "sp.plam").unwrap_err();
    let text = Failure::from(error).text();
    assert_eq!(
        text,
        "no command is named `sp.plam`\nDid you mean `sp.plan`? There are `sp.plan` and `sp.tasks`."
    );
    let many: Vec<String> = (0..10_000).map(|index| format!("c{index:05}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let text = Failure::from(found(&catalog(&many), &"x".repeat(1_000_000)).unwrap_err()).text();
    assert!(text.len() < 1000 && text.ends_with("and 9970 more."), "{text}");
}

#[test]
fn a_file_that_is_skipped_says_so_instead_of_being_unknown() {
    let mut catalog = catalog(&["sp.plan"]);
    let problem = Problem::new(Kind::FrontMatter, 3, "front matter: it is broken");
    let file = "sp.tasks.md".to_owned();
    assert!(catalog.add("sp.tasks", Entry::Skipped { file, problem }));
    assert!(!catalog.add("sp.tasks", Entry::Command(command("sp.tasks", "built in"))));
    let error = found(&catalog, "/sp.tasks").unwrap_err().to_string();
    assert_eq!(
        error,
        "the command `sp.tasks` cannot be used: sp.tasks.md:3: front matter: it is broken"
    );
    assert_eq!(catalog.commands().count(), 1);
}

#[test]
fn completion_prefers_what_begins_as_typed() {
    let catalog = catalog(&["audit.sp", "sp.plan", "sp.specify"]);
    assert_eq!(catalog.completions("sp"), ["sp.plan", "sp.specify", "audit.sp"]);
    assert_eq!(catalog.completions("sp_s"), ["sp.specify"]);
    assert_eq!(catalog.completions("").len(), 3);
}

#[test]
fn a_list_is_different_when_anything_in_it_is() {
    let one = |text: &str| {
        let mut catalog = Catalog::default();
        catalog.add("a", Entry::Command(command("a", text)));
        catalog
    };
    let before = one("---\ndescription: d\n---\nbody");
    assert!(before.is_listed_like(&one("---\ndescription: d\n---\nanother body")));
    for after in [
        "---\ndescription: e\n---\nbody",
        "---\ndescription: d\n---\n$ARGUMENTS",
        "---\ndescription: d\ntitle: t\n---\nbody",
        "---\ndescription: d\nargument-hint: h\n---\nbody",
        "---\ndescription: d\nhandoffs: [{label: l, agent: b, prompt: p}]\n---\nbody",
    ] {
        assert!(!before.is_listed_like(&one(after)), "{after}");
    }
    assert!(!before.is_listed_like(&catalog(&["a", "b"])));
    assert!(!before.is_listed_like(&Catalog::default()));
}

#[test]
fn documentation_tells_purpose_input_next_steps_and_an_example() {
    let text = "---\ndescription: Builds the thing\nargument-hint: which thing\nhandoffs:\n- {label: Go round, agent: a, prompt: again, send: true}\n- {label: Get lost, agent: nowhere, prompt: ''}\n---\n$ARGUMENTS\n";
    let mut catalog = Catalog::default();
    catalog.add("a", Entry::Command(command("a", text)));
    insta::assert_snapshot!("manual_with_input", manual(&command("a", text), &catalog));
    let plain = command("b", "---\ndescription: Builds.\n---\nbody\n");
    insta::assert_snapshot!("manual_without_input", manual(&plain, &catalog));
    let dangling = catalog.dangling(&command("a", text));
    assert_eq!(dangling.len(), 1);
    assert_eq!((dangling[0].kind, dangling[0].line), (Kind::DanglingHandoff, 6));
}
