//! What ids look like as patterns, and which bytes they can begin with.

use super::JOURNEY;
use crate::domain::config::{ComponentStyle, Config, IdShape, Part};

/// With which bytes ids of a template can begin, and those of journeys.
pub(super) fn firsts(config: &Config, first: Option<&Part>) -> [bool; 256] {
    let levels = config.levels.iter().flat_map(|it| [&it.key, &it.letter, &it.name]);
    let words: Vec<&String> = match first {
        Some(Part::Level(_)) => levels.collect(),
        Some(Part::Component) => return [true; 256],
        Some(Part::Literal(literal)) => vec![literal],
        Some(Part::Namespace | Part::Associated) | None => vec![&config.namespace],
    };
    let mut firsts = [false; 256];
    for word in words.into_iter().map(String::as_str).chain([JOURNEY]) {
        // Nothing at all stands before everything.
        let Some(first) = word.bytes().next() else { return [true; 256] };
        for it in [first, first.to_ascii_lowercase(), first.to_ascii_uppercase()] {
            firsts[usize::from(it)] = true;
        }
    }
    firsts
}

pub(super) fn id_pattern(config: &Config, template: &[Part]) -> String {
    let separators: String =
        config.ids.separators.iter().map(|it| regex::escape(&it.to_string())).collect();
    let literal = |text: &str| -> String {
        let each = text.chars().map(|it| {
            if config.ids.separators.contains(&it) {
                format!("[{separators}]")
            } else {
                regex::escape(&it.to_string())
            }
        });
        each.collect()
    };
    let part = |part: &Part| match part {
        Part::Literal(text) => literal(text),
        Part::Namespace => format!("(?i:{})", regex::escape(&config.namespace)),
        Part::Level(_) => {
            let names = config.levels.iter().flat_map(|it| [&it.letter, &it.name, &it.key]);
            let mut names: Vec<String> = names.map(|it| regex::escape(it)).collect();
            names.sort_by_key(|it| std::cmp::Reverse(it.len()));
            format!("(?P<level>(?i:{}))", names.join("|"))
        }
        Part::Component => format!("(?P<component>{})", component_pattern(&config.ids)),
        Part::Associated => match config.ids.associated {
            Some(length) => format!("(?P<associated>[A-Za-z]{{{length}}}-)?"),
            None => String::new(),
        },
    };
    template.iter().map(part).collect()
}

fn component_pattern(ids: &IdShape) -> String {
    let pattern = match ids.style {
        ComponentStyle::Numeric => "[0-9]+",
        ComponentStyle::Alphanumeric => "[A-Za-z0-9]+",
        ComponentStyle::CamelCase => "[a-z][A-Za-z0-9]*",
        ComponentStyle::PascalCase => "[A-Z][A-Za-z0-9]*",
        ComponentStyle::SnakeCase => "[a-z][a-z0-9_]*",
        ComponentStyle::KebabCase => "[a-z][a-z0-9]*(?:-[a-z0-9]+)*",
        ComponentStyle::Uuid => "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        ComponentStyle::Named | ComponentStyle::Regex if !ids.pattern.is_empty() => {
            let own = ids.pattern.trim_start_matches('^').trim_end_matches('$');
            return format!("(?:{own})");
        }
        ComponentStyle::Named | ComponentStyle::Regex => "[A-Za-z][A-Za-z0-9]*",
    };
    pattern.to_owned()
}
