//! How messages come in and go out: stdio, Streamable HTTP, and the older HTTP with SSE.
//!
//! Every message is read by `wire`, whatever it came in by, so bad input is answered in one way.

mod gate;
mod http;
mod lines;
mod outbox;
mod run;
mod sse;
mod stdio;
mod stream;
mod wire;

pub(crate) use gate::InFlight;
pub(crate) use wire::known_method;

pub use http::{HttpSettings, Token};
pub use run::{Endpoint, serve};
pub use stream::serve_over;

#[cfg(test)]
mod tests;
