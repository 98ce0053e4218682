//! Lists cut to their length: symbols are kept for as long as the whole project is worked on, and lists
//! that grew hold up to four times what they need.

use super::facts::{BodyFacts, FactLists};
use super::{ExportSymbol, MemberInfo};

impl ExportSymbol {
    pub(crate) fn shrink(&mut self) {
        self.members.shrink_to_fit();
        self.parameters.iter_mut().for_each(Vec::shrink_to_fit);
        shrink_facts(&mut self.facts);
        let Self { type_parameters, modifiers, decorators, extends, implements, .. } = self;
        for texts in [type_parameters, modifiers, decorators, extends, implements] {
            texts.shrink_to_fit();
        }
        for member in &mut self.members {
            member.parameters.iter_mut().for_each(Vec::shrink_to_fit);
            shrink_facts(&mut member.facts);
            let MemberInfo { type_parameters, modifiers, decorators, .. } = member;
            for texts in [type_parameters, modifiers, decorators] {
                texts.shrink_to_fit();
            }
        }
    }
}

fn shrink_facts(facts: &mut BodyFacts) {
    if facts.is_empty() {
        return;
    }
    let lists = facts.lists_mut();
    let FactLists { throws, panics, unwraps, validates, calls } = lists;
    for facts in [throws, panics, unwraps, validates] {
        facts.shrink_to_fit();
    }
    calls.shrink_to_fit();
}
