//! Any bytes for `preflights_mcp::fuzzing::current_task`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| preflights_mcp::fuzzing::current_task(bytes));
