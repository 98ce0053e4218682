//! Any bytes for `elspais_mcp::fuzzing::dialects`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| elspais_mcp::fuzzing::dialects(bytes));
