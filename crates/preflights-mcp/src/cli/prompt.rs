//! Questions on a terminal: a number or a text answers, an empty line skips what may be skipped.

use std::io::BufRead;

use serde_json::{Map, Value};

use crate::domain::clarify::{Asked, AskedKind, LATER};

/// `None` when the input has ended.
pub(super) fn ask(
    questions: &[Asked],
    input: &mut impl BufRead,
    print: &impl Fn(&str),
) -> Option<Map<String, Value>> {
    let mut answers = Map::new();
    for asked in questions {
        print(&shown(asked));
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        answers.insert(asked.id.clone(), answer(asked, line.trim()));
    }
    Some(answers)
}

pub(super) fn shown(asked: &Asked) -> String {
    let mut lines = vec![String::new(), asked.text.clone(), format!("  {}", asked.why)];
    if let Some(error) = &asked.error {
        lines.push(format!("  Asked again: {error}."));
    }
    for (index, option) in asked.options.iter().enumerate() {
        let recommended = asked.recommended.as_ref().filter(|it| it.option == *option);
        let note = recommended.map(|it| format!(" (recommended: {})", it.because));
        lines.push(format!("  {}. {option}{}", index + 1, note.unwrap_or_default()));
    }
    let how = match asked.kind {
        AskedKind::SingleChoice => "a number or a text",
        AskedKind::MultiChoice => "numbers or texts, joined by commas",
        AskedKind::FreeText if asked.optional => "a text, or nothing",
        AskedKind::FreeText => "a text",
    };
    lines.push(format!("  [{how}; \"{LATER}\" leaves it open]"));
    lines.join("\n")
}

/// Numbers stand for the options as they are listed.
pub(super) fn answer(asked: &Asked, typed: &str) -> Value {
    let option = |word: &str| {
        let number: Option<usize> = word.trim().parse().ok();
        let chosen = number.and_then(|it| asked.options.get(it.checked_sub(1)?));
        chosen.map_or_else(|| word.trim().to_owned(), Clone::clone)
    };
    match asked.kind {
        AskedKind::FreeText => Value::from(typed),
        AskedKind::SingleChoice => Value::from(option(typed)),
        AskedKind::MultiChoice if typed.eq_ignore_ascii_case(LATER) => Value::from(typed),
        AskedKind::MultiChoice => typed.split(',').map(option).collect(),
    }
}
