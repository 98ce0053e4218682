//! Routers: calls that give an address, groups and mounts that put another before it, and what everything
//! goes through.

mod calls;
mod told;
mod wrapped;

use std::ops::Range;

use super::code::{Argument, Call, Code, ScopeKind};
use super::found::{MAX_TEXT, by_name, joined};
use super::rows::{Reach, Rows, has, role};
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
        let is_scripted = !matches!(code.tokens.dialect, Dialect::Go | Dialect::Rust);
        if is_scripted && !call.may(role::GROUP | role::MAKER | role::MOUNT) {
            return;
        }
        let arguments = || code.arguments(call.open);
        let is_group = |it: &&super::rows::Group| {
            has(&it.names, name) && (it.receivers.is_empty() || has(&it.receivers, call.root()))
        };
        if call.may(role::GROUP)
            && let Some(group) = self.rows.groups.iter().find(is_group)
        {
            let arguments = arguments();
            let address = arguments.first().and_then(|it| code.literal(&it.value));
            let has_more = arguments.len() > 1;
            let mut prefix = address.unwrap_or_default();
            let guards = if group.reaches == Reach::Arguments && address.is_some() {
                let others = arguments.iter().skip(1).filter(|it| !code.is_function(&it.value));
                let named = others.filter_map(|it| code.named(&it.value, MAX_TEXT));
                named
                    .filter(|it| !it.contains("Router::") && code.tokens.dialect == Dialect::Go)
                    .collect()
            } else {
                Vec::new()
            };
            let mut guards = guards;
            if code.tokens.dialect == Dialect::Php {
                let before = call.parts.iter().filter_map(|it| Some((it.word, it.open?)));
                let links = before.chain(code.followers(call.open));
                let through = links.filter(|it| it.0 == "middleware");
                guards
                    .extend(through.flat_map(|it| self.each(&(it.1 + 1..code.tokens.mate(it.1)))));
                // `Route::group(["prefix" => "x", "middleware" => ["y"]], …)`
                let listed = arguments.first().map(|it| it.value.start);
                if let Some(list) = listed.filter(|it| code.tokens.is(*it, "[")) {
                    let named = code.member(list, &["prefix"]).and_then(|it| code.literal(&it));
                    prefix = named.unwrap_or_default();
                    let through = code.member(list, &["middleware"]);
                    guards.extend(through.iter().flat_map(|it| self.each(it)));
                }
            }
            // The one that gave the address reaches to the end of the chain.
            let is_last = name.eq_ignore_ascii_case("group") && call.parts.len() > 1;
            let first = call.parts.iter().find(|it| has(&group.names, it.word));
            if group.reaches == Reach::Chain && is_last && first.is_some_and(|it| it.word != name) {
                return;
            }
            let bound = code.bound_to(call.start);
            if address.is_some() || name == "Group" || name == "group" {
                let end = code.tokens.mate(call.open);
                let range = match group.reaches {
                    Reach::Arguments => call.open + 1..end,
                    Reach::Chain if is_last => call.open + 1..end,
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
        let is_maker = |it: &&super::rows::Maker| has(&it.names, name);
        if call.may(role::MAKER)
            && let Some(maker) = self.rows.makers.iter().find(is_maker)
        {
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
        let may_give = code.tokens.dialect == Dialect::Go && !self.bindings.is_empty();
        if may_give && call.parts.len() <= 2 {
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
            && code.tokens.dialect != Dialect::Rust
        {
            let target = code.tokens.word(target.start);
            let (at, prefix) = (call.open, address.to_owned());
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
        if !call.may(role::MOUNT) {
            return None;
        }
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
}

fn root_of<'a>(call: &Call<'a>) -> &'a str {
    let root = call.root();
    if root == "this" && call.parts.len() > 2 { call.parts[1].word } else { root }
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
