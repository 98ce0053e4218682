//! Routes, mounts and what everything goes through, as they are told.

use std::ops::Range;

use super::{Routers, last_called, root_of};
use crate::domain::facts::code::{Argument, Call, ScopeKind};
use crate::domain::facts::found::{Found, MAX_TEXT, by_name, joined};
use crate::domain::facts::rows::RouterCall;
use crate::domain::facts::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

impl<'a> Routers<'a, '_> {
    pub(super) fn add(
        &self,
        call: &Call<'a>,
        verb: &str,
        address: &str,
        handler: Option<Range<usize>>,
        guards: Vec<String>,
        found: &mut Found<'_>,
    ) {
        let code = self.code;
        let (prefix, mut by) = self.context(call.open, root_of(call), 0);
        by.extend(guards);
        let handler = handler.and_then(|it| code.named(&it, MAX_TEXT));
        let address = joined(&prefix, address);
        for verb in verb.split(',') {
            let name = if verb.is_empty() { address.clone() } else { format!("{verb} {address}") };
            let mut entry = found.entry(EntryKind::Route, name, code.tokens.line(call.open));
            entry.handler.clone_from(&handler);
            entry.guards.clone_from(&by);
            entry.scope = self.scope(call.start, root_of(call));
            found.push(entry);
        }
    }

    /// The name by which other files know what a route is on.
    pub(super) fn scope(&self, at: usize, root: &str) -> Option<String> {
        let function = self.code.around(at, ScopeKind::Function).map(|it| it.name);
        let bound = self.binding(root, at).filter(|it| it.within.is_none()).map(|_| root);
        bound.or(function).or(Some(root)).filter(|it| !it.is_empty()).map(str::to_owned)
    }

    /// `.route("/x", get(list).post(create))` and `web::get().to(handler)`.
    pub(super) fn answered_inside(
        &self,
        call: &Call<'a>,
        address: &str,
        arguments: &[Argument<'a>],
        found: &mut Found<'_>,
    ) -> bool {
        let code = self.code;
        let Some(second) = arguments.first() else { return false };
        let verbs = [
            "get",
            "post",
            "put",
            "delete",
            "patch",
            "head",
            "options",
            "any",
            "trace",
            "get_service",
            "post_service",
            "get_with",
            "post_with",
        ];
        let inside = code.calls_within(&second.value).iter();
        let mut count = 0;
        for inner in inside.filter(|it| verbs.contains(&it.name())) {
            // Calls in arguments of calls are something else.
            if code.tokens.parent(inner.open) != code.tokens.parent(second.value.start) {
                continue;
            }
            let to = code.followers(inner.open).into_iter().find(|it| it.0 == "to").map(|it| it.1);
            let open = to.unwrap_or(inner.open);
            let given = code.arguments(open).into_iter().next().map(|it| it.value);
            let guards = code
                .followers(inner.open)
                .into_iter()
                .filter(|it| matches!(it.0, "layer" | "route_layer" | "guard" | "wrap"));
            let guards =
                guards.map(|it| code.tokens.shown(it.1 + 1..code.tokens.mate(it.1))).collect();
            let verb = inner.name().split('_').next().unwrap_or_default().to_ascii_uppercase();
            self.add(call, &verb, address, given, guards, found);
            count += 1;
        }
        if count == 0 {
            self.add(call, "", address, Some(second.value.clone()), Vec::new(), found);
        }
        true
    }

    /// `byId: protectedProcedure.input(…).query(…)` of tRPC.
    pub(super) fn procedure(&self, call: &Call<'a>, found: &mut Found<'_>) {
        let root = call.root();
        if self.code.tokens.dialect != Dialect::Script
            || !root.to_ascii_lowercase().ends_with("procedure")
        {
            return;
        }
        let name = crate::domain::facts::entities::owner(self.code, call.start);
        let name = format!("{} {name}", call.name().to_ascii_uppercase());
        let mut entry = found.entry(EntryKind::Route, name, self.code.tokens.line(call.open));
        entry.guards = vec![root.to_owned()];
        found.push(entry);
    }

    /// `server.route({ method: 'GET', url: '/x', handler })`.
    pub(super) fn route_object(&self, call: &Call<'a>, found: &mut Found<'_>) -> bool {
        let code = self.code;
        let arguments = code.arguments(call.open);
        let Some(object) =
            arguments.first().map(|it| it.value.start).filter(|it| code.tokens.is(*it, "{"))
        else {
            return false;
        };
        let Some(address) = code.member(object, &["url", "path"]).and_then(|it| code.literal(&it))
        else {
            return false;
        };
        let verbs = code
            .member(object, &["method"])
            .map(|it| code.literals(&it).join(",").to_ascii_uppercase());
        let handler = code.member(object, &["handler"]);
        let hooks =
            ["preHandler", "onRequest", "preValidation", "pre", "beforeHandler", "middleware"];
        let mut guards: Vec<String> = Vec::new();
        for hook in hooks {
            if let Some(range) = code.member(object, &[hook]) {
                guards.extend(self.each(&range).into_iter().map(|it| format!("{hook}: {it}")));
            }
        }
        self.add(call, &verbs.unwrap_or_default(), address, handler, guards, found);
        true
    }

    pub(super) fn listed(&self, row: &RouterCall, call: &Call<'a>, found: &mut Found<'_>) {
        let code = self.code;
        let arguments = code.arguments(call.open);
        let Some(address) = arguments.first().and_then(|it| code.literal(&it.value)) else {
            return;
        };
        let answer =
            by_name(code, &arguments, &["endpoint".to_owned(), "view".to_owned()]).cloned();
        let answer = answer
            .or_else(|| arguments.get(1).filter(|it| it.name.is_none()).map(|it| it.value.clone()));
        let Some(answer) = answer else { return };
        let included = code.calls_at(answer.start).find(|it| it.name() == "include");
        if let Some(included) = included {
            let given = code.arguments(included.open).into_iter().next();
            // A list in brackets is below this address already.
            if let Some(given) = given.filter(|it| !code.tokens.is(it.value.start, "[")) {
                let target = code
                    .named(&given.value, MAX_TEXT)
                    .map(|it| it.trim_matches(['\'', '"', '(']).to_owned());
                self.add_mount(call, address, target, Vec::new(), found);
            }
            return;
        }
        let verbs = by_name(code, &arguments, std::slice::from_ref(&row.verbs_in))
            .map(|it| code.literals(it).join(",").to_ascii_uppercase());
        let verb = verbs.unwrap_or_else(|| row.verb.clone());
        // `login_required(View.as_view())`: what is around the view guards it.
        let mut handler = answer.clone();
        let mut guards = Vec::new();
        while let Some(outer) = code
            .calls_at(handler.start)
            .find(|it| it.parts.len() == 1 && code.tokens.mate(it.open) + 1 == handler.end)
        {
            let Some(inner) = code.arguments(outer.open).into_iter().next() else { break };
            guards.push(outer.name().to_owned());
            handler = inner.value;
        }
        let verb = if verb.is_empty() { self.default_verb(row, Some(&handler)) } else { verb };
        self.add(call, &verb, address, Some(handler), guards, found);
    }

    /// What is answered where no verb is named: a function answers the default, a class or what a call
    /// gives knows by itself.
    pub(super) fn default_verb(&self, row: &RouterCall, handler: Option<&Range<usize>>) -> String {
        let tokens = &self.code.tokens;
        let is_function = handler.is_some_and(|it| {
            let last = it.clone().rfind(|at| tokens.is_word(*at)).map(|at| tokens.word(at));
            last.is_some_and(|it| !it.starts_with(|it: char| it.is_uppercase()))
                && !it.clone().any(|at| tokens.is(at, "("))
        });
        if is_function { row.default_verb.clone() } else { String::new() }
    }

    pub(super) fn mount(
        &self,
        call: &Call<'a>,
        address: &str,
        target: &Range<usize>,
        guards: Vec<String>,
        found: &mut Found<'_>,
    ) {
        let code = self.code;
        // Without an address it says nothing about what this file declares.
        let word = code.tokens.word(target.start);
        let is_below = !matches!(address, "" | "/");
        let is_rust = code.tokens.dialect == Dialect::Rust;
        let is_named = |name: &str| !code.scopes.iter().any(|it| it.name == name);
        if is_rust && !last_called(code, target).is_some_and(is_named) {
            return;
        }
        if !is_below && self.binding(word, call.start).is_some() {
            return;
        }
        let target =
            if target.is_empty() { Some("*".to_owned()) } else { code.named(target, MAX_TEXT) };
        self.add_mount(call, address, target, guards, found);
    }

    pub(super) fn add_mount(
        &self,
        call: &Call<'a>,
        address: &str,
        target: Option<String>,
        guards: Vec<String>,
        found: &mut Found<'_>,
    ) {
        let (prefix, mut by) = self.context(call.open, root_of(call), 0);
        by.extend(guards);
        let name = joined(&prefix, address);
        let mut entry = found.entry(EntryKind::Mount, name, self.code.tokens.line(call.open));
        entry.handler = target;
        entry.guards = by;
        entry.scope = self.scope(call.start, root_of(call));
        found.push(entry);
    }

    /// `app.use(helmet())`: everything goes through it.
    pub(super) fn through(&self, call: &Call<'a>, found: &mut Found<'_>) {
        let code = self.code;
        let arguments = code.arguments(call.open);
        let name = call.name();
        if call.parts.len() == 1 && name != "Use" {
            return;
        }
        let line = code.tokens.line(call.open);
        if matches!(code.tokens.dialect, Dialect::Java | Dialect::Kotlin) {
            // The last matcher before it says what it is about.
            let matcher = call.parts.iter().rev().find(|it| {
                matches!(
                    it.word,
                    "requestMatchers"
                        | "antMatchers"
                        | "mvcMatchers"
                        | "anyRequest"
                        | "pathMatchers"
                        | "securityMatcher"
                )
            });
            let Some(matcher) = matcher.filter(|it| it.open.is_some()) else {
                if name.starts_with("add") {
                    let shown = code.tokens.shown(call.open..code.tokens.mate(call.open) + 1);
                    let entry = found.entry(
                        EntryKind::Middleware,
                        format!("{name}{}", mcp_core::text::cut(&shown, MAX_TEXT)),
                        line,
                    );
                    found.push(entry);
                }
                return;
            };
            let open = matcher.open.unwrap_or_default();
            let what = code.tokens.shown(open + 1..code.tokens.mate(open));
            let shown = code.tokens.shown(call.open..code.tokens.mate(call.open) + 1);
            let mut entry = found.entry(
                EntryKind::Middleware,
                format!("{} {what}", matcher.word).trim().to_owned(),
                line,
            );
            entry.guards = vec![format!("{name}{shown}")];
            found.push(entry);
            return;
        }
        if arguments.is_empty() {
            let entry = found.entry(EntryKind::Middleware, name.to_owned(), line);
            found.push(entry);
            return;
        }
        let at = arguments
            .first()
            .and_then(|it| code.literal(&it.value))
            .filter(|it| it.starts_with('/'));
        for argument in &arguments {
            if code.tokens.is_text(argument.value.start) {
                continue;
            }
            let Some(mut shown) = code.named(&argument.value, MAX_TEXT) else { continue };
            // What is set is another matter than that it is there.
            let is_long = shown.len() > 60 || shown.contains(['{', '[']);
            if is_long
                && let Some(call) = code
                    .calls_at(argument.value.start)
                    .chain(code.calls_at(argument.value.start + 1))
                    .next()
            {
                shown = code.tokens.shown(call.start..call.open);
            }
            let name = match at {
                Some(at) => format!("{at} {shown}"),
                None => shown,
            };
            let entry = found.entry(EntryKind::Middleware, name, line);
            found.push(entry);
        }
    }
}
