//! The plain rmcp hello server over HTTP, as rmcp's guide puts it behind axum: what `cargo xtask
//! bench` measures `serve --http` against. It takes a free port of its own and prints the address.

#[path = "../bare/server.rs"]
mod server;

use std::io::Write;
use std::sync::Arc;

use axum::serve::ListenerExt as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use server::Bare;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = StreamableHttpService::new(
        || Ok(Bare::new()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stderr(), "http://{}/mcp", listener.local_addr()?)?;
    // Small answers that wait for an acknowledgement take 40 ms, which would measure nothing of rmcp.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
