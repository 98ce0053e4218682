//! Logs: on stderr and, where a file is named, there too; ours from `info` on, those of others from `warn` on.

use std::io::IsTerminal as _;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::Settings;
use crate::clock::Clock;
use crate::doors;
use crate::failure::Failure;

/// Logs of what all servers share; a server's own crate is named like its executable.
const SHARED: [&str; 2] = ["mcp_core", "mcp_llm"];

pub(super) fn init(binary: &str, settings: &Settings) -> Result<(), Failure> {
    let filter = settings.log().and_then(|text| text.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| {
        let own = binary.replace('-', "_");
        let ours = SHARED.into_iter().chain([own.as_str()]);
        let ours = ours.map(|target| (target.to_owned(), LevelFilter::INFO));
        // rmcp warns of each refused request, with the request in it.
        let targets = Targets::new().with_default(LevelFilter::WARN);
        targets.with_target("rmcp", LevelFilter::ERROR).with_targets(ours)
    });
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .without_time();
    let file = settings.log_file().map(doors::appended_by_person).transpose()?;
    let kept = file.map(|file| {
        let layer = tracing_subscriber::fmt::layer().with_ansi(false);
        layer.with_timer(Utc).with_writer(std::sync::Mutex::new(file))
    });
    // A second call, in tests, finds a subscriber in place.
    drop(tracing_subscriber::registry().with(filter).with(lines).with(kept).try_init());
    Ok(())
}

/// The time of a line in a file, which is read long after.
struct Utc;

impl FormatTime for Utc {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{}", Clock::system().now())
    }
}
