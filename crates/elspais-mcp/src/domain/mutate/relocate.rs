//! A requirement from one file to another, with its separator line.

use std::sync::Arc;

use super::edit::{Edit, Layer};
use super::mutation::Mutation;
use super::plan::Plan;
use super::{outline, place};
use crate::domain::graph::TraceGraph;
use crate::error::Error;

impl TraceGraph {
    /// Moves a requirement to the end of another file. `create` lets the file be made.
    pub(crate) fn plan_move_requirement(
        &self,
        id: &str,
        target: &str,
        create: bool,
    ) -> Result<Plan, Error> {
        let found = self.the_requirement(id)?;
        found.only_as_block("requirements of other files")?;
        let (id, source) = (found.id.clone(), found.file.path.clone());
        if &*source == target {
            return Err(Error::refused(
                format!("{id} is in {source} already"),
                "Name another file.",
            ));
        }
        let known = self.file_at(target).map(|(_, file)| file);
        if known.is_none() && !create {
            let specs = self.iter_files().filter(|it| it.role == crate::domain::graph::Role::Spec);
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
        let mut edits = Layer::one(found.file, place::taken_out(found.file, requirement));
        match known {
            Some(file) => edits.add(file, Edit::insert(file.text.len(), block)),
            None => edits.created.push((Arc::from(target), block.into())),
        }
        let moved = outline::of(found.file).into_iter().find(|it| it.id == id);
        let name = id.clone();
        let (old_path, new_path) = (source.to_string(), target.to_owned());
        Ok(edits.plan(
            id.clone(),
            move |path, blocks| {
                if *path == *source {
                    blocks.retain(|block| block.id != name);
                } else if let Some(moved) = &moved {
                    outline::append(blocks, moved.clone());
                }
            },
            |_| Mutation::MoveRequirement { id, old_path, new_path },
        ))
    }
}
