//! Where things stand in a block of front matter. The parser has forgotten, so this goes by the
//! layout that people write; at worst the line of the key is named.

pub(super) struct Lines<'a>(pub(super) &'a str);

impl Lines<'_> {
    /// The block begins on the second line of the file.
    pub(super) fn of_key(&self, key: &str) -> usize {
        let is_key = |line: &str| {
            let rest = line.strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        self.0.lines().position(is_key).map_or(1, |index| index + 2)
    }

    pub(super) fn of_item(&self, key: &str, wanted: usize) -> usize {
        let key_line = self.of_key(key);
        let below = self.0.lines().enumerate().skip(key_line.saturating_sub(1));
        let mut indent = None;
        let mut seen = 0;
        for (index, line) in below {
            let trimmed = line.trim_start();
            let depth = line.len() - trimmed.len();
            let is_item = trimmed.starts_with("- ") || trimmed == "-";
            if !is_item && depth == 0 && !trimmed.is_empty() && !trimmed.starts_with('#') {
                break;
            }
            if is_item && *indent.get_or_insert(depth) == depth {
                if seen == wanted {
                    return index + 2;
                }
                seen += 1;
            }
        }
        key_line
    }
}
