//! Any bytes for `preflights_mcp::fuzzing::requests`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| preflights_mcp::fuzzing::requests(bytes));
