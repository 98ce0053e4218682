//! The page stays small and holds what it was given; a browser looks at it in the wire tests.

use super::*;

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

#[test]
fn fifty_thousand_requirements_fit_whole() {
    let report = Report { items: (0..50_000).map(item).collect(), ..Report::default() };
    let page = report.render().unwrap();
    assert!(page.len() < MAX_PAGE_BYTES, "{}", page.len());
    let data = data_of(&page);
    assert_eq!(data["rows"].as_array().unwrap().len(), 50_000);
    assert_eq!(data["notice"], serde_json::Value::Null);
}

#[test]
fn what_is_too_large_is_cut_and_says_so() {
    let long = |number| Item { title: "word ".repeat(60), ..item(number) };
    let report = Report { items: (0..60_000).map(long).collect(), ..Report::default() };
    let page = report.render().unwrap();
    assert!(page.len() <= MAX_PAGE_BYTES, "{}", page.len());
    assert!(data_of(&page)["notice"].as_str().unwrap().contains("40 characters"));

    let report = Report { items: (0..200_000).map(item).collect(), ..Report::default() };
    let page = report.render().unwrap();
    assert!(page.len() <= MAX_PAGE_BYTES, "{}", page.len());
    assert!(data_of(&page)["notice"].as_str().unwrap().contains("of 200000 requirements"));
}

#[test]
fn parents_and_places_are_numbers_into_the_lists() {
    let report = Report { items: (0..3).map(item).collect(), ..Report::default() };
    let data = data_of(&report.render().unwrap());
    assert_eq!(data["rows"][2][9], serde_json::json!([0]));
    let place = usize::try_from(data["rows"][2][4].as_u64().unwrap()).unwrap();
    assert_eq!(data["files"][place], "spec/part-0.md");
    assert_eq!((&data["assertions"], &data["covered"]), (&15.into(), &9.into()));
}

#[test]
fn levels_come_by_rank_and_once_however_they_are_written() {
    let text = "# REQ-d00001: One\nLevel: dev\n\n# REQ-d00002: Two\nLevel: DEV\n\n# REQ-p00001: Three\nLevel: PRD\n";
    let graph = crate::domain::mutate::tests::graph_of(&[(
        "spec/a.md",
        crate::domain::graph::Role::Spec,
        text,
    )]);
    let reviews = crate::domain::review::suspect::Reviews::default();
    let page = Report::of(&graph, &reviews, "x", None).render().unwrap();
    assert_eq!(data_of(&page)["levels"], serde_json::json!(["PRD", "DEV"]));
}
