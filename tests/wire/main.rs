//! Drives the real executables from outside: stdio, HTTP, SSE, real clients, faults and load.

#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a failed expectation fails the test, and a skipped one is said on stderr"
)]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests look at the servers from outside their sandbox"
)]

mod acm;
mod audit;
mod clients;
mod config;
mod conformance;
mod dogfood;
mod elspais;
mod eras;
mod five;
mod floods;
mod garbage;
mod harness;
#[cfg(unix)]
mod hostile;
mod http;
mod limits;
mod load;
mod new_server;
mod pages;
mod preflights;
mod reverse_spec;
mod roots;
mod runtimes;
mod specifyplus;
mod sse;
mod start;
mod stdio;
mod terminal;
mod tidy;
