//! Comparing twice as much takes twice as long, also where nothing fits at first sight.

use super::*;
use crate::domain::diff::canonical::READ;

/// How many texts are looked at for `count` declarations that all changed in one way.
fn work(before: &dyn Fn(usize) -> String, after: &dyn Fn(usize) -> String, count: usize) -> usize {
    let all = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    let (before, after) = (all(before), all(after));
    READ.set(0);
    let found = drift(&before, &after);
    assert!(!found.items.is_empty());
    READ.get()
}

#[track_caller]
fn grows_with_the_code(before: &dyn Fn(usize) -> String, after: &dyn Fn(usize) -> String) {
    let (few, many) = (work(before, after, 60), work(before, after, 240));
    assert!(many <= few * 5, "{few} texts read for 60, {many} for 240");
}

#[test]
fn one_name_in_many_files_that_all_moved() {
    let file = |folder: &'static str| {
        move |at: usize| {
            format!("//- {folder}/f{at}.ts\nexport default function (a: string) {{ go({at}); }}\n")
        }
    };
    grows_with_the_code(&file("src"), &file("lib"));
}

#[test]
fn many_new_names() {
    let named = |name: &'static str| {
        move |at: usize| {
            let head = if at == 0 { "//- a.ts\n" } else { "" };
            format!("{head}export function {name}{at}(a: string) {{ return a; }}\n")
        }
    };
    grows_with_the_code(&named("old"), &named("fresh"));
}

#[test]
fn many_overloads_of_one_name() {
    let overload = |returned: &'static str| {
        move |at: usize| {
            let head = if at == 0 { "//- a.d.ts\n" } else { "" };
            format!("{head}export function f(a: {at}): {returned};\n")
        }
    };
    grows_with_the_code(&overload("string"), &overload("number"));
}

#[test]
fn many_members_of_one_name() {
    let overload = |returned: &'static str| {
        move |at: usize| {
            let head = if at == 0 { "//- a.d.ts\nexport interface I {\n" } else { "" };
            format!("{head}f(a: {at}): {returned};\n")
        }
    };
    grows_with_the_code(&overload("string"), &overload("number"));
}
