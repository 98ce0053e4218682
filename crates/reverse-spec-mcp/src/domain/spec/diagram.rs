//! Mermaid diagrams that its parser accepts, whatever the names are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::facts::{Facts, is_visible, name_of};
use super::imports::Imports;
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility};

const MAX_CLASSES: usize = 40;
const MAX_MEMBERS: usize = 20;
const MAX_INTERNAL: usize = 15;
const MAX_EXTERNAL: usize = 10;

/// Classes, interfaces, traits and structs with what they offer and inherit.
pub(super) fn classes(symbols: &[Arc<ExportSymbol>]) -> Option<String> {
    use SymbolKind::{Class, Enum, Interface, Record, Struct, Trait, Union};
    let is_drawn = |it: &&ExportSymbol| {
        matches!(it.kind, Class | Interface | Trait | Struct | Enum | Record | Union)
    };
    let drawn: Vec<&ExportSymbol> =
        symbols.iter().map(Arc::as_ref).filter(is_drawn).take(MAX_CLASSES).collect();
    if drawn.is_empty() {
        return None;
    }
    let mut text = String::from("classDiagram\n");
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, symbol) in drawn.iter().enumerate() {
        ids.entry(symbol.local_name.as_deref().unwrap_or(&symbol.name)).or_insert(place);
        writeln!(text, "  class c{place}[\"{}\"] {{", label(&name_of(symbol))).ok();
        if symbol.kind != Class {
            writeln!(text, "    <<{}>>", kind_word(symbol.kind)).ok();
        }
        let is_shown = |it: &&MemberInfo| is_visible(it) && it.kind != MemberKind::Nested;
        let members = symbol.members.iter().filter(is_shown).take(MAX_MEMBERS);
        for member in members {
            let sign = match member.visibility {
                Some(Visibility::Protected) => '#',
                Some(Visibility::Package) => '~',
                _ => '+',
            };
            let name = member_text(&member.name);
            let is_field = matches!(
                member.kind,
                MemberKind::Property | MemberKind::EnumMember | MemberKind::IndexSignature
            );
            if name.is_empty() {
                continue;
            }
            let call = if is_field { "" } else { "()" };
            writeln!(text, "    {sign}{name}{call}").ok();
        }
        text.push_str("  }\n");
    }
    for (place, symbol) in drawn.iter().enumerate() {
        for (parents, arrow) in [(&symbol.extends, "<|--"), (&symbol.implements, "<|..")] {
            for parent in parents {
                let bare = parent.split(['<', '(', ' ']).next().unwrap_or(parent);
                let bare = bare.rsplit([':', '.']).next().unwrap_or(bare);
                if let Some(other) = ids.get(bare).filter(|other| **other != place) {
                    writeln!(text, "  c{other} {arrow} c{place}").ok();
                }
            }
        }
    }
    Some(text)
}

/// The module between what it uses of the project and what it takes from elsewhere.
pub(super) fn dependencies(facts: &Facts<'_>) -> Option<String> {
    let imports = Imports::of(facts);
    if imports.internal.is_empty() && imports.external.is_empty() {
        return None;
    }
    let mut text = format!("graph LR\n  m[\"{}\"]\n", label(facts.target));
    let mut list = |names: &mut dyn Iterator<Item = &&str>,
                    all: usize,
                    most: usize,
                    prefix,
                    arrow| {
        for (place, name) in names.take(most).enumerate() {
            writeln!(text, "  {prefix}{place}[\"{}\"]\n  m {arrow} {prefix}{place}", label(name))
                .ok();
        }
        if all > most {
            writeln!(text, "  {prefix}x[\"… {}\"]\n  m {arrow} {prefix}x", all - most).ok();
        }
    };
    let (internal, external) = (&imports.internal, &imports.external);
    list(&mut internal.iter(), internal.len(), MAX_INTERNAL, "i", "-->");
    list(&mut external.iter(), external.len(), MAX_EXTERNAL, "e", "-.->");
    Some(text)
}

/// The graph of modules: each group is one box, named if it is one module and else with all of its
/// modules inside under `title`. `arrows` point from a group to one it uses.
pub(crate) fn modules(groups: &[Vec<String>], arrows: &[(usize, usize)], title: &str) -> String {
    let mut text = String::from("graph TD\n");
    for (place, group) in groups.iter().enumerate() {
        if let [name] = group.as_slice() {
            writeln!(text, "  n{place}[\"{}\"]", label(name)).ok();
            continue;
        }
        writeln!(text, "  subgraph n{place}[\"{}\"]", label(title)).ok();
        for (inside, name) in group.iter().enumerate() {
            writeln!(text, "    n{place}_{inside}[\"{}\"]", label(name)).ok();
        }
        text.push_str("  end\n");
    }
    for (from, to) in arrows {
        writeln!(text, "  n{from} --> n{to}").ok();
    }
    text
}

/// Text between quotes: Mermaid reads entities with `#` and would take backticks for Markdown.
fn label(text: &str) -> String {
    let mut label = String::new();
    for c in mcp_core::text::one_line(text).chars().take(80) {
        match c {
            '"' => label.push_str("#quot;"),
            '<' => label.push_str("#lt;"),
            '>' => label.push_str("#gt;"),
            '#' => label.push_str("#35;"),
            '&' => label.push_str("#amp;"),
            '`' => label.push('\''),
            '\\' => label.push('/'),
            other => label.push(other),
        }
    }
    if label.trim().is_empty() { "·".to_owned() } else { label }
}

/// A member's name: what would be syntax is left out.
fn member_text(text: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || "_-.".contains(*c);
    text.chars().filter(kept).take(60).collect()
}

fn kind_word(kind: SymbolKind) -> String {
    let word = serde_json::to_value(kind).ok().and_then(|it| it.as_str().map(str::to_owned));
    word.unwrap_or_default()
}
