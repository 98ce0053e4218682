//! Starting: with a directory, without one, with another one.

use plumbline_tests::Fixture;
use serde_json::json;

use super::{PROJECT, VERSION, list, names, printed, run, said, spawn, wait_for_words};

const NOT_FOUND: &str =
    "Command directory .claude/commands/ not found. Please create it and add command files.";

// Verifies: PLB-d04002-A
#[test]
fn without_a_directory_it_says_so_in_the_promised_words_and_ends() {
    let project = Fixture::empty();
    project.write("a-file", "not a directory");
    for args in
        [&[][..], &["serve"], &["--commands-dir", "elsewhere"], &["--commands-dir", "a-file"]]
    {
        let output = run(&project, args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert_eq!(printed(&output), "", "{args:?}");
        let said = said(&output);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], NOT_FOUND, "{args:?}");
        let path = args.get(1).copied().unwrap_or(".claude/commands");
        let path = project.path().join(path).display().to_string();
        assert!(lines[1].contains(&path), "{}", lines[1]);
        assert!(lines[2].contains("--builtin") && lines[2].contains("init"), "{}", lines[2]);
    }
}

// Verifies: PLB-d04002-B
#[tokio::test]
async fn an_empty_directory_is_served_with_no_prompts() {
    let project = Fixture::new("//- .claude/commands/notes.txt\nNot a command.\n");
    let mut client = spawn(&project, &[], &[]);
    client.initialize(VERSION).await;
    assert_eq!(list(&mut client).await["prompts"], json!([]));
    wait_for_words(&client, "INFO serving no commands").await;
    client.close_stdin().await;
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

#[tokio::test]
async fn the_directory_comes_from_root_flag_or_variable() {
    let project = Fixture::new(PROJECT);
    project.write("other/mine.md", "Mine.\n");
    project.write("third/mine.md", "Theirs.\n");
    project.write("third/more.md", "More.\n");
    let elsewhere = Fixture::empty();
    let root = project.path_text();
    let other = project.path().join("other").display().to_string();
    let usual = ["sp.plan", "sp.tasks"];
    for (cwd, args, env, expected) in [
        (&project, vec![], vec![], &usual[..]),
        (&elsewhere, vec!["--root", root], vec![], &usual),
        (&elsewhere, vec!["--root", root, "--commands-dir", "other"], vec![], &["mine"]),
        (&project, vec![], vec![("COMMANDS_DIR", "other")], &["mine"]),
        (
            &project,
            vec!["--commands-dir", &other, "--commands-dir", "third"],
            vec![],
            &["mine", "more"],
        ),
        (
            &project,
            vec!["--commands-dir", "nowhere", "--commands-dir", "third"],
            vec![],
            &["mine", "more"],
        ),
        (
            &project,
            vec!["serve", "--commands-dir", "other"],
            vec![("COMMANDS_DIR", "third")],
            &["mine"],
        ),
    ] {
        let mut client = spawn(cwd, &args, &env);
        client.initialize(VERSION).await;
        let listed = list(&mut client).await;
        assert_eq!(names(&listed), expected, "{args:?} {env:?}");
    }
}

#[tokio::test]
async fn built_in_commands_need_no_directory_and_notice_one_that_comes() {
    let project = Fixture::empty();
    let mut client = spawn(&project, &["--builtin"], &[]);
    client.initialize(VERSION).await;
    assert_eq!(list(&mut client).await["prompts"].as_array().expect("a list").len(), 13);
    project.write(".claude/commands/sp.plan.md", "---\ndescription: My own\n---\n");
    client.next_notification("notifications/prompts/list_changed").await;
    let listed = list(&mut client).await;
    let plan =
        listed["prompts"].as_array().expect("a list").iter().find(|it| it["name"] == "sp.plan");
    assert_eq!(plan.expect("it is still there")["description"], "My own");
    assert_eq!(names(&listed).len(), 13);
}

#[tokio::test]
async fn each_bad_file_is_warned_of_once_with_its_line_and_reason() {
    let project = Fixture::new(PROJECT);
    project.write(".claude/commands/bad.md", "---\ndescription: a: b\n---\n");
    project.write(".claude/commands/half.md", "---\ndescription: d\nhandoffs: [words]\n---\n");
    let mut client = spawn(&project, &[], &[]);
    client.initialize(VERSION).await;
    for _ in 0..20 {
        let listed = list(&mut client).await;
        assert_eq!(names(&listed), ["half", "sp.plan", "sp.tasks"]);
    }
    wait_for_words(&client, "serving 3 commands").await;
    let said = client.stderr();
    let warnings: Vec<&str> = said.lines().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 2, "{said}");
    assert!(
        warnings[0].contains(".claude/commands/bad.md:2 is skipped: front matter: line 2, column "),
        "{said}"
    );
    assert!(warnings[1].contains(".claude/commands/half.md:3: handoff 1 is left out"), "{said}");
}

#[tokio::test]
async fn a_directory_that_goes_away_is_warned_of_once() {
    let project = Fixture::new(PROJECT);
    let mut client = spawn(&project, &[], &[]);
    client.initialize(VERSION).await;
    assert_eq!(names(&list(&mut client).await).len(), 2);
    std::fs::remove_dir_all(project.path().join(".claude")).expect("it can be removed");
    client.next_notification("notifications/prompts/list_changed").await;
    for _ in 0..5 {
        assert_eq!(list(&mut client).await["prompts"], json!([]));
    }
    assert_eq!(client.stderr().matches("no commands are served from .claude/commands").count(), 1);
    project.write(".claude/commands/new.md", "New.\n");
    client.next_notification("notifications/prompts/list_changed").await;
    assert_eq!(names(&list(&mut client).await), ["new"]);
}

#[test]
fn only_the_command_directory_counts_where_that_is_asked_for() {
    let project = Fixture::new(
        "//- .agents/skills/a/SKILL.md\n---\ndescription: d\n---\nx\n//- .claude/notes\nx\n",
    );
    let lint = |args: &[&str]| run(&project, &[&["lint"], args].concat());
    assert_eq!(printed(&lint(&[])).trim(), "1 command, no problems");
    let output = run(&project, &["--sources", "claude"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output).lines().next(), Some(NOT_FOUND));
    project.write(".claude/commands/b.md", "---\ndescription: d\n---\nb\n");
    project.write(".claude/commands/ns/c.md", "---\ndescription: d\n---\nc\n");
    assert_eq!(printed(&lint(&["--sources", "claude"])).trim(), "1 command, no problems");
    assert_eq!(printed(&lint(&["--sources", "all"])).trim(), "3 commands, no problems");
}

#[test]
fn from_a_directory_below_the_project_is_found_within_its_repository() {
    let project =
        Fixture::new("//- .claude/commands/a.md\n---\ndescription: d\n---\nx\n//- deep/er/x\nx\n");
    let deep = project.path().join("deep/er");
    let lint = |args: &[&str], home: &str| {
        let mut command = std::process::Command::new(super::executable());
        command.arg("lint").args(args).current_dir(&deep).env("HOME", home);
        printed(&command.output().expect("it can be started")).trim().to_owned()
    };
    let found = "1 command, no problems";
    assert_ne!(lint(&[], "/nowhere"), found, "without a repository nobody climbs");
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(lint(&[], "/nowhere"), found);
    assert_eq!(lint(&["--root", "."], "/nowhere"), found);
    assert_ne!(lint(&["--sources", "claude"], "/nowhere"), found, "by the contract");
    let literal = deep.display().to_string();
    assert_ne!(lint(&["--root", &literal], "/nowhere"), found, "an absolute root is literal");
    assert_ne!(lint(&[], project.path_text()), found, "what lies in the home is no project's");
    // A repository inside ends the climb.
    project.write("deep/.git/HEAD", "ref: refs/heads/main\n");
    assert_ne!(lint(&[], "/nowhere"), found);
}
