//! Any bytes for `preflights_mcp::fuzzing::manifest`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| preflights_mcp::fuzzing::manifest(bytes));
