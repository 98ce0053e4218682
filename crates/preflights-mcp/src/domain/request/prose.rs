//! The prose of a request: code, paths, identifiers, flags and stack traces are not words about
//! what is wanted, so they are blanked out. Offsets stay as they are.

/// Endings of file names; `next.js` and the like are names of things, so `js` alone is not one.
const FILES: [&str; 33] = [
    "rs", "ts", "tsx", "jsx", "mjs", "py", "go", "java", "kt", "rb", "erb", "php", "cs", "swift",
    "tf", "tfvars", "toml", "yml", "yaml", "json", "lock", "md", "mdx", "txt", "sql", "prisma",
    "html", "css", "scss", "sh", "vue", "svelte", "xml",
];

/// How the lines of a stack trace and of a log begin.
const TRACE: [&str; 12] = [
    "at ",
    "file \"",
    "goroutine ",
    "thread '",
    "traceback",
    "caused by",
    "detail:",
    "stack trace",
    "note: run with",
    "panic:",
    "fatal:",
    "warning:",
];

/// `is_name` tells names of things that look like identifiers, such as dependencies.
pub(super) fn prose(text: &str, is_name: &dyn Fn(&str) -> bool) -> String {
    let text = &without_quotations(text);
    let mut plain = String::with_capacity(text.len());
    let mut fenced = false;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = line.trim_start().to_lowercase();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let trace = index > 0 && TRACE.iter().any(|it| trimmed.starts_with(it));
        if fenced || fence || trace {
            blank(&mut plain, line);
        } else {
            let mut before = "";
            for word in line.split_inclusive(char::is_whitespace) {
                let is_place = is_code(word) || is_in_a_directory(before, bare(word), is_name);
                if is_place && !is_name(bare(word)) {
                    blank(&mut plain, word);
                } else {
                    plain.push_str(word);
                }
                before = word.trim();
            }
        }
        fenced ^= fence;
    }
    plain
}

/// Whether a stack trace or a log is quoted: a place in a file with its line, the name of an error
/// that says something, or a line that begins as those do.
pub(super) fn has_trace(text: &str) -> bool {
    let place = |word: &str| {
        let mut parts = word.trim_matches(['(', ')', ',', '"', '\'']).split(':');
        let file = parts.next().and_then(|it| it.rsplit_once('.')).map(|(_, it)| it);
        let line = parts.next().is_some_and(|it| it.parse::<u32>().is_ok());
        file.is_some_and(|it| FILES.contains(&it)) && line
    };
    let error = |word: &str| {
        let name = word.strip_suffix(':').unwrap_or_default();
        let name = name.rsplit(['.', ':']).next().unwrap_or_default();
        name.len() > 6 && (name.ends_with("Error") || name.ends_with("Exception"))
    };
    text.lines().enumerate().any(|(index, line)| {
        let trimmed = line.trim_start().to_lowercase();
        let begins = index > 0 && TRACE.iter().any(|it| trimmed.starts_with(it));
        begins || line.split_whitespace().any(|it| place(it) || error(it))
    })
}

/// What is quoted in more than one word is a text somebody shall read, and says nothing itself.
fn without_quotations(text: &str) -> String {
    let pairs = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('»', '«'), ('「', '」')];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, opening)) =
        rest.char_indices().find(|(_, it)| pairs.iter().any(|(opening, _)| opening == it))
    {
        let inside = at + opening.len_utf8();
        let closes = |it: char| pairs.iter().any(|pair| pair.0 == opening && pair.1 == it);
        let line = rest[inside..].find('\n').map_or(rest.len(), |it| inside + it);
        let end = rest[inside..line].find(closes).map(|it| inside + it);
        let quoted = end.map(|end| &rest[inside..end]);
        match (end, quoted) {
            (Some(end), Some(quoted)) if quoted.trim().contains(char::is_whitespace) => {
                plain.push_str(&rest[..inside]);
                blank(&mut plain, &rest[inside..end]);
                rest = &rest[end..];
            }
            _ => {
                plain.push_str(&rest[..inside]);
                rest = &rest[inside..];
                continue;
            }
        }
        // The mark that closes must not open the next one.
        let closing = rest.chars().next().map_or(0, char::len_utf8);
        plain.push_str(&rest[..closing]);
        rest = &rest[closing..];
    }
    plain.push_str(rest);
    plain
}

fn blank(plain: &mut String, text: &str) {
    for character in text.chars() {
        if character == '\n' {
            plain.push('\n');
        } else {
            plain.extend(std::iter::repeat_n(' ', character.len_utf8()));
        }
    }
}

/// "the locks in core/chat": a path of two parts, unless both name a thing.
fn is_in_a_directory(before: &str, word: &str, is_name: &dyn Fn(&str) -> bool) -> bool {
    let leads = ["in", "at", "under", "of", "for", "within", "inside", "below", "to", "from"];
    let plain = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "-_/".contains(it);
    let Some((one, other)) = word.split_once('/') else { return false };
    leads.contains(&before)
        && word.chars().all(plain)
        && one.len() > 1
        && other.len() > 1
        && !(is_name(one) && is_name(other))
}

/// Without the marks around it.
fn bare(word: &str) -> &str {
    word.trim().trim_matches(|it: char| {
        matches!(it, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '\'' | '`' | '[' | ']')
    })
}

/// A path, an identifier, a call, a flag, a variable or an address.
fn is_code(word: &str) -> bool {
    let word = word.trim();
    let bare = bare(word);
    if bare.is_empty() {
        return false;
    }
    let ending = bare.split(':').next().and_then(|it| it.rsplit_once('.')).map(|(_, it)| it);
    let is_file = ending.is_some_and(|it| FILES.contains(&it.to_lowercase().as_str()));
    let is_path = bare.starts_with(['/', '~', '@']) && bare.len() > 1
        || bare.starts_with("./")
        || bare.matches('/').count() >= 2
        || (bare.len() > 2
            && bare.contains('/')
            && word.trim_start_matches(['(', '"', '`']).ends_with('/'));
    let letters = |it: &str| it.chars().any(char::is_alphabetic);
    let is_identifier = bare.contains('_') && letters(bare)
        || bare.contains("::")
        || word.contains("()")
        || bare.contains("=>")
        || is_camel(bare);
    is_file
        || is_path
        || is_identifier
        || bare.starts_with("--")
        || bare.starts_with("http://")
        || bare.starts_with("https://")
        || (word.starts_with('`') && !bare.chars().all(char::is_alphanumeric))
}

/// `stripeCustomerId`, not `GraphQL`: a capital after a small letter, more than once.
fn is_camel(word: &str) -> bool {
    let mut characters = word.chars();
    let Some(first) = characters.next() else { return false };
    let mut humps = 0;
    let mut before = first;
    for character in characters {
        humps += usize::from(before.is_lowercase() && character.is_uppercase());
        before = character;
    }
    humps >= 2 && word.chars().all(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_blanked_and_names_of_things_stay() {
        for word in [
            "src/exec/mod.rs:132:40",
            "/newest",
            "cached_property",
            "ACCESS_TOKEN_EXPIRE_MINUTES",
            "stripeCustomerId",
            "--json",
            "./a",
            "lib/subscription.ts",
            "OwnerController.java:142",
            "foo()",
            "https://a.example/auth",
        ] {
            assert_eq!(prose(word, &|_| false).trim(), "", "{word}");
        }
        for word in
            ["Next.js", "GraphQL", "PostgreSQL", "zip/tar", "AC:", "e-mail", "OAuth", "`redis`"]
        {
            assert_eq!(prose(word, &|_| false), word);
        }
    }

    #[test]
    fn a_stack_trace_and_a_fence_are_no_prose_and_offsets_stay() {
        let text = "Crash in prod\n  at auth (lib/x.ts:1:2)\n```\nuse redis\n```\nfix it";
        let plain = prose(text, &|_| false);
        assert_eq!(plain.len(), text.len());
        assert_eq!(
            plain.split_whitespace().collect::<Vec<_>>(),
            ["Crash", "in", "prod", "fix", "it"]
        );
    }
}
