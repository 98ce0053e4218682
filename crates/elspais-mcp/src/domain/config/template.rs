//! The form of ids: what stands in them, one after the other.

/// One part of an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Literal(String),
    Namespace,
    Level(LevelSpelling),
    Component,
    Associated,
}

/// How ids spell a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LevelSpelling {
    Letter,
    /// As in `[levels.PRD]`.
    Key,
}

/// Reads `{namespace}-{level.letter}{component}`, or says what is wrong with it.
/// `bare` is what `{type}` stands for.
pub(super) fn parts(template: &str, bare: LevelSpelling) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('{') {
            let Some((name, after)) = inner.split_once('}') else {
                return Err(format!("`{template}` has a brace that is not closed"));
            };
            parts.push(match name {
                "namespace" | "prefix" => Part::Namespace,
                "level.letter" | "type.letter" => Part::Level(LevelSpelling::Letter),
                "level" | "level.name" | "type" => Part::Level(bare),
                "component" | "id" => Part::Component,
                "associated" => Part::Associated,
                other => {
                    return Err(format!(
                        "`{{{other}}}` stands for nothing; there are `{{namespace}}`, `{{level.letter}}` and `{{component}}`"
                    ));
                }
            });
            rest = after;
        } else {
            let end = rest.find('{').unwrap_or(rest.len());
            parts.push(Part::Literal(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    if parts.contains(&Part::Component) {
        Ok(parts)
    } else {
        Err(format!("`{template}` lacks `{{component}}`"))
    }
}
