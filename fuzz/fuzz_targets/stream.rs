//! Any bytes for `mcp_core::fuzzing::stream`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mcp_core::fuzzing::stream(bytes));
