//! In which ways callers may give an argument: by its place, by its name, or by either.

use super::canonical::canonical;
use crate::domain::signature::split_list;
use crate::domain::skeleton::Parameter;

/// What the marks in the head of a function say of its parameters: a slash after those that have no
/// name for callers, a star before those that have no place.
pub(super) struct Giving {
    /// Each parameter's name with what can be done with it.
    ways: Vec<(String, Ways)>,
    takes_more_places: bool,
    takes_more_names: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ways {
    pub(super) by_place: bool,
    pub(super) by_name: bool,
}

impl Giving {
    pub(super) fn of(head: &str) -> Self {
        let mut found =
            Self { ways: Vec::new(), takes_more_places: false, takes_more_names: false };
        let mut by_place = true;
        for part in split_list(list_in(head)) {
            if part == "/" {
                for (_, ways) in &mut found.ways {
                    ways.by_name = false;
                }
            } else if part.starts_with("**") {
                found.takes_more_names = true;
            } else if part.starts_with('*') {
                found.takes_more_places = part != "*";
                by_place = false;
            } else {
                let end = part.find([':', '=']).unwrap_or(part.len());
                let name = canonical(part[..end].trim());
                found.ways.push((name, Ways { by_place, by_name: true }));
            }
        }
        found
    }

    /// None of a parameter that takes any number of arguments, or that the head does not name.
    pub(super) fn ways(&self, parameter: &Parameter) -> Option<Ways> {
        let name = canonical(&parameter.name);
        let named = self.ways.iter().find(|it| it.0 == name).map(|it| it.1);
        named.filter(|_| !parameter.rest)
    }

    /// Whether arguments for a parameter that is not named here are taken all the same.
    pub(super) fn takes(&self, ways: Ways) -> bool {
        (!ways.by_place || self.takes_more_places) && (!ways.by_name || self.takes_more_names)
    }
}

/// What follows the bracket that opens the list of parameters.
fn list_in(head: &str) -> &str {
    let mut depth = 0_usize;
    for (at, byte) in head.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'(' if depth == 0 => return &head[at + 1..],
            _ => {}
        }
    }
    ""
}
