//! When a heading means a section: by its words, whatever their case, number or company.

/// A heading's words in lower case, everything that is not a letter or a digit left out.
pub(crate) fn words(heading: &str) -> Vec<String> {
    let parts = heading.split(|it: char| !it.is_alphanumeric() && it != '\'' && it != '’');
    parts
        .map(|part| part.replace(['\'', '’'], "").to_lowercase())
        .filter(|it| !it.is_empty())
        .collect()
}

/// The words without the number in front: `2. App` and `2.1 App` are `app`.
pub(crate) fn title_words(heading: &str) -> Vec<String> {
    let all = words(heading);
    let numbers = all.iter().take_while(|it| it.chars().all(char::is_numeric)).count();
    // A heading that is a number and nothing else is called by it.
    if numbers == all.len() { all } else { all[numbers..].to_vec() }
}

/// Whether the heading is these words and no others, numbers in front aside.
pub(crate) fn is(heading: &str, wanted: &str) -> bool {
    title_words(heading) == title_words(wanted)
}

/// Whether the heading contains these words, whole and side by side.
pub(crate) fn contains(heading: &str, wanted: &str) -> bool {
    let (heading, wanted) = (words(heading), words(wanted));
    !wanted.is_empty() && heading.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_case_does_not_matter() {
        assert!(contains("Desired Outcome", "outcome"));
        assert!(contains("3. WHY it matters", "Why It Matters"));
        assert!(contains("Problem/Opportunity", "problem"));
        assert!(!contains("Scopeless", "scope"));
        assert!(!contains("Success and Criteria", "success criteria"));
        assert!(!contains("anything", ""));
    }

    #[test]
    fn a_number_in_front_does_not_count() {
        assert!(is("2. App", "app"));
        assert!(is("2.1) App", "app"));
        assert!(is("App", "1. app"));
        assert!(!is("Apps", "app"));
        assert!(is("2026", "2026"));
    }
}
