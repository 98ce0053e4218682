//! Streamable HTTP: both eras, what is refused at the door, and how it ends.

mod door;
mod eras;
mod messages;
mod sessions;
