//! Types that TypeScript lets one write in two ways, in one of them: `Array<T>` and `T[]`.

use crate::domain::signature::replaced;

pub(super) fn plain_type(text: String) -> String {
    if !text.contains("Array<") {
        return text;
    }
    let readonly = replaced(text, "ReadonlyArray<", |of| array("readonly ", of));
    replaced(readonly, "Array<", |of| array("", of))
}

fn array(before: &str, of: &[String]) -> Option<String> {
    let [one] = of else { return None };
    // What has several words or parts needs brackets around it.
    let mut depth = 0_usize;
    let mut before_it = ' ';
    let is_several = one.chars().any(|it| {
        match it {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if before_it != '=' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before_it = it;
        depth == 0 && (it.is_whitespace() || matches!(it, '|' | '&'))
    });
    Some(if is_several { format!("{before}({one})[]") } else { format!("{before}{one}[]") })
}
