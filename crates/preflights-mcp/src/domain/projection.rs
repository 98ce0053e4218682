//! `docs/ARCHITECTURE_STATE.md`: the snapshot alone, generated, never a source.

use crate::domain::adr::{self, Detail, snapshot_lines};
use crate::domain::architecture::Architecture;
use crate::domain::bank;
use crate::domain::uid::Uid;
use crate::error::Error;

pub(crate) const PATH: &str = "docs/ARCHITECTURE_STATE.md";

pub(crate) fn render(newest: &Uid, architecture: &Architecture) -> String {
    format!(
        "<!-- UID: {newest} -->\n<!-- Schema: v1 -->\n\n# Architecture State\n\nGenerated from the records in docs/adr; edits are lost.\n\n## Categories\n{}",
        snapshot_lines(architecture, "###")
    )
}

/// What a projection says, in our layout or the older one, with the record it was made from.
pub(crate) fn parse(text: &str) -> Result<(Uid, Architecture), Error> {
    let uid = text
        .trim_start_matches('\u{feff}')
        .lines()
        .find_map(|line| adr::comment(line.trim_end(), "UID"))
        .and_then(Uid::parse)
        .ok_or_else(|| Error::parse(PATH, 1, "it does not say which record it was made from"))?;
    let read = adr::parse(PATH, &uid, text, &bank::renamed, Detail::Everything)?;
    Ok((uid, read.snapshot.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::architecture::Decided;

    const UID: &str = "20250106T120000.001Z-A000";

    fn architecture() -> Architecture {
        let mut architecture = Architecture::default();
        let by = Uid::parse(UID);
        architecture.set("Deployment", "Target", Decided { value: "Vercel [eu]".to_owned(), by });
        architecture
    }

    #[test]
    fn what_is_written_is_read_back() {
        let uid = Uid::parse(UID).unwrap();
        let (read_uid, read) = parse(&render(&uid, &architecture())).unwrap();
        assert_eq!((read_uid, read), (uid, architecture()));
    }

    #[test]
    fn the_older_layout_is_read_under_todays_names() {
        let text = format!(
            "<!-- UID: {UID} -->\n<!-- Schema: v1 -->\n\n# Architecture State\n\nA sentence.\n\n## Categories\n\n### Infra\n- **Hosting**: Vercel [eu] (ADR {UID})\n\n"
        );
        assert_eq!(parse(&text).unwrap().1, architecture());
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (text, words) in [
            ("# Architecture State\n", "line 1: it does not say which record"),
            ("<!-- UID: 20250106T120000.001Z -->\n", "line 1: it has no architecture snapshot"),
            (
                "<!-- UID: 20250106T120000.001Z -->\n## Categories\n<<<<<<< ours\n",
                "line 3: it holds an unresolved merge conflict",
            ),
            (
                "<!-- UID: 20250106T120000.001Z -->\n## Categories\n\n### A\n- b: c\n",
                "line 5: expected `- **Field**: value`",
            ),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
