//! Routers: calls that give an address, groups and mounts that put another before it, and what everything
//! goes through.

use std::ops::Range;

use super::code::{Argument, Call, Code, ScopeKind};
use super::found::{Found, MAX_TEXT, by_name, joined};
use super::rows::{Reach, RouterCall, Rows, has};
use super::tokens::Dialect;
use crate::domain::skeleton::{EntryKind, EntryPoint};

/// Mounts on mounts further than this are a circle.
const MAX_MOUNTS: usize = 6;

/// A name that stands for a router with an address of its own.
struct Binding<'a> {
    name: &'a str,
    at: usize,
    /// Where the name is known.
    within: Option<Range<usize>>,
    /// What it is made on.
    root: &'a str,
    prefix: String,
    guards: Vec<String>,
}

/// A part of the file below an address.
struct Region {
    range: Range<usize>,
    prefix: String,
    guards: Vec<String>,
}

/// Where one router is put below another, or a function is given one.
struct Site<'a> {
    target: &'a str,
    at: usize,
    root: &'a str,
    prefix: String,
    guards: Vec<String>,
}

pub(super) struct Routers<'a, 'c> {
    code: &'c Code<'a>,
    rows: &'static Rows,
    /// A framework of routers is imported.
    is_imported: bool,
    bindings: Vec<Binding<'a>>,
    regions: Vec<Region>,
    sites: Vec<Site<'a>>,
}

impl<'a, 'c> Routers<'a, 'c> {
    pub(super) fn of(code: &'c Code<'a>, rows: &'static Rows) -> Self {
        let imports = rows.calls.iter().flat_map(|it| &it.imports);
        let text = code.tokens.text.as_bytes();
        let is_imported =
            imports.into_iter().any(|it| memchr::memmem::find(text, it.as_bytes()).is_some());
        let (bindings, regions, sites) = Default::default();
        let mut routers = Self { code, rows, is_imported, bindings, regions, sites };
        for call in &code.calls {
            routers.look_at(call);
        }
        routers
    }

    /// Takes in what a call says about addresses before others.
    fn look_at(&mut self, call: &Call<'a>) {
        let (code, name) = (self.code, call.name());
        let arguments = || code.arguments(call.open);
        let is_group = |it: &&super::rows::Group| {
            has(&it.names, name) && (it.receivers.is_empty() || has(&it.receivers, call.root()))
        };
        if let Some(group) = self.rows.groups.iter().find(is_group) {
            let arguments = arguments();
            let address = arguments.first().and_then(|it| code.literal(&it.value));
            let has_more = arguments.len() > 1;
            let prefix = address.unwrap_or_default();
            let guards = if group.reaches == Reach::Arguments && address.is_some() {
                let others = arguments.iter().skip(1).filter(|it| !code.is_function(&it.value));
                let named = others.filter_map(|it| code.named(&it.value, MAX_TEXT));
                named
                    .filter(|it| !it.contains("Router::") && code.tokens.dialect == Dialect::Go)
                    .collect()
            } else {
                Vec::new()
            };
            let bound = code.bound_to(call.start);
            if address.is_some() || name == "Group" || name == "group" {
                let end = code.tokens.mate(call.open);
                let range = match group.reaches {
                    Reach::Arguments => call.open + 1..end,
                    Reach::Chain => {
                        let last = code.followers(call.open).last().map(|it| it.1);
                        end..last.map_or(end, |it| code.tokens.mate(it))
                    }
                    Reach::Block => {
                        let block = end + 1;
                        if code.tokens.is(block, "{") {
                            block..code.tokens.mate(block)
                        } else {
                            end..end
                        }
                    }
                };
                let _ = has_more;
                self.regions.push(Region {
                    range,
                    prefix: prefix.to_owned(),
                    guards: guards.clone(),
                });
                if let Some(bound) = bound {
                    self.bind(call, bound, call.root(), prefix.to_owned(), guards);
                }
            }
        }
        if let Some(maker) = self.rows.makers.iter().find(|it| has(&it.names, name)) {
            let arguments = arguments();
            let mut prefix = by_name(code, &arguments, &maker.keys).and_then(|it| code.literal(it));
            if prefix.is_none()
                && let Some(first) =
                    arguments.first().filter(|it| code.tokens.is(it.value.start, "{"))
            {
                let keys: Vec<&str> = maker.keys.iter().map(String::as_str).collect();
                prefix = code.member(first.value.start, &keys).and_then(|it| code.literal(&it));
            }
            let guards = by_name(code, &arguments, &maker.guards)
                .map(|it| self.each(it))
                .unwrap_or_default();
            if let Some(bound) = code.bound_to(call.start) {
                self.bind(call, bound, "", prefix.unwrap_or_default().to_owned(), guards);
            }
        }
        // A function that is given a router with an address: what it adds comes below that.
        let given = || code.arguments(call.open).into_iter().map(|it| it.value);
        if code.tokens.dialect == Dialect::Go && call.parts.len() <= 2 {
            for value in given().filter(|it| it.len() <= 2) {
                let word = code.tokens.word(value.end.saturating_sub(1));
                let prefix = self.binding(word, call.start).map(|it| it.prefix.clone());
                if let Some(prefix) = prefix.filter(|it| !it.is_empty()) {
                    let (target, at, guards) = (call.name(), call.start, Vec::new());
                    drop(prefix);
                    self.sites.push(Site { target, at, root: word, prefix: String::new(), guards });
                }
            }
        }
        // `.nest("/api", api::router())` and `.configure(routes)`: by the name of the function.
        if code.tokens.dialect == Dialect::Rust
            && matches!(name, "nest" | "merge" | "configure" | "nest_service" | "service" | "mount")
        {
            for value in given() {
                let target = last_called(code, &value);
                if let Some(target) = target {
                    let at = value.start;
                    self.sites.push(Site {
                        target,
                        at,
                        root: "",
                        prefix: String::new(),
                        guards: Vec::new(),
                    });
                }
            }
        }
        if let Some((address, target, guards)) = self.mounted(call)
            && target.len() <= 3
        {
            let target = code.tokens.word(target.start);
            let (at, prefix) = (call.start, address.to_owned());
            self.sites.push(Site { target, at, root: call.root(), prefix, guards });
        }
    }

    fn bind(
        &mut self,
        call: &Call<'a>,
        name: &'a str,
        root: &'a str,
        prefix: String,
        guards: Vec<String>,
    ) {
        let within = self.code.around(call.start, ScopeKind::Function).map(|it| it.body.clone());
        let at = call.start;
        self.bindings.push(Binding { name, at, within, root, prefix, guards });
    }

    fn binding(&self, name: &str, at: usize) -> Option<&Binding<'a>> {
        let is_known = |it: &&Binding<'_>| {
            it.name == name && it.at < at && it.within.as_ref().is_none_or(|it| it.contains(&at))
        };
        self.bindings.iter().rev().find(is_known)
    }

    /// The items of a list, each as it is shown.
    pub(super) fn each(&self, range: &Range<usize>) -> Vec<String> {
        let tokens = &self.code.tokens;
        let inner = if tokens.is_open(range.start) && tokens.is(range.start, "[")
            || tokens.is(range.start, "(")
        {
            range.start + 1..tokens.mate(range.start)
        } else {
            range.clone()
        };
        let parts = super::code::split(tokens, inner).into_iter();
        parts.filter_map(|it| self.code.named(&it, MAX_TEXT)).collect()
    }

    /// The address and what is put below it, of a call that mounts.
    fn mounted(&self, call: &Call<'a>) -> Option<(&'a str, Range<usize>, Vec<String>)> {
        let code = self.code;
        let row = self.rows.mounts.iter().find(|it| has(&it.names, call.name()))?;
        let arguments = code.arguments(call.open);
        if row.target == "all" {
            let address = arguments.first().and_then(|it| code.literal(&it.value))?;
            return Some((address, call.open..call.open, Vec::new()));
        }
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        let keyed =
            by_name(code, &arguments, &row.keys).and_then(|it| code.literal(it)).or_else(|| {
                let object = arguments.iter().find(|it| code.tokens.is(it.value.start, "{"))?;
                code.member(object.value.start, &keys).and_then(|it| code.literal(&it))
            });
        let first = arguments.first()?;
        let placed = row.address.and_then(|it| code.literal(&arguments.get(it)?.value));
        let address = keyed.or(placed).unwrap_or_default();
        let positional: Vec<&Argument<'a>> = arguments
            .iter()
            .filter(|it| {
                it.name.is_none()
                    && !code.tokens.is_text(it.value.start)
                    && !code.tokens.is(it.value.start, "{")
            })
            .collect();
        let target = if row.target == "first" { positional.first() } else { positional.last() }?;
        let _ = first;
        if code.is_function(&target.value) {
            return None;
        }
        let mut guards: Vec<String> = if row.target == "last" {
            let others = positional.iter().take(positional.len() - 1);
            others.filter_map(|it| code.named(&it.value, MAX_TEXT)).collect()
        } else {
            Vec::new()
        };
        guards.extend(
            by_name(code, &arguments, &row.guards).map(|it| self.each(it)).unwrap_or_default(),
        );
        // Without an address it is a mount only if a router is given.
        if address.is_empty() && row.keys.is_empty() {
            let word = code.tokens.word(target.value.start);
            let lower = word.to_ascii_lowercase();
            let is_router = self.binding(word, call.start).is_some()
                || lower.ends_with("router")
                || lower.ends_with("routes")
                || lower.ends_with("route")
                || code.tokens.shown(target.value.clone()).ends_with(".routes()");
            if !is_router {
                return None;
            }
        }
        Some((address, target.value.clone(), guards))
    }

    /// The address before everything at a place, with what it goes through, as far as this file tells.
    pub(super) fn context(&self, at: usize, root: &str, depth: usize) -> (String, Vec<String>) {
        let mut regions: Vec<&Region> =
            self.regions.iter().filter(|it| it.range.contains(&at)).collect();
        regions.sort_by_key(|it| it.range.start);
        let (mut prefix, mut guards) = (String::new(), Vec::new());
        let binding = self.binding(root, at);
        let inner =
            binding.filter(|binding| regions.iter().any(|it| it.range.contains(&binding.at)));
        let mut add = |more: &str, by: &[String]| {
            if !more.is_empty() && more != "/" {
                prefix = joined(&prefix, more);
            }
            guards.extend(by.iter().cloned());
        };
        if depth < MAX_MOUNTS {
            let function = self.code.around(at, ScopeKind::Function).map_or("", |it| it.name);
            let bound_root =
                binding.map_or(root, |it| if it.root.is_empty() { root } else { it.root });
            let site = |name: &str| {
                self.sites
                    .iter()
                    .find(|it| !name.is_empty() && it.target == name && it.root != name)
            };
            let site = site(root).or_else(|| site(bound_root)).or_else(|| site(function));
            if let Some(site) = site {
                let (outer, by) = self.context(site.at, site.root, depth + 1);
                add(&outer, &by);
                add(&site.prefix, &site.guards);
            } else if let Some(binding) =
                binding.filter(|it| !it.root.is_empty() && it.root != root)
            {
                let (outer, by) = self.context(binding.at, binding.root, depth + 1);
                add(&outer, &by);
            }
        }
        if inner.is_none()
            && let Some(binding) = binding
        {
            add(&binding.prefix, &binding.guards);
        }
        for region in &regions {
            add(&region.prefix, &region.guards);
        }
        if let Some(binding) = inner {
            add(&binding.prefix, &binding.guards);
        }
        (prefix, guards)
    }

    pub(super) fn collect(&self, found: &mut Found<'_>) {
        for call in &self.code.calls {
            if found.is_full() {
                return;
            }
            self.collect_call(call, found);
        }
    }

    fn collect_call(&self, call: &Call<'a>, found: &mut Found<'_>) {
        let name = call.name();
        let is_go = self.code.tokens.dialect == Dialect::Go;
        if !self.rows.router_words.contains(name) && !is_go {
            return;
        }
        if let Some(row) = self.rows.calls.iter().find(|it| has(&it.names, name))
            && self.route(row, call, found)
        {
            return;
        }
        if let Some(row) =
            self.rows.listed.iter().find(|it| has(&it.names, name) && self.is_listed(it, call))
        {
            self.listed(row, call, found);
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

    fn is_listed(&self, row: &RouterCall, call: &Call<'a>) -> bool {
        if row.receivers.is_empty() {
            call.parts.len() == 1
        } else {
            has(&row.receivers, call.root())
        }
    }

    /// `users.Register(v1.Group("/users"))`: what another package adds comes below an address.
    fn hand_over(&self, call: &Call<'a>, found: &mut Found<'_>) -> bool {
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
    fn is_router(&self, row: &RouterCall, call: &Call<'a>) -> bool {
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

    fn route(&self, row: &RouterCall, call: &Call<'a>, found: &mut Found<'_>) -> bool {
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
        let Some(mut address) = address else { return false };
        if chained.is_none() {
            arguments.remove(0);
        }
        if row.verb == "text" {
            if let Some((method, rest)) = address.split_once(' ') {
                verb = method.to_owned();
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
        if !is_address || arguments.is_empty() && row.handler != "inside" {
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
            verb = verbs.map_or_else(String::new, |it| code.literals(it).join(","));
        }
        let values: Vec<&Argument<'_>> = arguments.iter().filter(|it| it.name.is_none()).collect();
        let named = by_name(code, &arguments, &["view_func".to_owned(), "endpoint".to_owned()]);
        let handler = match row.handler.as_str() {
            "second" => values.first().map(|it| it.value.clone()).or_else(|| named.cloned()),
            _ => values.last().map(|it| it.value.clone()),
        };
        // Echo gives the handler first, what it goes through after it; everybody else the other way round.
        let mut guards: Vec<String> = Vec::new();
        if row.handler == "last" {
            let others = values.iter().take(values.len().saturating_sub(1));
            guards.extend(others.flat_map(|it| self.guards_in(&it.value)));
        }
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
        // `r.With(mw).Get(…)`
        for part in call.parts.iter().filter(|it| matches!(it.word, "With" | "middleware")) {
            if let Some(open) = part.open {
                guards.extend(self.each(&(open + 1..code.tokens.mate(open))));
            }
        }
        self.add(call, &verb, address, handler, guards, found);
        true
    }

    /// What a request goes through before it is answered: names, lists of them, options with hooks.
    fn guards_in(&self, range: &Range<usize>) -> Vec<String> {
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

    fn add(
        &self,
        call: &Call<'a>,
        verb: &str,
        address: &str,
        handler: Option<Range<usize>>,
        guards: Vec<String>,
        found: &mut Found<'_>,
    ) {
        let code = self.code;
        let (prefix, mut by) = self.context(call.start, root_of(call), 0);
        by.extend(guards);
        let handler = handler.and_then(|it| code.named(&it, MAX_TEXT));
        let address = joined(&prefix, address);
        for verb in verb.split(',') {
            let name = if verb.is_empty() { address.clone() } else { format!("{verb} {address}") };
            let mut entry = found.entry(EntryKind::Route, name, code.tokens.line(call.open));
            entry.handler = handler.clone();
            entry.guards.clone_from(&by);
            entry.scope = self.scope(call.start, root_of(call));
            found.push(entry);
        }
    }

    /// The name by which other files know what a route is on.
    fn scope(&self, at: usize, root: &str) -> Option<String> {
        let function = self.code.around(at, ScopeKind::Function).map(|it| it.name);
        let bound = self.binding(root, at).filter(|it| it.within.is_none()).map(|_| root);
        bound.or(function).or(Some(root)).filter(|it| !it.is_empty()).map(str::to_owned)
    }

    /// `.route("/x", get(list).post(create))` and `web::get().to(handler)`.
    fn answered_inside(
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

    /// `server.route({ method: 'GET', url: '/x', handler })`.
    fn route_object(&self, call: &Call<'a>, found: &mut Found<'_>) -> bool {
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

    fn listed(&self, row: &RouterCall, call: &Call<'a>, found: &mut Found<'_>) {
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
        let verbs = by_name(code, &arguments, &[row.verbs_in.clone()])
            .map(|it| code.literals(it).join(","));
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
        self.add(call, &verb, address, Some(handler), guards, found);
    }

    fn mount(
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
        if target.len() == 1 && !is_below && self.binding(word, call.start).is_some() {
            return;
        }
        let target =
            if target.is_empty() { Some("*".to_owned()) } else { code.named(target, MAX_TEXT) };
        self.add_mount(call, address, target, guards, found);
    }

    fn add_mount(
        &self,
        call: &Call<'a>,
        address: &str,
        target: Option<String>,
        guards: Vec<String>,
        found: &mut Found<'_>,
    ) {
        let (prefix, mut by) = self.context(call.start, root_of(call), 0);
        by.extend(guards);
        let name = joined(&prefix, address);
        let mut entry = found.entry(EntryKind::Mount, name, self.code.tokens.line(call.open));
        entry.handler = target;
        entry.guards = by;
        entry.scope = self.scope(call.start, root_of(call));
        found.push(entry);
    }

    /// `app.use(helmet())`: everything goes through it.
    fn through(&self, call: &Call<'a>, found: &mut Found<'_>) {
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

fn root_of<'a>(call: &Call<'a>) -> &'a str {
    let root = call.root();
    if root == "this" && call.parts.len() > 2 { call.parts[1].word } else { root }
}

fn verb_of(name: &str) -> String {
    let name = name.strip_prefix("Map").or_else(|| name.strip_prefix("add_")).unwrap_or(name);
    match name {
        "del" => "DELETE".to_owned(),
        "all" | "Any" | "any" | "All" => "ANY".to_owned(),
        other => other.to_ascii_uppercase(),
    }
}

/// The function that a value calls or names last: `router` in `users::router()`.
fn last_called<'a>(code: &Code<'a>, range: &Range<usize>) -> Option<&'a str> {
    let tokens = &code.tokens;
    let mut last = None;
    let mut at = range.start;
    while at < range.end {
        if tokens.is_word(at) {
            last = Some(tokens.word(at));
        } else if tokens.is(at, "(") {
            break;
        } else if !tokens.is(at, "::") {
            return None;
        }
        at += 1;
    }
    last.filter(|it| !matches!(*it, "new" | "get" | "post"))
}

/// Routes whose functions are named elsewhere in the file: `.mount("/api", routes![index, find])`.
pub(super) fn mount_by_name(code: &Code<'_>, entries: &mut [EntryPoint]) {
    if code.tokens.dialect != Dialect::Rust {
        return;
    }
    for call in code.calls.iter().filter(|it| matches!(it.name(), "mount" | "scope")) {
        let arguments = code.arguments(call.open);
        let Some(prefix) = arguments.first().and_then(|it| code.literal(&it.value)) else {
            continue;
        };
        let end = if call.name() == "scope" {
            code.followers(call.open).last().map_or(call.open, |it| code.tokens.mate(it.1))
        } else {
            code.tokens.mate(call.open)
        };
        let words: Vec<&str> = (call.open..end)
            .filter(|it| code.tokens.is_word(*it))
            .map(|it| code.tokens.word(it))
            .collect();
        for entry in entries.iter_mut().filter(|it| it.kind == EntryKind::Route) {
            let is_meant =
                entry.handler.as_deref().is_some_and(|it| words.contains(&it)) && entry.is_marked;
            if is_meant && let Some((verb, address)) = entry.name.split_once(' ') {
                entry.name = format!("{verb} {}", joined(prefix, address));
            }
        }
    }
}
