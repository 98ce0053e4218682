//! Part of a file read anew is what the whole file would be read as.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::domain::parse::part::Part;

fn fragment() -> impl Strategy<Value = String> {
    let header = (1u32..6, prop_oneof![Just("# "), Just("## "), Just("")])
        .prop_map(|(n, hashes)| format!("{hashes}REQ-d0000{n}: Title\n"));
    prop_oneof![
        4 => header,
        1 => (1u32..4).prop_map(|n| format!("# JNY-Sign-In-0{n}: Way\n**Actor**: Ann\n")),
        2 => (1u32..6).prop_map(|n| format!("**Level**: DEV | **Implements**: REQ-d0000{n}-A,\n")),
        2 => Just("## Assertions\n\nA. One.\nB. Two\n   goes on.\n".to_owned()),
        2 => Just("*End* *Title* | **Hash**: 1a2b3c4d\n".to_owned()),
        1 => Just("---\n".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just("Ünï text, words\r\n".to_owned()),
        1 => Just("# REQ-xyz: no id\n".to_owned()),
        1 => Just("# REQ-d00009 no colon\n".to_owned()),
        1 => Just("```\n# REQ-d00008: Fenced\n```\n".to_owned()),
        1 => Just("```\n".to_owned()),
        1 => Just("<!--\nnot here\n-->\n".to_owned()),
        1 => Just("<!-- open\n".to_owned()),
        1 => Just("-->\n".to_owned()),
    ]
}

/// The place at `at` of `text`, or before it where a letter stands there.
fn place(text: &str, at: Index) -> usize {
    let at = at.index(text.len() + 1);
    (0..=at).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0)
}

/// The contents after an edit, as far as they can be had from a part; whether they could.
fn edited(old: &str, from: usize, to: usize, with: &str) -> (String, Option<Contents>) {
    let grammar = grammar();
    let new = format!("{}{with}{}", &old[..from], &old[to..]);
    let mut contents = spec::parse(&grammar, old);
    let part = Part::read(&grammar, &contents, old, Span::new(from, to), &new);
    let read = part.map(|part| {
        let (_, after) = (part.before(), part.after());
        part.put_into(&mut contents);
        assert!(after.0.end <= contents.requirements.len());
        contents
    });
    (new, read)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn a_part_read_anew_is_what_the_whole_would_be(
        fragments in prop::collection::vec(fragment(), 1..14),
        (one, other) in (any::<Index>(), any::<Index>()),
        with in prop_oneof![Just(String::new()), "[a-z.]{1,8}", fragment()],
    ) {
        let old = fragments.concat();
        let (one, other) = (place(&old, one), place(&old, other));
        let (from, to) = (one.min(other), one.max(other).min(one.min(other) + 12));
        let to = (from..=to).rev().find(|it| old.is_char_boundary(*it)).unwrap_or(from);
        let (new, read) = edited(&old, from, to, &with);
        if let Some(read) = read {
            prop_assert_eq!(read, spec::parse(&grammar(), &new));
        }
    }
}

#[test]
fn a_changed_title_is_read_with_its_block_alone() {
    let block = |n: u32| format!("# REQ-d0000{n}: Title\nLevel: DEV\n\nText.\n\n*End* *Title*\n\n");
    let old = format!("{}{}{}", block(1), block(2), block(3));
    let at = block(1).len() + "# REQ-d00002: ".len();
    let (new, read) = edited(&old, at, at + 5, "Another\nline");
    let read = read.unwrap();
    assert_eq!(read, spec::parse(&grammar(), &new));
    assert_eq!(read.requirements[1].title.of(&new), "Another");
    assert_eq!((read.requirements[2].line, read.requirements[2].title.of(&new)), (16, "Title"));
    let fenced = old.replacen("Text.", "```", 1);
    assert!(edited(&fenced, at, at + 5, "x").1.is_none(), "an open fence is a matter of the file");
}
