//! Shell completions and the manual page, made from the command line itself.

use std::process::ExitCode;

use clap::ArgMatches;

use super::{Product, args, print};
use crate::failure::Failure;

pub(super) fn completions(product: &Product, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let Some(shell) = matches.get_one::<clap_complete::Shell>("shell").copied() else {
        return Err(Failure::new("usage", "name a shell"));
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(product), product.binary, &mut script);
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
