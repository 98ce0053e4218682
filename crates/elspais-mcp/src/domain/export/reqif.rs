//! `ReqIF` 1.2, by its schema and with the names of fields that other tools agree on.
//!
//! What people write is XHTML, which all tools read alike. Of plain strings some undo escapes that
//! are none, and turn a backslash or a letter with an accent into something else.

use std::fmt::Write as _;

use super::record::Export;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REQ-IF xmlns=\"http://www.omg.org/spec/ReqIF/20110401/reqif.xsd\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n";

/// The fields of a requirement: the end of their identifiers, their names, and the kind of value.
const FIELDS: [(&str, &str, &str); 6] = [
    ("uid", "ReqIF.ForeignID", STRING),
    ("title", "ReqIF.Name", XHTML),
    ("text", "ReqIF.Text", XHTML),
    ("level", "LEVEL", STRING),
    ("status", "STATUS", STRING),
    ("file", "FILE", STRING),
];
const STRING: &str = "STRING";
const XHTML: &str = "XHTML";

pub(super) fn write(export: &Export) -> String {
    let mut out = String::from(HEAD);
    let time = &export.read_at;
    let title = escape(&export.project);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "  <THE-HEADER>\n    <REQ-IF-HEADER IDENTIFIER=\"header\">\n      <CREATION-TIME>{time}</CREATION-TIME>\n      <REQ-IF-TOOL-ID>elspais-mcp</REQ-IF-TOOL-ID>\n      <REQ-IF-VERSION>1.2</REQ-IF-VERSION>\n      <SOURCE-TOOL-ID>elspais-mcp</SOURCE-TOOL-ID>\n      <TITLE>{title}</TITLE>\n    </REQ-IF-HEADER>\n  </THE-HEADER>\n  <CORE-CONTENT>\n    <REQ-IF-CONTENT>\n      <DATATYPES>\n        <DATATYPE-DEFINITION-STRING IDENTIFIER=\"string\" LONG-NAME=\"String\" LAST-CHANGE=\"{time}\" MAX-LENGTH=\"1000000\"/>\n        <DATATYPE-DEFINITION-XHTML IDENTIFIER=\"xhtml\" LONG-NAME=\"XHTML\" LAST-CHANGE=\"{time}\"/>\n      </DATATYPES>\n      <SPEC-TYPES>\n        <SPEC-OBJECT-TYPE IDENTIFIER=\"type-requirement\" LONG-NAME=\"REQUIREMENT\" LAST-CHANGE=\"{time}\">\n          <SPEC-ATTRIBUTES>\n"
    );
    for (end, name, kind) in FIELDS {
        let datatype = kind.to_ascii_lowercase();
        let _ = write!(
            out,
            "            <ATTRIBUTE-DEFINITION-{kind} IDENTIFIER=\"field-{end}\" LONG-NAME=\"{name}\" LAST-CHANGE=\"{time}\">\n              <TYPE>\n                <DATATYPE-DEFINITION-{kind}-REF>{datatype}</DATATYPE-DEFINITION-{kind}-REF>\n              </TYPE>\n            </ATTRIBUTE-DEFINITION-{kind}>\n"
        );
    }
    out.push_str("          </SPEC-ATTRIBUTES>\n        </SPEC-OBJECT-TYPE>\n");
    for kind in kinds(export) {
        let _ = writeln!(
            out,
            "        <SPEC-RELATION-TYPE IDENTIFIER=\"link-{kind}\" LONG-NAME=\"{}\" LAST-CHANGE=\"{time}\"/>",
            if kind == "implements" { "Parent" } else { kind }
        );
    }
    let _ = write!(
        out,
        "        <SPECIFICATION-TYPE IDENTIFIER=\"type-document\" LONG-NAME=\"DOCUMENT\" LAST-CHANGE=\"{time}\"/>\n      </SPEC-TYPES>\n      <SPEC-OBJECTS>\n"
    );
    objects(&mut out, export);
    out.push_str("      </SPEC-OBJECTS>\n      <SPEC-RELATIONS>\n");
    relations(&mut out, export);
    let _ = write!(
        out,
        "      </SPEC-RELATIONS>\n      <SPECIFICATIONS>\n        <SPECIFICATION IDENTIFIER=\"document\" LONG-NAME=\"{title}\" LAST-CHANGE=\"{time}\">\n          <TYPE>\n            <SPECIFICATION-TYPE-REF>type-document</SPECIFICATION-TYPE-REF>\n          </TYPE>\n          <CHILDREN>\n"
    );
    for it in &export.requirements {
        let id = escape(&it.id);
        let _ = write!(
            out,
            "            <SPEC-HIERARCHY IDENTIFIER=\"place-{id}\" LAST-CHANGE=\"{time}\">\n              <OBJECT>\n                <SPEC-OBJECT-REF>{id}</SPEC-OBJECT-REF>\n              </OBJECT>\n            </SPEC-HIERARCHY>\n"
        );
    }
    out.push_str("          </CHILDREN>\n        </SPECIFICATION>\n      </SPECIFICATIONS>\n    </REQ-IF-CONTENT>\n  </CORE-CONTENT>\n</REQ-IF>\n");
    out
}

fn kinds(export: &Export) -> std::collections::BTreeSet<&'static str> {
    export.requirements.iter().flat_map(|it| &it.links).map(|link| link.kind).collect()
}

fn objects(out: &mut String, export: &Export) {
    let time = &export.read_at;
    for it in &export.requirements {
        let values = [&it.id, &it.title, &it.body, &it.level, &it.status, &it.path];
        let _ = write!(
            out,
            "        <SPEC-OBJECT IDENTIFIER=\"{}\" LAST-CHANGE=\"{time}\">\n          <TYPE>\n            <SPEC-OBJECT-TYPE-REF>type-requirement</SPEC-OBJECT-TYPE-REF>\n          </TYPE>\n          <VALUES>\n",
            escape(&it.id)
        );
        for ((end, _, kind), value) in FIELDS.iter().zip(values) {
            if value.is_empty() {
                continue;
            }
            let definition = format!(
                "              <DEFINITION>\n                <ATTRIBUTE-DEFINITION-{kind}-REF>field-{end}</ATTRIBUTE-DEFINITION-{kind}-REF>\n              </DEFINITION>\n            </ATTRIBUTE-VALUE-{kind}>\n"
            );
            let _ = if *kind == XHTML {
                write!(
                    out,
                    "            <ATTRIBUTE-VALUE-XHTML>\n              <THE-VALUE>\n                <xhtml:div>{}</xhtml:div>\n              </THE-VALUE>\n{definition}",
                    content(value)
                )
            } else {
                write!(
                    out,
                    "            <ATTRIBUTE-VALUE-STRING THE-VALUE=\"{}\">\n{definition}",
                    escape(value)
                )
            };
        }
        out.push_str("          </VALUES>\n        </SPEC-OBJECT>\n");
    }
}

fn relations(out: &mut String, export: &Export) {
    for it in &export.requirements {
        for (nth, link) in it.links.iter().enumerate() {
            let _ = write!(
                out,
                "        <SPEC-RELATION IDENTIFIER=\"link-{id}-{nth}\" LAST-CHANGE=\"{time}\">\n          <TARGET>\n            <SPEC-OBJECT-REF>{target}</SPEC-OBJECT-REF>\n          </TARGET>\n          <SOURCE>\n            <SPEC-OBJECT-REF>{id}</SPEC-OBJECT-REF>\n          </SOURCE>\n          <TYPE>\n            <SPEC-RELATION-TYPE-REF>link-{kind}</SPEC-RELATION-TYPE-REF>\n          </TYPE>\n        </SPEC-RELATION>\n",
                id = escape(&it.id),
                time = export.read_at,
                target = escape(&link.target),
                kind = link.kind,
            );
        }
    }
}

/// As XHTML, in which a line break is an element.
fn content(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escape).collect();
    lines.join("<xhtml:br/>\n")
}

/// For elements and attributes; line breaks are kept, and what XML has no place for is left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            it if it.is_control() || matches!(it, '\u{fffe}' | '\u{ffff}') => {}
            it => out.push(it),
        }
    }
    out
}
