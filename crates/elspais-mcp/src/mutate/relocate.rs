//! A requirement from one file to another, with the line that parts it from the next.

use std::sync::Arc;

use serde_json::json;

use super::draft::{Draft, UNPLACED};
use super::edit::Edit;
use super::{MutationEntry, Occasion};
use super::{outline, place};
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
        let parted = requirement.extent != requirement.block;
        let block = place::at_end(known, &block, ending, parted);
        let mut draft = Draft::new("move_requirement", &id, json!({ "id": id, "path": &*source }));
        draft.edit(found.file, place::taken_out(found.file, requirement));
        let moved = outline::of(found.file).into_iter().find(|it| it.id == id);
        match known {
            Some(file) => draft.edit(file, Edit::insert(file.text.len(), block)),
            None => draft.created = Some((Arc::from(target), block)),
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
                } else if let Some(moved) = &moved {
                    outline::append(blocks, moved.clone());
                }
            },
            move |_| json!({ "id": id, "path": target }),
        )
    }
}
