//! Any bytes for `reverse_spec_mcp::fuzzing::c`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reverse_spec_mcp::fuzzing::c(bytes));
