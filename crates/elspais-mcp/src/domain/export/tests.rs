//! Exports of a small project, read as other programs would.

use super::*;
use crate::domain::mutate::tests::project;

fn export() -> Export {
    Export::of(&project().graph, "Sample")
}

#[test]
fn each_form_says_what_the_files_say() {
    for (name, form) in Form::ALL {
        insta::assert_snapshot!(format!("export_{name}"), export().write(form));
    }
}

#[test]
fn cells_are_quoted_and_never_formulas() {
    assert_eq!(
        csv::row(&["a,b", "say \"x\"", "=1+1", "-", ""]),
        "\"a,b\",\"say \"\"x\"\"\",'=1+1,-,\r\n"
    );
}

#[test]
fn markup_in_texts_stays_text() {
    let reqif = export().write(Form::ReqIf);
    let mut reader = quick_xml::Reader::from_str(&reqif);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => break,
            Ok(_) => {}
            Err(error) => panic!("{error}\n{reqif}"),
        }
    }
}
