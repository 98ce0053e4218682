//! Standard input and output without a thread in between, wherever the system lets us wait for
//! them directly.
//!
//! Shells and Python connect a server with pipes, Node with sockets. For anything else (a terminal,
//! a file) tokio reads and writes on threads of its own.

use super::lines::Input;
use super::outbox::Output;

pub(super) fn open() -> (Input, Output) {
    #[cfg(unix)]
    if let Some((input, output)) = sockets() {
        return (Box::new(input), Box::new(output));
    }
    let (input, output) = rmcp::transport::stdio_pipes();
    (Box::new(input), Box::new(output))
}

/// Both streams as sockets, if that is what they are.
#[cfg(unix)]
fn sockets() -> Option<(tokio::net::UnixStream, tokio::net::UnixStream)> {
    use std::os::fd::AsFd as _;
    let input = socket(std::io::stdin().as_fd())?;
    let output = socket(std::io::stdout().as_fd())?;
    Some((input, output))
}

#[cfg(unix)]
fn socket(descriptor: std::os::fd::BorrowedFd<'_>) -> Option<tokio::net::UnixStream> {
    let status = rustix::fs::fstat(descriptor).ok()?;
    if rustix::fs::FileType::from_raw_mode(status.st_mode) != rustix::fs::FileType::Socket {
        return None;
    }
    let stream = std::os::unix::net::UnixStream::from(descriptor.try_clone_to_owned().ok()?);
    // An internet socket, as some supervisors pass it, is not one of these.
    stream.local_addr().ok()?;
    stream.set_nonblocking(true).ok()?;
    tokio::net::UnixStream::from_std(stream).ok()
}
