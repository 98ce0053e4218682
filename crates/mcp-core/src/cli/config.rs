//! `config`: the entry that makes a client start this server, shown, merged into its file, looked
//! for there, or taken out again.

mod client;
mod entry;
mod json;
mod link;
mod owner;
mod toml;
mod yaml;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Map, Value};

pub use client::{Client, KnownBy, Prompts};

use super::{Product, Settings, note, print};
use crate::doors;
use crate::failure::Failure;
use client::Format;
use entry::Entry;

/// All clients that are found here.
const AUTO: &str = "auto";

pub(super) fn command() -> Command {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let auto = PossibleValue::new(AUTO).help("Every client that is found here");
    let clients = PossibleValuesParser::new([auto].into_iter().chain(Client::names()));
    Command::new("config")
        .about("Show the entry for a client, or write it into the client's file")
        .after_help("Without --write nothing is changed. With it, everything else in the file stays as it is.")
        .arg(Arg::new("client").required(true).value_parser(clients))
        .arg(switch("write", "Merge the entry into the client's file"))
        .arg(switch("remove", "Take the entry out of the client's file").conflicts_with("write"))
        .arg(
            switch("check", "Say whether the entry is in the client's file, and fail if it is not")
                .conflicts_with_all(["write", "remove"]),
        )
        .arg(
            switch("link", "Print a link that adds the server when it is followed (cursor, vscode)")
                .conflicts_with_all(["write", "remove", "check"]),
        )
        .arg(
            Arg::new("name")
                .long("name")
                .value_name("NAME")
                .value_parser(entry_name)
                .help("What the entry is called [default: the server's name]"),
        )
        .arg(switch("force", "Replace or remove an entry of another project or server"))
        .arg(
            Arg::new("file")
                .long("file")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .help("Another file than the client's usual one"),
        )
        .arg(switch("terse", "Leave out what to do next").hide(true))
}

/// Names become part of the names of tools, which clients keep to these letters.
fn entry_name(given: &str) -> Result<String, String> {
    let fits = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    if !given.is_empty() && given.len() <= 40 && given.chars().all(fits) {
        return Ok(given.to_owned());
    }
    Err("a name is made of letters, digits, - and _, at most 40 of them".to_owned())
}

/// What is to become of an entry in a file.
pub(super) struct Change<'a> {
    key: &'a [String],
    name: &'a str,
    members: Map<String, Value>,
    defaults: &'a Map<String, Value>,
}

/// `flags` are those that an entry passes on when they were given.
pub(super) fn run(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
    flags: &[Arg],
) -> Result<ExitCode, Failure> {
    let wanted = matches.get_one::<String>("client").map(String::as_str).unwrap_or_default();
    let clients: Vec<&Client> = match Client::named(wanted) {
        Some(client) => vec![client],
        None => Client::all().iter().filter(|it| it.is_here(settings)).collect(),
    };
    if clients.is_empty() {
        let known = Client::all().iter().map(|it| it.id.as_str());
        return Err(Failure::new("no_client", "no client is found here")
            .hint(format!("Name one: {}.", crate::text::list_of_names(known))));
    }
    if wanted == AUTO && matches.contains_id("file") {
        return Err(Failure::new("usage", "--file names one file, and auto means several clients")
            .hint("Name the client whose file it is."));
    }
    if !matches.get_flag("remove") && !matches.get_flag("check") {
        (product.ready)(settings)?;
        for name in entry::keys(product, settings, flags) {
            note(&format!(
                "{name} is set here; an entry names it at most and never holds its value: set it where the client runs"
            ));
        }
    }
    let mut all_well = true;
    for client in clients {
        let mut entry = Entry::new(product, settings, client, flags);
        if let Some(name) = matches.get_one::<String>("name") {
            entry.name.clone_from(name);
        }
        let done = one(product, settings, matches, client, &entry, wanted == AUTO);
        match done {
            Ok(well) => all_well &= well,
            // The others are not to suffer from the file of one.
            Err(failure) if wanted == AUTO => {
                note(&format!("{}: {}", client.title, failure.text()));
                all_well = false;
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
    client: &Client,
    entry: &Entry,
    among_others: bool,
) -> Result<bool, Failure> {
    if matches.get_flag("link") {
        print(&link::to(client, entry)?);
        return Ok(true);
    }
    let path = match matches.get_one::<PathBuf>("file") {
        Some(path) => settings.working_directory().join(path),
        None => client.file(settings)?,
    };
    let file = SettingsFile { client, path: &path, binary: product.binary, root: settings.root() };
    let force = matches.get_flag("force");
    let say = |verb: &str| note(&format!("{}: {verb} {}", product.binary, path.display()));
    if matches.get_flag("remove") {
        say(if file.remove(&entry.name, force)? { "removed from" } else { "not in" });
        return Ok(true);
    }
    if matches.get_flag("check") {
        let (verb, well) = match file.look(entry)? {
            Look::Same => ("is in", true),
            Look::Different => ("is in, with other settings than these,", true),
            Look::Absent => ("is not in", false),
        };
        say(verb);
        return Ok(well);
    }
    if !matches.get_flag("write") {
        if among_others {
            print(&format!("# {}: {}", client.title, path.display()));
        }
        print(&merge(client, "", entry)?);
        return Ok(true);
    }
    say(if file.write(entry, force)? { "wrote" } else { "already in" });
    if !matches.get_flag("terse") {
        note(&client.next_step());
    }
    Ok(true)
}

/// One client's file, and whose entries in it may be touched.
struct SettingsFile<'a> {
    client: &'a Client,
    path: &'a Path,
    binary: &'a str,
    root: &'a Path,
}

enum Look {
    Same,
    Different,
    Absent,
}

impl SettingsFile<'_> {
    /// Returns whether the file had to be changed.
    fn write(&self, entry: &Entry, force: bool) -> Result<bool, Failure> {
        if self.client.format == Format::Yaml {
            let title = &self.client.title;
            return Err(Failure::new(
                "not_written",
                format!("settings of {title} are YAML, which is shown and not written"),
            )
            .hint(format!(
                "Run it without --write and add what it prints to {}.",
                self.path.display()
            )));
        }
        self.edit(|before| {
            self.check_owner(before, &entry.name, force)?;
            merge(self.client, before, entry)
        })
    }

    fn remove(&self, name: &str, force: bool) -> Result<bool, Failure> {
        if self.client.format == Format::Yaml {
            let title = &self.client.title;
            return Err(Failure::new(
                "not_written",
                format!("settings of {title} are YAML, which is shown and not written"),
            )
            .hint(format!("Take `{name}` out of {} by hand.", self.path.display())));
        }
        self.edit(|before| {
            if before.trim().is_empty() || find(self.client, before, name)?.is_none() {
                return Ok(before.to_owned());
            }
            self.check_owner(before, name, force)?;
            match self.client.format {
                Format::Toml => toml::remove(before, &self.client.key, name),
                _ => json::remove(before, &self.client.key, name),
            }
        })
    }

    fn look(&self, entry: &Entry) -> Result<Look, Failure> {
        let Ok((root, name)) = doors::beside_file_named_by_person(self.path) else {
            return Ok(Look::Absent);
        };
        let text = root.read_text_if_any(&name)?.unwrap_or_default();
        if self.client.format == Format::Yaml {
            let is_named = text.lines().any(|line| line.trim() == format!("{}:", entry.name));
            return Ok(if is_named { Look::Different } else { Look::Absent });
        }
        if text.trim().is_empty() || find(self.client, &text, &entry.name)?.is_none() {
            return Ok(Look::Absent);
        }
        let same = merge(self.client, &text, entry)? == text;
        Ok(if same { Look::Same } else { Look::Different })
    }

    fn check_owner(&self, before: &str, name: &str, force: bool) -> Result<(), Failure> {
        if force || before.trim().is_empty() {
            return Ok(());
        }
        match find(self.client, before, name)? {
            Some(existing) => owner::check(&existing, self.binary, self.root, name),
            None => Ok(()),
        }
    }

    fn edit(&self, change: impl Fn(&str) -> Result<String, Failure>) -> Result<bool, Failure> {
        let (root, name) = doors::beside_file_named_by_person(self.path)?;
        let before = root.read_text_if_any(&name)?.unwrap_or_default();
        let after = change(&before).map_err(|failure| {
            Failure::new(failure.code, format!("{}: {}", self.path.display(), failure.message))
                .hint(failure.hint.unwrap_or_else(|| "Mend the file, then try again.".to_owned()))
        })?;
        if after == before {
            return Ok(false);
        }
        root.write(&name, after.as_bytes())?;
        Ok(true)
    }
}

fn find(client: &Client, text: &str, name: &str) -> Result<Option<Value>, Failure> {
    match client.format {
        Format::Json => json::find(text, &client.key, name),
        Format::Toml => toml::find(text, &client.key, name),
        Format::Yaml => Ok(None),
    }
}

fn merge(client: &Client, before: &str, entry: &Entry) -> Result<String, Failure> {
    let change = Change {
        key: &client.key,
        name: &entry.name,
        members: entry.members(client),
        defaults: &client.defaults,
    };
    match client.format {
        Format::Json => json::merge(before, &change),
        Format::Toml => toml::merge(before, &change),
        Format::Yaml => Ok(yaml::show(&change)),
    }
}

/// Merges a sample entry, for tests and the fuzzer.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn merge_probe(client: &str, before: &str) -> Result<String, Failure> {
    let Some(client) = Client::named(client) else {
        return Err(Failure::new("usage", "no such client"));
    };
    let root = client.project_word().unwrap_or("/home/me").to_owned();
    let entry = Entry {
        name: "probe".to_owned(),
        command: "probe-mcp".to_owned(),
        args: vec!["--root".to_owned(), root],
        env: Vec::new(),
        keys: Vec::new(),
        directory: "/home/me".to_owned(),
    };
    merge(client, before, &entry)
}
