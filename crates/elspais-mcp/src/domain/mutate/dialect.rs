//! Changes of requirements that agents wrote: made in the form the file has, and refused with the
//! reason where that form leaves it open what is meant.

mod add;
mod list;
mod spelling;

use super::edit::{self, Edit, Layer};
use super::mutation::{Mutation, Parent};
use super::outline::{self, Block};
use super::plan::Plan;
use super::subject::Found;
use crate::domain::dialect::slug;
use crate::domain::graph::{File, Role, TraceGraph};
use crate::domain::parse::Form;
use crate::error::Error;
pub(super) use list::{indented, next_gap};
pub(super) use spelling::{respelled, written_id};

impl Found<'_> {
    /// Refuses what only the public tool's own format has a place for.
    pub(super) fn only_as_block(&self, what: &str) -> Result<(), Error> {
        let form = match self.requirement.form {
            Form::Block => return Ok(()),
            Form::Item | Form::Story => "spec-kit",
            Form::Titled | Form::Proposed => "OpenSpec",
            Form::Numbered => "Kiro",
        };
        Err(Error::refused(
            format!("{} is written in the form of {form}, which has no place for {what}", self.id),
            "Title, text, assertions, and adding or deleting whole items can be changed here; anything else is edited in the file.",
        ))
    }

    /// Refuses where a status is given by the file or by the place in it.
    pub(super) fn has_status_of_its_own(&self) -> Result<(), Error> {
        let (why, hint) = match self.requirement.form {
            Form::Block => return Ok(()),
            Form::Item | Form::Story => {
                let others = self.file.contents.requirements.len();
                (
                    format!(
                        "the status in {} is that of all {others} requirements there",
                        self.file.path
                    ),
                    format!("Change the line `**Status**:` at the top of {}.", self.file.path),
                )
            }
            Form::Titled => (
                format!("{} is active because it stands in a specification of OpenSpec", self.id),
                "Propose a change that removes or modifies it.".to_owned(),
            ),
            Form::Proposed => (
                format!("{} has its status by the section of the change it stands in", self.id),
                "Move it to another section of the change.".to_owned(),
            ),
            Form::Numbered => (
                format!("{} is active because Kiro has no status for requirements", self.id),
                "Delete it where it no longer holds.".to_owned(),
            ),
        };
        Err(Error::refused(why, hint))
    }
}

impl TraceGraph {
    /// A requirement that is known by its title gets another one, and with it another id.
    pub(super) fn plan_retitle(&self, found: &Found<'_>, after: String) -> Result<Plan, Error> {
        let text = &*found.file.text;
        let before = found.requirement.title.of(text).to_owned();
        let tail = found.id.rsplit_once('/').map_or("", |(_, tail)| tail);
        let change = tail.split_once('@').map(|(_, change)| format!("@{change}"));
        let scope = &found.id[..found.id.len() - tail.len()];
        let new_id = format!("{scope}{}{}", slug(&after), change.unwrap_or_default());
        if !found.requirement.citations.is_empty() {
            return Err(Error::refused(
                format!("the title of {} says which requirement is changed", found.id),
                "Rename the requirement in a section `## RENAMED Requirements` of the change.",
            ));
        }
        let proposals = self.citations_of(&found.id).filter(|(cite, _, _)| {
            self.requirement(cite.item).is_some_and(|it| it.form == Form::Proposed)
        });
        let proposals: Vec<String> =
            proposals.map(|(cite, _, _)| self.id_of(cite.item).to_owned()).collect();
        if !proposals.is_empty() {
            return Err(Error::refused(
                format!("{} is named by its title in {}", found.id, proposals.join(", ")),
                "Change the title there first, or finish that change.",
            )
            .cited_by(proposals));
        }
        if new_id != found.id && self.definition_of(&new_id).is_some() {
            return Err(Error::refused(
                format!("'{new_id}' exists already"),
                "Requirements of one capability have different titles.",
            ));
        }
        let mut edits =
            Layer::one(found.file, Edit::replace(found.requirement.title, after.clone()));
        for (_, file, citation) in self.citations_of(&found.id).filter(|_| new_id != found.id) {
            let text = respelled(&self.grammar, file, citation, &new_id, &citation.labels);
            edits.add(file, Edit::replace(citation.token, text));
        }
        let (old, new, title) = (found.id.clone(), new_id.clone(), after.clone());
        let renamed = (new_id != found.id).then(|| (found.id.clone(), new_id.clone()));
        let plan = edits.plan(
            found.id.clone(),
            move |_, blocks| {
                for block in blocks {
                    if block.id == old {
                        block.id.clone_from(&new);
                        block.title.clone_from(&title);
                    }
                    for said in block.citations.iter_mut().filter(|said| said.1 == old) {
                        said.1.clone_from(&new);
                    }
                    block.citations.sort();
                }
            },
            |_| Mutation::UpdateTitle { before, after, renamed },
        );
        Ok(plan.renamed_to(new_id))
    }

    /// Words an item anew that is its own assertion.
    pub(super) fn plan_reword_item(&self, found: &Found<'_>, after: String) -> Plan {
        let before = found.requirement.body.of(&found.file.text).to_owned();
        let on_disk = indented(&after, 2).replace('\n', found.file.line_ending());
        let edit = Edit::replace(found.requirement.body, on_disk);
        let expected = self.block_after(found.file, &edit, &found.id);
        let (name, owner) = (found.id.clone(), found.id.clone());
        Layer::one(found.file, edit).plan(
            found.id.clone(),
            move |_, blocks| {
                // Its title is its first sentence, and its links stand in its text.
                if let (Some(block), Some(expected)) =
                    (blocks.iter_mut().find(|it| it.id == name), &expected)
                {
                    block.clone_from(expected);
                }
            },
            move |_| Mutation::UpdateAssertion {
                parent: Parent { id: owner, hash_before: None, hash_after: None },
                before,
                after,
            },
        )
    }

    /// What a requirement would be once a file is edited.
    fn block_after(&self, file: &File, edit: &Edit, id: &str) -> Option<Block> {
        let (text, _) = edit::apply(&file.text, vec![edit.clone()]);
        let file = File::parse(&self.grammar, &file.path, file.role, text);
        outline::of(&file).into_iter().find(|it| it.id == id)
    }
}

/// Refuses to edit links that stand in documents of a dialect: they follow from its form.
pub(super) fn links_are_free(file: &File, source: &str) -> Result<(), Error> {
    if matches!(file.role, Role::Dialect(_)) {
        return Err(Error::refused(
            format!("the links of {source} follow from the form of {}", file.path),
            "Edit that line in the file.",
        ));
    }
    Ok(())
}
