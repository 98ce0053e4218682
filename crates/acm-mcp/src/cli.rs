//! The part of the command line that is this server's own: `check`, `init`, and what
//! `doctor` looks at.

pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod init;
