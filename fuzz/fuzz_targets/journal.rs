//! Any bytes for `mcp_core::fuzzing::journal`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mcp_core::fuzzing::journal(bytes));
