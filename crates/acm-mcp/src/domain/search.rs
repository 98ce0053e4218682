//! Plain text search: every word must occur, the whole phrase counts most, and a snippet shows
//! where.

/// How many characters a snippet shows on either side of what was found.
const AROUND: usize = 80;

/// What a caller looks for, in lower case.
#[derive(Debug)]
pub(crate) struct Query {
    terms: Vec<String>,
    phrase: String,
}

/// Where a query was found; smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// It is the name.
    Name,
    PhraseInName,
    TermsInName,
    PhraseInText,
    TermsInText,
}

impl Query {
    pub(crate) fn new(text: &str) -> Self {
        let terms: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let phrase = terms.join(" ");
        Self { terms, phrase }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How well it fits something with these names and this text; `None` when a term is in neither.
    pub(crate) fn rank(&self, names: &[&str], text: &str) -> Option<Rank> {
        // File names have hyphens where people who ask for them write spaces.
        let spaced = names.iter().map(|it| one_spaced(&it.replace(['-', '_'], " ")));
        let names: Vec<String> = names.iter().map(|it| one_spaced(it)).chain(spaced).collect();
        let text = one_spaced(text);
        let in_names = |term: &String| names.iter().any(|name| name.contains(term));
        if !self.terms.iter().all(|term| in_names(term) || text.contains(term)) {
            return None;
        }
        Some(if names.contains(&self.phrase) {
            Rank::Name
        } else if in_names(&self.phrase) {
            Rank::PhraseInName
        } else if self.terms.iter().all(in_names) {
            Rank::TermsInName
        } else if text.contains(&self.phrase) {
            Rank::PhraseInText
        } else {
            Rank::TermsInText
        })
    }

    /// The surroundings of the first place that has the phrase, else a term, else the beginning.
    pub(crate) fn snippet(&self, text: &str) -> String {
        let words = text.split_whitespace().filter(|it| !it.chars().all(|it| it == '#'));
        let text = words.collect::<Vec<_>>().join(" ");
        let lowered = Lowered::new(&text);
        let wanted = std::iter::once(&self.phrase).chain(&self.terms).filter(|it| !it.is_empty());
        let (from, to) = wanted.into_iter().find_map(|it| lowered.find(it)).unwrap_or((0, 0));
        let before = text[..from].char_indices().rev().nth(AROUND);
        // Cut between words where there is a gap to cut at.
        let start =
            before.map_or(0, |(cut, _)| text[cut..from].find(' ').map_or(cut, |it| cut + it));
        let after = text[to..].char_indices().nth(AROUND).map(|(cut, _)| to + cut);
        let end =
            after.map_or(text.len(), |cut| text[to..cut].rfind(' ').map_or(cut, |it| to + it));
        let dots = |cut: bool| if cut { "..." } else { "" };
        format!("{}{}{}", dots(start > 0), text[start..end].trim(), dots(end < text.len()))
    }
}

fn one_spaced(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in lower case that remembers where each byte came from: lower case may be longer.
struct Lowered {
    text: String,
    origin: Vec<usize>,
}

impl Lowered {
    fn new(text: &str) -> Self {
        let mut lowered = Self { text: String::with_capacity(text.len()), origin: Vec::new() };
        for (offset, character) in text.char_indices() {
            for lower in character.to_lowercase() {
                lowered.text.push(lower);
                lowered.origin.resize(lowered.text.len(), offset);
            }
        }
        lowered.origin.push(text.len());
        lowered
    }

    /// The bytes of the original that hold the first occurrence.
    fn find(&self, wanted: &str) -> Option<(usize, usize)> {
        let start = self.text.find(wanted)?;
        Some((self.origin[start], self.origin[start + wanted.len()]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_term_must_occur_and_the_phrase_ranks_first() {
        let query = Query::new("  Review   Loop ");
        assert_eq!(query.rank(&["review loop"], ""), Some(Rank::Name));
        assert_eq!(query.rank(&["review-loop"], ""), Some(Rank::Name));
        assert_eq!(query.rank(&["The Review Loop"], ""), Some(Rank::PhraseInName));
        assert_eq!(query.rank(&["loop of review"], ""), Some(Rank::TermsInName));
        assert_eq!(query.rank(&["x"], "a review\nloop"), Some(Rank::PhraseInText));
        assert_eq!(query.rank(&["loop"], "reviewed"), Some(Rank::TermsInText));
        assert_eq!(query.rank(&["loop"], "nothing"), None);
        assert!(Query::new(" ").rank(&["anything"], "").is_some());
    }

    #[test]
    fn a_snippet_shows_the_surroundings() {
        let text = format!("{} the Review\r\nLoop {}", "a ".repeat(100), "b ".repeat(100));
        let snippet = Query::new("review loop").snippet(&text);
        assert!(snippet.starts_with("...") && snippet.ends_with("..."), "{snippet}");
        assert!(snippet.contains("the Review Loop b"), "{snippet}");
        assert_eq!(Query::new("absent").snippet("short"), "short");
    }

    proptest! {
        #[test]
        fn a_snippet_never_splits_a_character(text in "\\PC{0,200}", query in "\\PC{0,6}") {
            Query::new(&query).snippet(&text);
        }
    }
}
