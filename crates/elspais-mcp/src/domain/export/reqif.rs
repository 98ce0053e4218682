//! `ReqIF` 1.2, by its schema and with the names of fields that other tools agree on.

use std::fmt::Write as _;

use super::record::Export;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REQ-IF xmlns=\"http://www.omg.org/spec/ReqIF/20110401/reqif.xsd\">\n";

/// The fields of a requirement: the end of their identifiers, and their names.
const FIELDS: [(&str, &str); 6] = [
    ("uid", "ReqIF.ForeignID"),
    ("title", "ReqIF.Name"),
    ("text", "ReqIF.Text"),
    ("level", "LEVEL"),
    ("status", "STATUS"),
    ("file", "FILE"),
];

pub(super) fn write(export: &Export) -> String {
    let mut out = String::from(HEAD);
    let time = &export.read_at;
    let title = escape(&export.project);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "  <THE-HEADER>\n    <REQ-IF-HEADER IDENTIFIER=\"header\">\n      <CREATION-TIME>{time}</CREATION-TIME>\n      <REQ-IF-TOOL-ID>elspais-mcp</REQ-IF-TOOL-ID>\n      <REQ-IF-VERSION>1.2</REQ-IF-VERSION>\n      <SOURCE-TOOL-ID>elspais-mcp</SOURCE-TOOL-ID>\n      <TITLE>{title}</TITLE>\n    </REQ-IF-HEADER>\n  </THE-HEADER>\n  <CORE-CONTENT>\n    <REQ-IF-CONTENT>\n      <DATATYPES>\n        <DATATYPE-DEFINITION-STRING IDENTIFIER=\"string\" LONG-NAME=\"String\" LAST-CHANGE=\"{time}\" MAX-LENGTH=\"1000000\"/>\n      </DATATYPES>\n      <SPEC-TYPES>\n        <SPEC-OBJECT-TYPE IDENTIFIER=\"type-requirement\" LONG-NAME=\"REQUIREMENT\" LAST-CHANGE=\"{time}\">\n          <SPEC-ATTRIBUTES>\n"
    );
    for (end, name) in FIELDS {
        let _ = write!(
            out,
            "            <ATTRIBUTE-DEFINITION-STRING IDENTIFIER=\"field-{end}\" LONG-NAME=\"{name}\" LAST-CHANGE=\"{time}\">\n              <TYPE>\n                <DATATYPE-DEFINITION-STRING-REF>string</DATATYPE-DEFINITION-STRING-REF>\n              </TYPE>\n            </ATTRIBUTE-DEFINITION-STRING>\n"
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
        for ((end, _), value) in FIELDS.iter().zip(values) {
            if value.is_empty() {
                continue;
            }
            let _ = write!(
                out,
                "            <ATTRIBUTE-VALUE-STRING THE-VALUE=\"{}\">\n              <DEFINITION>\n                <ATTRIBUTE-DEFINITION-STRING-REF>field-{end}</ATTRIBUTE-DEFINITION-STRING-REF>\n              </DEFINITION>\n            </ATTRIBUTE-VALUE-STRING>\n",
                escape(value)
            );
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
