//! C, case by case.

use crate::domain::languages::tests::*;

#[test]
fn every_declaration_is_listed_with_its_lines() {
    insta::assert_snapshot!(outline("src/sample.c", include_str!("tests/sample.c")));
}
