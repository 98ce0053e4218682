//! Shell completions and the manual page, made from the command line itself.

use std::process::ExitCode;

use clap::ArgMatches;

use super::{Product, Settings, args, print};
use crate::failure::Failure;

pub(super) fn completions(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
) -> Result<ExitCode, Failure> {
    let Some(shell) = matches.get_one::<clap_complete::Shell>("shell").copied() else {
        return Err(Failure::new("usage", "name a shell"));
    };
    let mut command = args::command(product);
    // Without its tools the server cannot say their names; the rest can still be completed.
    if let Ok(server) = (product.build)(settings) {
        command = command.mut_subcommand("call", |_| args::call_by_name(&server.describe()));
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, product.binary, &mut script);
    print(&String::from_utf8_lossy(&script));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn manual(product: &Product) -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    let command = args::command(product);
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::new(Failure::INTERNAL, format!("no manual page: {error}")))?;
    print(&String::from_utf8_lossy(&page));
    Ok(ExitCode::SUCCESS)
}
