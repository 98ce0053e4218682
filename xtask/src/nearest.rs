//! The message for a name nobody knows: the nearest known one, and the list.

/// `unknown server `acm-mpc`: did you mean `acm-mcp`? (known: …)`
pub(crate) fn unknown(kind: &str, given: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|name| (strsim::levenshtein(given, name), name))
        .min()
        .filter(|(steps, name)| *steps <= name.chars().count().div_ceil(2));
    let guess = nearest.map(|(_, name)| format!(": did you mean `{name}`?")).unwrap_or_default();
    if known.is_empty() {
        return format!("unknown {kind} `{given}` (there are none)");
    }
    format!("unknown {kind} `{given}`{guess} (known: {})", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn a_name_far_from_all_gets_the_list_without_a_guess() {
        let message = unknown("stage", "zzzzzzzz", &["fmt", "clippy"]);
        assert_eq!(message, "unknown stage `zzzzzzzz` (known: fmt, clippy)");
    }
}
