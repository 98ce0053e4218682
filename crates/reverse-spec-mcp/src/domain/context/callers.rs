//! Who calls what, as far as names tell: a name that only one thing has, or what it is called on.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::domain::skeleton::CodeSkeleton;

/// More callers of one name are counted.
const MOST_CALLERS: usize = 16;

/// One declaration that is called.
struct Called<'a> {
    /// The type it is a member of.
    owner: &'a str,
    file: &'a str,
    /// By file, in the order of the files.
    by: Vec<(&'a str, Vec<Caller<'a>>)>,
    count: usize,
}

/// A function, with the type that it is a member of.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Caller<'a> {
    owner: &'a str,
    name: &'a str,
}

/// All that share a name.
#[derive(Default)]
struct Named<'a> {
    all: Vec<Called<'a>>,
    /// The first of each type they are members of, in small letters; made where a call has to choose.
    first_of: Option<HashMap<String, usize>>,
}

impl Named<'_> {
    /// Which of them is meant by a call on `receiver`. In a large project thousands share a name.
    fn meant_by(&mut self, receiver: &str) -> Option<usize> {
        if self.all.len() == 1 {
            return Some(0);
        }
        let all = &self.all;
        let first_of = self.first_of.get_or_insert_with(|| {
            let mut first_of = HashMap::new();
            for (place, it) in all.iter().enumerate().filter(|(_, it)| !it.owner.is_empty()) {
                first_of.entry(it.owner.to_ascii_lowercase()).or_insert(place);
            }
            first_of
        });
        first_of.get(&receiver.trim_matches('_').to_ascii_lowercase()).copied()
    }
}

type ByName<'a> = HashMap<&'a str, Named<'a>>;

/// A line for each name that others call, as long as somebody asks: those that other files call first,
/// and the most called of them.
pub(super) fn lines(skeletons: &[CodeSkeleton]) -> impl Iterator<Item = String> {
    let mut called: ByName<'_> = HashMap::new();
    for skeleton in skeletons {
        for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
            let own = std::iter::once(("", symbol.name.as_str()));
            let members = symbol.members.iter().map(|it| (symbol.name.as_str(), it.name.as_str()));
            for (owner, name) in own.chain(members) {
                let known = &mut called.entry(name).or_default().all;
                let file = skeleton.file_path.as_str();
                // Overloads and parts of one declaration stand in one file, whose turn it is.
                let mut of_file = known.iter().rev().take_while(|it| it.file == file);
                if !of_file.any(|it| it.owner == owner) {
                    known.push(Called { owner, file, by: Vec::new(), count: 0 });
                }
            }
        }
    }
    for skeleton in skeletons {
        for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
            for name in &symbol.facts.calls {
                take(&mut called, skeleton, name, "", &symbol.name);
            }
            for member in &symbol.members {
                for name in &member.facts.calls {
                    take(&mut called, skeleton, name, &symbol.name, &member.name);
                }
            }
        }
    }
    let told =
        called.into_iter().flat_map(|(name, it)| it.all.into_iter().map(move |it| (name, it)));
    let mut told: Vec<(&str, Called<'_>)> = told.filter(|it| it.1.count > 0).collect();
    let is_own = |it: &Called<'_>| it.by.iter().all(|(file, _)| *file == it.file);
    told.sort_by(|(name, it), (other_name, other)| {
        let rank = (is_own(it), other.count).cmp(&(is_own(other), it.count));
        rank.then_with(|| (name, it.file, it.owner).cmp(&(other_name, other.file, other.owner)))
    });
    told.into_iter().map(|(name, it)| line(name, &it))
}

/// Counts a call of a name by a function; `owner` is the type that the function is a member of.
fn take<'a>(
    called: &mut ByName<'a>,
    skeleton: &'a CodeSkeleton,
    name: &str,
    owner: &'a str,
    who: &'a str,
) {
    let mut parts = name.rsplit(['.', ':', '>', '!', '-', '?']).filter(|it| !it.is_empty());
    let last = parts.next().unwrap_or(name);
    let receiver = parts.next().unwrap_or_default();
    let Some(named) = called.get_mut(last) else { return };
    // Where several have the name, what it is called on tells which is meant: `this.userService`.
    let Some(known) = named.meant_by(receiver).map(|it| &mut named.all[it]) else { return };
    if known.file == skeleton.file_path && known.owner == owner && who == last {
        return;
    }
    let who = Caller { owner, name: who };
    known.count += 1;
    match known.by.last_mut().filter(|it| it.0 == skeleton.file_path) {
        Some((_, callers)) => {
            if callers.last() != Some(&who) {
                callers.push(who);
            }
        }
        None => known.by.push((&skeleton.file_path, vec![who])),
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
        let _ = write!(text, "{gap} {file}: ");
        for (place, Caller { owner, name }) in callers.iter().enumerate() {
            let gap = if place == 0 { "" } else { ", " };
            let dot = if owner.is_empty() { "" } else { "." };
            let _ = write!(text, "{gap}{owner}{dot}{name}");
        }
        shown += callers.len();
    }
    text.push('\n');
    text
}
