//! Questions on a terminal, one at a time: a number or a text answers, `back`, `skip`, `quit` and `?`
//! do what they say, and what does not fit is asked again at once.

use std::io::BufRead;

use mcp_core::text;
use serde_json::{Map, Value};

use crate::domain::clarify::{Asked, AskedKind, LATER, OTHER};

const HELP: &str = "  A number or a text answers. `back` goes to the question before, `skip` leaves this one\n  open, `not applicable` says that it is not about this, `quit` stops and keeps what was answered.";

/// What came of asking.
pub(super) enum Talk {
    Answers(Map<String, Value>),
    /// The user stops, with what was answered until then.
    Quit(Map<String, Value>),
    /// The input has ended.
    Ended,
}

/// Asks one question after the other; `before` counts those that were answered earlier.
pub(super) fn ask(
    questions: &[Asked],
    before: usize,
    input: &mut impl BufRead,
    print: &impl Fn(&str),
) -> Talk {
    let mut answers = Map::new();
    let mut at = 0;
    while let Some(asked) = questions.get(at) {
        print(&format!("\n[{} of {}]", before + at + 1, before + questions.len()));
        print(&shown(asked));
        let mut refused = String::new();
        let typed = loop {
            print("> ");
            let mut line = String::new();
            match input.read_line(&mut line) {
                Ok(0) | Err(_) => return Talk::Ended,
                Ok(_) => {}
            }
            let line = line.trim().to_owned();
            match line.as_str() {
                "?" | "help" => print(HELP),
                // The same again is meant.
                _ if !line.is_empty() && line == refused => break format!("Other: {line}"),
                _ => match problem(asked, &line) {
                    Some(problem) => {
                        print(&format!("  {problem}"));
                        refused = line;
                    }
                    None => break line,
                },
            }
        };
        match typed.to_lowercase().as_str() {
            "quit" | "q" => return Talk::Quit(answers),
            "back" => {
                at = at.saturating_sub(1);
                continue;
            }
            "skip" => {
                answers.insert(asked.id.clone(), Value::from(LATER));
            }
            _ => {
                answers.insert(asked.id.clone(), answer(asked, &typed));
            }
        }
        at += 1;
    }
    Talk::Answers(answers)
}

/// Why an input cannot be an answer, as far as the terminal can tell.
fn problem(asked: &Asked, typed: &str) -> Option<String> {
    let n_options = asked.options.len();
    if typed.is_empty() {
        let must = !asked.optional;
        return must.then(|| "Please answer, or type `skip` to leave it open.".to_owned());
    }
    if asked.kind == AskedKind::FreeText {
        return None;
    }
    let words = ["back", "skip", "quit", "q", "other", LATER, "not applicable", "none"];
    let is_listed = |word: &str| asked.options.iter().any(|it| it.eq_ignore_ascii_case(word));
    let parts: Vec<&str> = match asked.kind {
        AskedKind::MultiChoice => typed.split(',').map(str::trim).collect(),
        AskedKind::SingleChoice | AskedKind::FreeText => vec![typed],
    };
    parts.into_iter().find_map(|part| {
        if let Ok(number) = part.parse::<usize>() {
            let fits = (1..=n_options).contains(&number);
            return (!fits).then(|| format!("{part} is none of the numbers 1 to {n_options}."));
        }
        let lower = part.to_lowercase();
        if is_listed(part) || words.contains(&lower.as_str()) || lower.starts_with("other:") {
            return None;
        }
        let listed = asked.options.iter().map(String::as_str).filter(|it| *it != OTHER);
        let nearest = text::nearest(part, listed);
        let nearest = nearest.map(|it| format!(" Did you mean `{it}`?")).unwrap_or_default();
        Some(format!("`{part}` is none of the options.{nearest} Type it again if it is meant."))
    })
}

pub(super) fn shown(asked: &Asked) -> String {
    let mut lines = vec![asked.text.clone(), format!("  {}", asked.why)];
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
    lines.push(format!("  [{how}; \"{LATER}\" leaves it open; ? for help]"));
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
