//! Any bytes for `elspais_mcp::fuzzing::settings`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| elspais_mcp::fuzzing::settings(bytes));
