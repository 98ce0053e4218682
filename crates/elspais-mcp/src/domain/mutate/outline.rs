//! What a file says, places aside: the means to tell whether an edit did what was meant.

use crate::domain::graph::File;
use crate::domain::parse::part::Places;
use crate::domain::parse::{Citation, EdgeKind, FieldName};
use crate::domain::span::Label;

/// One reference: how, whom, which assertions.
pub(super) type Said = (EdgeKind, String, Vec<Label>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Empty for comments and tests, whose ids hold lines and names.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) status: Option<String>,
    pub(super) level: Option<String>,
    pub(super) citations: Vec<Said>,
    pub(super) assertions: Vec<(Label, String)>,
}

/// Puts a requirement behind the others: they stand before journeys and comments in an outline,
/// wherever they lie in the file.
pub(super) fn append(blocks: &mut Vec<Block>, requirement: Block) {
    let is_requirement = |it: &&Block| !it.id.is_empty() && !it.id.starts_with("JNY-");
    let at = blocks.iter().take_while(is_requirement).count();
    blocks.insert(at, requirement);
}

pub(super) fn of(file: &File) -> Vec<Block> {
    let contents = &file.contents;
    of_part(file, &(0..contents.requirements.len(), 0..contents.journeys.len()))
}

/// What these requirements and journeys of a file say, and its comments and tests.
pub(super) fn of_part(file: &File, (requirements, journeys): &Places) -> Vec<Block> {
    let text = &*file.text;
    let contents = &file.contents;
    let requirements = contents.requirements[requirements.clone()].iter().map(|requirement| {
        let field = |name| {
            let found = requirement.fields.iter().find(|field| field.name == name);
            found.map(|field| field.value.of(text).to_owned())
        };
        Block {
            id: requirement.id.to_string(),
            title: requirement.title_in(text).to_owned(),
            status: field(FieldName::Status),
            level: field(FieldName::Level),
            citations: said(&requirement.citations),
            assertions: requirement
                .assertions
                .iter()
                .map(|it| (it.label, plain(it.text.of(text))))
                .collect(),
        }
    });
    let others = |id: &str, title: &str, citations: &[Citation]| Block {
        id: id.to_owned(),
        title: title.to_owned(),
        status: None,
        level: None,
        citations: said(citations),
        assertions: Vec::new(),
    };
    let journeys = contents.journeys[journeys.clone()].iter();
    let journeys = journeys.map(|it| others(&it.id, it.title.of(text), &it.citations));
    let mentions = contents.codes.iter().chain(&contents.tests);
    requirements.chain(journeys).chain(mentions.map(|it| others("", "", &it.citations))).collect()
}

/// Changes what is expected of the block with that id.
pub(super) fn on_block(blocks: &mut [Block], id: &str, change: impl FnOnce(&mut Block)) {
    if let Some(block) = blocks.iter_mut().find(|block| block.id == id) {
        change(block);
    }
}

fn said(citations: &[Citation]) -> Vec<Said> {
    // Where in a list a reference stands is no part of what is said.
    let mut said: Vec<Said> =
        citations.iter().map(|it| (it.kind, it.target.to_string(), it.labels.to_vec())).collect();
    said.sort();
    said
}

/// Line endings aside.
pub(super) fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}
