//! Blocks put at the end of a file or taken out of it, with the lines that part them.

use super::edit::Edit;
use crate::domain::graph::File;
use crate::domain::parse::{Form, Requirement};

/// Takes a requirement out, with its separator and the blank lines behind it.
pub(super) fn taken_out(file: &File, requirement: &Requirement) -> Edit {
    let text = &*file.text;
    let extent = requirement.extent;
    if requirement.form != Form::Block {
        return Edit::remove(extent.from(), extent.to());
    }
    let rest = &text[extent.to()..];
    let blank = rest.len() - rest.trim_start().len();
    // Indentation of what follows is not ours.
    let blank = rest[..blank].rfind('\n').map_or(0, |at| at + 1);
    let is_last = rest.trim().is_empty() && extent == requirement.block;
    // The line before the last block would part nothing any more.
    let parted = parted_before(file, requirement).filter(|_| is_last);
    let from = parted.map_or(extent.from(), |above| above.block.to());
    Edit::remove(from, extent.to() + blank)
}

/// The requirement right above, where a separator stands between the two.
fn parted_before<'f>(file: &'f File, requirement: &Requirement) -> Option<&'f Requirement> {
    let above =
        file.contents.requirements.iter().rfind(|it| it.block.to() <= requirement.block.from())?;
    let between = file.text.get(above.extent.to()..requirement.block.from())?;
    (is_parted(above) && between.trim().is_empty()).then_some(above)
}

/// A block as it is put at the end of a file, in the file's own manner. `parted` says whether a
/// separator goes behind it where the file does not show how it is done.
pub(super) fn at_end(file: Option<&File>, block: &str, ending: &str, parted: bool) -> String {
    let there = file.map_or("", |file| &*file.text);
    let gap = match there {
        "" => "",
        _ if there.ends_with("\n\n") || there.ends_with("\n\r\n") => "",
        _ if there.ends_with('\n') => ending,
        _ => &ending.repeat(2),
    };
    let separator = format!("{ending}---{ending}");
    let requirements = file.map_or(&[][..], |file| &file.contents.requirements);
    match requirements.split_last() {
        Some((last, _)) if is_parted(last) => format!("{gap}{block}{separator}"),
        Some((last, others)) if others.iter().any(is_parted) && closes(there, last) => {
            format!("{gap}---{ending}{ending}{block}")
        }
        None if parted => format!("{gap}{block}{separator}"),
        _ => format!("{gap}{block}"),
    }
}

fn is_parted(requirement: &Requirement) -> bool {
    requirement.extent != requirement.block
}

/// Whether a requirement is the end of the text, with a footer: without one, a separator behind it
/// would become part of it.
fn closes(text: &str, requirement: &Requirement) -> bool {
    requirement.footer.is_some()
        && text.get(requirement.block.to()..).is_some_and(|rest| rest.trim().is_empty())
}
