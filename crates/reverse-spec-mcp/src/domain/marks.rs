//! What decorators, annotations and attributes mean to somebody outside the code: where requests
//! enter, who is turned away, what is kept or sent under a name of its own. The names are data.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::skeleton::{ExportSymbol, MemberInfo};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Meaning {
    /// A request, a message or a clock enters here.
    Entry,
    /// Somebody or something is turned away here.
    Guard,
    /// It is kept or sent under a name of its own.
    Record,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    means: Meaning,
    names: Vec<String>,
    #[serde(default)]
    needs: Option<Needs>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Needs {
    Text,
}

#[derive(Debug, Deserialize)]
struct Whole {
    mark: Vec<Row>,
    checks: Vec<String>,
    models: Vec<String>,
}

static TABLE: LazyLock<Whole> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is part of the program and tested")]
    toml::from_str(include_str!("../../assets/marks.toml")).expect("the table is well formed")
});

static MARKS: LazyLock<HashMap<String, (Meaning, bool)>> = LazyLock::new(|| {
    let named = TABLE.mark.iter().flat_map(|row| {
        let meaning = (row.means, row.needs == Some(Needs::Text));
        row.names.iter().map(move |name| (name.clone(), meaning))
    });
    named.collect()
});

/// Whether a named argument says what an argument or a field has to hold: `ge` of `Query(ge=1)`.
pub(crate) fn is_check(name: &str) -> bool {
    TABLE.checks.iter().any(|it| it == name)
}

/// Bases whose fields are checked and converted when the program runs.
pub(crate) fn models() -> Vec<&'static str> {
    TABLE.models.iter().map(String::as_str).collect()
}

/// What a decorator, annotation, attribute or field tag means; none for what matters inside alone.
pub(crate) fn meaning(mark: &str) -> Option<Meaning> {
    // The tag of a field: what it is called elsewhere.
    if mark.starts_with('`') {
        return Some(Meaning::Record);
    }
    let (meaning, needs_text) = MARKS.get(name_of(mark)).copied()?;
    let has_text = || mark.split_once('(').is_some_and(|(_, rest)| rest.contains(['"', '\'']));
    (!needs_text || has_text()).then_some(meaning)
}

/// The last part of its name: `@bp.route("/x")` is a `route`, `#[serde(rename = "a")]` a `serde`.
pub(crate) fn name_of(mark: &str) -> &str {
    let plain = mark.trim_start_matches(['@', '#', '[', '!']);
    let end = plain.find(|it: char| !it.is_alphanumeric() && !matches!(it, '_' | '.' | ':'));
    let path = &plain[..end.unwrap_or(plain.len())];
    path.rsplit(['.', ':']).next().unwrap_or(path)
}

/// Whether somebody outside the code reaches a member, whoever may call it.
pub(crate) fn is_reached(member: &MemberInfo) -> bool {
    member.decorators.iter().any(|it| meaning(it).is_some())
}

/// Whether a type is kept or sent as a whole, its private fields included.
pub(crate) fn is_record(symbol: &ExportSymbol) -> bool {
    symbol.decorators.iter().any(|it| meaning(it) == Some(Meaning::Record))
}

/// Whether somebody outside the code reaches a type or one of its members.
pub(crate) fn is_reached_type(symbol: &ExportSymbol) -> bool {
    symbol.decorators.iter().any(|it| meaning(it).is_some())
        || symbol.members.iter().any(is_reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_known_by_the_last_part_of_their_name() {
        for (mark, expected) in [
            ("@bp.route(\"/x\", methods=[\"POST\"])", Some(Meaning::Entry)),
            ("@app.get('/x')", Some(Meaning::Entry)),
            ("@GetMapping(\"/a\")", Some(Meaning::Entry)),
            ("@org.springframework.web.bind.annotation.PutMapping", Some(Meaning::Entry)),
            ("@Get()", Some(Meaning::Entry)),
            ("#[get(\"/x\")]", Some(Meaning::Entry)),
            ("#[rocket::post(\"/x\")]", Some(Meaning::Entry)),
            ("@permission_required(Permission.WRITE)", Some(Meaning::Guard)),
            ("@NotBlank", Some(Meaning::Guard)),
            ("#[serde(rename = \"a\")]", Some(Meaning::Record)),
            ("`json:\"a\"`", Some(Meaning::Record)),
            ("@cached.get", None),
            ("@property", None),
            ("#[must_use]", None),
        ] {
            assert_eq!(meaning(mark), expected, "{mark}");
        }
    }
}
