//! Where nodes and citations stand in the records of files.

/// The place of a node in the records of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Item {
    pub(crate) file: u32,
    pub(crate) kind: ItemKind,
    pub(crate) index: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ItemKind {
    Requirement,
    Journey,
    Code,
    Test,
}

impl ItemKind {
    /// Whether it has an id that others cite.
    pub(crate) fn is_definition(self) -> bool {
        matches!(self, Self::Requirement | Self::Journey)
    }
}

/// One citation of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cite {
    pub(crate) item: Item,
    pub(crate) nth: u32,
}
