//! Who calls what, as far as names tell: of what is declared under a name that nothing else has.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::domain::skeleton::CodeSkeleton;

/// More callers of one name are counted.
const MOST_CALLERS: usize = 16;

/// One name that is called.
struct Called<'a> {
    file: &'a str,
    /// Declared more than once: a call of it may mean any of them.
    is_ambiguous: bool,
    /// By file, in the order of the files.
    by: Vec<(&'a str, Vec<String>)>,
    count: usize,
}

/// A line for each name that others call, the most called first.
pub(super) fn lines(skeletons: &[CodeSkeleton]) -> Vec<String> {
    let mut called: HashMap<&str, Called<'_>> = HashMap::new();
    for skeleton in skeletons {
        for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
            // Overloads and parts of one declaration stand in one file.
            let names =
                std::iter::once(&symbol.name).chain(symbol.members.iter().map(|it| &it.name));
            for name in names {
                let known = called.entry(name).or_insert(Called {
                    file: &skeleton.file_path,
                    is_ambiguous: false,
                    by: Vec::new(),
                    count: 0,
                });
                known.is_ambiguous |= known.file != skeleton.file_path;
            }
        }
    }
    for skeleton in skeletons {
        for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
            for name in &symbol.facts.calls {
                take(&mut called, skeleton, name, &symbol.name);
            }
            for member in &symbol.members {
                for name in &member.facts.calls {
                    let who = format!("{}.{}", symbol.name, member.name);
                    take(&mut called, skeleton, name, &who);
                }
            }
        }
    }
    let told = called.into_iter().filter(|(_, it)| it.count > 0 && !it.is_ambiguous);
    let mut told: Vec<(&str, Called<'_>)> = told.collect();
    told.sort_by(|one, other| (other.1.count, one.0).cmp(&(one.1.count, other.0)));
    told.into_iter().map(|(name, it)| line(name, &it)).collect()
}

fn take<'a>(
    called: &mut HashMap<&str, Called<'a>>,
    skeleton: &'a CodeSkeleton,
    name: &str,
    who: &str,
) {
    let last = name.rsplit(['.', ':', '>', '!']).find(|it| !it.is_empty()).unwrap_or(name);
    let Some(known) = called.get_mut(last) else { return };
    let is_itself =
        known.file == skeleton.file_path && (who == last || who.ends_with(&format!(".{last}")));
    if is_itself {
        return;
    }
    known.count += 1;
    match known.by.last_mut().filter(|it| it.0 == skeleton.file_path) {
        Some((_, callers)) => {
            if callers.last().is_none_or(|it| it != who) {
                callers.push(who.to_owned());
            }
        }
        None => known.by.push((&skeleton.file_path, vec![who.to_owned()])),
    }
}

fn line(name: &str, called: &Called<'_>) -> String {
    let mut text = format!("- {name} ({}) is called by", called.file);
    let mut shown = 0;
    for (place, (file, callers)) in called.by.iter().enumerate() {
        if shown >= MOST_CALLERS {
            let _ = write!(text, " and {} more files", called.by.len() - place);
            break;
        }
        let gap = if place == 0 { "" } else { ";" };
        let _ = write!(text, "{gap} {file}: {}", callers.join(", "));
        shown += callers.len();
    }
    text.push('\n');
    text
}
