//! TypeScript and JavaScript.

use super::*;

#[test]
fn every_form_of_declaration_import_and_export_is_kept_whole() {
    let skeleton = read("src/sample.ts", include_str!("samples/sample.ts"));
    insta::assert_json_snapshot!(skeleton);
}
