//! Any bytes for `specifyplus_mcp::fuzzing::formats`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specifyplus_mcp::fuzzing::formats(bytes));
