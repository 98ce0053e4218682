//! The domain on texts alone: files as strings in, commands out.

mod dialects;
mod finding;
mod reading;
mod substitution;
