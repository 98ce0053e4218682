//! Statements of SQL that change a database, as far as they say what they touch.

use super::{Step, step};

/// What is said in one go: a whole file, or one changeset in it.
pub(super) struct Part {
    pub(super) name: Option<String>,
    pub(super) steps: Vec<Step>,
}

/// A word, a mark or a text of a statement.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    line: usize,
}

/// Comments by which tools say that what follows leads back.
const BACK: [&str; 5] =
    ["+goose down", "+migrate down", "migrate:down", "+micrate down", "rollback"];
/// Begin items of a table that are no columns.
const NO_COLUMNS: [&str; 12] = [
    "constraint",
    "primary",
    "foreign",
    "unique",
    "key",
    "index",
    "check",
    "exclude",
    "like",
    "fulltext",
    "period",
    "spatial",
];
/// Words between a verb and the kind of thing it is about.
const QUALIFIERS: [&str; 14] = [
    "or",
    "replace",
    "temp",
    "temporary",
    "unlogged",
    "unique",
    "materialized",
    "virtual",
    "global",
    "local",
    "recursive",
    "fulltext",
    "constraint",
    "concurrently",
];
/// Begin statements that change nothing that stays.
const SILENT: [&str; 16] = [
    "begin",
    "commit",
    "start",
    "set",
    "pragma",
    "select",
    "use",
    "lock",
    "unlock",
    "rollback",
    "savepoint",
    "release",
    "analyze",
    "vacuum",
    "end",
    "with",
];

/// What a text does, by the changesets in it where it has some.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut from = 0;
    let mut starts: Vec<(usize, &str)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let told = line.trim_start().strip_prefix("--").map(str::trim_start);
        if let Some(name) = told.and_then(|it| it.strip_prefix("changeset ")) {
            starts.push((from, name.split_whitespace().next().unwrap_or_default()));
        }
        from += line.len();
    }
    if starts.is_empty() {
        return vec![Part { name: None, steps: steps(text, 1) }];
    }
    for (place, (start, name)) in starts.iter().enumerate() {
        let end = starts.get(place + 1).map_or(text.len(), |it| it.0);
        let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..*start]).count() + 1;
        let steps = steps(&text[*start..end], line);
        parts.push(Part { name: Some((*name).to_owned()), steps });
    }
    parts
}

/// The steps of a text that begins on a line.
pub(super) fn steps(text: &str, line: usize) -> Vec<Step> {
    let pieces = pieces(text, line);
    let mut found = Vec::new();
    for statement in pieces.split(|it| it.text == ";").filter(|it| !it.is_empty()) {
        told(statement, &mut found);
    }
    found
}

/// Words, marks and texts up to where it leads back.
fn pieces(text: &str, first: usize) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let (mut at, mut line) = (0, first);
    let mut found = Vec::new();
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'-' | b'/' if rest.starts_with("--") || rest.starts_with("//") => {
                let end = rest.find('\n').unwrap_or(rest.len());
                let said = rest[2..end].trim().to_ascii_lowercase();
                if BACK.iter().any(|it| said.starts_with(it)) && !said.starts_with("rollback ") {
                    break;
                }
                at += end;
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                let end = rest.find("*/").map_or(rest.len(), |it| it + 2);
                line += rest[..end].matches('\n').count();
                at += end;
                continue;
            }
            quote @ (b'\'' | b'"' | b'`') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1;
                }
                at = (at + 1).min(bytes.len());
            }
            b'[' => at += rest.find(']').map_or(1, |it| it + 1),
            b'$' => {
                // `$tag$ … $tag$`
                let tag = rest[1..].find('$').map(|it| &rest[..it + 2]);
                let inner = tag.filter(|it| {
                    it[1..it.len() - 1].bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
                });
                let end = inner.and_then(|tag| Some(rest[tag.len()..].find(tag)? + 2 * tag.len()));
                at += end.unwrap_or(1);
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => {
                while at < bytes.len()
                    && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || bytes[at] >= 0x80)
                {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        found.push(Piece { text: &text[start..at], line });
        line += text[start..at].matches('\n').count();
    }
    found
}

/// A statement, word by word.
struct Words<'s, 'a> {
    all: &'s [Piece<'a>],
    at: usize,
}

impl<'a> Words<'_, 'a> {
    fn is(&self, word: &str) -> bool {
        self.all.get(self.at).is_some_and(|it| it.text.eq_ignore_ascii_case(word))
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|it| self.is(it))
    }

    fn skip(&mut self, words: &[&str]) {
        while self.is_one_of(words) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> &'a str {
        let text = self.all.get(self.at).map_or("", |it| it.text);
        self.at += 1;
        text
    }

    /// A name with what stands before it: `public.users`.
    fn name(&mut self) -> String {
        let mut name = plain(self.next()).to_owned();
        while self.is(".") {
            self.at += 1;
            name.push('.');
            name.push_str(plain(self.next()));
        }
        name
    }

    fn rest(&self) -> String {
        shown(self.all.get(self.at..).unwrap_or_default())
    }
}

fn plain(name: &str) -> &str {
    name.trim_matches(['"', '`', '[', ']', '\''])
}

fn shown(pieces: &[Piece<'_>]) -> String {
    let mut out = String::new();
    for piece in pieces {
        let is_tight = matches!(piece.text, "," | ")" | "." | "(") || out.ends_with(['(', '.']);
        if !out.is_empty() && !is_tight {
            out.push(' ');
        }
        out.push_str(piece.text);
    }
    out
}

/// Parts between commas that are in no bracket.
fn listed<'s, 'a>(pieces: &'s [Piece<'a>]) -> Vec<&'s [Piece<'a>]> {
    let (mut depth, mut from) = (0_usize, 0);
    let mut found = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                found.push(&pieces[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&pieces[from.min(pieces.len())..]);
    found.retain(|it| !it.is_empty());
    found
}

fn told(statement: &[Piece<'_>], found: &mut Vec<Step>) {
    let line = statement[0].line;
    let mut words = Words { all: statement, at: 0 };
    let verb = words.next().to_ascii_lowercase();
    let if_exists = ["if", "not", "exists", "only"];
    match verb.as_str() {
        "create" => {
            let is_unique =
                statement.iter().take(4).any(|it| it.text.eq_ignore_ascii_case("unique"));
            words.skip(&QUALIFIERS);
            let kind = words.next().to_ascii_lowercase();
            words.skip(&["concurrently"]);
            words.skip(&if_exists);
            let name = if words.is("on") { String::new() } else { words.name() };
            match kind.as_str() {
                "table" => found.push(step(line, "creates table", &name, &columns(&words))),
                "index" => {
                    let unique = if is_unique { "creates unique index" } else { "creates index" };
                    let rest = words.rest();
                    found.push(step(line, unique, &name, &rest));
                }
                kind => found.push(step(line, &format!("creates {kind}"), &name, "")),
            }
        }
        "alter" => {
            words.skip(&QUALIFIERS);
            let kind = words.next().to_ascii_lowercase();
            words.skip(&if_exists);
            let name = words.name();
            if kind == "table" {
                for action in listed(&statement[words.at.min(statement.len())..]) {
                    altered(&name, action, found);
                }
            } else {
                found.push(step(line, &format!("changes {kind}"), &name, &words.rest()));
            }
        }
        "drop" => {
            words.skip(&QUALIFIERS);
            let kind = words.next().to_ascii_lowercase();
            words.skip(&["concurrently"]);
            words.skip(&if_exists);
            found.push(step(line, &format!("drops {kind}"), &words.rest(), ""));
        }
        "insert" | "replace" | "merge" => {
            words.skip(&["or", "ignore", "replace", "into"]);
            found.push(step(line, "inserts rows into", &words.name(), ""));
        }
        "update" => {
            words.skip(&["only"]);
            let name = words.name();
            found.push(step(line, "updates rows of", &name, &words.rest()));
        }
        "delete" => {
            words.skip(&["from", "only"]);
            let name = words.name();
            found.push(step(line, "deletes rows of", &name, &words.rest()));
        }
        "truncate" => {
            words.skip(&["table"]);
            found.push(step(line, "empties table", &words.name(), ""));
        }
        "rename" => found.push(step(line, "renames", &words.rest(), "")),
        verb if SILENT.contains(&verb) => {}
        verb if verb.starts_with(|it: char| it.is_ascii_alphabetic()) => {
            found.push(step(line, "runs", &shown(statement), ""));
        }
        _ => {}
    }
}

/// The columns of a table, by name.
fn columns(words: &Words<'_, '_>) -> String {
    let rest = words.all.get(words.at..).unwrap_or_default();
    let Some(open) = rest.iter().position(|it| it.text == "(") else { return String::new() };
    let close = rest.iter().rposition(|it| it.text == ")").unwrap_or(rest.len());
    let items = listed(rest.get(open + 1..close).unwrap_or_default());
    let names = items.iter().map(|it| it[0].text);
    let names = names.filter(|it| !NO_COLUMNS.contains(&it.to_ascii_lowercase().as_str()));
    names.map(plain).collect::<Vec<_>>().join(", ")
}

/// One of the things that `ALTER TABLE` does.
fn altered(table: &str, action: &[Piece<'_>], found: &mut Vec<Step>) {
    let line = action[0].line;
    let mut words = Words { all: action, at: 0 };
    let verb = words.next().to_ascii_lowercase();
    let is_thing = words.is_one_of(&NO_COLUMNS);
    let if_exists = ["if", "not", "exists"];
    match verb.as_str() {
        "add" if is_thing => found.push(step(line, "adds to", table, &words.rest())),
        "add" => {
            words.skip(&["column"]);
            words.skip(&if_exists);
            let name = words.name();
            found.push(step(line, "adds column", &format!("{table}.{name}"), &words.rest()));
        }
        "drop" if is_thing => found.push(step(line, "drops from", table, &words.rest())),
        "drop" => {
            words.skip(&["column"]);
            words.skip(&if_exists);
            let name = words.name();
            found.push(step(line, "drops column", &format!("{table}.{name}"), ""));
        }
        "rename" if words.is("to") => {
            words.at += 1;
            let both = format!("{table} to {}", words.rest());
            found.push(step(line, "renames table", &both, ""));
        }
        "alter" | "modify" | "change" => {
            words.skip(&["column"]);
            let name = words.name();
            found.push(step(line, "changes column", &format!("{table}.{name}"), &words.rest()));
        }
        _ => {
            words.at = 0;
            found.push(step(line, "changes table", table, &words.rest()));
        }
    }
}
