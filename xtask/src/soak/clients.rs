//! A thousand clients over HTTP, some of which leave without a word.

use std::path::Path;
use std::time::{Duration, Instant};

use plumbline_tests::http::{HttpServer, Session};
use serde_json::json;

use super::Verdict;
use super::vitals::Vitals;
use crate::files::Scratch;
use crate::workspace::Server;
use crate::{Result, sample};

const CLIENTS: usize = 1000;
/// Open at the same time.
const AT_ONCE: usize = 100;

pub(super) fn soak(server: &Server, executable: &Path) -> Result<Verdict> {
    let scratch = Scratch::new("soak")?;
    sample::lay(scratch.path())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    let (early, late) = runtime.block_on(async {
        let args = ["--log", "error"];
        let running = HttpServer::start_in(executable, &args, &[], scratch.path()).await;
        let pid = running.process().id();
        let mut early = None;
        for round in 0..CLIENTS / AT_ONCE {
            let mut open = Vec::new();
            for n in 0..AT_ONCE {
                let connection = running.connect().await;
                let mut session = Session::open(connection, "2025-11-25", json!({})).await;
                session.request("tools/list", json!({})).await;
                if n % 2 == 0 {
                    session.delete().await;
                }
                open.push(session);
            }
            drop(open);
            if round == 1 {
                tokio::time::sleep(Duration::from_millis(500)).await;
                early = Some(Vitals::of(pid));
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let late = Vitals::of(pid);
        (early.unwrap_or(late), late)
    });
    Ok(Verdict {
        what: format!(
            "{}: {CLIENTS} clients over HTTP in {} s; after {} {early}; at the end {late}",
            server.package,
            started.elapsed().as_secs(),
            2 * AT_ONCE
        ),
        // Half of the sessions are kept for clients that come back.
        held: late.files <= early.files + 2
            && late.threads <= early.threads + 4
            && late.resident_kb <= early.resident_kb + 64 * 1024,
    })
}
