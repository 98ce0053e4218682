//! Nine sections out of whatever a model wrote.

use std::fmt::Write as _;

use crate::domain::spec::{Fence, SECTIONS, Words, pieces};

/// Sections as a model names them, besides the headings it was given.
const ALIASES: [&[&str]; 9] = [
    &["intent", "purpose", "overview", "意图", "目的", "概述"],
    &["interface", "interfaces", "interface definition", "api", "public api", "接口", "接口定义"],
    &["behaviour", "behavior", "business logic", "logic", "业务逻辑", "行为", "逻辑"],
    &["data structures", "data structure", "data model", "数据结构", "数据模型"],
    &["constraints", "constraint", "invariants", "约束条件", "约束"],
    &["edge cases", "edge case", "boundary conditions", "边界条件", "边界情况"],
    &["technical debt", "debt", "known issues", "技术债务", "技术债"],
    &["test coverage", "tests", "testing", "测试覆盖", "测试"],
    &["dependencies", "dependency", "依赖关系", "依赖"],
];

/// The level of a line in bold.
const BOLD: usize = 7;

/// What could be taken from an answer.
#[derive(Debug, Default)]
pub(crate) struct Recovered {
    pub(crate) sections: [Option<String>; 9],
    /// Keys of the sections that are not there.
    pub(crate) missing: Vec<&'static str>,
    /// How many statements the model itself called inferred or unclear.
    pub(crate) uncertain: usize,
}

/// Splits an answer at headings outside code, the code that all of it may stand in left aside.
/// A heading that is none of the nine stays in the
/// section it is in; a section that comes twice is joined; the last one of a cut answer is dropped.
pub(crate) fn recover(answer: &str, is_cut: bool, words: &Words) -> Recovered {
    let mut sections: [Option<String>; 9] = Default::default();
    let mut current: Option<usize> = None;
    let mut last = None;
    let mut fence = Fence::default();
    for line in unwrapped(answer) {
        let in_code = fence.is_open();
        fence.see(line);
        if !in_code
            && !fence.is_open()
            && let Some((level, title)) = heading(line)
        {
            if let Some(place) = place_of(level, title, words) {
                current = Some(place);
                last = current;
                continue;
            }
            if level != BOLD
                && let Some(text) = current.and_then(|place| sections[place].as_mut())
            {
                // Two levels are the document's own.
                writeln!(text, "{} {title}", "#".repeat(level.clamp(4, 6))).ok();
                continue;
            }
        }
        if let Some(place) = current {
            let text = sections[place].get_or_insert_with(String::new);
            text.push_str(&if in_code || fence.is_open() { line.to_owned() } else { tame(line) });
            text.push('\n');
        }
    }
    if let (Some(place), Some(closing)) = (current, fence.closing())
        && let Some(text) = &mut sections[place]
    {
        text.push_str(&closing);
        text.push('\n');
    }
    if is_cut && let Some(place) = last {
        sections[place] = None;
    }
    for section in &mut sections {
        let text = section.take().map(|text| text.trim().to_owned());
        *section = text.filter(|text| !text.is_empty());
    }
    let missing = SECTIONS
        .iter()
        .zip(&sections)
        .filter(|(_, section)| section.is_none())
        .map(|(key, _)| *key)
        .collect();
    let marks = ["[inferred:", "[unclear:", "[推断:", "[推断：", "[不明确:", "[不明确："];
    let uncertain = marks.iter().map(|mark| answer.matches(mark).count()).sum();
    Recovered { sections, missing, uncertain }
}

/// The lines of an answer, without the fence that some models put around all of it.
fn unwrapped(answer: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = answer.trim().lines().collect();
    let opening = lines.first().copied().unwrap_or_default();
    let mark = opening.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let language = &opening[mark.len()..];
    let is_fence = mark.len() >= 3 && mark.bytes().all(|it| it == b'`' || it == b'~');
    // A section may begin with code as well; then the answer does not end with it, or the fence
    // is closed before.
    let wraps = is_fence
        && matches!(language.to_ascii_lowercase().as_str(), "" | "md" | "markdown" | "text")
        && lines.len() > 1
        && lines.iter().any(|line| line.starts_with("## ") || line.starts_with("# "));
    if wraps {
        lines.remove(0);
        if lines.last().is_some_and(|line| line.trim() == mark) {
            lines.pop();
        }
    }
    lines
}

/// A heading by its marks, or a line in bold that is nothing else: then of the third level.
fn heading(line: &str) -> Option<(usize, &str)> {
    let bold = line.trim().strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    if let Some(title) = bold.filter(|it| !it.contains('*')) {
        return Some((BOLD, title.trim().trim_end_matches([':', '：'])));
    }
    let level = line.chars().take_while(|c| *c == '#').count();
    let title = line.get(level..)?;
    let is_heading = (1..=6).contains(&level) && title.starts_with([' ', '\t']);
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim()))
}

/// Which of the nine a heading opens.
fn place_of(level: usize, title: &str, words: &Words) -> Option<usize> {
    // Words in bold are a heading only by their number: a paragraph may begin with any word.
    let is_numbered = title.starts_with(|c: char| c.is_ascii_digit());
    if level > 3 && level != BOLD || level == BOLD && !is_numbered {
        return None;
    }
    let plain = |text: &str| {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
        text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
    };
    let wanted = plain(title);
    if wanted.is_empty() {
        return None;
    }
    words
        .sections
        .iter()
        .position(|heading| plain(heading) == wanted)
        .or_else(|| ALIASES.iter().position(|names| names.contains(&wanted.as_str())))
}

/// Prose without what could pass for a part of the document: comments carry baselines and markers,
/// and what looks like a tag would not be seen at all.
fn tame(line: &str) -> String {
    let line = mcp_core::text::harmless(line);
    // A line that would be read as front matter or as the end of the sections.
    if line.trim_end() == "---" {
        return "***".to_owned();
    }
    let mut tamed = String::with_capacity(line.len());
    for (piece, is_code) in pieces(&line) {
        if is_code {
            tamed.push_str(piece);
            continue;
        }
        let mut rest = piece;
        while let Some(at) = rest.find('<') {
            let (before, tag) = rest.split_at(at);
            tamed.push_str(before);
            let is_tag = tag[1..].starts_with(|c: char| c.is_alphabetic() || "/!?".contains(c));
            tamed.push_str(if is_tag { "&lt;" } else { "<" });
            rest = &tag[1..];
        }
        tamed.push_str(rest);
    }
    tamed.replace("-->", "--&gt;")
}
