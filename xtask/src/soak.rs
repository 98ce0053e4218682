//! `cargo xtask soak`: a long life in a short time. A million calls a server, a thousand clients,
//! kills, and inputs that grow; memory, handles, threads and children have to stay flat.

mod calls;
mod clients;
mod growth;
mod kills;
mod vitals;

use crate::args::Args;
use crate::workspace::{Profile, Workspace, select};
use crate::{AlreadyReported, Result};

const CALLS: usize = 1_000_000;

/// What one part found: a line for the table, and whether it held.
struct Verdict {
    what: String,
    held: bool,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let calls = match args.values("--calls").last() {
        Some(given) => given.parse().map_err(|_| format!("`{given}` is not a number of calls"))?,
        None => CALLS,
    };
    let servers =
        select(&args.values("--only").iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())?;
    workspace.build_servers(Profile::Release)?;
    let mut verdicts = Vec::new();
    for server in &servers {
        let executable = workspace.executable(Profile::Release, server.package);
        println!("\n== {} ==", server.package);
        for verdict in [
            calls::soak(server, &executable, calls)?,
            clients::soak(server, &executable)?,
            kills::soak(server, &executable)?,
        ] {
            println!("{}", verdict.line());
            verdicts.push(verdict);
        }
        for verdict in growth::measure(server, &executable)? {
            println!("{}", verdict.line());
            verdicts.push(verdict);
        }
    }
    let failed = verdicts.iter().filter(|it| !it.held).count();
    println!("\n{} held, {failed} did not", verdicts.len() - failed);
    if failed > 0 { Err(AlreadyReported.into()) } else { Ok(()) }
}

impl Verdict {
    fn line(&self) -> String {
        format!("{} {}", if self.held { "ok  " } else { "FAIL" }, self.what)
    }
}
