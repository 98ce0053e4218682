//! Which values fit a schema, and which schemas are refused.

use serde_json::Value;

use super::*;

#[track_caller]
fn check(schema: &Value, fits: &[Value], does_not: &[(Value, &str)]) {
    let schema = json!({ "type": "object", "properties": { "it": schema } });
    let shape = Shape::new("demo", "", schema).unwrap();
    for value in fits {
        shape.check(&json!({ "it": value })).unwrap();
    }
    for (value, reason) in does_not {
        let error = shape.check(&json!({ "it": value })).unwrap_err().to_string();
        assert_eq!(error, format!("the answer cannot be used: {reason}"), "{value}");
    }
}

#[test]
fn every_keyword_is_checked() {
    check(
        &json!({ "type": "string" }),
        &[json!("x")],
        &[(json!(1), "`it` of the answer must be of type string")],
    );
    check(
        &json!({ "type": ["integer", "null"], "minimum": 2, "maximum": 4 }),
        &[json!(2), json!(4), Value::Null],
        &[
            (json!(2.5), "`it` of the answer must be of type integer or null"),
            (json!(1), "`it` of the answer must have at least 2 as its value"),
            (json!(5), "`it` of the answer must have at most 4 as its value"),
        ],
    );
    check(
        &json!({ "enum": ["a", "b"] }),
        &[json!("a")],
        &[(json!("c"), "`it` of the answer must be one of \"a\", \"b\"")],
    );
    check(&json!({ "const": 1 }), &[json!(1)], &[(json!(2), "`it` of the answer must be 1")]);
    check(
        &json!({ "type": "array", "items": { "type": "boolean" }, "minItems": 1, "maxItems": 2 }),
        &[json!([true])],
        &[
            (json!([]), "`it` of the answer must have at least 1 items"),
            (json!([true, true, true]), "`it` of the answer must have at most 2 items"),
            (json!([true, 3]), "item 2 of `it` of the answer must be of type boolean"),
        ],
    );
    check(
        &json!({ "type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-zé]+$" }),
        &[json!("ab"), json!("éé")],
        &[
            (json!("a"), "`it` of the answer must have at least 2 characters"),
            (json!("abcd"), "`it` of the answer must have at most 3 characters"),
            (json!("AB"), "`it` of the answer must match ^[a-zé]+$"),
        ],
    );
    check(
        &json!({ "anyOf": [{ "type": "string" }, { "type": "object", "required": ["x"] }] }),
        &[json!("a"), json!({ "x": 1 })],
        &[(json!({}), "`it` of the answer fits none of the allowed forms")],
    );
    check(
        &json!({ "type": "object", "properties": { "x": {} }, "required": ["x"], "additionalProperties": false }),
        &[json!({ "x": [1] })],
        &[
            (json!({}), "`it` of the answer lacks `x`"),
            (json!({ "x": 1, "y": 2 }), "`it` of the answer has a field besides x"),
        ],
    );
}

#[test]
fn a_schema_that_could_not_be_checked_in_full_is_refused() {
    for schema in [
        json!({ "type": "string" }),
        json!({ "type": "object", "oneOf": [] }),
        json!({ "type": "object", "properties": { "x": { "format": "date" } } }),
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        json!({ "type": "object", "properties": { "x": { "pattern": "(" } } }),
    ] {
        assert!(matches!(Shape::new("demo", "", schema), Err(Error::Shape { .. })));
    }
}

#[test]
fn only_a_closed_schema_is_left_to_the_provider_to_enforce() {
    let open = json!({ "type": "object", "properties": { "x": { "type": "string" } } });
    assert!(!Shape::new("demo", "", open).unwrap().strict);
    assert!(shape().strict);
}
