//! The plain rmcp hello server that `cargo xtask bench` measures ours against: rmcp's own pipes and
//! the default multi-thread runtime.

mod server;

use rmcp::ServiceExt;
use rmcp::transport::io::stdio_pipes;

use server::Bare;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Bare::new().serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}
