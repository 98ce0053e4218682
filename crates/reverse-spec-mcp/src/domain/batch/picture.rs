//! What the picture of a project shows: few enough boxes to take in, modules that use each other in
//! one, and no arrow that follows from others.

use std::collections::{BTreeSet, HashMap};

use super::modules::Module;
use super::order::{self, Ordered, Uses};

/// A picture of more is no picture.
const MOST_BOXES: usize = 60;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    /// One name each, or those that use each other; what is used comes first.
    pub(crate) groups: Vec<Vec<String>>,
    /// From a group to one it uses, by place in `groups`.
    pub(crate) arrows: Vec<(usize, usize)>,
    /// Names are folders, because there are too many modules.
    pub(crate) has_folders: bool,
    /// Boxes for which there was no room.
    pub(crate) left_out: usize,
}

impl Picture {
    pub(crate) fn of(modules: &[Module], uses: &Uses, order: &Ordered) -> Self {
        let paths: Vec<&str> = order.places.iter().map(|it| modules[*it].path.as_str()).collect();
        let depth = fitting_depth(&paths);
        let mut boxes: Vec<&str> = Vec::new();
        let mut box_of: HashMap<&str, usize> = HashMap::new();
        let mut home = vec![0; modules.len()];
        for (place, path) in order.places.iter().zip(&paths) {
            let name = folder(path, depth);
            home[*place] = *box_of.entry(name).or_insert_with(|| {
                boxes.push(name);
                boxes.len() - 1
            });
        }
        let drawn = boxes.len().min(MOST_BOXES);
        let edges = uses.edges().into_iter().map(|(from, to)| (home[from], home[to]));
        let is_drawn = |(from, to): &(usize, usize)| from != to && *from.max(to) < drawn;
        let edges: BTreeSet<(usize, usize)> = edges.filter(is_drawn).collect();
        let Condensed { groups, arrows, .. } = Condensed::of(drawn, &edges);
        let named = |group: &Vec<usize>| group.iter().map(|it| boxes[*it].to_owned()).collect();
        Self {
            groups: groups.iter().map(named).collect(),
            arrows: arrows.into_iter().collect(),
            has_folders: boxes.len() < modules.len(),
            left_out: boxes.len() - drawn,
        }
    }
}

/// How many parts of a path still make few enough folders; all where the modules themselves do.
fn fitting_depth(paths: &[&str]) -> usize {
    let deepest = paths.iter().map(|it| it.split('/').count()).max().unwrap_or(1);
    let count = |depth: usize| {
        let folders: BTreeSet<&str> = paths.iter().map(|it| folder(it, depth)).collect();
        folders.len()
    };
    (1..=deepest).rev().find(|depth| count(*depth) <= MOST_BOXES).unwrap_or(1)
}

/// The first parts of a path.
fn folder(path: &str, depth: usize) -> &str {
    path.match_indices('/').nth(depth - 1).map_or(path, |(at, _)| &path[..at])
}

/// Boxes that reach each other as one, and the arrows between them that say something new.
pub(crate) struct Condensed {
    /// What is used comes before its users.
    pub(crate) groups: Vec<Vec<usize>>,
    /// By box.
    pub(crate) group_of: Vec<usize>,
    pub(crate) arrows: BTreeSet<(usize, usize)>,
}

impl Condensed {
    pub(crate) fn of(boxes: usize, edges: &BTreeSet<(usize, usize)>) -> Self {
        let groups = order::groups(boxes, edges.iter().copied().collect());
        let group_of = order::group_of(boxes, &groups);
        let mut direct = vec![BTreeSet::new(); groups.len()];
        for (from, to) in edges {
            if group_of[*from] != group_of[*to] {
                direct[group_of[*from]].insert(group_of[*to]);
            }
        }
        let arrows = reduced(&direct);
        Self { groups, group_of, arrows }
    }
}

/// The arrows that do not follow from others, of a graph in which each place only uses lower ones.
fn reduced(direct: &[BTreeSet<usize>]) -> BTreeSet<(usize, usize)> {
    const BITS: usize = u64::BITS as usize;
    let words = direct.len().div_ceil(BITS);
    let mut reached: Vec<Vec<u64>> = Vec::with_capacity(direct.len());
    let mut arrows = BTreeSet::new();
    for (from, uses) in direct.iter().enumerate() {
        let mut beyond = vec![0; words];
        for to in uses {
            for (word, further) in beyond.iter_mut().zip(&reached[*to]) {
                *word |= further;
            }
        }
        let is_beyond = |to: &usize| beyond[to / BITS] & (1_u64 << (to % BITS)) != 0;
        let new: Vec<usize> = uses.iter().copied().filter(|to| !is_beyond(to)).collect();
        for to in new {
            arrows.insert((from, to));
            beyond[to / BITS] |= 1 << (to % BITS);
        }
        reached.push(beyond);
    }
    arrows
}

#[cfg(test)]
mod tests;
