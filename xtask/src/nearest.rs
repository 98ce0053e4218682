//! The message for a name nobody knows: the nearest known one, and the list.

/// `no server named `acm-mpc`: did you mean `acm-mcp`? (known: …)`
pub(crate) fn unknown(kind: &str, given: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|name| (distance(given, name), name))
        .min()
        .filter(|(steps, name)| *steps <= name.chars().count().div_ceil(2));
    let guess = nearest.map(|(_, name)| format!(": did you mean `{name}`?")).unwrap_or_default();
    if known.is_empty() {
        return format!("unknown {kind} `{given}` (there are none)");
    }
    format!("unknown {kind} `{given}`{guess} (known: {})", known.join(", "))
}

/// Levenshtein distance, one row at a time.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (idx, r) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(l != *r);
            diagonal = row[idx + 1];
            row[idx + 1] = substituted.min(diagonal + 1).min(row[idx] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, unknown};

    #[test]
    fn distance_counts_single_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn a_name_far_from_all_gets_the_list_without_a_guess() {
        let message = unknown("stage", "zzzzzzzz", &["fmt", "clippy"]);
        assert_eq!(message, "unknown stage `zzzzzzzz` (known: fmt, clippy)");
    }
}
