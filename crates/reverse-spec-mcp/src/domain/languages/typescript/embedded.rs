//! Scripts inside files of another kind: components of Vue and Svelte, pages of Astro.

/// Whether scripts are only a part of such a file.
pub(super) fn is_component(path: &str) -> bool {
    matches!(path.rsplit('.').next(), Some("vue" | "svelte" | "astro"))
}

/// The file with everything but its scripts blanked out.
pub(super) fn scripts(path: &str, text: &str) -> Option<String> {
    if !is_component(path) {
        return None;
    }
    let mut kept: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    if path.rsplit('.').next() == Some("astro")
        && let Some(start) = opening_fence(text)
    {
        let end = text[start..].find("\n---").map_or(text.len(), |it| start + it);
        kept.push((start, end));
        at = end;
    }
    while let Some(found) = next_script(text, at) {
        kept.push((found.start, found.end));
        at = found.end;
    }
    let mut out: Vec<u8> =
        text.bytes().map(|it| if matches!(it, b'\n' | b'\r') { it } else { b' ' }).collect();
    for (start, end) in kept {
        out[start..end].copy_from_slice(&text.as_bytes()[start..end]);
    }
    // Every cut is at a tag or a line, which are plain letters.
    String::from_utf8(out).ok()
}

/// Behind the first line of dashes, where nothing stands before it.
fn opening_fence(text: &str) -> Option<usize> {
    let before = text.len() - text.trim_start().len();
    text[before..].strip_prefix("---")?;
    Some(before + "---".len())
}

struct Script {
    start: usize,
    end: usize,
}

/// What is between the next `<script …>` and `</script>`.
fn next_script(text: &str, from: usize) -> Option<Script> {
    let mut at = from;
    loop {
        let tag = at + find_tag(&text[at..], "<script")?;
        let start = tag + text[tag..].find('>')? + 1;
        let head = &text[tag..start];
        let end = start + find_tag(&text[start..], "</script").unwrap_or(text.len() - start);
        // Data in another format, and what is closed at once, are no scripts.
        let is_code = !head.ends_with("/>") && !head.contains("json") && !head.contains("template");
        if is_code {
            return Some(Script { start, end });
        }
        at = if head.ends_with("/>") { start } else { end };
    }
}

fn find_tag(text: &str, tag: &str) -> Option<usize> {
    text.match_indices(tag).map(|it| it.0).find(|at| {
        text[at + tag.len()..].starts_with(|it: char| it.is_whitespace() || matches!(it, '>' | '/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::languages::tests::{exports, read};

    const VUE: &str = "<template>\n  <p>{{ name }}</p>\n</template>\n<script lang=\"ts\">\nimport Box from './Box.vue'\nexport function load(id: number): string { return '' }\nexport default { name: 'Page' }\n</script>\n<style>p { color: red }</style>\n";

    #[test]
    fn the_script_of_a_component_keeps_its_lines() {
        assert_eq!(
            exports("src/Page.vue", VUE),
            [
                "function load: function load(id: number): string",
                "const default: default = { name: 'Page' }"
            ]
        );
        let skeleton = read("src/Page.vue", VUE);
        assert_eq!(skeleton.exports[0].start_line, 6);
        assert_eq!(skeleton.imports[0].line, 5);
        assert!(skeleton.parse_errors.is_empty());
    }

    #[test]
    fn a_component_of_svelte_offers_its_properties() {
        let text = "<script context=\"module\">\n  export const size = 3;\n</script>\n<script lang=\"ts\">\n  export let name: string;\n  let count = 0;\n</script>\n<h1>{name}é</h1>\n";
        let found = exports("A.svelte", text);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn the_head_of_a_page_of_astro_is_a_script() {
        let text = "---\nimport Base from '../Base.astro';\nexport const prerender = true;\nconst { a } = Astro.props;\n---\n<Base>---</Base>\n<script type=\"application/ld+json\">{}</script>\n<script>\nconst x = 1;\n</script>\n";
        let skeleton = read("src/pages/index.astro", text);
        assert_eq!(skeleton.imports[0].module_specifier, "../Base.astro");
        assert_eq!(skeleton.exports[0].name, "prerender");
        assert_eq!(skeleton.exports[0].start_line, 3);
        assert!(scripts("a.astro", text).unwrap().contains("const x = 1;"));
        assert!(!scripts("a.astro", text).unwrap().contains("{}"));
    }
}
