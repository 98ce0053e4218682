//! The domain on texts alone: files as strings in, commands out.

mod finding;
mod reading;
mod substitution;
