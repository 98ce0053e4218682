//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.
//!
//! They are ordinary functions, so that the tests replay the small corpora below `fuzz/corpus`, and
//! the targets in `fuzz/` are one line each.

use crate::server::{Identity, Server};
use crate::{cli, frontmatter, git, index, markdown, sandbox, text, transport, yaml};

const IDENTITY: Identity =
    Identity { name: "fuzzed", title: "Fuzzed", version: "0.0.0", instructions: "" };

/// Front matter, sections, YAML and the cleaning of text: no span points outside the document.
pub fn documents(bytes: &[u8]) {
    let Ok(document) = std::str::from_utf8(bytes) else { return };
    if let Ok(parts) = frontmatter::split(document) {
        assert!(document.ends_with(parts.body), "the body is the end of the document");
    }
    for section in markdown::sections(document) {
        assert!(document.get(section.span()).is_some(), "a section lies inside the document");
    }
    drop(yaml::parse::<serde_json::Value>(document));
    let harmless = text::harmless(document);
    assert_eq!(text::harmless(&harmless), harmless, "cleaning twice changes nothing more");
}

/// Any bytes on a server's input: it ends, and every line it writes is JSON.
pub fn stream(bytes: &[u8]) {
    use tokio::io::AsyncReadExt as _;

    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return;
    };
    let written = runtime.block_on(async {
        let input = std::io::Cursor::new(bytes.to_vec());
        let (output, mut written) = tokio::io::duplex(64 * 1024);
        let stop = tokio_util::sync::CancellationToken::new();
        let served =
            transport::serve_over(Server::new(IDENTITY), Box::new(input), Box::new(output), stop);
        let mut bytes = Vec::new();
        let ((), read) = tokio::join!(served, written.read_to_end(&mut bytes));
        assert!(read.is_ok(), "the output ends in order");
        bytes
    });
    for line in written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let is_json = serde_json::from_slice::<serde_json::Value>(line).is_ok();
        assert!(is_json, "not JSON: {}", String::from_utf8_lossy(line));
    }
}

/// Any settings file of a client: refused, or merged so that a second time changes nothing.
pub fn client_config(bytes: &[u8]) {
    let Ok(before) = std::str::from_utf8(bytes) else { return };
    for client in ["claude-code", "vscode", "cline", "codex"] {
        let Ok(after) = cli::merge_probe(client, before) else { continue };
        let again = cli::merge_probe(client, &after);
        assert_eq!(again.ok().as_deref(), Some(after.as_str()), "a second merge changes nothing");
    }
}

/// Any output in the place of git's, and any bytes in the place of its index.
pub fn git_output(bytes: &[u8]) {
    index::read_anything(bytes);
    git::output::read_anything(bytes);
}

/// Any header lines of a request: nobody but this machine's names gets in.
pub fn http_admission(bytes: &[u8]) {
    transport::admit_anything(&String::from_utf8_lossy(bytes));
}

/// Any journal: refused, or made only of steps that we could have written ourselves.
pub fn journal(bytes: &[u8]) {
    sandbox::read_any_journal(&String::from_utf8_lossy(bytes));
}

/// A name, and what is called with the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name.
pub const TARGETS: &[Target] = &[
    ("documents", documents),
    ("stream", stream),
    ("client_config", client_config),
    ("git_output", git_output),
    ("http_admission", http_admission),
    ("journal", journal),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_once_found_worth_keeping_still_holds() {
        plumbline_tests::replay_corpora(TARGETS);
    }
}
