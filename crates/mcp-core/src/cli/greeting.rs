//! What a person sees who starts a server on a terminal, where a client would be expected.

use std::io::IsTerminal as _;

use super::{Product, Settings, note};

/// On stderr, and only where nobody else could be at the other end.
pub(super) fn on_a_terminal(product: &Product, settings: &Settings) {
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        note(&text(product, settings));
    }
}

fn text(product: &Product, settings: &Settings) -> String {
    let binary = product.binary;
    let mut lines = vec![
        format!("{} {}: {}.", product.identity.title, product.identity.version, product.about),
        format!("It waits here for an MCP client, for the project {}.", settings.root().display()),
        "Press Ctrl-C to leave, then try".to_owned(),
    ];
    let usual = [
        ("tools", "what it offers"),
        ("doctor", "whether all is in order here"),
        ("setup", "enter it and its siblings into your clients"),
    ];
    let own = product.tries.iter().map(|it| (*it, ""));
    for (command, meaning) in own.chain(usual) {
        lines.push(
            format!("  {:40} {meaning}", format!("{binary} {command}")).trim_end().to_owned(),
        );
    }
    lines.join("\n")
}
