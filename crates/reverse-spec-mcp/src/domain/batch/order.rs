//! In which order modules are written: what a module uses comes before it, and modules that use
//! each other stand together.

use std::collections::{BTreeSet, HashMap};

use mcp_core::circles;

use super::Module;
use crate::domain::skeleton::CodeSkeleton;

/// Who uses whom, by place in the list of modules.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) of: Vec<BTreeSet<usize>>,
}

impl Uses {
    /// By what the files of each module import: files of the project, or packages by name.
    pub(crate) fn of(modules: &[Module], skeletons: &HashMap<&str, &CodeSkeleton>) -> Self {
        let mut homes: HashMap<&str, usize> = HashMap::new();
        let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, module) in modules.iter().enumerate() {
            homes.extend(module.files.iter().map(|file| (file.as_str(), place)));
            for name in &module.names {
                names.entry(name).or_default().push(place);
            }
        }
        let of = modules.iter().enumerate().map(|(place, module)| {
            let mut uses = BTreeSet::new();
            let read = module.files.iter().filter_map(|file| skeletons.get(file.as_str()));
            for import in read.flat_map(|skeleton| &skeleton.imports) {
                match &import.resolved_path {
                    Some(path) => uses.extend(homes.get(path.as_str())),
                    None => uses.extend(packages(&names, &import.module_specifier)),
                }
            }
            uses.remove(&place);
            uses
        });
        Self { of: of.collect() }
    }

    pub(crate) fn edges(&self) -> Vec<(usize, usize)> {
        let from = self.of.iter().enumerate();
        from.flat_map(|(from, to)| to.iter().map(move |to| (from, *to))).collect()
    }
}

/// The modules of the package an import names: `@scope/name/part`, `name::part`, `host/module/part`.
fn packages<'a>(names: &'a HashMap<&str, Vec<usize>>, specifier: &str) -> &'a [usize] {
    let shorter = specifier.rmatch_indices(['/', ':', '.']).map(|(at, _)| &specifier[..at]);
    // The longest name is the one that is meant.
    let mut candidates = std::iter::once(specifier).chain(shorter);
    candidates.find_map(|name| names.get(name)).map_or(&[], Vec::as_slice)
}

/// Modules in order. Each has a level: 0 for those that use nothing of the project.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ordered {
    /// Places in the list of modules, what is used first.
    pub(crate) places: Vec<usize>,
    /// By place in the list of modules.
    pub(crate) levels: Vec<usize>,
    /// Groups that use each other.
    pub(crate) circles: Vec<Vec<usize>>,
}

pub(crate) fn ordered(modules: &[Module], uses: &Uses) -> Ordered {
    let mut groups = groups(modules.len(), uses.edges());
    for places in &mut groups {
        places.sort_by(|one, other| modules[*one].path.cmp(&modules[*other].path));
    }
    groups.sort_by(|one, other| modules[one[0]].path.cmp(&modules[other[0]].path));
    let group_of = group_of(modules.len(), &groups);
    let mut waiting_for = vec![BTreeSet::new(); groups.len()];
    let mut wanted_by = vec![BTreeSet::new(); groups.len()];
    for (from, to) in uses.edges() {
        let (from, to) = (group_of[from], group_of[to]);
        if from != to {
            waiting_for[from].insert(to);
            wanted_by[to].insert(from);
        }
    }
    let mut levels = vec![0; modules.len()];
    let mut group_levels = vec![0; groups.len()];
    let mut ready: BTreeSet<usize> =
        (0..groups.len()).filter(|group| waiting_for[*group].is_empty()).collect();
    let mut places = Vec::with_capacity(modules.len());
    while let Some(group) = ready.pop_first() {
        for place in &groups[group] {
            levels[*place] = group_levels[group];
            places.push(*place);
        }
        for &next in &wanted_by[group] {
            group_levels[next] = group_levels[next].max(group_levels[group] + 1);
            waiting_for[next].remove(&group);
            if waiting_for[next].is_empty() {
                ready.insert(next);
            }
        }
    }
    let circles = groups.into_iter().filter(|group| group.len() > 1).collect();
    Ordered { places, levels, circles }
}

/// Places that reach each other, each group in order; what is used comes before its users.
pub(super) fn groups(count: usize, edges: Vec<(usize, usize)>) -> Vec<Vec<usize>> {
    let mut groups = circles::of(count, edges.iter().copied());
    groups.retain(|group| group.len() > 1);
    let in_circle: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    groups.extend((0..count).filter(|it| !in_circle.contains(it)).map(|it| vec![it]));
    groups.sort_unstable();
    let home = group_of(count, &groups);
    let mut waiting_for = vec![BTreeSet::new(); groups.len()];
    let mut wanted_by = vec![BTreeSet::new(); groups.len()];
    for (from, to) in edges {
        if home[from] != home[to] {
            waiting_for[home[from]].insert(home[to]);
            wanted_by[home[to]].insert(home[from]);
        }
    }
    let mut ready: BTreeSet<usize> =
        (0..groups.len()).filter(|group| waiting_for[*group].is_empty()).collect();
    let mut in_order = Vec::with_capacity(groups.len());
    while let Some(group) = ready.pop_first() {
        in_order.push(std::mem::take(&mut groups[group]));
        for next in &wanted_by[group] {
            waiting_for[*next].remove(&group);
            if waiting_for[*next].is_empty() {
                ready.insert(*next);
            }
        }
    }
    in_order
}

/// The group of each place.
pub(crate) fn group_of(count: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut group_of = vec![0; count];
    for (group, places) in groups.iter().enumerate() {
        for place in places {
            group_of[*place] = group;
        }
    }
    group_of
}
