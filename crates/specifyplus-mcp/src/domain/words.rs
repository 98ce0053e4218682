//! Input cut into words as a shell would: quotation marks hold a word together.

/// The words of an input. A quotation mark that is never closed is an ordinary character.
pub(super) fn split(input: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = input.chars();
    while let Some(next) = rest.next() {
        match next {
            space if space.is_whitespace() => words.extend(word.take()),
            mark @ ('"' | '\'') => {
                let text = rest.as_str();
                let current = word.get_or_insert_default();
                match closing(text, mark) {
                    Some((inside, after)) => {
                        current.push_str(&inside);
                        rest = after.chars();
                    }
                    None => current.push(mark),
                }
            }
            '\\' => {
                // Only before what would end the word or quote; a path of Windows stays as it is.
                let escaped = rest.clone().next();
                let current = word.get_or_insert_default();
                match escaped.filter(|it| it.is_whitespace() || matches!(it, '"' | '\'' | '\\')) {
                    Some(escaped) => {
                        current.push(escaped);
                        rest.next();
                    }
                    None => current.push('\\'),
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

/// What stands before the closing mark, and what after it.
fn closing(text: &str, mark: char) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut rest = text.char_indices();
    while let Some((at, next)) = rest.next() {
        match next {
            next if next == mark => return Some((inside, &text[at + next.len_utf8()..])),
            '\\' if mark == '"' => match rest.clone().next() {
                Some((_, escaped @ ('"' | '\\'))) => {
                    inside.push(escaped);
                    rest.next();
                }
                _ => inside.push('\\'),
            },
            other => inside.push(other),
        }
    }
    None
}
