//! Ruby, case by case.

use crate::domain::languages::tests::*;

#[test]
fn every_form_of_a_declaration_is_kept_whole() {
    insta::assert_snapshot!(outline("lib/sample.rb", include_str!("tests/sample.rb")));
}
