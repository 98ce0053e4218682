//! What the project types specification says about one type and its modifiers, and nothing else.

use mcp_core::markdown::{self, Section};

use crate::domain::document;
use crate::domain::heading;
use crate::domain::table::{Table, cell, plain};

/// A classification: the type, and the modifiers that were given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Classification<'a> {
    pub(crate) kind: &'a str,
    pub(crate) scale: Option<&'a str>,
    pub(crate) scope: Option<&'a str>,
}

/// The extract, or the whole specification with a line saying why.
pub(crate) fn guide(spec: &str, all_types: &[String], wanted: Classification<'_>) -> String {
    let parts = [Some(wanted.kind), wanted.scale, wanted.scope];
    let title = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    match extract(document::body(spec), all_types, wanted) {
        Ok(text) => format!("# Project Type Guidance: {title}\n\n{text}"),
        Err(absent) => format!(
            "# Project Type Guidance: {title}\n\n\
             This is the whole specification: {absent} was not found in it.\n\n{spec}"
        ),
    }
}

fn extract(body: &str, all_types: &[String], wanted: Classification<'_>) -> Result<String, String> {
    let kind = wanted.kind;
    let sections = markdown::sections(body);
    let section = type_section(&sections, all_types, kind)
        .ok_or_else(|| format!("a section for the type '{kind}'"))?;
    let column = implications(body, &sections, all_types, kind)
        .ok_or_else(|| format!("a table with a column for '{kind}'"))?;
    let mut parts = vec![
        format!("{}\n", body[section.span()].trim_end()),
        format!("## Implications\n\n{}", column.render()),
    ];
    for (modifier, value) in [("scale", wanted.scale), ("scope", wanted.scope)] {
        let Some(value) = value else { continue };
        let row = modifier_row(body, &sections, modifier, value)
            .ok_or_else(|| format!("a row for the {modifier} '{value}'"))?;
        parts.push(format!("## {}: {value}\n\n{}", capitalised(modifier), row.render()));
    }
    Ok(parts.join("\n"))
}

/// The section named after the type, else the first that names it and no other type.
fn type_section<'a>(sections: &'a [Section], types: &[String], kind: &str) -> Option<&'a Section> {
    let sections = || sections.iter().filter(|it| it.heading.level > 1);
    sections().find(|it| heading::is(&it.heading.text, kind)).or_else(|| {
        sections().find(|it| {
            let names = |kind: &str| heading::contains(&it.heading.text, kind);
            names(kind) && !types.iter().any(|other| other != kind && names(other))
        })
    })
}

/// The first column and the type's, of the table that has one column for each type.
fn implications(body: &str, sections: &[Section], types: &[String], kind: &str) -> Option<Table> {
    let named = sections.iter().filter(|it| heading::contains(&it.heading.text, "implications"));
    let texts = named.map(|it| &body[it.body.clone()]).chain(std::iter::once(body));
    texts.flat_map(Table::all).find_map(|table| {
        let others = types.iter().filter(|other| *other != kind);
        let compares = others.into_iter().any(|other| table.column(other).is_some());
        let column = table.column(kind).filter(|column| compares && *column > 0)?;
        Some(table.with_columns(&[0, column]))
    })
}

/// The row of a modifier: named by the value itself, or by the value and more (`full-build`).
fn modifier_row(body: &str, sections: &[Section], modifier: &str, value: &str) -> Option<Table> {
    let sections = sections.iter().filter(|it| {
        let text = &it.heading.text;
        heading::contains(text, &format!("{modifier} modifiers"))
            || heading::contains(text, &format!("{modifier} modifier"))
            || heading::is(text, modifier)
    });
    sections.flat_map(|it| Table::all(&body[it.body.clone()])).find_map(|table| {
        let row = table.rows.iter().find(|row| {
            let name = plain(cell(row, 0)).to_lowercase();
            let rest = name.strip_prefix(value);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', ' ', '_']))
        })?;
        Some(Table { head: table.head.clone(), rows: vec![row.clone()] })
    })
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|it| it.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
