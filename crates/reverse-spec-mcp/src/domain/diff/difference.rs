//! A change with what it changed from and to.

use super::verdict::Judged;
use crate::domain::skeleton::MemberInfo;

#[derive(Debug)]
pub(super) struct Difference {
    pub(super) change: Judged,
    /// The member it is about, if not the symbol itself.
    pub(super) member: Option<String>,
    /// The file the member is in, if not that of its type.
    pub(super) file: Option<String>,
    /// Where the member is now.
    pub(super) line: Option<usize>,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// A name that the sentence needs.
    pub(super) subject: String,
}

pub(super) fn plain(change: Judged, old: Option<String>, new: Option<String>) -> Difference {
    Difference { change, member: None, file: None, line: None, old, new, subject: String::new() }
}

pub(super) fn about(
    change: Judged,
    subject: &str,
    old: Option<String>,
    new: Option<String>,
) -> Difference {
    Difference { subject: subject.to_owned(), ..plain(change, old, new) }
}

pub(super) fn at_member(difference: Difference, member: &MemberInfo) -> Difference {
    Difference {
        member: Some(member.name.clone()),
        file: member.file.clone(),
        line: Some(member.start_line),
        ..difference
    }
}
