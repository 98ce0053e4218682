//! Calls on a router: which of them are routes.

use std::ops::Range;

use super::{Routers, root_of};
use crate::domain::facts::code::{Argument, Call};
use crate::domain::facts::found::{Found, MAX_TEXT, by_name, joined};
use crate::domain::facts::rows::{RouterCall, has, role};
use crate::domain::facts::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

impl<'a> Routers<'a, '_> {
    pub(in crate::domain::facts) fn collect(&self, found: &mut Found<'_>) {
        for call in &self.code.calls {
            if found.is_full() {
                return;
            }
            self.collect_call(call, found);
        }
        self.wrapped(found);
    }

    pub(super) fn collect_call(&self, call: &Call<'a>, found: &mut Found<'_>) {
        let name = call.name();
        let is_go = self.code.tokens.dialect == Dialect::Go;
        if !call.may(role::ROUTE) && !is_go {
            return;
        }
        if let Some(row) = self.rows.calls.iter().find(|it| has(&it.names, name))
            && self.route(row, call, found)
        {
            return;
        }
        if let Some(row) =
            self.rows.listed.iter().find(|it| has(&it.names, name) && is_listed(it, call))
        {
            self.listed(row, call, found);
            return;
        }
        if matches!(name, "query" | "mutation" | "subscription") {
            self.procedure(call, found);
            return;
        }
        if matches!(name, "route") && self.route_object(call, found) {
            return;
        }
        if let Some((address, target, guards)) = self.mounted(call) {
            self.mount(call, address, &target, guards, found);
            return;
        }
        if is_go && self.hand_over(call, found) {
            return;
        }
        if self.rows.through.iter().any(|it| has(&it.names, name)) {
            self.through(call, found);
        }
    }

    /// `users.Register(v1.Group("/users"))`: what another package adds comes below an address.
    pub(super) fn hand_over(&self, call: &Call<'a>, found: &mut Found<'_>) -> bool {
        let code = self.code;
        // Only where there is an address to hand over.
        let has_any = !self.bindings.is_empty() || !self.regions.is_empty();
        if !has_any || self.rows.groups.iter().any(|it| has(&it.names, call.name())) {
            return false;
        }
        for argument in code.arguments(call.open) {
            let at = argument.value.start;
            let group = code.calls_at(at).find(|it| {
                code.tokens.mate(it.open) + 1 == argument.value.end
                    && self.rows.groups.iter().any(|row| has(&row.names, it.name()))
            });
            let address = match group {
                Some(group) => {
                    code.arguments(group.open).first().and_then(|it| code.literal(&it.value))
                }
                None => self
                    .binding(code.tokens.word(at), at)
                    .filter(|it| argument.value.len() == 1 && !it.prefix.is_empty())
                    .map(|_| ""),
            };
            let Some(address) = address else { continue };
            if code.scopes.iter().any(|it| it.name == call.name()) {
                return false;
            }
            let root = group.map_or(code.tokens.word(at), root_of);
            let (prefix, guards) = self.context(at, root, 0);
            let name = joined(&prefix, address);
            let mut entry = found.entry(EntryKind::Mount, name, code.tokens.line(call.open));
            entry.handler = Some(code.tokens.shown(call.start..call.open));
            entry.guards = guards;
            found.push(entry);
            return true;
        }
        false
    }

    /// Whether what a method is called on is a router.
    pub(super) fn is_router(&self, row: &RouterCall, call: &Call<'a>) -> bool {
        let Some(last) = call.parts.len().checked_sub(2).map(|it| call.parts[it]) else {
            return row.bare;
        };
        if row.any_receiver {
            return true;
        }
        let root = call.parts[0].word;
        let root = if root == "this" && call.parts.len() > 2 { call.parts[1].word } else { root };
        let lower = root.to_ascii_lowercase();
        let is_named = has(&row.receivers, root)
            || ["router", "app", "routes"]
                .iter()
                .any(|it| lower.ends_with(it) && row.imports.len() > 1)
            || self.binding(root, call.start).is_some();
        is_named
            || self.is_imported
                && last.open.is_none()
                && !row.imports.is_empty()
                && call.parts.len() == 2
    }

    pub(super) fn route(&self, row: &RouterCall, call: &Call<'a>, found: &mut Found<'_>) -> bool {
        let code = self.code;
        if !self.is_router(row, call) {
            return false;
        }
        let mut arguments = code.arguments(call.open);
        let mut verb = match row.verb.as_str() {
            "name" => verb_of(call.name()),
            "first" => {
                let Some(first) = arguments.first().and_then(|it| code.literal(&it.value)) else {
                    return false;
                };
                let verb = first.to_ascii_uppercase();
                arguments.remove(0);
                verb
            }
            _ => String::new(),
        };
        // `router.route('/x').get(…)`
        let is_chained = row.verb == "name" && code.tokens.dialect == Dialect::Script;
        let before = call.parts.iter().rev().skip(1).filter(|_| is_chained);
        let chained = before.into_iter().find(|it| it.word == "route").and_then(|it| it.open);
        let address = match chained {
            Some(open) => {
                let given = code.arguments(open);
                given.first().and_then(|it| code.literal(&it.value))
            }
            None => arguments.first().and_then(|it| code.literal(&it.value)),
        };
        // `MapPost(Create, "pattern")`: what answers may come first, and be alone.
        if address.is_none() && code.tokens.dialect == Dialect::CSharp && arguments.len() <= 2 {
            let handler = arguments.first().map(|it| it.value.clone());
            let address = match arguments.get(1) {
                Some(second) => code.literal(&second.value),
                None => Some(""),
            };
            let is_named = handler.as_ref().is_some_and(|it| code.tokens.is_word(it.start));
            if let Some(address) = address.filter(|_| is_named) {
                self.add(call, &verb, address, handler, self.guards_after(call), found);
                return true;
            }
        }
        // `web::resource("/x").route(web::post().to(f))` has its address before.
        if row.handler == "inside" && address.is_none() && !arguments.is_empty() {
            return self.answered_inside(call, "", &arguments, found);
        }
        let Some(mut address) = address else { return false };
        if chained.is_none() {
            arguments.remove(0);
        }
        if row.verb == "text" {
            if let Some((method, rest)) = address.split_once(' ') {
                method.clone_into(&mut verb);
                address = rest.trim_start();
            }
            let methods =
                code.followers(call.open).into_iter().find(|it| it.0 == "Methods").map(|it| it.1);
            if let Some(open) = methods {
                let range = open + 1..code.tokens.mate(open);
                let mut verbs: Vec<String> =
                    code.literals(&range).iter().map(|it| it.to_ascii_uppercase()).collect();
                // `http.MethodGet`
                let named = range.filter_map(|at| code.tokens.word(at).strip_prefix("Method"));
                verbs.extend(named.map(str::to_ascii_uppercase));
                verb = verbs.join(",");
            }
        }
        let is_address = address.starts_with(['/', '*', '^', ':'])
            || row.loose_address
            || address.is_empty() && chained.is_none();
        // What answers may stand in a block after it.
        let has_block = row.bare && code.tokens.is(code.tokens.mate(call.open) + 1, "{");
        if !is_address || arguments.is_empty() && row.handler != "inside" && !has_block {
            return false;
        }
        // An object is what a client sends.
        let last = arguments.iter().rfind(|it| it.name.is_none());
        let is_client = last.is_some_and(|it| {
            code.tokens.is(it.value.start, "{") && !code.is_function(&it.value)
                || code.tokens.is_text(it.value.start) && code.tokens.dialect == Dialect::Script
                || code.tokens.is(it.value.start, "await")
        });
        if is_client {
            return false;
        }
        if row.handler == "inside" {
            return self.answered_inside(call, address, &arguments, found);
        }
        if row.verb == "methods" {
            let verbs = by_name(code, &arguments, &["methods".to_owned()]);
            verb = verbs
                .map_or_else(String::new, |it| code.literals(it).join(",").to_ascii_uppercase());
        }
        let values: Vec<&Argument<'_>> = arguments.iter().filter(|it| it.name.is_none()).collect();
        let named = by_name(code, &arguments, &["view_func".to_owned(), "endpoint".to_owned()]);
        let is_first =
            code.tokens.dialect == Dialect::Go && code.tokens.text.contains("labstack/echo");
        let handler = match row.handler.as_str() {
            _ if is_first => values.first().map(|it| it.value.clone()),
            "second" => values.first().map(|it| it.value.clone()).or_else(|| named.cloned()),
            _ => values.last().map(|it| it.value.clone()),
        };
        // Echo gives the handler first, what it goes through after it; everybody else the other way round.
        let mut guards: Vec<String> = Vec::new();
        if row.handler == "last" {
            let others = values.iter().skip(usize::from(is_first));
            let others = others.take(values.len().saturating_sub(1));
            guards.extend(others.flat_map(|it| self.guards_in(&it.value)));
        }
        guards.extend(self.guards_after(call));
        // `r.With(mw).Get(…)`
        for part in call.parts.iter().filter(|it| matches!(it.word, "With" | "middleware")) {
            if let Some(open) = part.open {
                guards.extend(self.each(&(open + 1..code.tokens.mate(open))));
            }
        }
        if verb.is_empty() {
            verb = self.default_verb(row, handler.as_ref());
        }
        self.add(call, &verb, address, handler, guards, found);
        true
    }

    /// What is said of a route after it: `.RequireAuthorization()`, `.middleware('auth')`.
    fn guards_after(&self, call: &Call<'a>) -> Vec<String> {
        let code = self.code;
        let mut guards = Vec::new();
        for (follower, open) in code.followers(call.open) {
            let is_guard = matches!(
                follower,
                "middleware"
                    | "RequireAuthorization"
                    | "AllowAnonymous"
                    | "RequireRateLimiting"
                    | "can"
                    | "withoutMiddleware"
                    | "RequireCors"
                    | "AddEndpointFilter"
            );
            if is_guard {
                guards.push(format!(
                    "{follower}{}",
                    code.tokens.shown(open..code.tokens.mate(open) + 1)
                ));
            }
        }
        guards
    }

    /// What a request goes through before it is answered: names, lists of them, options with hooks.
    pub(super) fn guards_in(&self, range: &Range<usize>) -> Vec<String> {
        let code = self.code;
        let tokens = &code.tokens;
        if tokens.is(range.start, "[") {
            return self.each(range);
        }
        if tokens.is(range.start, "{") {
            let mut found = Vec::new();
            for (key, value) in code.members(range.start) {
                if matches!(key, "schema" | "config" | "handler") {
                    if key == "schema" && !tokens.is(value.start, "{") {
                        found
                            .extend(code.named(&value, MAX_TEXT).map(|it| format!("schema: {it}")));
                    }
                    continue;
                }
                found.extend(self.each(&value).into_iter().map(|it| format!("{key}: {it}")));
            }
            return found;
        }
        if code.is_function(range) {
            Vec::new()
        } else {
            code.named(range, MAX_TEXT).into_iter().collect()
        }
    }
}

fn verb_of(name: &str) -> String {
    let name = name.strip_prefix("Map").or_else(|| name.strip_prefix("add_")).unwrap_or(name);
    match name {
        "del" => "DELETE".to_owned(),
        "all" | "Any" | "any" | "All" => "ANY".to_owned(),
        other => other.to_ascii_uppercase(),
    }
}

fn is_listed(row: &RouterCall, call: &Call<'_>) -> bool {
    if row.receivers.is_empty() { call.parts.len() == 1 } else { has(&row.receivers, call.root()) }
}
