//! `setup`: this server and its siblings into the clients found here, in one go; looked at and
//! taken out again the same way.

mod siblings;

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::config::Client;
use super::{Product, Settings, note, print};
use crate::failure::Failure;
use crate::program::{Ended, Program};
use crate::text;
use crate::work::Work;
use siblings::Sibling;

/// How long one server may take for one file.
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) fn command() -> Command {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Command::new("setup")
        .about("Enter this server and its siblings into the clients found here")
        .after_help(
            "Siblings are the servers of the same family beside this executable or on the PATH.\n\
             Each is entered as its own `config CLIENT --write` would do it.",
        )
        .arg(
            Arg::new("servers")
                .value_name("SERVER")
                .action(ArgAction::Append)
                .help("Which servers, by name; without names it asks"),
        )
        .arg(switch("all", "All servers that are found, without asking"))
        .arg(
            Arg::new("clients")
                .long("client")
                .value_name("CLIENT")
                .action(ArgAction::Append)
                .value_parser(PossibleValuesParser::new(Client::names()))
                .help("Which client; may be given several times [default: all that are found]"),
        )
        .arg(switch("check", "Only say what is entered where, and whether each server starts"))
        .arg(switch("remove", "Take the entries out again").conflicts_with("check"))
        .arg(switch("force", "Replace or remove entries of other projects"))
}

/// `flags` are those that every server has and an entry passes on.
pub(super) fn run(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
    flags: &[Arg],
) -> Result<ExitCode, Failure> {
    let clients = clients(settings, matches)?;
    let task = Task::of(matches);
    let found = siblings::found(product.binary, settings);
    let Some(servers) = choose(found, &clients, matches, &task)? else {
        note("Nothing was changed.");
        return Ok(ExitCode::SUCCESS);
    };
    let mut passed_on = settings.given(flags);
    if settings.root_was_given() {
        passed_on.extend(["--root".to_owned(), settings.root().display().to_string()]);
    }
    let mut all_well = true;
    if matches!(task, Task::Check) {
        for server in &servers {
            all_well &= starts(server, settings, &passed_on);
        }
    }
    for client in &clients {
        print(&format!("{}: {}", client.title, client.file(settings)?.display()));
        for server in &servers {
            let mut args = vec!["config".to_owned(), client.id.clone()];
            args.extend(task.flags().map(str::to_owned));
            if matches.get_flag("force") {
                args.push("--force".to_owned());
            }
            args.extend(passed_on.clone());
            let (well, said) = report(server, settings, &args);
            all_well &= well;
            print(&format!("  {} {said}", if well { "ok     " } else { "problem" }));
        }
        if matches!(task, Task::Write) {
            print(&format!("  {}", client.next_step()));
        }
    }
    if matches!(task, Task::Write) {
        print(&format!("`{} setup --check` shows what is entered where.", product.binary));
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

enum Task {
    Write,
    Check,
    Remove,
}

impl Task {
    fn of(matches: &ArgMatches) -> Self {
        match (matches.get_flag("check"), matches.get_flag("remove")) {
            (true, _) => Self::Check,
            (_, true) => Self::Remove,
            _ => Self::Write,
        }
    }

    fn flags(&self) -> impl Iterator<Item = &'static str> {
        match self {
            Self::Write => ["--write", "--terse"].as_slice(),
            Self::Check => ["--check"].as_slice(),
            Self::Remove => ["--remove"].as_slice(),
        }
        .iter()
        .copied()
    }

    fn question(&self) -> &'static str {
        match self {
            Self::Remove => "Take all of them out?",
            _ => "Enter all of them?",
        }
    }
}

fn clients(settings: &Settings, matches: &ArgMatches) -> Result<Vec<&'static Client>, Failure> {
    let named: Vec<&String> = matches.get_many("clients").into_iter().flatten().collect();
    let all = Client::all().iter();
    let wanted: Vec<&Client> = if named.is_empty() {
        all.filter(|it| it.is_here(settings)).collect()
    } else {
        all.filter(|it| named.contains(&&it.id)).collect()
    };
    if wanted.is_empty() {
        let known = Client::all().iter().map(|it| it.id.as_str());
        return Err(Failure::new("no_client", "no client is found here")
            .hint(format!("Name one with --client: {}.", text::list_of_names(known))));
    }
    Ok(wanted)
}

/// The servers that are meant, by name or by asking; `None` where the answer was no.
fn choose(
    found: Vec<Sibling>,
    clients: &[&Client],
    matches: &ArgMatches,
    task: &Task,
) -> Result<Option<Vec<Sibling>>, Failure> {
    let named: Vec<String> =
        matches.get_many::<String>("servers").into_iter().flatten().cloned().collect();
    if !named.is_empty() {
        return some_of(found, &named).map(Some);
    }
    if matches.get_flag("all") || matches!(task, Task::Check) {
        return Ok(Some(found));
    }
    if !std::io::stdin().is_terminal() {
        let names = text::list_of_names(found.iter().map(|it| it.name.as_str()));
        return Err(Failure::new("usage", "name the servers, because nobody can be asked here")
            .hint(format!("Found are {names}; --all means all of them.")));
    }
    note("Servers found here:");
    for server in &found {
        note(&format!("  {:14} {}", server.name, server.path.display()));
    }
    let titles: Vec<&str> = clients.iter().map(|it| it.title.as_str()).collect();
    note(&format!("Clients found here: {}", titles.join(", ")));
    note(&format!("{} [Y/n, or names] ", task.question()));
    let mut answer = String::new();
    drop(std::io::stdin().lock().read_line(&mut answer));
    let words: Vec<String> = answer
        .split([' ', ','])
        .map(|it| it.trim().to_owned())
        .filter(|it| !it.is_empty())
        .collect();
    match words.as_slice() {
        [word] if ["n", "no"].contains(&word.to_lowercase().as_str()) => Ok(None),
        [word] if ["y", "yes", "all"].contains(&word.to_lowercase().as_str()) => Ok(Some(found)),
        // An end of input is no answer, an empty line is the one that is offered.
        [] if answer.is_empty() => Ok(None),
        [] => Ok(Some(found)),
        words => some_of(found, words).map(Some),
    }
}

fn some_of(found: Vec<Sibling>, named: &[String]) -> Result<Vec<Sibling>, Failure> {
    for name in named {
        if !found.iter().any(|it| it.is_called(name)) {
            let names = text::list_of_names(found.iter().map(|it| it.name.as_str()));
            let shown = text::one_line(name);
            return Err(Failure::new(
                "unknown_server",
                format!("no server `{shown}` is found here"),
            )
            .hint(format!("Found are {names}; others have to be installed first.")));
        }
    }
    Ok(found.into_iter().filter(|it| named.iter().any(|name| it.is_called(name))).collect())
}

fn starts(server: &Sibling, settings: &Settings, passed_on: &[String]) -> bool {
    let mut args = passed_on.to_vec();
    args.extend(["tools".to_owned(), "--json".to_owned()]);
    let (well, said) = report(server, settings, &args);
    let shown = if well { "starts" } else { said.as_str() };
    print(&format!("{} {} {shown}", if well { "ok     " } else { "problem" }, server.name));
    well
}

fn report(server: &Sibling, settings: &Settings, args: &[String]) -> (bool, String) {
    match start(&server.path, settings, args) {
        Ok(ended) => (ended.status.success(), ended.stderr.trim().replace('\n', "\n          ")),
        Err(failure) => (false, failure.text()),
    }
}

fn start(program: &Path, settings: &Settings, args: &[String]) -> Result<Ended, Failure> {
    let mut program = Program::at(program).args(args).directory(settings.working_directory());
    // A sibling is started by the same person, who set these for all of them.
    for (name, value) in Settings::variables_beginning("") {
        program = program.variable(name, value);
    }
    let ended = program.timeout(PATIENCE).run(&[], &Work::endless());
    ended.map_err(|error| Failure::new("not_started", error.to_string()))
}
