//! Which type an `impl` block is for: the one of its name in its own module, else the only one.

use std::collections::{HashMap, HashSet};

use crate::domain::skeleton::ExportSymbol;

/// A module of the file, and a name in it.
pub(super) type Place = (Option<String>, String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    Exported(usize),
    Internal(usize),
    /// It is there, but not listed.
    Hidden,
}

pub(super) struct Homes {
    by_place: HashMap<Place, Home>,
    /// None where there are several.
    by_name: HashMap<String, Option<Home>>,
}

impl Homes {
    pub(super) fn new(
        exports: &[ExportSymbol],
        internals: &[ExportSymbol],
        hidden: &[Place],
    ) -> Self {
        let types = |symbols: &[ExportSymbol], home: fn(usize) -> Home| -> Vec<(Place, Home)> {
            let types = symbols.iter().enumerate().filter(|(_, it)| it.kind.takes_blocks());
            let place = |it: &ExportSymbol| (it.namespace.clone(), it.name.clone());
            types.map(|(index, it)| (place(it), home(index))).collect()
        };
        let mut listed = types(exports, Home::Exported);
        listed.extend(types(internals, Home::Internal));
        let known: HashSet<Place> = listed.iter().map(|it| it.0.clone()).collect();
        let unlisted = hidden.iter().filter(|it| !known.contains(it));
        listed.extend(unlisted.map(|it| (it.clone(), Home::Hidden)));
        let mut homes = Self { by_place: HashMap::new(), by_name: HashMap::new() };
        for (place, home) in listed {
            let name = homes.by_name.entry(place.1.clone());
            // Under different `cfg` one place may have several types of a name; the last is as good.
            let is_same = homes.by_place.insert(place, home).is_some();
            name.and_modify(|it| *it = Some(home).filter(|_| is_same)).or_insert(Some(home));
        }
        homes
    }

    pub(super) fn of(&self, place: &Place) -> Option<Home> {
        let nearest = self.by_place.get(place).copied();
        nearest.or_else(|| self.by_name.get(&place.1).copied().flatten())
    }
}
