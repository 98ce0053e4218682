//! The architecture so far: what all decision records together say.

use std::collections::BTreeMap;

use crate::domain::uid::Uid;

/// A value and the record that decided it, where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) value: String,
    pub(crate) by: Option<Uid>,
}

/// What one record does to one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) category: String,
    pub(crate) field: String,
    pub(crate) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Added(String),
    Modified { now: String, was: String },
    Removed { was: String },
}

impl Change {
    pub(crate) fn key(&self) -> String {
        format!("{}.{}", self.category, self.field)
    }
}

/// Categories with their fields, in alphabetical order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Architecture {
    categories: BTreeMap<String, BTreeMap<String, Decided>>,
}

impl Architecture {
    pub(crate) fn get(&self, category: &str, field: &str) -> Option<&Decided> {
        self.categories.get(category)?.get(field)
    }

    pub(crate) fn set(&mut self, category: &str, field: &str, decided: Decided) {
        self.categories.entry(category.to_owned()).or_default().insert(field.to_owned(), decided);
    }

    pub(crate) fn remove(&mut self, category: &str, field: &str) {
        if let Some(fields) = self.categories.get_mut(category) {
            fields.remove(field);
            if fields.is_empty() {
                self.categories.remove(category);
            }
        }
    }

    pub(crate) fn categories(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, Decided>)> {
        self.categories.iter().map(|(name, fields)| (name.as_str(), fields))
    }

    pub(crate) fn fields(&self, category: &str) -> impl Iterator<Item = (&str, &Decided)> {
        self.categories
            .get(category)
            .into_iter()
            .flatten()
            .map(|(name, decided)| (name.as_str(), decided))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.categories.is_empty()
    }

    /// Carries out what a record says, in its name.
    pub(crate) fn apply(&mut self, changes: &[Change], by: &Uid) {
        for change in changes {
            match &change.what {
                What::Added(value) | What::Modified { now: value, .. } => {
                    let decided = Decided { value: value.clone(), by: Some(by.clone()) };
                    self.set(&change.category, &change.field, decided);
                }
                What::Removed { .. } => self.remove(&change.category, &change.field),
            }
        }
    }

    /// Takes over a snapshot of a record that does not say what it changed.
    pub(crate) fn adopt(&mut self, snapshot: &Self, by: &Uid) {
        for (category, fields) in &snapshot.categories {
            for (field, decided) in fields {
                let by = decided.by.clone().unwrap_or_else(|| by.clone());
                let decided = Decided { value: decided.value.clone(), by: Some(by) };
                self.set(category, field, decided);
            }
        }
    }

    /// What `self` has and `other` lacks: a category by its name, a field as `Category.Field`.
    pub(crate) fn missing_in(&self, other: &Self) -> Vec<String> {
        let mut missing = Vec::new();
        for (category, fields) in &self.categories {
            match other.categories.get(category) {
                None => missing.push(category.clone()),
                Some(there) => missing.extend(
                    fields
                        .keys()
                        .filter(|field| !there.contains_key(*field))
                        .map(|field| format!("{category}.{field}")),
                ),
            }
        }
        missing
    }
}
