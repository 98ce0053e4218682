//! A skeleton in words, in as much detail as there is room for.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::domain::languages;
use crate::domain::skeleton::{CodeSkeleton, EntryKind, ExportSymbol, MemberInfo, Visibility};

/// Documentation beyond this adds nothing to a prompt.
const MAX_DOC_CHARS: usize = 600;
/// Names in the one line that stands for a file.
const MAX_SUMMARY_NAMES: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    Full,
    WithoutDocs,
    WithoutPrivate,
    Summary,
    Count,
    Nothing,
}

/// Whether a file holds anything that this detail, and not the one before it, leaves out.
pub(super) fn has_what_goes(skeleton: &CodeSkeleton, detail: Detail) -> bool {
    let mut symbols = skeleton.exports.iter().chain(&skeleton.internals);
    match detail {
        Detail::WithoutDocs => {
            skeleton.module_doc.is_some()
                || symbols.any(|it| {
                    it.js_doc.is_some() || it.members.iter().any(|it| it.js_doc.is_some())
                })
        }
        Detail::WithoutPrivate => symbols.any(|it| it.members.iter().any(|it| !is_public(it))),
        _ => true,
    }
}

/// How much there is to say about a file, without saying it: only good for comparing.
pub(super) fn weight(skeleton: &CodeSkeleton) -> usize {
    let members = |it: &ExportSymbol| -> usize {
        it.members.iter().filter(|it| is_public(it)).map(|it| it.signature.len()).sum()
    };
    let symbols = skeleton.exports.iter().chain(&skeleton.internals);
    let declared: usize = symbols.map(|it| it.signature.len() + members(it)).sum();
    let imported: usize = skeleton.imports.iter().map(|it| it.module_specifier.len()).sum();
    declared + imported
}

/// One file.
pub(super) fn file(skeleton: &CodeSkeleton, detail: Detail) -> String {
    let path = &skeleton.file_path;
    let symbols = || skeleton.exports.iter().chain(&skeleton.internals);
    match detail {
        Detail::Nothing => return String::new(),
        Detail::Count => {
            let entries = entries(skeleton);
            return format!("- {path} ({} declarations){}", symbols().count(), entries.trim_end());
        }
        Detail::Summary => {
            let names: Vec<&str> =
                symbols().map(|it| it.name.as_str()).take(MAX_SUMMARY_NAMES).collect();
            let more = symbols().count() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let entries = entries(skeleton);
            let entries = entries.trim_end();
            return format!(
                "- {path} ({} lines): {}{more}{entries}",
                skeleton.loc,
                names.join(", ")
            );
        }
        _ => {}
    }
    let mut text = format!(
        "## {path}\n\n{}, {} lines\n",
        languages::about(skeleton.language).name,
        skeleton.loc
    );
    if detail == Detail::Full
        && let Some(doc) = &skeleton.module_doc
    {
        let _ = writeln!(text, "\n{}", shortened(doc));
    }
    if !skeleton.imports.is_empty() {
        text.push_str("\nImports:\n");
        for import in &skeleton.imports {
            let mut names: Vec<&str> = Vec::new();
            names.extend(import.default_import.as_deref());
            names.extend(import.namespace_import.as_deref());
            names.extend(import.named_imports.iter().map(String::as_str));
            let type_only = if import.is_type_only { " (types only)" } else { "" };
            let _ = if names.is_empty() {
                writeln!(text, "- {}{type_only}", import.module_specifier)
            } else {
                writeln!(text, "- {} from {}{type_only}", names.join(", "), import.module_specifier)
            };
        }
    }
    text.push_str(&entries(skeleton));
    for symbol in &skeleton.exports {
        describe(&mut text, symbol, "", detail);
    }
    for symbol in &skeleton.internals {
        describe(&mut text, symbol, "internal ", detail);
    }
    if !skeleton.parse_errors.is_empty() {
        text.push_str("\nSyntax errors:\n");
        for error in &skeleton.parse_errors {
            let _ =
                writeln!(text, "- line {}, column {}: {}", error.line, error.column, error.message);
        }
    }
    text
}

/// What a file holds besides what is described already, a line each.
pub(super) fn internals(skeleton: &CodeSkeleton) -> String {
    let symbols = skeleton.exports.iter().chain(&skeleton.internals);
    let known: HashSet<&str> = symbols
        .flat_map(|it| {
            let own = it.local_name.as_ref().unwrap_or(&it.name);
            std::iter::once(own).chain(it.members.iter().map(|it| &it.name))
        })
        .map(String::as_str)
        .collect();
    let mut text = String::new();
    for one in skeleton.outline.iter().filter(|it| !known.contains(it.name.as_str())) {
        if text.is_empty() {
            let _ = writeln!(text, "Internals of {}:", skeleton.file_path);
        }
        let _ = writeln!(text, "- {} (line {})", one.head, one.line);
    }
    text
}

/// Where a file is reached and what it takes from its surroundings, a line each.
pub(super) fn entries(skeleton: &CodeSkeleton) -> String {
    let mut text = String::new();
    for entry in skeleton.entry_points.iter().filter(|it| it.kind != EntryKind::Statements) {
        if text.is_empty() {
            text.push_str("\nEntry points, configuration and records:\n");
        }
        let through = entry.guards.iter().chain(&entry.handler).map(String::as_str);
        let through: Vec<&str> = through.chain(entry.fallback.as_deref()).collect();
        let mut more = through.join(", ");
        if !entry.details.is_empty() {
            let gap = if more.is_empty() { "" } else { "; " };
            more = format!("{more}{gap}{}", entry.details.join(", "));
        }
        let to = if more.is_empty() { "" } else { ": " };
        let name = entry.reached_as.as_ref().unwrap_or(&entry.name);
        let _ = writeln!(text, "- {} {name} (line {}){to}{more}", entry.kind.word(), entry.line);
    }
    text
}

fn describe(text: &mut String, symbol: &ExportSymbol, internal: &str, detail: Detail) {
    let inside = symbol.namespace.as_ref().map(|it| format!(" in {it}")).unwrap_or_default();
    let kind = symbol.kind.word();
    let line = symbol.start_line;
    let _ = write!(text, "\n### {internal}{kind} {}{inside} (line {line})\n\n", symbol.name);
    for decorator in &symbol.decorators {
        let _ = writeln!(text, "    {decorator}");
    }
    let _ = writeln!(text, "    {}", symbol.signature);
    if detail == Detail::Full
        && let Some(doc) = &symbol.js_doc
    {
        let _ = writeln!(text, "\n{}", shortened(doc));
    }
    let shown = |it: &&MemberInfo| detail < Detail::WithoutPrivate || is_public(it);
    let mut members = symbol.members.iter().filter(shown).peekable();
    if members.peek().is_some() {
        text.push('\n');
    }
    for member in members {
        let doc = member.js_doc.as_ref().filter(|_| detail == Detail::Full);
        let doc = doc.map(|it| format!(" // {}", first_sentence(it))).unwrap_or_default();
        let hidden = match member.visibility {
            Some(Visibility::Private) if !member.signature.starts_with("private") => "private ",
            Some(Visibility::Protected) if !member.signature.contains("protected") => "protected ",
            _ => "",
        };
        let _ = writeln!(text, "- {hidden}{}{doc}", member.signature);
    }
}

fn is_public(member: &MemberInfo) -> bool {
    matches!(member.visibility, None | Some(Visibility::Public | Visibility::Protected))
}

/// The whole text of a file under its path.
pub(crate) fn snippet(skeleton: &CodeSkeleton, text: &str) -> String {
    // A fence longer than any in the text.
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let language = languages::about(skeleton.language).name.to_lowercase();
    format!("### {}\n\n{fence}{language}\n{}\n{fence}\n", skeleton.file_path, text.trim_end())
}

fn shortened(doc: &str) -> String {
    let cut = mcp_core::text::cut(doc, MAX_DOC_CHARS);
    if cut.len() < doc.len() { format!("{cut}…") } else { doc.to_owned() }
}

/// The first sentence of a comment without its marks.
fn first_sentence(doc: &str) -> String {
    let marks = ['/', '*', '#', '!', '"', '\''];
    let lines = doc.lines().map(|line| line.trim().trim_matches(marks).trim());
    let words: Vec<&str> = lines.filter(|it| !it.is_empty()).collect();
    let text = words.join(" ");
    let sentence = text.split_once(". ").map_or(text.as_str(), |(first, _)| first);
    mcp_core::text::cut(sentence.trim_end_matches('.'), 160).to_owned()
}
