//! How messages come in and go out: stdio, Streamable HTTP, and the older HTTP with SSE.
//!
//! Every message is read by `crate::wire`, whatever it came in by, so bad input is answered in one way.

mod http;
mod lines;
mod outbox;
mod run;
mod stdio;
mod stream;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use http::admit_anything;
pub use http::{HttpSettings, Token};
pub use run::{Endpoint, serve};
pub use stream::{in_memory, serve_over};
