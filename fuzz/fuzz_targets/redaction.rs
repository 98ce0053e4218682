//! Any bytes for `mcp_llm::fuzzing::redaction`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mcp_llm::fuzzing::redaction(bytes));
