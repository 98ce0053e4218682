//! Files that a request points to: by their paths, and by symbols in them.

use std::collections::BTreeMap;

use super::{COMMON, Clues, DEFINED, Found, LEAST, NAMED, USED, is_called, request};
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
