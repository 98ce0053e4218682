//! A requirement from one file to another, with the line that parts it from the next.

use std::sync::Arc;

use serde_json::json;

use super::draft::{Draft, UNPLACED};
use super::edit::Edit;
use super::{MutationEntry, Occasion};
use crate::error::Error;
use crate::graph::TraceGraph;

impl TraceGraph {
    /// Moves a requirement to the end of another file. `create` lets the file be made.
    pub(crate) fn move_requirement(
        &mut self,
        occasion: &Occasion,
        id: &str,
        target: &str,
        create: bool,
    ) -> Result<&MutationEntry, Error> {
        let found = self.the_requirement(id)?;
        let (id, source) = (found.id.clone(), found.file.path.clone());
        if &*source == target || &*source == UNPLACED {
            return Err(Error::refused(
                format!("{id} is in {source} already"),
                "Name another file.",
            ));
        }
        let known = self.file_at(target).map(|(_, file)| file);
        if known.is_none() && !create {
            let specs = self.iter_files().filter(|it| it.role == crate::graph::Role::Spec);
            let near = mcp_core::text::nearest(target, specs.map(|it| &*it.path));
            let near = near.map(|it| format!("Did you mean `{it}`? ")).unwrap_or_default();
            return Err(Error::refused(
                format!("there is no file `{target}`"),
                format!("{near}Pass create=true to have it made."),
            ));
        }
        let text = &*found.file.text;
        let requirement = found.requirement;
        let ending = known.map_or(found.file.line_ending(), |file| file.line_ending());
        let mut block =
            requirement.block.of(text).replace("\r\n", "\n").trim_end().replace('\n', ending);
        block.push_str(ending);
        let gap = match known.map(|file| &*file.text) {
            None | Some("") => String::new(),
            Some(there) if there.ends_with("\n\n") || there.ends_with("\n\r\n") => String::new(),
            Some(there) if there.ends_with('\n') => ending.to_owned(),
            Some(_) => ending.repeat(2),
        };
        let last = known.and_then(|file| file.contents.requirements.last());
        let is_parted =
            last.map_or(requirement.extent != requirement.block, |it| it.extent != it.block);
        let separator = if is_parted { format!("{ending}---{ending}") } else { String::new() };
        let extent = requirement.extent;
        let rest = &text[extent.to()..];
        let blank = rest.len() - rest.trim_start().len();
        let blank = rest[..blank].rfind('\n').map_or(0, |at| at + 1);
        let mut draft = Draft::new("move_requirement", &id, json!({ "id": id, "path": &*source }));
        draft.edit(found.file, Edit::remove(extent.from(), extent.to() + blank));
        let moved = super::outline::of(found.file).into_iter().find(|it| it.id == id);
        match known {
            Some(file) => {
                draft.edit(file, Edit::insert(file.text.len(), format!("{gap}{block}{separator}")));
            }
            None => draft.created = Some((Arc::from(target), format!("{block}{separator}"))),
        }
        let name = id.clone();
        let from = source.clone();
        let target = target.to_owned();
        self.carry_out(
            occasion,
            draft,
            move |path, blocks| {
                if *path == *from {
                    blocks.retain(|block| block.id != name);
                } else {
                    let at = blocks
                        .iter()
                        .take_while(|it| !it.id.is_empty() && !it.id.starts_with("JNY-"))
                        .count();
                    blocks.splice(at..at, moved.clone());
                }
            },
            move |_| json!({ "id": id, "path": target }),
        )
    }
}
