//! What gives way and is still used for a while, because the request says so.

/// "Running X contracts stay where they are until they end": behind the first clause, one names what
/// gives way and says that it stays.
pub(super) fn lingers(intention: &str, name: &str) -> bool {
    let (intention, name) = (intention.to_lowercase(), name.to_lowercase());
    let stays = |clause: &str| {
        clause.split_whitespace().any(|it| matches!(it, "stay" | "stays" | "remain" | "remains"))
    };
    let mut later = intention.split([',', '.', ';', '\n']).skip(1);
    !name.is_empty() && later.any(|it| it.contains(&name) && stays(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_for_a_while_is_told_from_what_goes() {
        let request = "Replace Alpha with Beta, running Alpha contracts stay until they end";
        assert!(lingers(request, "Alpha"));
        assert!(!lingers(request, "Beta"));
        assert!(!lingers("Alpha stays slow, use Beta", "Alpha"));
    }
}
