//! Files whose names share words with the request. A word says the more the fewer files carry it,
//! two words of one name say more than each, and a name that says nothing else says most.

use std::collections::{BTreeMap, BTreeSet};

use super::{Clues, Found, facts, is_source, request};
use crate::domain::words::{phrase, stem};

/// Words beyond these say nothing new.
const MAX_WORDS: usize = 32;
const OF_NAME: u32 = 26;
const OF_PATH: u32 = 14;
const OF_BOTH: u32 = 20;
const REASON: &str = "its name shares words with the request";

/// What a word that so many files carry says about each of them.
fn weight(n_files: usize, most: u32) -> u32 {
    match n_files {
        0 => 0,
        1..=3 => most,
        4..=10 => most * 2 / 3,
        11..=40 => most / 3,
        _ => most / 8,
    }
}

/// Stems to look for, each with the word of the request that it stands for.
struct Wanted {
    stems: Vec<(String, usize)>,
    /// By word: it names a technology that comes or goes.
    is_thing: Vec<bool>,
}

impl Wanted {
    fn of(clues: &Clues<'_>) -> Self {
        let things: BTreeSet<String> = clues.things.iter().flat_map(|it| phrase(it)).collect();
        let mut words: Vec<String> =
            request::telling(&clues.words, clues.verbs).into_iter().collect();
        words.sort_by_key(|it| !things.contains(it));
        words.truncate(MAX_WORDS);
        let is_thing = words.iter().map(|it| things.contains(it)).collect();
        let mut stems: Vec<(String, usize)> = Vec::new();
        for (word, own) in words.iter().enumerate() {
            let alike = facts().alike.iter().map(|it| &it.words);
            let alike = alike.filter(|it| it.iter().any(|it| stem(it) == *own)).flatten();
            for other in alike {
                stems.push((stem(other), word));
            }
            stems.push((own.clone(), word));
        }
        stems.sort();
        stems.dedup();
        Self { stems, is_thing }
    }

    /// The words that parts of a name stand for, how many parts do, and how many there are.
    fn shared(&self, name: &str) -> (u32, usize, usize) {
        let (mut words, mut n_shared, mut n_parts) = (0, 0, 0);
        for piece in request::pieces(name) {
            n_parts += 1;
            // Stems keep their beginning, so that only what begins alike is looked at closely.
            let begins = |(word, _): &&(String, usize)| {
                let alike = |(one, other): (u8, u8)| one.eq_ignore_ascii_case(&other);
                !piece.is_ascii() || piece.bytes().zip(word.bytes()).take(2).all(alike)
            };
            let mut close = self.stems.iter().filter(begins).peekable();
            if close.peek().is_none() {
                continue;
            }
            let own = stem(&piece.to_lowercase());
            let before = words;
            for (_, word) in close.filter(|(it, _)| is_akin(it, &own)) {
                words |= 1 << word;
            }
            n_shared += usize::from(words != before);
        }
        (words, n_shared, n_parts)
    }
}

/// The same stem, or one that a common ending makes out of the other: "invit" and "invitation".
fn is_akin(one: &str, other: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        "ation", "tion", "ion", "ment", "or", "er", "al", "ance", "ence", "ive", "ure", "s", "ing",
        "able",
    ];
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    one == other
        || short.len() > 2
            && long
                .strip_prefix(short)
                .is_some_and(|rest| rest == "s" || rest.bytes().all(|it| it.is_ascii_digit()))
        || short.len() >= 5 && long.strip_prefix(short).is_some_and(|rest| ENDINGS.contains(&rest))
}

struct Row<'a> {
    path: &'a str,
    in_name: u32,
    in_path: u32,
    is_all: bool,
}

/// How many files carry at least these words.
struct Counts(BTreeMap<u32, usize>);

impl Counts {
    fn of(masks: impl Iterator<Item = u32>) -> Self {
        let mut counts = BTreeMap::new();
        for mask in masks.filter(|it| *it != 0) {
            *counts.entry(mask).or_default() += 1;
        }
        Self(counts)
    }

    fn with(&self, wanted: u32) -> usize {
        self.0.iter().filter(|(mask, _)| *mask & wanted == wanted).map(|(_, count)| count).sum()
    }
}

pub(super) fn by_words<'a>(files: &[&'a str], clues: &Clues<'_>, found: &mut Found<'a>) {
    let wanted = Wanted::of(clues);
    let tests = phrase(&clues.words).iter().any(|it| it == "test" || it == "spec");
    let mut rows: Vec<Row<'_>> = Vec::new();
    // Files of one directory stand together, so that its words are looked at once.
    let (mut above, mut of_above) = ("", 0);
    for path in files.iter().filter(|it| is_source(it)) {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if directory != above {
            above = directory;
            of_above = wanted.shared(directory).0;
        }
        let (in_name, n_shared, n_parts) =
            wanted.shared(name.split('.').next().unwrap_or_default());
        let in_path = of_above & !in_name;
        if (in_name | in_path) != 0 && (tests || !is_test(path)) {
            rows.push(Row { path, in_name, in_path, is_all: n_shared == n_parts });
        }
    }
    let names = Counts::of(rows.iter().map(|it| it.in_name));
    let paths = Counts::of(rows.iter().map(|it| it.in_path));
    let both = Counts::of(rows.iter().map(|it| it.in_name | it.in_path));
    let whole = Counts::of(rows.iter().filter(|it| it.is_all).map(|it| it.in_name));
    let mut known: BTreeMap<(u32, u32, bool), u32> = BTreeMap::new();
    for row in &rows {
        let key = (row.in_name, row.in_path, row.is_all);
        let score = *known.entry(key).or_insert_with(|| {
            let bits = |mask: u32| (0..u32::BITS).filter(move |it| mask >> it & 1 == 1);
            let of_name = bits(row.in_name).map(|bit| {
                let is_thing = wanted.is_thing.get(bit as usize).is_some_and(|it| *it);
                let most = if is_thing { OF_NAME * 2 } else { OF_NAME };
                weight(names.with(1 << bit), most)
            });
            let of_path = bits(row.in_path).map(|bit| weight(paths.with(1 << bit), OF_PATH));
            let mut score = of_name.sum::<u32>() + of_path.sum::<u32>();
            let all = row.in_name | row.in_path;
            if row.in_name.count_ones() > 1 {
                score += weight(names.with(row.in_name), OF_BOTH);
            } else if all.count_ones() > 1 && row.in_name != 0 {
                score += weight(both.with(all), OF_PATH);
            }
            if row.is_all && row.in_name != 0 {
                score += weight(whole.with(row.in_name), OF_NAME);
            }
            score
        });
        found.add(row.path, score, REASON);
    }
}

/// Settings of a tool at the top: `.credo.exs`, `phpstan.neon`, `eslint.config.js`.
pub(super) fn settings(files: &[&str], clues: &Clues<'_>) -> Vec<(String, String)> {
    let wanted = request::telling(&clues.words, clues.verbs);
    let is_setting = |path: &&&str| {
        let kind = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let names_it = request::parts(path).first().is_some_and(|it| wanted.contains(it));
        let is_text = ["md", "rst", "txt"].contains(&kind);
        !path.contains('/') && names_it && !is_text && !super::is_made(path)
    };
    let found = files.iter().filter(is_setting).take(3);
    found.map(|it| ((*it).to_owned(), "the tool is set up there".to_owned())).collect()
}

/// Tests are found by what they test.
fn is_test(path: &str) -> bool {
    let marks = ["test", "tests", "spec", "specs", "testing"];
    request::pieces(path).any(|it| marks.iter().any(|mark| it.eq_ignore_ascii_case(mark)))
}

/// The topmost directories that are called like a word of the request, where few are.
pub(super) fn directories(files: &[&str], clues: &Clues<'_>) -> Vec<(String, String)> {
    let wanted = request::telling(&clues.words, clues.verbs);
    let mut all: BTreeSet<&str> = BTreeSet::new();
    for path in files.iter().filter(|it| is_source(it)) {
        let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
        let known = |it: &&str| all.contains(it);
        if !above.next_back().as_ref().is_some_and(known) {
            all.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
        }
    }
    let mut found = Vec::new();
    for word in &wanted {
        let is_called = |it: &&&str, most: usize| {
            let last = it.rsplit('/').next().unwrap_or(it);
            let parts = request::parts(last);
            parts.len() <= most && parts.iter().any(|it| is_akin(it, word)) && !is_test(it)
        };
        let topmost = |most: usize| -> Vec<&str> {
            let called: Vec<&str> = all.iter().filter(|it| is_called(it, most)).copied().collect();
            let below = |it: &&str| {
                called
                    .iter()
                    .any(|top| it.strip_prefix(top).is_some_and(|rest| rest.starts_with('/')))
            };
            called.iter().filter(|it| !below(it)).copied().collect()
        };
        let few = [topmost(2), topmost(1)].into_iter().find(|it| (1..=3).contains(&it.len()));
        let reason = "its name shares a word with the request".to_owned();
        found.extend(few.into_iter().flatten().map(|it| (format!("{it}/"), reason.clone())));
    }
    found.truncate(4);
    found
}

/// "refactor(store): …" and "store: …" say in which part of the repository the work lies.
pub(super) fn scoped(files: &[&str], words: &str) -> Vec<(String, String)> {
    let Some(scope) = request::scope_of(words) else { return Vec::new() };
    let below = format!("{}/", scope.to_lowercase());
    let mut found: BTreeSet<String> = BTreeSet::new();
    for path in files.iter().filter(|it| is_source(it)) {
        let lower = path.to_lowercase();
        let at = if lower.starts_with(&below) {
            Some(0)
        } else {
            lower.find(&format!("/{below}")).map(|it| it + 1)
        };
        if let Some(directory) = at.and_then(|at| path.get(..at + below.len())) {
            found.insert(directory.to_owned());
        }
    }
    let least = found.iter().map(|it| it.matches('/').count()).min().unwrap_or_default();
    let nearest = found.into_iter().filter(|it| it.matches('/').count() == least);
    nearest.take(2).map(|it| (it, "named in the request".to_owned())).collect()
}
