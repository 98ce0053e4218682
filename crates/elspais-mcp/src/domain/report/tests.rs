//! The page stays small and holds what it was given; a browser looks at it in the wire tests.

use super::*;
use crate::domain::graph::Role;
use crate::domain::review::suspect::Reviews;

fn item(number: usize) -> Item {
    Item {
        id: format!("REQ-d{number:05}"),
        title: "A title of the usual length for a requirement of a program".into(),
        level: "DEV".into(),
        status: "Active".into(),
        file: format!("spec/part-{}.md", number / 25),
        line: number % 25 * 40 + 1,
        covered: 3,
        assertions: 5,
        parents: number
            .checked_sub(1)
            .map(|parent| format!("REQ-d{:05}", parent / 4))
            .into_iter()
            .collect(),
        ..Item::default()
    }
}

fn data_of(page: &str) -> serde_json::Value {
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap()
}

/// What a packed part of the page holds, as the page itself opens it.
fn opened(data: &serde_json::Value, packed: &serde_json::Value) -> serde_json::Value {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = (0_u32, 0);
    let mut bytes = Vec::new();
    for digit in packed.as_str().unwrap().chars().filter(|it| *it != '=') {
        let value = u32::try_from(digits.find(digit).unwrap()).unwrap();
        bits = (bits.0 << 6 | value, bits.1 + 6);
        if bits.1 >= 8 {
            bits.1 -= 8;
            bytes.push(u8::try_from(bits.0 >> bits.1 & 255).unwrap());
        }
    }
    let mut short = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(&*bytes), &mut short)
        .unwrap();
    let words: Vec<(u8, String)> = serde_json::from_value(data["words"].clone()).unwrap();
    let mut json = Vec::new();
    for byte in short {
        match words.iter().find(|(code, _)| *code == byte) {
            Some((_, word)) => json.extend_from_slice(word.as_bytes()),
            None => json.push(byte),
        }
    }
    serde_json::from_slice(&json).unwrap()
}

fn head_of(page: &str) -> serde_json::Value {
    let data = data_of(page);
    opened(&serde_json::json!({ "words": [] }), &data["head"])
}

#[test]
fn fifty_thousand_requirements_fit_whole() {
    let report = Report { items: (0..50_000).map(item).collect(), ..Report::default() };
    let page = report.render().unwrap();
    assert!(page.len() < MAX_PAGE_BYTES, "{}", page.len());
    assert_eq!(head_of(&page)["id"].as_array().unwrap().len(), 50_000);
    assert_eq!(data_of(&page)["notice"], serde_json::Value::Null);
}

#[test]
fn what_is_too_large_is_cut_and_says_so() {
    // Titles that no packer makes small.
    let long = |number: usize| {
        let mut state = number as u64 + 1;
        let title = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(b'!' + u8::try_from((state >> 40) % 90).unwrap())
        });
        Item { title: title.take(200).collect(), ..item(number) }
    };
    let most = MAX_PAGE_BYTES / 10;
    let rendered = |n_items| {
        let report = Report { items: (0..n_items).map(long).collect(), ..Report::default() };
        let page = report.render_within(most).unwrap();
        assert!(page.len() <= most, "{}", page.len());
        data_of(&page)["notice"].as_str().unwrap().to_owned()
    };
    assert!(rendered(6_000).contains("40 characters"));
    assert!(rendered(40_000).contains("of 40000 requirements"));
}

#[test]
fn parents_and_places_are_numbers_into_the_lists() {
    let report = Report { items: (0..3).map(item).collect(), ..Report::default() };
    let page = report.render().unwrap();
    let (data, head) = (data_of(&page), head_of(&page));
    assert_eq!(head["parents"][2], serde_json::json!([0]));
    let place = usize::try_from(head["file"][2].as_u64().unwrap()).unwrap();
    assert_eq!(head["files"][place], "spec/part-0.md");
    assert_eq!((&data["assertions"], &data["covered"]), (&15.into(), &9.into()));
}

#[test]
fn levels_come_by_rank_and_once_however_they_are_written() {
    let text = "# REQ-d00001: One\nLevel: dev\n\n# REQ-d00002: Two\nLevel: DEV\n\n# REQ-p00001: Three\nLevel: PRD\n";
    let page = page_of(&[("spec/a.md", Role::Spec, text)], Shown::Client);
    assert_eq!(head_of(&page)["levels"], serde_json::json!(["PRD", "DEV"]));
}

fn page_of(files: &[(&str, Role, &str)], shown: Shown) -> String {
    let graph = crate::domain::mutate::tests::graph_of(files);
    let reviews = Reviews::default();
    Report::of(&graph, &reviews, "x", shown).render().unwrap()
}

const SPEC: &str = "# REQ-p00001: Signing in\r\n**Level**: PRD | **Status**: Active\r\n\r\nGrüße 😀.\r\n\r\n## Assertions\r\n\r\nA. The name </script> SHALL be asked for,\r\n   each time.\r\nB. The password SHALL be asked for.\r\n\r\n*End* *Signing in* | **Hash**: ________\r\n";

#[test]
fn a_requirement_opens_with_its_assertions_and_the_lines_that_cite_it() {
    let code = "import x\n\n# Implements: REQ-p00001-A\ndef ask():\n    return '</script>'\n";
    let files = [("spec/a.md", Role::Spec, SPEC), ("src/a.py", Role::Code, code)];
    let page = page_of(&files, Shown::File(String::new()));
    let data = data_of(&page);
    let detail = opened(&data, &data["blocks"][0])[0].take();
    let text: Vec<u16> = detail["text"].as_str().unwrap().encode_utf16().collect();
    // As the page counts: each stands so far behind the end of the one before it.
    let mut end = 0;
    let said: Vec<String> = detail["assertions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let at = |n: usize| usize::try_from(it[n].as_u64().unwrap()).unwrap();
            let start = end + at(1);
            end = start + at(2);
            String::from_utf16(&text[start..end]).unwrap()
        })
        .collect();
    assert_eq!(
        said,
        [
            "The name </script> SHALL be asked for,\n   each time.",
            "The password SHALL be asked for."
        ]
    );
    assert_eq!(
        detail["cited"],
        serde_json::json!([[
            "code",
            "implements",
            "ask",
            "src/a.py",
            3,
            "A",
            "",
            "# Implements: REQ-p00001-A\ndef ask():\n    return '</script>'"
        ]])
    );
    let head = head_of(&page);
    assert_eq!((&head["gaps"][0], &head["code"][0]), (&"B".into(), &1.into()));
}

#[test]
fn a_page_for_a_client_holds_no_texts_because_calls_bring_them() {
    let data = data_of(&page_of(&[("spec/a.md", Role::Spec, SPEC)], Shown::Client));
    assert_eq!((&data["client"], &data["blocks"]), (&true.into(), &serde_json::json!([])));
    assert_eq!(data["links"], serde_json::Value::Null);
}
