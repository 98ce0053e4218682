//! The traceability matrix: each assertion with the code, the tests and the results behind it. A
//! cell that is empty is a hole.

use super::csv::row;
use super::record::{Citer, Export, Requirement};

pub(super) fn write(export: &Export) -> String {
    let mut text =
        row(&["requirement", "assertion", "title", "level", "status", "code", "test", "result"]);
    for it in &export.requirements {
        if it.assertions.is_empty() {
            text.push_str(&cells(it, None));
        }
        for assertion in it.assertions.iter().filter(|it| !it.retired) {
            text.push_str(&cells(it, Some(&assertion.label)));
        }
    }
    text
}

fn cells(it: &Requirement, label: Option<&str>) -> String {
    let names = |citer: &&Citer| match label {
        Some(label) => citer.labels.iter().any(|it| it == label),
        None => true,
    };
    let listed = |node: &str| {
        let places = it.cited_by.iter().filter(names).filter(|citer| citer.node == node);
        places.map(|citer| format!("{}:{}", citer.path, citer.line)).collect::<Vec<_>>().join(" ")
    };
    let mut results: Vec<&str> =
        it.cited_by.iter().filter(names).filter_map(|it| it.result).collect();
    results.sort_unstable();
    results.dedup();
    row(&[
        &it.id,
        label.unwrap_or_default(),
        &it.title,
        &it.level,
        &it.status,
        &listed("code"),
        &listed("test"),
        &results.join(" "),
    ])
}
