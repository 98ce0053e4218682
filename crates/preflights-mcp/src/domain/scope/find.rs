//! Files that a request points to: by their paths, by symbols in them, by words of their names.

use std::collections::{BTreeMap, BTreeSet};

use super::{COMMON, Clues, DEFINED, Found, LEAST, NAMED, USED, is_called, is_source, request};
use crate::domain::survey::Survey;

/// Files and directories that the request names, also with the prefix of another machine.
pub(super) fn named<'a>(files: &[&'a str], clues: &Clues<'_>, found: &mut Found<'a>) -> bool {
    let mut any = false;
    let mut wanted = request::paths(&clues.words);
    wanted.extend(clues.paths.iter().flat_map(|it| request::paths(it)));
    for path in &wanted {
        let ends = |file: &&&str| {
            // `/app/internal/x.go` of a container is `internal/x.go` here.
            is_called(file, path) || (file.contains('/') && is_called(path, file))
        };
        let mut hits: Vec<&&str> = files.iter().filter(ends).collect();
        // A file of that very path is meant, and not one of that name somewhere below.
        if hits.iter().any(|it| **it == path.as_str()) {
            hits.retain(|it| **it == path.as_str());
        }
        for file in hits.iter().take(3) {
            found.add(file, NAMED, "named in the request");
            any = true;
        }
        let directory = format!("{}/", path.trim_matches('/'));
        let is_directory = !directory.starts_with("docs/adr/")
            && files.iter().any(|it| it.starts_with(&directory));
        if hits.is_empty() && is_directory {
            found.directories.push((directory, "named in the request".to_owned()));
            any = true;
        }
    }
    any
}

pub(super) fn by_symbols<'a>(survey: &'a Survey, found: &mut Found<'a>) {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in &survey.hits {
        *count.entry(hit.symbol.as_str()).or_default() += 1;
    }
    for hit in survey.hits.iter().filter(|it| it.is_definition) {
        found.add(&hit.path, DEFINED, &format!("defines `{}`", hit.symbol));
    }
    for hit in survey.hits.iter().filter(|it| !it.is_definition) {
        let n_files = count.get(hit.symbol.as_str()).copied().unwrap_or_default();
        let score = match n_files {
            0..=4 => LEAST,
            _ if n_files <= COMMON => USED,
            _ => continue,
        };
        found.add(&hit.path, score, &format!("speaks of `{}`", hit.symbol));
    }
}

/// Files whose names share words with the request; the rarer a word, the more it says.
pub(super) fn by_words<'a>(files: &[&'a str], clues: &Clues<'_>, found: &mut Found<'a>) {
    let wanted: Vec<String> = request::telling(&clues.words, clues.verbs).into_iter().collect();
    let mut in_name: Vec<Vec<&str>> = vec![Vec::new(); wanted.len()];
    let mut in_path: Vec<Vec<&str>> = vec![Vec::new(); wanted.len()];
    // Files of one directory stand together, so that its words are looked at once.
    let (mut above, mut of_above) = ("", BTreeSet::new());
    for path in files.iter().filter(|it| is_source(it)) {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if directory != above {
            above = directory;
            of_above = directory.split('/').flat_map(|it| request::shared(it, &wanted)).collect();
        }
        let of_name = request::shared(name.split('.').next().unwrap_or(name), &wanted);
        for &word in &of_name {
            in_name[word].push(path);
        }
        for &word in of_above.difference(&of_name) {
            in_path[word].push(path);
        }
    }
    for (in_name, in_path) in in_name.iter().zip(&in_path) {
        let weight = |n: usize, most: u32| match n {
            0 => 0,
            1..=3 => most,
            4..=10 => most * 2 / 3,
            11..=40 => most / 3,
            _ => most / 8,
        };
        let reason = "its name shares words with the request";
        for path in in_name {
            found.add(path, weight(in_name.len(), 26), reason);
        }
        for path in in_path {
            found.add(path, weight(in_path.len(), 14), reason);
        }
    }
}

/// Directories that are called like a word of the request, where few are.
pub(super) fn directories(files: &[&str], clues: &Clues<'_>) -> Vec<(String, String)> {
    let wanted = request::telling(&clues.words, clues.verbs);
    let all: BTreeSet<&str> = files
        .iter()
        .filter(|it| is_source(it))
        .filter_map(|it| it.rsplit_once('/').map(|(directory, _)| directory))
        .collect();
    let mut found = Vec::new();
    for word in &wanted {
        let called: Vec<&&str> = all
            .iter()
            .filter(|it| {
                let last = it.rsplit('/').next().unwrap_or(it);
                let parts = request::parts(last);
                parts.len() <= 2 && parts.contains(word)
            })
            .collect();
        if (1..=3).contains(&called.len()) {
            let reason = "its name shares a word with the request".to_owned();
            found.extend(called.into_iter().map(|it| (format!("{it}/"), reason.clone())));
        }
    }
    found.truncate(4);
    found
}
