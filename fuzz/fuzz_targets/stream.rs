//! Any bytes on a server's input: it ends without a panic, and every line it writes is JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_core::server::{Identity, Server};
use tokio::io::AsyncReadExt as _;

const IDENTITY: Identity =
    Identity { name: "fuzzed", title: "Fuzzed", version: "0.0.0", instructions: "" };

fuzz_target!(|input: &[u8]| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let written = runtime.block_on(async {
        let input = std::io::Cursor::new(input.to_vec());
        let (output, mut written) = tokio::io::duplex(64 * 1024);
        let stop = tokio_util::sync::CancellationToken::new();
        let served = mcp_core::transport::serve_over(
            Server::new(IDENTITY),
            Box::new(input),
            Box::new(output),
            stop,
        );
        let mut bytes = Vec::new();
        let (_, read) = tokio::join!(served, written.read_to_end(&mut bytes));
        read.unwrap();
        bytes
    });
    for line in written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        serde_json::from_slice::<serde_json::Value>(line).unwrap();
    }
});
