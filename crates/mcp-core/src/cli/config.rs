//! `config`: the entry that makes a client start this server, shown or merged into its file.

mod client;
mod entry;
mod json;
mod toml;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

pub use client::Client;

use super::{Product, Settings, note, print};
use crate::doors;
use crate::failure::Failure;
use client::Format;
use entry::Entry;

pub(super) fn command() -> Command {
    Command::new("config")
        .about("Show the entry for a client, or write it into the client's file")
        .after_help("Without --write nothing is changed. With it, everything else in the file stays as it is.")
        .arg(Arg::new("client").required(true).value_parser(value_parser!(Client)))
        .arg(
            Arg::new("write")
                .long("write")
                .action(ArgAction::SetTrue)
                .help("Merge the entry into the client's file"),
        )
        .arg(
            Arg::new("file")
                .long("file")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .help("Another file than the client's usual one"),
        )
}

/// `flags` are those that an entry passes on when they were given.
pub(super) fn run(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
    flags: &[Arg],
) -> Result<ExitCode, Failure> {
    let Some(&client) = matches.get_one::<Client>("client") else {
        return Err(Failure::new("usage", "name a client"));
    };
    let entry = Entry::new(product, settings, client, flags);
    let (_, keys) = entry::own_variables(product, flags);
    for name in keys {
        note(&format!(
            "{name} is set here and its value is not written: set it where the client runs"
        ));
    }
    if !matches.get_flag("write") {
        print(&merge(client, "", &entry)?);
        return Ok(ExitCode::SUCCESS);
    }
    let path = match matches.get_one::<PathBuf>("file") {
        Some(path) => settings.working_directory().join(path),
        None => client.file(settings)?,
    };
    let changed = write(client, &path, &entry)?;
    let verb = if changed { "wrote" } else { "already in" };
    note(&format!("{}: {verb} {}", product.binary, path.display()));
    note(client.next_step());
    Ok(ExitCode::SUCCESS)
}

/// Returns whether the file had to be changed.
fn write(client: Client, path: &std::path::Path, entry: &Entry) -> Result<bool, Failure> {
    let (root, name) = doors::beside_file_named_by_person(path)?;
    let before = root.read_text_if_any(&name)?.unwrap_or_default();
    let after = merge(client, &before, entry).map_err(|failure| {
        Failure::new(failure.code, format!("{}: {}", path.display(), failure.message))
            .hint(failure.hint.unwrap_or_else(|| "Mend the file, then try again.".to_owned()))
    })?;
    if after == before {
        return Ok(false);
    }
    root.write(&name, after.as_bytes())?;
    Ok(true)
}

fn merge(client: Client, before: &str, entry: &Entry) -> Result<String, Failure> {
    match client.format() {
        Format::Json { servers } => json::merge(before, servers, entry),
        Format::Toml => toml::merge(before, entry),
    }
}

/// Merges a sample entry, for tests and the fuzzer.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn merge_probe(client: Client, before: &str) -> Result<String, Failure> {
    let kind = client.wants_type().then_some("stdio");
    let args = vec!["--root".to_owned(), client.project().unwrap_or("/home/me").to_owned()];
    merge(
        client,
        before,
        &Entry { name: "probe", kind, command: "probe-mcp".to_owned(), args, env: Vec::new() },
    )
}
