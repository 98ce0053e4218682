//! `@overload`: callers see the overloads, not the function behind them.

use std::collections::HashMap;

use crate::domain::skeleton::{BodyFacts, ExportSymbol, MemberInfo};

/// A function or method that may have overloads.
pub(super) trait Overloadable {
    /// What its overloads share with it.
    fn key(&self) -> (Option<&str>, &str);
    fn decorators(&self) -> &[String];
    fn is_callable(&self) -> bool;
    fn take(&mut self, behind: Behind);
    fn into_behind(self) -> Behind;
}

/// What of the function behind the overloads is kept: people document that one.
pub(super) struct Behind {
    doc: Option<String>,
    body_hash: Option<String>,
    facts: BodyFacts,
}

macro_rules! overloadable {
    ($kind:ty, |$it:ident| $namespace:expr) => {
        impl Overloadable for $kind {
            fn key(&self) -> (Option<&str>, &str) {
                let $it = self;
                ($namespace, &self.name)
            }

            fn decorators(&self) -> &[String] {
                &self.decorators
            }

            fn is_callable(&self) -> bool {
                self.parameters.is_some()
            }

            fn take(&mut self, behind: Behind) {
                self.js_doc = self.js_doc.take().or(behind.doc);
                self.body_hash = behind.body_hash;
                self.facts = behind.facts;
            }

            fn into_behind(self) -> Behind {
                Behind { doc: self.js_doc, body_hash: self.body_hash, facts: self.facts }
            }
        }
    };
}

overloadable!(ExportSymbol, |it| it.namespace.as_deref());
overloadable!(MemberInfo, |_it| None);

/// Leaves out what stands behind overloads; the first of them gets its body and documentation.
pub(super) fn without_implementations<T: Overloadable>(declared: Vec<T>) -> Vec<T> {
    let mut first: HashMap<(Option<String>, String), usize> = HashMap::new();
    let mut written: HashMap<(Option<String>, String, Vec<String>), usize> = HashMap::new();
    let mut kept: Vec<T> = Vec::with_capacity(declared.len());
    for it in declared {
        let is_overload = it.decorators().iter().any(|it| {
            let name = it.trim_start_matches('@');
            name == "overload" || name.ends_with(".overload")
        });
        if is_overload || !first.is_empty() && it.is_callable() {
            let (namespace, name) = it.key();
            let key = (namespace.map(str::to_owned), name.to_owned());
            if is_overload {
                first.entry(key).or_insert(kept.len());
            } else if let Some(home) = first.get(&key) {
                kept[*home].take(it.into_behind());
                continue;
            }
        }
        if it.is_callable() {
            let (namespace, name) = it.key();
            let key = (namespace.map(str::to_owned), name.to_owned(), it.decorators().to_vec());
            // Two branches of one condition: only one of them is ever there.
            match written.get(&key) {
                Some(home) if !is_overload => {
                    kept[*home] = it;
                    continue;
                }
                _ => written.insert(key, kept.len()),
            };
        }
        kept.push(it);
    }
    kept
}
